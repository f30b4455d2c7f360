/* louvain.h  Clusters of a graph of weights by the method of Louvain. */
#ifndef KNNG_LOUVAIN_H
#define KNNG_LOUVAIN_H

#include "graph/adjacency.h"

/* part[i], i < n: the number of node i's cluster, counted from 0 in the order of their first nodes; *quality: the
 * modularity of the partition, NaN without any edge. An edge is an entry of A, n x n, n < 2^31, above the diagonal that
 * is larger than realmin; what is below is not looked at. Weights are finite, of any size; resolution is 0 or more.
 *
 * V. Blondel, J.-L. Guillaume, R. Lambiotte, E. Lefebvre, J. Stat. Mech. (2008) P10008: nodes, each a cluster at first,
 * move to the cluster of a neighbour where modularity grows most, or apart, until none moves; then the clusters are the
 * nodes of a smaller graph, and so on. Afterwards the nodes begin again, from the clusters that were found, until none
 * of them moves. As in the method of Leiden, a node is looked at again only after a neighbour has moved. In what order
 * they are first looked at is drawn.
 *
 * The same on every machine: the strengths of nodes are whole numbers, some 2^62 together, so that those of clusters
 * have no rounding that could add up, and an edge weighs the same in both directions. A node moves only where it gains
 * more than all roundings of that comparison, so that modularity grows with every move, and the work ends. One thread;
 * O(edges) for each time that all nodes are looked at, some ten times; 64 bytes an edge and 101 a node at most.
 * Errors: knng:memory:host, knng:interrupted. */
knng_status knng_louvain(knng_task *task, const knng_sparse *A, double resolution, uint64_t seed, int32_t *part,
			 double *quality, knng_err *err);

#endif
