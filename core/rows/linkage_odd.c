/* linkage_odd.c  Rows that no tree can have; see linkage_odd.h. */
#include "rows/linkage_odd.h"
#include "base/sys.h"

#include <stdio.h>

knng_status
knng_link_refuse(const knng_link_odd *odd, const knng_metric *metric, knng_err *err)
{
	bool zero = metric->prep == KNNG_PREP_UNIT, own = odd->is_nonfinite;
	const char *const is[] = {zero ? "is zero" : "is constant", "has NaN or Inf"};
	const char *const are[] = {zero ? "are zero" : "are constant", "have NaN or Inf"};
	const char *const leave[] = {
		zero ? "leave zero rows out, as in X(any (X, 2), :), or take 'euclidean'"
		     : "leave constant rows out, as in knng.filterrows (X, 'MinVariance', eps), or take 'euclidean'",
		"leave rows with NaN or Inf out, as in X(all (isfinite (X), 2), :), or fill them in with knng.impute"};
	char how_many[48] = "", others[180] = "";
	if (odd->nonfinite + odd->constant > 1)
		snprintf(how_many, sizeof how_many, " (%lld rows have none)",
			 (long long)(odd->nonfinite + odd->constant));
	if (odd->nonfinite > 0 && odd->constant > 0)
		snprintf(others, sizeof others, "; others %s: %s", are[!own], leave[!own]);
	return knng_fail(err, KNNG_EARGS, "knng:data:rows",
			 "row %lld of X has no distances%s: it %s, and a tree has all rows; %s%s",
			 (long long)odd->first + 1, how_many, is[own], leave[own], others);
}
