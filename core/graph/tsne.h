/* tsne.h  Places for the nodes of a graph of neighbours, in one to three dimensions, by t-SNE (L. van der Maaten, G.
 * Hinton, 2008): how alike neighbours are, and the layout that follows from it, with the approximation of J. Barnes and
 * P. Hut (L. van der Maaten, 2014). The arithmetic is all our own, without libm, so that the same numbers come out on
 * every machine and with any number of threads. */
#ifndef KNNG_TSNE_H
#define KNNG_TSNE_H

#include "graph/adjacency.h"

/* How alike the neighbours of a node are to it. Column j of A lists the neighbours of node j with their distances, of
 * which those up to realmin count as 0, and which may not be infinite: an entry weighs exp (-b d^2), over the sum of
 * its column, with b such that the perplexity of the column, 2 to its entropy in bits, is the one that was asked for. A
 * column with fewer entries has equal weights. weight[e] is that of entry e. Errors: knng:memory:host,
 * knng:interrupted. O(entries), some 40 times; 8 bytes an entry of the longest column, for each thread. */
knng_status knng_tsne_weigh(knng_task *task, const knng_sparse *A, double perplexity, double *weight, knng_err *err);

typedef struct {
	int64_t rounds, early; /* the first `early` rounds have weights times `exaggeration`, and other momenta */
	double exaggeration, rate;
	double theta; /* a crowd counts as one node where its extent over its distance is smaller, 0 … 1; 0: never */
	int64_t first, end; /* of the rounds these are done; end 0: all of them */
	double *state;      /* [2 x n x dims] the steps and gains of rounds before, and of those after; NULL: there are
			     * none before, and none are wanted */
} knng_tsne_how;

/* Moves the places y, n x dims by rows, down the gradient of the divergence of P, symmetric, of weights above 0 whose
 * sum is 1, from 1 / (1 + d^2) of all pairs over their sum; *loss is what is left of it, *slope the length of the
 * gradient of the last round, with its exaggeration (NULL is fine). Rounds that are done in several calls, with the
 * places and the state of the one before, are those of one call, to the last bit. |y| at most 1e100. (Where 1 / (1 +
 * d^2) is below 2^-40 on average, that sum is taken for larger than it is.) No number depends on how many threads there
 * are. Errors: knng:memory:host, knng:interrupted. O(rounds * (entries + n log n)); 12 bytes an entry of P, some 300 a
 * node. */
knng_status knng_tsne_layout(knng_task *task, const knng_sparse *P, const knng_tsne_how *how, int dims, double *y,
			     double *loss, double *slope, knng_err *err);

#endif
