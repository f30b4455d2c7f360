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
knng_schedule_make(knng_schedule *s, int64_t blocks, int ranks, knng_err *err)
{
	*s = (knng_schedule){.blocks = blocks, .steps = blocks / 2, .ranks = ranks};
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

/* A meeting that somebody takes. */
static void
take(knng_schedule *s, int64_t block, int64_t steps)
{
	*state_of(s, block, steps) = TAKEN;
	s->waiting[knng_rank_of_block(s->blocks, s->ranks, block)]--;
}

/* The next of a rank's own: visitor after visitor, and its blocks up and down by turns, so that the last block of one
 * visitor is the first of the next. */
static bool
take_own(knng_schedule *s, int rank, knng_pair_of_blocks *pair)
{
	knng_part own = knng_blocks_of_rank(s->blocks, s->ranks, rank);
	int64_t count = own.end - own.first, all = count + s->steps < s->blocks ? count + s->steps : s->blocks;
	for (; s->waiting[rank] > 0 && s->at[rank] < all * count; s->at[rank]++) {
		int64_t turn = s->at[rank] / count, i = s->at[rank] % count;
		int64_t home = turn % 2 == 0 ? own.first + i : own.end - 1 - i;
		int64_t visitor = (own.first + turn) % s->blocks, steps = (visitor - home + s->blocks) % s->blocks;
		if (goes(s, home, steps) && *state_of(s, home, steps) == WAITS) {
			take(s, home, steps);
			*pair = (knng_pair_of_blocks){home, visitor};
			return true;
		}
	}
	return false;
}

/* One of another rank's in which a block of this rank is the visitor. */
static bool
take_other(knng_schedule *s, int rank, knng_pair_of_blocks *pair)
{
	knng_part own = knng_blocks_of_rank(s->blocks, s->ranks, rank);
	int64_t most = 0, from = 0, steps = 0;
	for (int64_t b = own.first; b < own.end; b++)
		for (int64_t i = 1; i <= s->steps; i++) {
			int64_t block = (b - i + s->blocks) % s->blocks;
			int64_t waiting = s->waiting[knng_rank_of_block(s->blocks, s->ranks, block)];
			if (waiting > most && goes(s, block, i) && *state_of(s, block, i) == WAITS) {
				most = waiting;
				from = block;
				steps = i;
			}
		}
	if (most == 0)
		return false;
	take(s, from, steps);
	s->moved++;
	*pair = (knng_pair_of_blocks){(from + steps) % s->blocks, from};
	return true;
}

bool
knng_schedule_next(knng_schedule *s, int rank, knng_pair_of_blocks *pair)
{
	return take_own(s, rank, pair) || take_other(s, rank, pair);
}

bool
knng_schedule_done(knng_schedule *s, knng_pair_of_blocks pair)
{
	int64_t block = pair.home, steps = (pair.visitor - pair.home + s->blocks) % s->blocks;
	if (!goes(s, block, steps)) {
		block = pair.visitor;
		steps = (s->blocks - steps) % s->blocks;
	}
	uint8_t *state = state_of(s, block, steps);
	if (*state == DONE)
		return false;
	if (*state == WAITS)
		take(s, block, steps);
	*state = DONE;
	s->left--;
	return true;
}
