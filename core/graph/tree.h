/* tree.h  What is read off a tree of clusters, Z of graph/linkage.h: (n - 1) x 3, column after column. */
#ifndef KNNG_TREE_H
#define KNNG_TREE_H

#include "base/task.h"

/* The nodes that the steps join, counted from 0, leaves first: node[2s] and node[2s + 1] of step s, node n + s. Refuses
 * what is no tree: a number that is not whole, or of a node that is not there yet or was joined before; a height that
 * is NaN. Errors: knng:args:tree, knng:memory:host. O(n). */
knng_status knng_tree_read(int64_t n, const double *Z, int64_t *node, knng_err *err);

/* part[n]: clusters, counted from 1 in the order of their first rows, of all leaves below a step whose measure, and
 * that of all steps below it, is at most limit. scratch[3n]. O(n). */
void knng_tree_cut(int64_t n, const int64_t *node, const double *measure, double limit, double *part, int64_t *scratch);

/* y[n (n - 1) / 2]: the heights of the steps that join rows (1, 2), (1, 3), …. Errors: knng:memory:host,
 * knng:interrupted. O(n^2). */
knng_status knng_tree_cophenet(knng_task *task, int64_t n, const int64_t *node, const double *height, double *y,
			       knng_err *err);

/* Y, (n - 1) x 4: of the heights of a step and of those below it, `depth` levels in all: mean, standard deviation (by
 * their number less one; 0 of one), number, and how many deviations the step lies above the mean (0 where there is no
 * deviation). Errors: as above. O(n 2^depth) at most. */
knng_status knng_tree_inconsistent(knng_task *task, int64_t n, const int64_t *node, const double *height, int64_t depth,
				   double *Y, knng_err *err);

#endif
