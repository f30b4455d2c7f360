/* fused_long.cu  The same as fused.cu of rows that are too long to lie in registers.
 *
 * A block makes the products of ROWS rows and WIDE columns at a time. One of its threads lets stages of DEEP features
 * of them come into a ring in shared memory; two groups of four warps multiply what is there, with TALL rows each, and
 * give the room back. When a row is through they test its sums, while the next stages are on their way. Blocks that
 * work at the same time do so at neighbouring rows and columns, so that most of them come from the cache; of long rows
 * only as long as all are at about the same features, so they wait for each other.
 *
 * No sum has more than KNNG_TENSOR_PART products, or KNNG_PIECES_PART of rows in two pieces: those of longer rows are
 * summed up in parts, which are added one by one in single precision. Sums and parts of WIDE columns take twice as many
 * registers, so there are fewer columns. */
#include "cuda/search/fused_long.h"
#include "cuda/search/hits.h"

#ifdef KNNG_FUSED

#include <cuda.h>

enum {
	DEEP = SWIZZLED / 2, /* features of a stage */
	ROWS = 2 * TALL,
	STAGES = 4,
	THREADS = 3 * GROUP,
	BAND = 16, /* times ROWS, at which blocks work together */
	PACE = 16, /* stages, after which they look how far the others are */
	AHEAD = 2, /* how many times PACE they may be before the others */
};

/* Of columns that a block takes at once: the sums of a thread, of each half of the columns; and shared memory. */
template <int WIDE> struct shape {
	enum {
		SUMS = WIDE / 4,
		STAGE = (ROWS + WIDE) * SWIZZLED,
		KEPT = 2 * GROUP / 32 * (int)sizeof(kept<SUMS>),
		BYTES = STAGES * STAGE + KEPT + 4 * WIDE * (int)sizeof(float2) + 2 * STAGES * 8,
	};
};
enum { WHOLE = 256, IN_PARTS = 192 }; /* columns */

/* Where each of its parts lies. */
typedef struct {
	uint32_t stage, full, empty; /* the first of each, as addresses in shared memory */
	int at;                      /* the next stage */
	unsigned turn;               /* how many times the ring came around, modulo two */
} ring;

__device__ static inline void
advance(ring *r)
{
	r->at++;
	if (r->at == STAGES) {
		r->at = 0;
		r->turn ^= 1;
	}
}

/* ---------------------------------------------------------------- barriers, copies */

__device__ static inline void
barrier_open(uint32_t barrier, int arrivals)
{
	asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

__device__ static inline void
barrier_arrive(uint32_t barrier)
{
	asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

/* Arrives, and lets the barrier wait for so many bytes. */
__device__ static inline void
barrier_expect(uint32_t barrier, int bytes)
{
	asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

/* Until the phase of that parity is over. */
__device__ static inline void
barrier_wait(uint32_t barrier, unsigned parity)
{
	asm volatile("{\n.reg .pred p;\n"
		     "again:\n"
		     "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
		     "@p bra done;\n"
		     "bra again;\n"
		     "done:\n}" ::"r"(barrier),
		     "r"(parity)
		     : "memory");
}

/* DEEP features of some rows, from (feature, row) on, to shared memory; zeros beyond the matrix. */
__device__ static inline void
copy_in(uint32_t to, const CUtensorMap *from, int feature, int row, uint32_t barrier)
{
	asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
		     "[%0], [%1, {%2, %3}], [%4];" ::"r"(to),
		     "l"((uint64_t)from), "r"(feature), "r"(row), "r"(barrier)
		     : "memory");
}

/* ---------------------------------------------------------------- products */

#define FOUR(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SIXTEEN(d, i) FOUR(d, i), FOUR(d, i + 4), FOUR(d, i + 8), FOUR(d, i + 12)

/* d = (or +=) the product of 64 rows of 16 features and of columns, both in shared memory. */
__device__ static inline void
multiply(float (&d)[2][shape<WHOLE>::SUMS], uint64_t rows, uint64_t columns, bool add)
{
	asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
		     "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 "
		     "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
		     "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
		     "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
		     "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
		     "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
		     "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
		     "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
		     "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
		     "%128, %129, p, 1, 1, 0, 0;\n}"
		     : SIXTEEN(d[0], 0), SIXTEEN(d[0], 16), SIXTEEN(d[0], 32), SIXTEEN(d[0], 48), SIXTEEN(d[1], 0),
		       SIXTEEN(d[1], 16), SIXTEEN(d[1], 32), SIXTEEN(d[1], 48)
		     : "l"(rows), "l"(columns), "r"((int)add)
		     : "memory");
}

__device__ static inline void
multiply(float (&d)[2][shape<IN_PARTS>::SUMS], uint64_t rows, uint64_t columns, bool add)
{
	asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %98, 0;\n"
		     "wgmma.mma_async.sync.aligned.m64n192k16.f32.f16.f16 "
		     "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
		     "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
		     "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
		     "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
		     "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
		     "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95}, "
		     "%96, %97, p, 1, 1, 0, 0;\n}"
		     : SIXTEEN(d[0], 0), SIXTEEN(d[0], 16), SIXTEEN(d[0], 32), SIXTEEN(d[1], 0), SIXTEEN(d[1], 16),
		       SIXTEEN(d[1], 32)
		     : "l"(rows), "l"(columns), "r"((int)add)
		     : "memory");
}

#undef SIXTEEN
#undef FOUR

/* Starts the products of the stage at hand, when it is there. */
template <int WIDE>
__device__ static inline void
start(float (&d)[2][shape<WIDE>::SUMS], const ring &r, int group, bool add)
{
	uint32_t stage = r.stage + r.at * shape<WIDE>::STAGE;
	uint64_t rows = describe(stage + group * TALL * SWIZZLED), columns = describe(stage + ROWS * SWIZZLED);
	barrier_wait(r.full + r.at * 8, r.turn);
	asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
	for (int s = 0; s < DEEP / STEP; s++)
#ifdef KNNG_PLANT_LONG /* what the check of tensor cores must find */
		multiply(d, rows + s * 2, columns + (s ^ 1) * 2, add || s > 0);
#else
		multiply(d, rows + s * 2, columns + s * 2, add || s > 0);
#endif
	asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* d = the products of so many stages. Each is given back when the next one has begun. */
template <int WIDE>
__device__ static inline void
sum_up(float (&d)[2][shape<WIDE>::SUMS], ring *r, int group, int stages)
{
	bool first = threadIdx.x % 32 == 0;
	pin(d[0]);
	pin(d[1]);
	start<WIDE>(d, *r, group, false);
	for (int s = 1; s < stages; s++) {
		uint32_t before = r->empty + r->at * 8;
		advance(r);
		start<WIDE>(d, *r, group, true);
		asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
		if (first)
			barrier_arrive(before);
	}
	asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
	pin(d[0]);
	pin(d[1]);
	if (first)
		barrier_arrive(r->empty + r->at * 8);
	advance(r);
}

/* ---------------------------------------------------------------- the kernel */

/* Meetings of ROWS rows with WIDE columns. */
typedef struct {
	int tall, wide, columns; /* of a meeting */
	bool half;               /* none but those that have a pair whose row comes first */
} meetings;

/* The i-th: down BAND of rows, then on to the next columns, and at last to the rows below. (-1, .): there are no more.
 */
__device__ static inline int2
meeting(const meetings &m, int i)
{
	for (int top = 0; top < m.tall; top += BAND) {
		int height = m.tall - top < BAND ? m.tall - top : (int)BAND;
		int first = m.half ? top * ROWS / m.columns : 0, some = height * (m.wide - first);
		if (i < some)
			return make_int2(top + i % height, first + i / height);
		i -= some;
	}
	return make_int2(-1, 0);
}

/* Says that another PACE stages are about to be brought, the `often`-th, and waits until others have come as far, on
 * average, but for AHEAD times. False: they have not in a long time, as blocks have that are not running yet; there is
 * no use in waiting again. */
__device__ static inline bool
keep_pace(int *pace, int often, bool wait)
{
	enum { LONG = 500 };
	int least = (often - AHEAD) * (int)gridDim.x;
	atomicAdd(pace, 1);
	for (int tries = 0; wait && *(volatile int *)pace < least; tries++) {
		wait = tries < LONG;
		__nanosleep(100);
	}
	return wait;
}

/* One thread: all stages of all meetings, one behind the other. */
template <int WIDE>
__device__ static inline void
bring(const meetings &m, ring r, const CUtensorMap *rows, const CUtensorMap *columns, int stages, int *pace)
{
	bool together = true;
	int often = 0;
	int2 at;
	for (int i = blockIdx.x; (at = meeting(m, i)).x >= 0; i += gridDim.x) {
		for (int s = 0; s < stages; s++) {
			uint32_t stage = r.stage + r.at * shape<WIDE>::STAGE, full = r.full + r.at * 8;
			if (pace != NULL && s % PACE == 0)
				together = keep_pace(pace, ++often, together);
			barrier_wait(r.empty + r.at * 8, r.turn ^ 1);
			barrier_expect(full, shape<WIDE>::STAGE);
			copy_in(stage, rows, s * DEEP, at.x * ROWS, full);
			copy_in(stage + ROWS * SWIZZLED, columns, s * DEEP, at.y * WIDE, full);
			advance(&r);
		}
	}
	if (pace != NULL) /* others may have one more, and wait for nobody who is through */
		atomicAdd(pace, (stages + PACE - 1) / PACE);
}

/* The threads of a group alone. */
__device__ static inline void
group_sync(int group)
{
	asm volatile("bar.sync %0, %1;" ::"r"(group + 1), "n"((int)GROUP) : "memory");
}

/* What columns c and c + 1 are tested with. */
__device__ static inline auto
tests_of(const fused &f)
{
	return [&f](int c) {
		float2 a = test_of(f.column, c, f.nc, NONE), b = test_of(f.column, c + 1, f.nc, NONE);
		return make_float4(a.x, a.y, b.x, b.y);
	};
}

/* Tests the sums of rows `upper` and 8 below, whose tests are above and below. tests: of the columns, from `first` on.
 * Returns how many were put aside. */
template <int WIDE, int KIND>
__device__ static inline int
finish(const fused &f, const float (&d)[2][shape<WIDE>::SUMS], int upper, float2 above, float2 below,
       const float2 *tests, int first, kept<shape<WIDE>::SUMS> *aside, int count)
{
	int beside = threadIdx.x % 4 * 2;
#pragma unroll
	for (int half = 0; half < 2; half++) {
		int column = half * WIDE / 2 + beside;
		if (f.products != NULL) {
			store(f, d[half], upper, first + column);
			continue;
		}
		bool passes = test_each<KIND>(d[half], tests + column, above, below);
		if (__any_sync(0xffffffffu, passes))
			count = put_aside<KIND>(f, d[half], passes, upper, first + column,
						make_float4(above.x, above.y, below.x, below.y), tests_of(f), 0, aside,
						count);
	}
	return count;
}

/* A group: all meetings, TALL rows of each. tests: room for twice WIDE. What sums are tested with is on its way while
 * they are made; no warp writes there before all have made their sums, and so have read what was there before. */
template <int WIDE, int KIND>
__device__ static inline void
multiply_and_test(const fused &f, const meetings &m, ring r, int group, float2 *tests, kept<shape<WIDE>::SUMS> *aside,
		  int stages)
{
	enum { SUMS = shape<WIDE>::SUMS, MINE = (WIDE + GROUP - 1) / GROUP };
	float d[2][SUMS], all[2][WIDE == IN_PARTS ? (int)SUMS : 1];
	int thread = threadIdx.x % GROUP, count = 0;
	int mine = group * TALL + thread / 32 * 16 + thread % 32 / 4; /* of the rows; the other is 8 below */
	bool turn = false;
	int2 at;
	for (int i = blockIdx.x; (at = meeting(m, i)).x >= 0; i += gridDim.x) {
		int first = at.y * WIDE, upper = at.x * ROWS + mine;
		float2 above = test_of(f.row, upper, f.nr, NEGATIVE), below = test_of(f.row, upper + 8, f.nr, NEGATIVE);
		float2 test[MINE];
#pragma unroll
		for (int e = 0; e < MINE; e++)
			test[e] = test_of(f.column, first + e * GROUP + thread, f.nc, NONE);
		if (WIDE != IN_PARTS) {
			sum_up<WIDE>(d, &r, group, stages);
		} else {
#pragma unroll
			for (int e = 0; e < 2 * SUMS; e++)
				all[e / SUMS][e % SUMS] = 0;
			int part = (f.pieces ? KNNG_PIECES_PART : KNNG_TENSOR_PART) / DEEP;
			for (int left = stages; left > 0; left -= part) {
				sum_up<WIDE>(d, &r, group, left < part ? left : part);
#pragma unroll
				for (int e = 0; e < 2 * SUMS; e++)
					all[e / SUMS][e % SUMS] += d[e / SUMS][e % SUMS];
			}
#pragma unroll
			for (int e = 0; e < 2 * SUMS; e++)
				d[e / SUMS][e % SUMS] = all[e / SUMS][e % SUMS];
		}
#pragma unroll
		for (int e = 0; e < MINE; e++)
			if (e * GROUP + thread < WIDE)
				tests[e * GROUP + thread] = test[e];
		group_sync(group);
		count = finish<WIDE, KIND>(f, d, upper, above, below, tests, first, aside, count);
		tests += turn ? -WIDE : (int)WIDE;
		turn = !turn;
	}
	look_over<KIND>(f, aside, tests_of(f), 0, count);
	give_up(f, aside);
}

template <int WIDE, int KIND>
__global__ static void
__launch_bounds__(THREADS, 1) long_kernel(const __grid_constant__ fused f, const __grid_constant__ CUtensorMap rows,
					  const __grid_constant__ CUtensorMap columns)
{
	typedef shape<WIDE> S;
	extern __shared__ __align__(1024) char stages[];
	kept<S::SUMS> *aside = (kept<S::SUMS> *)(stages + STAGES * S::STAGE);
	float2 *tests = (float2 *)((char *)aside + S::KEPT);
	int group = __shfl_sync(0xffffffffu, (int)threadIdx.x / GROUP, 0), all = ((int)f.ld + DEEP - 1) / DEEP;
	meetings m = {(f.nr + ROWS - 1) / ROWS, (f.nc + WIDE - 1) / WIDE, WIDE, f.half};
	ring r;
	r.stage = (uint32_t)__cvta_generic_to_shared(stages);
	r.full = (uint32_t)__cvta_generic_to_shared(tests + 4 * WIDE);
	r.empty = r.full + STAGES * 8;
	r.at = 0;
	r.turn = 0;
	if (threadIdx.x == 0)
		for (int s = 0; s < STAGES; s++) {
			barrier_open(r.full + s * 8, 1);
			barrier_open(r.empty + s * 8, 2 * GROUP / 32);
		}
	if (threadIdx.x % 32 == 0 && group < 2)
		aside[threadIdx.x / 32].left = aside[threadIdx.x / 32].place = 0;
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
	__syncthreads();
	if (group == 2) {
		asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
		if (threadIdx.x % GROUP == 0)
			bring<WIDE>(m, r, &rows, &columns, all, f.pace);
	} else {
		asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
		multiply_and_test<WIDE, KIND>(f, m, r, group, tests + group * 2 * WIDE, aside + threadIdx.x / 32, all);
	}
}

/* ---------------------------------------------------------------- launchers */

/* Of rows in one part and in several; whose sums are taken as they are, by their size, or with their signs turned. */
static const struct {
	int wide, bytes;
	void (*kernel[3])(fused, CUtensorMap, CUtensorMap);
} shapes[] = {
#define SHAPE(n)                                                                                                       \
	{                                                                                                              \
		n, shape<n>::BYTES,                                                                                    \
		{                                                                                                      \
			long_kernel<n, UNEVEN>, long_kernel<n, EITHER>, long_kernel<n, TURNED>                         \
		}                                                                                                      \
	}
	SHAPE(WHOLE),
	SHAPE(IN_PARTS),
#undef SHAPE
};

/* The driver's way to say how a matrix lies in memory; NULL: it has none. */
static decltype(&cuTensorMapEncodeTiled)
encoder(void)
{
	void *function = NULL;
	cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
	cudaError_t error =
		cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found);
#else
	cudaError_t error = cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &found);
#endif
	return error == cudaSuccess && found == cudaDriverEntryPointSuccess
		       ? (decltype(&cuTensorMapEncodeTiled))function
		       : NULL;
}

/* A matrix of rows of ld halves, of which so many come to a stage. */
static bool
describe_matrix(CUtensorMap *map, const __half *at, int rows, int64_t ld, int together)
{
	decltype(&cuTensorMapEncodeTiled) encode = encoder();
	cuuint64_t size[2] = {(cuuint64_t)ld, (cuuint64_t)rows}, stride[1] = {(cuuint64_t)ld * 2};
	cuuint32_t box[2] = {DEEP, (cuuint32_t)together}, step[2] = {1, 1};
	return encode != NULL &&
	       encode(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, (void *)at, size, stride, box, step,
		      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
		      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

bool
long_there(int device)
{
	int major = 0;
	bool there = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
		     major == 9 && encoder() != NULL;
	for (const auto &shape : shapes)
		for (const auto &kernel : shape.kernel)
			there = there && cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
							      shape.bytes) == cudaSuccess;
	return there;
}

bool
launch_long(const fused &f, int processors, cudaStream_t stream)
{
	int i = f.pieces || f.ld > KNNG_TENSOR_PART, wide = shapes[i].wide;
	int kind = f.l.sum == KNNG_SUM_EITHER ? 1 : f.flip != 0 ? 2 : 0;
	int64_t meetings = (int64_t)up(f.nr, ROWS) * up(f.nc, wide);
	CUtensorMap rows, columns;
	if (!describe_matrix(&rows, f.rows, f.nr, f.ld, ROWS) ||
	    !describe_matrix(&columns, f.columns, f.nc, f.ld, wide))
		return false;
	shapes[i].kernel
		[kind]<<<(unsigned)(meetings < processors ? meetings : processors), THREADS, shapes[i].bytes, stream>>>(
			f, rows, columns);
	return true;
}

#endif
