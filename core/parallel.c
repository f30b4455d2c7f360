#include "backend.h"

#include <fenv.h>
#include <omp.h>
#include <stdatomic.h>

knng_status
knng_poll(const knng_work *w, knng_err *err)
{
	const volatile sig_atomic_t *flag = w->plan->opt.interrupt;
	if (flag != NULL && __atomic_load_n(flag, __ATOMIC_RELAXED))
		return knng_fail(err, KNNG_EINTERRUPTED, "knng:interrupted", "stopped by Ctrl-C; nothing was kept");
	return KNNG_OK;
}

knng_status
knng_parallel(knng_work *w, int threads, int64_t jobs,
	      knng_status (*job)(knng_work *w, int worker, int64_t i, void *context, knng_err *err), void *context,
	      knng_err *err)
{
	atomic_llong next = 0;
	atomic_int failed = KNNG_OK;
	const knng_options *opt = &w->plan->opt;
	if (jobs <= 0)
		return KNNG_OK;
	threads = jobs < threads ? (int)jobs : threads;

#pragma omp parallel num_threads(threads)
	{
		fenv_t environment;
		fegetenv(&environment);
		fesetenv(FE_DFL_ENV);
		int worker = omp_get_thread_num();
		if (worker == 0 && w->shown == 0)
			w->shown = knng_seconds();
		while (atomic_load(&failed) == KNNG_OK) {
			int64_t i = atomic_fetch_add(&next, 1);
			if (i >= jobs)
				break;
			knng_err mine = {0};
			knng_status status = knng_poll(w, &mine);
			if (status == KNNG_OK)
				status = job(w, worker, i, context, &mine);
			int fine = KNNG_OK;
			if (status != KNNG_OK && atomic_compare_exchange_strong(&failed, &fine, status) && err != NULL)
				*err = mine; /* read after the region only */
			if (worker == 0 && opt->progress != NULL && knng_seconds() - w->shown > 0.1) {
				w->shown = knng_seconds();
				opt->progress(opt->progress_context, w->stage,
					      w->done + (1 - w->done - w->left) * (double)i / (double)jobs);
			}
		}
		fesetenv(&environment);
	}
	return (knng_status)atomic_load(&failed);
}
