#include "schedule.h"
#include "base/sys.h"

#include <string.h>

enum { WAITS, TAKEN, DONE };

knng_part
knng_blocks_of_rank(int64_t blocks, int ranks, int rank)
{
	return (knng_part){blocks * rank / ranks, blocks * (rank + 1) / ranks};
}

int
knng_rank_of_block(int64_t blocks, int ranks, int64_t block)
{
	return (int)(((block + 1) * ranks - 1) / blocks);
}

/* Blocks that lie opposite each other are the same steps apart either way: the lower one goes where its number is even,
 * so that these meetings are spread. */
static bool
goes(const knng_schedule *s, int64_t block, int64_t steps)
{
	if (2 * steps < s->blocks || s->blocks == 1)
		return steps <= s->steps;
	int64_t other = (block + steps) % s->blocks, low = block < other ? block : other;
	return 2 * steps == s->blocks && (low % 2 == 0) == (block == low);
}

static uint8_t *
state_of(const knng_schedule *s, int64_t block, int64_t steps)
{
	return &s->state[block * (s->steps + 1) + steps];
}

knng_status
knng_schedule_make(knng_schedule *s, int64_t blocks, int ranks, bool together, knng_err *err)
{
	*s = (knng_schedule){.blocks = blocks, .steps = blocks / 2, .ranks = ranks, .together = together};
	s->state = knng_calloc(blocks, (size_t)s->steps + 1);
	s->waiting = knng_calloc(ranks, sizeof *s->waiting);
	s->at = knng_calloc(ranks, sizeof *s->at);
	if (s->state == NULL || s->waiting == NULL || s->at == NULL) {
		knng_schedule_free(s);
		return knng_fail_memory(err, "the meetings of all blocks", knng_schedule_bytes(blocks, ranks));
	}
	for (int64_t b = 0; b < blocks; b++)
		for (int64_t i = 0; i <= s->steps; i++)
			s->waiting[knng_rank_of_block(blocks, ranks, b)] += goes(s, b, i);
	for (int r = 0; r < ranks; r++)
		s->left += s->waiting[r];
	return KNNG_OK;
}

void
knng_schedule_free(knng_schedule *s)
{
	knng_free(s->state);
	knng_free(s->waiting);
	knng_free(s->at);
	*s = (knng_schedule){0};
}

/* The block of a pair that goes to the other, and how far. */
static int64_t
goer(const knng_schedule *s, knng_pair_of_blocks pair, int64_t *steps)
{
	*steps = (pair.visitor - pair.home + s->blocks) % s->blocks;
	if (goes(s, pair.home, *steps))
		return pair.home;
	*steps = (s->blocks - *steps) % s->blocks;
	return pair.visitor;
}

/* A meeting that somebody takes. */
static void
take(knng_schedule *s, int64_t block, int64_t steps)
{
	*state_of(s, block, steps) = TAKEN;
	s->waiting[knng_rank_of_block(s->blocks, s->ranks, block)]--;
}

/* Whether a block goes to this visitor, and has not been there. */
static bool
is_to_meet(const knng_schedule *s, int64_t home, int64_t visitor)
{
	int64_t steps = (visitor - home + s->blocks) % s->blocks;
	return goes(s, home, steps) && *state_of(s, home, steps) == WAITS;
}

bool
knng_visit_step(const knng_visit *v, knng_pair_of_blocks *pair)
{
	bool begins = pair->home < 0, each_other = v->visitor == v->first;
	if (begins)
		*pair = (knng_pair_of_blocks){v->first, v->visitor};
	else if (each_other && pair->visitor + 1 < v->end)
		pair->visitor++;
	else
		*pair = (knng_pair_of_blocks){pair->home + 1, each_other ? pair->home + 1 : v->visitor};
	return pair->home < v->end;
}

/* Whether nobody has taken any pair of a visit. */
static bool
waits(const knng_schedule *s, const knng_visit *v)
{
	int64_t steps, block;
	for (knng_pair_of_blocks pair = {-1, -1}; knng_visit_step(v, &pair);) {
		block = goer(s, pair, &steps);
		if (*state_of(s, block, steps) != WAITS)
			return false;
	}
	return true;
}

/* A visit of a rank's block, and of those beside it that wait for the same visitor, or, at first, of all. */
static knng_visit
widen(const knng_schedule *s, knng_part own, int64_t home, int64_t visitor)
{
	knng_visit v = {home, home + 1, visitor}, all = {own.first, own.end, own.first};
	if (s->together && home == own.first && visitor == home && waits(s, &all))
		return all;
	while (s->together && visitor != home && v.first > own.first && is_to_meet(s, v.first - 1, visitor))
		v.first--;
	while (s->together && visitor != home && v.end < own.end && is_to_meet(s, v.end, visitor))
		v.end++;
	return v;
}

/* The next of a rank's own: visitor after visitor, and its blocks up and down by turns, so that the last block of one
 * visitor is the first of the next. */
static bool
take_own(knng_schedule *s, int rank, knng_visit *visit)
{
	knng_part own = knng_blocks_of_rank(s->blocks, s->ranks, rank);
	int64_t count = own.end - own.first, all = count + s->steps < s->blocks ? count + s->steps : s->blocks;
	for (; s->waiting[rank] > 0 && s->at[rank] < all * count; s->at[rank]++) {
		int64_t turn = s->at[rank] / count, i = s->at[rank] % count, steps;
		int64_t home = turn % 2 == 0 ? own.first + i : own.end - 1 - i;
		int64_t visitor = (own.first + turn) % s->blocks;
		if (!is_to_meet(s, home, visitor))
			continue;
		*visit = widen(s, own, home, visitor);
		for (knng_pair_of_blocks pair = {-1, -1}; knng_visit_step(visit, &pair);) {
			int64_t block = goer(s, pair, &steps);
			take(s, block, steps);
		}
		return true;
	}
	return false;
}

/* One of another rank's in which a block of this rank is the visitor. */
static bool
take_other(knng_schedule *s, int rank, knng_visit *visit)
{
	knng_part own = knng_blocks_of_rank(s->blocks, s->ranks, rank);
	int64_t most = 0, from = 0, steps = 0;
	for (int64_t b = own.first; b < own.end; b++)
		for (int64_t i = 1; i <= s->steps; i++) {
			int64_t block = (b - i + s->blocks) % s->blocks;
			int64_t waiting = s->waiting[knng_rank_of_block(s->blocks, s->ranks, block)];
			if (waiting > most && is_to_meet(s, block, b)) {
				most = waiting;
				from = block;
				steps = i;
			}
		}
	if (most == 0)
		return false;
	take(s, from, steps);
	s->moved++;
	int64_t home = (from + steps) % s->blocks;
	*visit = (knng_visit){home, home + 1, from};
	return true;
}

bool
knng_schedule_next(knng_schedule *s, int rank, bool helps, knng_visit *visit)
{
	return take_own(s, rank, visit) || (helps && take_other(s, rank, visit));
}

bool
knng_schedule_done(knng_schedule *s, knng_pair_of_blocks pair)
{
	int64_t steps, block = goer(s, pair, &steps);
	uint8_t *state = state_of(s, block, steps);
	if (*state == DONE)
		return false;
	if (*state == WAITS)
		take(s, block, steps);
	*state = DONE;
	s->left--;
	return true;
}
