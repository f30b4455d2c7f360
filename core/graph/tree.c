#include "graph/tree.h"

#include "base/sys.h"

#include <math.h>
#include <string.h>

knng_status
knng_tree_read(int64_t n, const double *Z, int64_t *node, knng_err *err)
{
	int64_t steps = n - 1;
	knng_status status = KNNG_OK;
	uint8_t *joined = knng_calloc(2 * n, 1);
	if (joined == NULL)
		return knng_fail_memory(err, "the tree", 2.0 * (double)n);
	for (int64_t s = 0; s < steps && status == KNNG_OK; s++) {
		for (int64_t c = 0; c < 2 && status == KNNG_OK; c++) {
			double number = Z[c * steps + s];
			bool there = number >= 1 && number <= (double)(n + s) && number == floor(number);
			if (!there || joined[(int64_t)number - 1])
				status = knng_fail(err, KNNG_EARGS, "knng:args:tree",
						   "Z(%lld,%lld) is %g, %s: Z is a tree as knng.linkage returns it",
						   (long long)s + 1, (long long)c + 1, number,
						   there ? "which was joined before"
							 : "and no node that is there by then");
			else
				joined[node[2 * s + c] = (int64_t)number - 1] = 1;
		}
		if (status == KNNG_OK && isnan(Z[2 * steps + s]))
			status = knng_fail(err, KNNG_EARGS, "knng:args:tree",
					   "Z(%lld,3) is NaN: it is a height of a tree as knng.linkage returns it",
					   (long long)s + 1);
	}
	knng_free(joined);
	return status;
}

void
knng_tree_cut(int64_t n, const int64_t *node, const double *measure, double limit, double *part, int64_t *scratch)
{
	int64_t *top = scratch, *number = scratch + 2 * n,
		parts = 0; /* top: the cluster of a node, itself or one above */
	for (int64_t i = 0; i < n; i++)
		top[i] = i;
	for (int64_t s = 0; s < n - 1; s++) {
		bool holds = measure[s] <= limit && top[node[2 * s]] >= 0 && top[node[2 * s + 1]] >= 0;
		top[n + s] = holds ? n + s : -1;
		number[s] = 0;
	}
	for (int64_t s = n - 2; s >= 0; s--)
		if (top[n + s] >= 0)
			top[node[2 * s]] = top[node[2 * s + 1]] = top[n + s];
	for (int64_t i = 0; i < n; i++) {
		if (top[i] >= n && number[top[i] - n] == 0)
			number[top[i] - n] = ++parts;
		part[i] = (double)(top[i] >= n ? number[top[i] - n] : ++parts);
	}
}

knng_status
knng_tree_cophenet(knng_task *task, int64_t n, const int64_t *node, const double *height, double *y, knng_err *err)
{
	knng_status status = KNNG_OK;
	int64_t *leaf = knng_alloc(n, sizeof *leaf), *first = knng_alloc(2 * n, sizeof *first),
		*end = knng_alloc(2 * n, sizeof *end);
	if (leaf == NULL || first == NULL || end == NULL) {
		status = knng_fail_memory(err, "the heights of pairs", 40.0 * (double)n);
		goto done;
	}
	for (int64_t i = 0; i < n; i++)
		end[i] = 1;
	for (int64_t s = 0; s < n - 1; s++) /* so many leaves, for now */
		end[n + s] = end[node[2 * s]] + end[node[2 * s + 1]];
	first[2 * n - 2] = 0;
	for (int64_t s = n - 2; s >= 0; s--) {
		int64_t a = node[2 * s], b = node[2 * s + 1];
		first[a] = first[n + s];
		first[b] = first[a] + end[a];
		end[n + s] += first[n + s];
	}
	for (int64_t i = 0; i < n; i++) {
		leaf[first[i]] = i;
		end[i] += first[i];
	}
	for (int64_t s = 0; s < n - 1 && status == KNNG_OK; s++) {
		int64_t a = node[2 * s], b = node[2 * s + 1];
		for (int64_t p = first[a]; p < end[a]; p++)
			for (int64_t q = first[b]; q < end[b]; q++) {
				int64_t i = leaf[p] < leaf[q] ? leaf[p] : leaf[q],
					j = leaf[p] < leaf[q] ? leaf[q] : leaf[p];
				y[i * n - i * (i + 1) / 2 + j - i - 1] = height[s];
			}
		status = knng_task_step(task, (double)s / (double)n, err);
	}
done:
	knng_free(leaf);
	knng_free(first);
	knng_free(end);
	return status;
}

typedef struct {
	int64_t step, levels;
} below;

/* The sum over step s and those below it of their heights, each less that of s, times 2^-exponent, less `mean`, or of
 * the squares of that. most: the largest of these without its sign. */
static double
sum_below(int64_t n, const int64_t *node, const double *height, int64_t s, int64_t depth, int exponent, double mean,
	  bool squared, below *stack, int64_t *count, double *most)
{
	double sum = 0;
	int64_t left = 0;
	stack[left++] = (below){s, depth};
	*count = 0;
	*most = 0;
	while (left > 0) {
		below b = stack[--left];
		double x = height[b.step] == height[s] ? 0 : ldexp(height[b.step] - height[s], -exponent);
		x -= mean;
		*most = fmax(*most, fabs(x));
		sum += squared ? x * x : x;
		++*count;
		for (int c = 0; c < 2 && b.levels > 1; c++)
			if (node[2 * b.step + c] >= n)
				stack[left++] = (below){node[2 * b.step + c] - n, b.levels - 1};
	}
	return sum;
}

knng_status
knng_tree_inconsistent(knng_task *task, int64_t n, const int64_t *node, const double *height, int64_t depth, double *Y,
		       knng_err *err)
{
	int64_t steps = n - 1, count;
	knng_status status = KNNG_OK;
	below *stack = knng_alloc(n + 1, sizeof *stack); /* a step and its like wait for each other: no more than all */
	if (stack == NULL)
		return knng_fail_memory(err, "the tree", 16.0 * (double)n);
	for (int64_t s = 0; s < steps && status == KNNG_OK; s++) {
		double most;
		int exponent; /* of a scale in which squares neither overflow nor vanish */
		sum_below(n, node, height, s, depth, 0, 0, false, stack, &count, &most);
		exponent = isfinite(most) && most > 0 ? ilogb(most) : 0;
		double sum = sum_below(n, node, height, s, depth, exponent, 0, false, stack, &count, &most);
		double mean = sum / (double)count;
		double square = sum_below(n, node, height, s, depth, exponent, mean, true, stack, &count, &most);
		double deviation = count > 1 ? sqrt(square / (double)(count - 1)) : 0;
		Y[s] = height[s] + ldexp(mean, exponent);
		Y[steps + s] = ldexp(deviation, exponent);
		Y[2 * steps + s] = (double)count;
		Y[3 * steps + s] = deviation > 0 ? -mean / deviation : 0;
		status = s % 256 == 0 ? knng_task_step(task, (double)s / (double)n, err) : KNNG_OK;
	}
	knng_free(stack);
	return status;
}
