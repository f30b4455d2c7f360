/* linkage_centres.h  Trees of rows by the centres of nodes, on the processor or on a GPU. */
#ifndef KNNG_LINKAGE_CENTRES_H
#define KNNG_LINKAGE_CENTRES_H

#include "graph/linkage_gpu.h"
#include "search/metric.h"

/* knng_link_points by centres. */
knng_status knng_link_centres(knng_task *task, const knng_matrix *X, const knng_metric *metric, knng_link method,
			      double max_memory, double *Z, knng_err *err);

/* The same with the centres on a GPU, as knng_link_on has it. */
knng_status knng_link_centres_on(const knng_link_device *device, knng_task *task, const knng_matrix *X,
				 const knng_metric *metric, knng_link method, double max_memory, double *Z,
				 knng_err *err);

/* Whether centres of n rows are worth a GPU. */
bool knng_link_centres_worth(int64_t n, int64_t d);

#endif
