/* linkage_odd.h  Rows that no tree can have. */
#ifndef KNNG_LINKAGE_ODD_H
#define KNNG_LINKAGE_ODD_H

#include "search/metric.h"

/* Rows without distances: the first, which has NaN or Inf, or is constant (of cosine: zero); how many of both there
 * are. */
typedef struct {
	int64_t first;
	bool is_nonfinite;
	int64_t nonfinite, constant;
} knng_link_odd;

/* knng:data:rows: there are such rows. */
knng_status knng_link_refuse(const knng_link_odd *odd, const knng_metric *metric, knng_err *err);

#endif
