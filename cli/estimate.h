/* estimate.h  What a program says of the time that a search would take. */
#ifndef KNNG_CLI_ESTIMATE_H
#define KNNG_CLI_ESTIMATE_H

#include "blocks/estimate.h"

/* Prints it. Errors: those of knng_estimate. */
knng_status knng_tell_time(const knng_estimated *e, const knng_task *task, knng_err *err);

/* Prints what one search takes of a GPU, and what of the disk a checkpoint, the graph and lists take, where they do;
 * whose: the lists' rows, such as " of each rank", or empty. */
void knng_tell_places(const knng_plan *one, double checkpoint, double graph, double lists, const char *whose);

/* After the last line of a plan. Errors: knng:io:write. */
knng_status knng_told(knng_err *err);

#endif
