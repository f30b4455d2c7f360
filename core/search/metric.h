/* metric.h  The table of metrics: how a row is prepared, which sum makes the distance, and its final map.
 * docs/canonical.md, 3, is the definition; a new metric is one row here. */
#ifndef KNNG_METRIC_H
#define KNNG_METRIC_H

#include "search/bounds.h"
#include "search/knng_search.h"

typedef enum { KNNG_PREP_NONE, KNNG_PREP_UNIT, KNNG_PREP_CENTRED, KNNG_PREP_RANKED } knng_prep;

/* The sums over t = u - v (MINUS), t = u + v (PLUS), or the smaller of both (EITHER); |t| summed, |t| at its largest.
 */
typedef enum { KNNG_SUM_MINUS, KNNG_SUM_PLUS, KNNG_SUM_EITHER, KNNG_SUM_L1, KNNG_SUM_LINF } knng_sum;

typedef enum { KNNG_MAP_NONE, KNNG_MAP_SQRT, KNNG_MAP_HALF } knng_final_map;

struct knng_metric {
	const char *name, *alias;
	knng_prep prep;
	knng_sum sum;
	knng_final_map map;
};

extern const knng_metric knng_metrics[]; /* ends with name == NULL */

/* The words of the glossary for them. */
extern const char *const knng_prep_name[], *const knng_sum_name[], *const knng_map_name[];

/* True where the filter works with inner products, false where with distances of the copies (L1, Linf). */
static inline bool
knng_by_products(const knng_metric *metric)
{
	return metric->sum != KNNG_SUM_L1 && metric->sum != KNNG_SUM_LINF;
}

/* The metric of that name or alias, case ignored; or the only one with a name that begins so; or NULL. */
const knng_metric *knng_metric_find(const char *name);

/* Refuses what knng_metric_find does not know, with the metric that may be meant and all there are. */
knng_status knng_metric_unknown(const char *name, knng_err *err);

/* The sum's distance: monotone, docs/canonical.md, 3. */
double knng_map_sum(const knng_metric *metric, double sum);

/* Many of them, in place. */
void knng_map_sums(const knng_metric *metric, double *sums, int64_t count);

/* (5.2), (5.3) there: the largest real sum that a pair with distance <= distance can have. Inf for Inf. */
KNNG_HD double
knng_radius_of(knng_final_map map, int64_t d, double distance)
{
	return knng_wide(d, map == KNNG_MAP_SQRT   ? distance * distance
			    : map == KNNG_MAP_HALF ? distance * 2
						   : distance);
}

#endif
