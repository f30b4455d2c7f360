/* separate.h  Clusters so far apart that no row has a neighbour in another one: each is a search by itself
 * (docs/canonical.md, 17). Then the copies of the filter, and the tree, are made around rows that lie together, and no
 * pair of two clusters is compared. A few rows that lie far from all others are compared with all of them. */
#ifndef KNNG_SEPARATE_H
#define KNNG_SEPARATE_H

#include "search/knng_search.h"

/* So many rows that are far from all clusters are compared with all rows as they are, if they have no more neighbours
 * than that together; more are a search. */
enum { KNNG_AT_ONCE = 64, KNNG_AT_ONCE_PAIRS = 1 << 16 };

/* Bytes that the plan of a part counts as. */
enum { KNNG_OF_PLAN = 2048 };

/* Rows by cluster, as they lie in the data of X or Y, ascending within each; cluster `count` is that of the rows which
 * lie far from all others. */
typedef struct {
	int64_t count;                    /* 0: the rows are one cluster, or none is far enough from the others */
	int64_t refs;                     /* rows of X */
	int64_t *first_ref, *first_query; /* [count + 2] where the rows of a cluster begin; NULL: queries of a graph */
	int32_t *ref, *query;             /* [rows of X], [rows of Y] or NULL likewise */
	double reach;                     /* no two rows of a cluster are farther apart, in any column */
	double largest;                   /* |x| of the rows that were looked at first */
	double bytes;                     /* of all this, and of the plans */
} knng_clusters;

/* Whether a search may be cut that way, by its kind and its size, and has the memory: plan->separates, where clusters
 * are found before anything else is held; plan->separates_later, beside all that the search holds. plan->bytes grows by
 * what that takes. */
void knng_plan_separately(knng_plan *plan, double limit);

/* Finds clusters: looks at some rows, and at all where these lie in clusters, or if `all` is set. Errors: memory,
 * knng:interrupted. O(n d), and O(d) where some rows say no. */
knng_status knng_separate(const knng_plan *plan, bool all, knng_clusters *c, knng_err *err);

/* Whether rows that were not looked at may lie far from those that were, as their largest |x| says. */
bool knng_may_separate(const knng_clusters *c, double largest);

/* The search, cluster by cluster, each by `run`, which is knng_run; held: bytes that were held when it began. *done:
 * whether it was; it is not where a part of it would find no memory. */
typedef knng_status knng_runner(const knng_plan *plan, const knng_output *out, knng_info *info, knng_err *err);
knng_status knng_run_separately(const knng_plan *plan, const knng_clusters *c, const knng_output *out, int64_t held,
				knng_runner *run, knng_info *info, bool *done, knng_err *err);

/* Whether a row of d elements has neither NaN nor Inf. */
bool knng_is_finite(const double *row, int64_t d);

void knng_clusters_close(knng_clusters *c); /* safe on zeros, and twice */

#endif
