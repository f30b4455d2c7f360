#include "agree.h"
#include "base/sys.h"

#include <stdio.h>
#include <string.h>

void
knng_name_rank(const knng_post *post, int rank, knng_err *err)
{
	size_t used = strlen(err->text);
	if (knng_post_ranks(post) > 1)
		snprintf(err->text + used, sizeof err->text - used, " (rank %d, on %.100s)", rank,
			 knng_post_host(post, rank));
}

knng_status
knng_agree(knng_post *post, knng_status status, knng_err *err)
{
	typedef struct {
		knng_status status;
		knng_err err;
	} outcome;
	int ranks = knng_post_ranks(post), r = 0, failed = 0;
	outcome mine = {.status = status};
	if (status != KNNG_OK)
		mine.err = *err;
	outcome *all = knng_alloc(ranks, sizeof *all);
	if (knng_post_least(post, all != NULL) == 0) {
		knng_free(all);
		return knng_fail_memory(err, "what all ranks say", ranks * (double)sizeof *all);
	}
	knng_post_all(post, &mine, sizeof mine, all);
	for (int i = ranks - 1; i >= 0; i--)
		if (all[i].status != KNNG_OK) {
			r = i;
			failed++;
		}
	if (failed > 0) {
		status = all[r].status;
		*err = all[r].err;
		if (failed < ranks)
			knng_name_rank(post, r, err);
	}
	knng_free(all);
	return status;
}
