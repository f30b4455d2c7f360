/* leaforder.h  An order for the rows of a picture in which neighbours are alike. */
#ifndef KNNG_LEAFORDER_H
#define KNNG_LEAFORDER_H

#include "base/task.h"

/* order[n]: the leaves, counted from 0, of the tree `given`, two nodes a step as below, or NULL: that of average
 * linkage (UPGMA) over the symmetric n x n distances D, flipped at its nodes so that the sum of the distances between
 * leaves that stand side by side, *length (NULL is fine), is the least of the 2^(n-1) orders that the tree has
 * (Bar-Joseph, Gifford and Jaakkola, Bioinformatics 17 (2001) S22-S29). tree (NULL is fine), 2 (n - 1): the two nodes
 * that each step joins, leaves first and then the steps. D is finite, and its diagonal is not read. The same for every
 * number of threads. Errors: knng:memory:host, knng:interrupted. O(n^3) at worst; 20 n^2 bytes. */
knng_status knng_leaf_order(knng_task *task, int64_t n, const double *D, const int64_t *given, int64_t *order,
			    double *length, int64_t *tree, knng_err *err);

#endif
