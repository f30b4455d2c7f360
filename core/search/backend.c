/* backend.c  What a backend asks of the search that it serves; see backend.h. */
#include "search/backend.h"
#include "base/task.h"
#include "search/range.h"

#include <math.h>

/* A job of the search, as a task has it. */
typedef struct {
	knng_search *w;
	knng_search_job *job;
	void *context;
} call;

static knng_status
call_job(void *context, int worker, int64_t i, knng_err *err)
{
	const call *c = context;
	return c->job(c->w, worker, i, c->context, err);
}

knng_status
knng_parallel(knng_search *w, int threads, int64_t jobs, knng_search_job *job, void *context, knng_err *err)
{
	call c = {w, job, context};
	return knng_task_run(&w->task, threads, jobs, call_job, &c, err);
}

double
knng_within(const knng_search *w, int32_t p)
{
	const knng_points *x = w->query;
	double most = -INFINITY;
	if (w->plan->opt.range != NULL)
		return w->plan->opt.range->radius;
	if (w->plan->opt.within == NULL || w->plan->opt.split == 0)
		return INFINITY;
	for (int64_t m = x->first[p]; m < x->first[p + 1] && most < INFINITY; m++) {
		double within = w->plan->opt.within[x->member[m]];
		most = within > most || isnan(within) ? within : most;
		most = isnan(most) ? INFINITY : most;
	}
	return most;
}

bool
knng_has_no_more(const knng_search *w, int32_t p, int64_t n)
{
	return w->plan->opt.split > 0 && n == (p < w->split ? w->x.count - w->split : w->split);
}
