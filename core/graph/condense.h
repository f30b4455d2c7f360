/* condense.h  Clusters of density from a spanning tree: HDBSCAN*. */
#ifndef KNNG_CONDENSE_H
#define KNNG_CONDENSE_H

#include "graph/forest.h"

/* A hierarchy of clusters. They are what the tree falls into when its edges are taken away, longest first and all of
 * one length at once: a part of `least` nodes or more is a cluster. Where two of these or more are left of one, it ends
 * and they begin; where one is left, it is still the same; nodes in smaller parts fall out. Clusters come after those
 * that they fall into; the last one is all nodes of the tree, whatever their number. */
typedef struct {
	int64_t clusters;           /* at most n */
	int32_t *of;                /* [n] the cluster that a node falls out of; -1 where it has no edge */
	double *fell;               /* [n] and the length of the edges without which it does */
	int32_t *into;              /* [n] the cluster of which that cluster is a part, -1 for the last one */
	double *born, *died, *mass; /* [n] the length where it begins, infinite for the last; the least at which
				     * something falls out or it ends; and its stability: the sum over its nodes of how
				     * much 1 / length grows while they are in it */
	int32_t *size;              /* [n] nodes when it begins */
} knng_hierarchy;

/* Makes it of a tree, or forest, over n nodes, whose edges come shortest first, none NaN. least >= 2. The arrays are
 * the caller's, h->clusters is filled in. O(n), 32 bytes a node. Errors: knng:memory:host, knng:interrupted. */
knng_status knng_condense(knng_task *task, int64_t n, const knng_tree_edge *tree, int64_t edges, int64_t least,
			  knng_hierarchy *h, knng_err *err);

/* Which clusters count. Of all ways to choose some of which none is part of another: that of the largest sum of
 * stabilities, of equal ones the larger clusters (Campello, Moulavi and Sander 2013); or those that have no parts. */
typedef struct {
	bool leaves;  /* those without parts */
	bool whole;   /* all nodes together may be a cluster */
	double near;  /* clusters that begin at this length or less give way to the one that they fall into, until one
		       * begins at a larger one (Malzer and Baum 2020) */
	int64_t most; /* nodes of a cluster; larger ones are not taken for their stability */
} knng_choice;

/* label[n]: the number of a node's cluster, counted from 0 in the order of their first nodes; -1: noise.
 * probability[n]: how deep in its cluster a node is: the least length of the cluster over that at which the node falls
 * out, 1 at most, 0 for noise. score[n]: GLOSH, how much an outlier it is: 1 less the least length of all that is in
 * the cluster that it falls out of over its own; NaN without edges. O(n log n) at most, 26 bytes a cluster. Errors:
 * knng:memory:host. */
knng_status knng_choose(int64_t n, const knng_hierarchy *h, const knng_choice *choice, int32_t *label,
			double *probability, double *score, knng_err *err);

#endif
