/* leak.c  Linked into a gateway by --wrap, it loses memory as a fault would, for tests/octave/test_growth.m to find.
 * The environment says which way: KNNG_LEAK=block forgets to free each 100th block of the core's, which the ledger
 * sees; KNNG_LEAK=malloc loses 64 KiB a search, of which the ledger knows nothing: much beside what the allocator,
 * which may fill holes of some hundred KiB first, takes and gives back by itself. */
#include "base/sys.h"
#include "search/knng_search.h"

#include <stdlib.h>
#include <string.h>

static bool
leaks(const char *how)
{
	const char *wanted = getenv("KNNG_LEAK");
	return wanted != NULL && strcmp(wanted, how) == 0;
}

void __real_knng_free(void *p);
void __wrap_knng_free(void *p);

void
__wrap_knng_free(void *p)
{
	static int n;
	if (p == NULL || !leaks("block") || ++n % 100 != 0)
		__real_knng_free(p);
}

knng_status __real_knng_plan_make(knng_plan *plan, const knng_matrix *X, const knng_matrix *Y, const knng_options *opt,
				  knng_err *err);
knng_status __wrap_knng_plan_make(knng_plan *plan, const knng_matrix *X, const knng_matrix *Y, const knng_options *opt,
				  knng_err *err);

knng_status
__wrap_knng_plan_make(knng_plan *plan, const knng_matrix *X, const knng_matrix *Y, const knng_options *opt,
		      knng_err *err)
{
	enum { LOST = 65536 };
	static char *volatile lost;
	if (leaks("malloc") && (lost = malloc(LOST)) != NULL)
		memset(lost, 1, LOST);
	return __real_knng_plan_make(plan, X, Y, opt, err);
}
