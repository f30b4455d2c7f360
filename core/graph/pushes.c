/* pushes.c  Compiled once a target, as core/topk/keys.c is. Lanes are nodes in push, and every eighth neighbour in
 * pull. */
#include "graph/pushes.h"

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define PUSHES_INLINE static inline __attribute__((always_inline))
enum { LANES = KNNG_PUSH_LANES };

typedef double lanes __attribute__((vector_size(8 * LANES), aligned(8)));

PUSHES_INLINE void
push(int dims, const double *x, const double *crowds, int64_t count, double *force, double *sum)
{
	lanes at[KNNG_TSNE_DIMS] = {{0}}, f[KNNG_TSNE_DIMS] = {{0}}, z = *(const lanes *)sum;
	for (int c = 0; c < dims; c++) {
		at[c] = *(const lanes *)(x + c * LANES);
		f[c] = *(const lanes *)(force + c * LANES);
	}
	for (int64_t e = 0; e < count; e++, crowds += dims + 1) {
		lanes off[KNNG_TSNE_DIMS], d = at[0] - crowds[0];
		off[0] = d;
		d = 1 + d * d;
		for (int c = 1; c < dims; c++) {
			off[c] = at[c] - crowds[c];
			d += off[c] * off[c];
		}
		lanes q = 1 / d, mq = q * crowds[dims];
		z += mq;
		q *= mq;
		for (int c = 0; c < dims; c++)
			f[c] += q * off[c];
	}
	for (int c = 0; c < dims; c++)
		*(lanes *)(force + c * LANES) = f[c];
	*(lanes *)sum = z;
}

PUSHES_INLINE void
pull(int dims, const double *x, const double *y, const int32_t *row, const double *weight, int64_t count, double *force)
{
	lanes f[KNNG_TSNE_DIMS] = {{0}};
	for (int64_t e = 0; e < count; e += LANES) {
		lanes off[KNNG_TSNE_DIMS], w = {0}, d = w + 1;
		int many = count - e < LANES ? (int)(count - e) : LANES;
		for (int c = 0; c < dims; c++)
			off[c] = w;
		if (many == LANES)
			for (int l = 0; l < LANES; l++) {
				const double *at = y + (int64_t)row[e + l] * dims;
				for (int c = 0; c < dims; c++)
					off[c][l] = x[c] - at[c];
				w[l] = weight[e + l];
			}
		else
			for (int l = 0; l < many; l++) {
				const double *at = y + (int64_t)row[e + l] * dims;
				for (int c = 0; c < dims; c++)
					off[c][l] = x[c] - at[c];
				w[l] = weight[e + l];
			}
		for (int c = 0; c < dims; c++)
			d += off[c] * off[c];
		w /= d;
		for (int c = 0; c < dims; c++)
			f[c] += w * off[c];
	}
	for (int c = 0; c < dims; c++)
		force[c] = ((f[c][0] + f[c][4]) + (f[c][2] + f[c][6])) + ((f[c][1] + f[c][5]) + (f[c][3] + f[c][7]));
}

#define OF(dims)                                                                                                       \
	static void push_##dims(const double *x, const double *crowds, int64_t count, double *force, double *sum)      \
	{                                                                                                              \
		push(dims, x, crowds, count, force, sum);                                                              \
	}                                                                                                              \
	static void pull_##dims(const double *x, const double *y, const int32_t *row, const double *weight,            \
				int64_t count, double *force)                                                          \
	{                                                                                                              \
		pull(dims, x, y, row, weight, count, force);                                                           \
	}
OF(1)
OF(2)
OF(3)

extern const knng_pushes PASTE(knng_pushes_, KNNG_TARGET)[KNNG_TSNE_DIMS];
const knng_pushes PASTE(knng_pushes_,
			KNNG_TARGET)[KNNG_TSNE_DIMS] = {{push_1, pull_1}, {push_2, pull_2}, {push_3, pull_3}};
