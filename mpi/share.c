#include "share.h"

#include <string.h>

int
knng_share_threads(const knng_resources *all, int ranks, int r)
{
	double threads = 0;
	for (int c = 0; c < CPU_SETSIZE; c++) {
		int users = 0;
		for (int i = 0; CPU_ISSET(c, &all[r].cpus) && i < ranks; i++)
			users += all[i].machine == all[r].machine && CPU_ISSET(c, &all[i].cpus);
		threads += users > 0 ? 1.0 / users : 0;
	}
	if (threads == 0)
		return 0;
	return threads < 1 ? 1 : (int)(threads + 1e-6);
}

static bool
see_the_same(const knng_resources *a, const knng_resources *b)
{
	return a->machine == b->machine && a->gpus == b->gpus &&
	       memcmp(a->gpu, b->gpu, (size_t)a->gpus * KNNG_UUID) == 0;
}

static int
take(const knng_resources *all, int ranks, int r, int gpu[KNNG_MAX_DEVICES])
{
	int place = 0, step = 0, count = 0, n = all[r].gpus;
	for (int i = 0; i < ranks; i++) {
		bool same = see_the_same(&all[i], &all[r]);
		place += same && i < r;
		step += same;
	}
	for (int g = n > 0 ? place % n : 0; g < n; g += step)
		gpu[count++] = g;
	return count;
}

int
knng_share_gpus(const knng_resources *all, int ranks, int r, int gpu[KNNG_MAX_DEVICES], int *sharing)
{
	int users[KNNG_MAX_DEVICES] = {0}, theirs[KNNG_MAX_DEVICES], count = take(all, ranks, r, gpu);
	for (int i = 0; count > 0 && i < ranks; i++) {
		int taken = all[i].machine == all[r].machine ? take(all, ranks, i, theirs) : 0;
		for (int t = 0; t < taken; t++)
			for (int g = 0; g < count; g++)
				users[g] += memcmp(all[i].gpu[theirs[t]], all[r].gpu[gpu[g]], KNNG_UUID) == 0;
	}
	*sharing = 0;
	for (int g = 0; g < count; g++)
		*sharing = users[g] > *sharing ? users[g] : *sharing;
	return count;
}
