/* steep.h  Clusters in a reachability plot: valleys between steep descents and steep ascents (Ankerst, Breunig, Kriegel
 * and Sander 1999, section 4.3). */
#ifndef KNNG_STEEP_H
#define KNNG_STEEP_H

#include "base/task.h"

typedef struct {
	double xi; /* in (0, 1): a place is steep where the reach changes by this part of the larger one, or more */
	int64_t minpts; /* so many places that are not steep may lie within a steep area */
	int64_t least;  /* places of a cluster, 1 or more */
	bool correct; /* places at the end that were not reached from within a cluster do not belong to it (Schubert and
			 Gertz 2018, algorithm 2) */
} knng_steep_how;

typedef struct {
	int32_t first, last; /* places, from 0 */
} knng_valley;

/* Of n places from left to right: reach[n], not NaN, 0 or more; from[n]: the place that each was reached from, or -1.
 * *valleys gets *count clusters, to be freed by knng_free: those that end first come first, of those that end in one
 * steep area those that begin last. O(n) where valleys are few and short, for each valley at most its length more.
 * Errors: knng:memory:host, knng:interrupted. */
knng_status knng_steep(knng_task *task, int64_t n, const double *reach, const int32_t *from, const knng_steep_how *how,
		       knng_valley **valleys, int64_t *count, knng_err *err);

#endif
