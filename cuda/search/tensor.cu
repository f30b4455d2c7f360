/* tensor.cu  Compares the half-precision products of a device with the bound that searches rest on, docs/canonical.md,
 * 6, when it is first opened: what the bound rests on is a model of hardware that nobody has documented. */
#include "cuda/search/backend_cuda.h"
#include "cuda/search/fused.h"
#include "cuda/search/products.h"
#include "cuda/search/tensor.h"

#include <stdio.h>

/* Shapes in which cuBLAS goes about a product in different ways: short rows, one part and several, few rows, which it
 * splits among its processors, and many. */
static const struct {
	int64_t d, n;
	bool pieces;
} shapes[] = {
	{8, 32, false},     {64, 32, false}, {512, 32, false}, {2048, 32, false}, {4096, 32, false},
	{512, 2048, false}, {8, 29, true},   {168, 29, true},  {1024, 29, true},  {4096, 29, true},
};
/* And rows that are too long for registers, in one part and in several; some of them in two pieces. */
static const struct {
	int64_t d;
	bool pieces;
} long_rows[] = {
	{312, false}, {320, false}, {1000, false}, {2048, false}, {2056, false}, {4096, false},
	{64, true},   {72, true},   {104, true},   {168, true},   {680, true},   {4096, true},
};
enum {
	SHAPES = sizeof shapes / sizeof *shapes,
	LONG = sizeof long_rows / sizeof *long_rows,
	LONGEST = 4096,
	MOST = 2048,
#ifdef KNNG_PLAIN /* where one is as good as another */
	FUSED = TENSOR_ROWS,
#else
	FUSED = 512,
#endif
	HALVES = TENSOR_ROWS * 3 * LONGEST, /* of an operand, on the host */
	ALL_HALVES = MOST * 512,            /* and on the device */
	LOOKED_AT = 2 * TENSOR_ROWS         /* rows of products: the first and the last, where many are */
};

typedef struct {
	__half *device[2], *host[2];
	void *products, *fetched;
	double *values;
} buffers;

static struct {
	bool known;
	double excess;
} found[MAX_DEVICES];

/* The products of n rows, t's over and over again, into b->products. */
static knng_status
multiply(session *s, int device, const tensor_rows *t, int64_t n, bool halves, buffers *b, knng_err *err)
{
	int64_t row = t->pieces ? 3 * t->d : t->d, width = (n + 7) / 8 * 8;
	knng_status status = KNNG_OK;
	for (int operand = 0; operand <= t->pieces; operand++) {
		int64_t there = n < TENSOR_ROWS ? n : (int64_t)TENSOR_ROWS;
		TRY(cudaMemcpyAsync(b->device[operand], b->host[operand], (size_t)(there * row * 2),
				    cudaMemcpyHostToDevice, s->make));
		for (; there < n; there *= 2) /* n is TENSOR_ROWS times a power of two then */
			TRY(cudaMemcpyAsync(b->device[operand] + there * row, b->device[operand],
					    (size_t)(there * row * 2), cudaMemcpyDeviceToDevice, s->make));
	}
	if (t->pieces)
		TRY_BLAS(product_of_pieces(s->blas, b->device[1], b->device[0], n, n, t->d, (float *)b->products,
					   width));
	else
		TRY_BLAS(product_of_halves(s->blas, b->device[0], b->device[0], n, n, t->d, b->products,
					   halves ? CUDA_R_16F : CUDA_R_32F, width));
out:
	return status;
}

/* Those of the kernel that compares them as well, in single precision. */
static knng_status
multiply_fused(session *s, int device, const tensor_rows *t, int64_t n, int kind, buffers *b, knng_err *err)
{
	fused f = {};
	knng_status status = multiply(s, device, t, n, false, b, err); /* brings the rows */
	if (status != KNNG_OK)
		return status;
	f.rows = b->device[0];
	f.columns = b->device[t->pieces];
	f.ld = t->pieces ? 3 * t->d : t->d;
	f.pieces = t->pieces;
	f.nr = f.nc = (int)n;
	f.products = (float *)b->products;
	f.width = (n + 7) / 8 * 8;
	f.fold = kind == 3 ? fused_fold(f.ld) : 0;
	f.even = kind == 1;
	f.l.sum = kind == 2 ? KNNG_SUM_EITHER : KNNG_SUM_MINUS;
	f.flip = kind == 1 && fused_is_long(f.ld, f.pieces) ? 1 : 0;
	f.blocks = 1; /* so that rows that come while others are multiplied are multiplied, too */
	TRY(cudaMemsetAsync(b->products, 0xff, (size_t)n * (size_t)f.width * 4, s->make)); /* no numbers */
	launch_fused(f, s->make);
	TRY_LAUNCH();
out:
	return status;
}

/* How much of the bound they take. */
static knng_status
look(session *s, int device, const tensor_rows *t, int64_t n, bool halves, buffers *b, double *worst, knng_err *err)
{
	int64_t width = (n + 7) / 8 * 8, bytes = width * (halves ? 2 : 4), first = n < LOOKED_AT ? n : LOOKED_AT / 2;
	knng_status status = KNNG_OK;
	for (int64_t at = 0; at < n; at += at == 0 && first < n ? n - first : n) {
		TRY(cudaMemcpyAsync(b->fetched, (char *)b->products + at * bytes, (size_t)(first * bytes),
				    cudaMemcpyDeviceToHost, s->make));
		TRY(cudaStreamSynchronize(s->make));
		for (int64_t i = 0; i < first; i++)
			*worst = fmax(*worst, tensor_worst(t, at + i, (char *)b->fetched + i * bytes, halves, n));
	}
out:
	return status;
}

knng_status
tensor_check(int device, char *const room[2], knng_err *err)
{
	session *s = device_session(device);
	buffers b = {};
	tensor_rows t;
	double worst = 0;
	knng_status status = KNNG_OK;
	if (found[device].known)
		return KNNG_OK;
	static_assert(MOST * MOST * 4 <= BUFFER_BYTES && 2 * ALL_HALVES * 2 <= BUFFER_BYTES, "the room");
	static_assert(2 * HALVES * sizeof **b.host + LOOKED_AT * MOST * 4 + TENSOR_ROWS * LONGEST * sizeof *b.values <=
			      TENSOR_HOST_BYTES,
		      "what the host holds");
	b.products = room[0];
	for (int operand = 0; operand < 2; operand++) {
		b.device[operand] = (__half *)room[1] + operand * ALL_HALVES;
		b.host[operand] = (__half *)host->alloc(HALVES, sizeof **b.host);
	}
	b.fetched = host->alloc(LOOKED_AT * MOST, 4);
	b.values = (double *)host->alloc(TENSOR_ROWS * LONGEST, sizeof *b.values);
	if (b.host[0] == NULL || b.host[1] == NULL || b.fetched == NULL || b.values == NULL) {
		status = host->fail(err, KNNG_EMEMORY, "knng:memory:host", "the machine has no memory left");
		goto out;
	}
	TRY(cudaSetDevice(device));
	TRY_BLAS(cublasSetMathMode(s->blas, PRODUCTS_MODE));
	for (int i = 0; i < SHAPES; i++) {
		tensor_make(&t, (uint64_t)i, shapes[i].d, shapes[i].pieces, b.host[0], b.host[1], b.values);
		/* Of one part of halves the products are stored as halves. */
		for (int halves = 0; halves <= (!t.pieces && knng_tensor_parts(t.d) == 1); halves++) {
			if ((status = multiply(s, device, &t, shapes[i].n, halves, &b, err)) != KNNG_OK ||
			    (status = look(s, device, &t, shapes[i].n, halves, &b, &worst, err)) != KNNG_OK)
				goto out;
		}
	}
	for (int i = 0; i < FUSED_IN_REGISTERS / 8 + LONG; i++) {
		int at = i - FUSED_IN_REGISTERS / 8;
		bool pieces = at >= 0 && long_rows[at].pieces;
		int64_t d = at < 0 ? 8 * (i + 1) : long_rows[at].d, ld = pieces ? 3 * d : d;
		int64_t n = FUSED;
		if (fused_needs(ld, pieces) > fused_longest(device))
			continue;
		while (n * ld > ALL_HALVES)
			n /= 2;
		tensor_make(&t, (uint64_t)d, d, pieces, b.host[0], b.host[1], b.values);
		t.bound = pieces && fused_in_parts(ld) ? t.parts_bound : t.bound;
		/* Of rows that may be folded, and of long ones, every kind of kernel, of others one in turn. */
		int kinds = fused_fold(ld) > 0 ? 4 : fused_is_long(ld, pieces) ? 3 : 1;
		for (int kind = 0; kind < kinds; kind++)
			if ((status = multiply_fused(s, device, &t, n, kinds > 1 ? kind : i % 3, &b, err)) != KNNG_OK ||
			    (status = look(s, device, &t, n, false, &b, &worst, err)) != KNNG_OK)
				goto out;
	}
	TRY_BLAS(cublasSetMathMode(s->blas, CUBLAS_PEDANTIC_MATH));
#ifdef KNNG_PLANT_TRUST /* what the tests must find: products that are trusted and wrong */
	worst = 0;
#endif
	found[device].known = true;
	found[device].excess = worst > 1 ? worst : 0;
out:
	host->free(b.host[0]);
	host->free(b.host[1]);
	host->free(b.fetched);
	host->free(b.values);
	return status;
}

double
tensor_excess(int device)
{
	return found[device].excess;
}

knng_status
backend_check(int device, char *note, size_t size, knng_err *err)
{
	bool before = device_session(device)->ready;
	knng_status status = KNNG_OK;
	note[0] = 0;
	if (!found[device].known) {
		char *room[2];
		if ((status = device_open(device, 2 * (int64_t)BUFFER_BYTES, INT64_MAX, err)) == KNNG_OK) {
			for (int r = 0; r < 2; r++)
				room[r] = (char *)device_carve(device_session(device), BUFFER_BYTES);
			status = tensor_check(device, room, err);
		}
		if (!before)
			device_close(device); /* a search may never come */
	}
	if (tensor_excess(device) > 0)
		snprintf(note, size, TENSOR_NOTE, tensor_excess(device));
	return status;
}
