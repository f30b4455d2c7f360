/* test_schedule.c  Which blocks meet where: every two once, at a rank that has one of them, whatever the ranks do and
 * when; slow ranks are helped; and what visitors found, packed, damaged, and merged. Processors and GPUs are shared out
 * as ranks are bound to them. */
#include "mpi/found.h"
#include "mpi/schedule.h"
#include "mpi/share.h"
#include "testing.h"

#include <math.h>

/* Who asks next, of ranks that take turns, do so at random, or of which one is slow. */
enum { TURNS, RANDOM, ONE, MANNERS };

static int
next_rank(int manner, int ranks, int64_t i)
{
	return manner == TURNS    ? (int)(i % ranks)
	       : manner == RANDOM ? (int)random_below(ranks)
				  : (int)(i % 7 == 0) % ranks;
}

static void
test_every_pair(void)
{
	for (int64_t blocks = 1; blocks <= 20; blocks++)
		for (int ranks = 1; ranks <= 24; ranks += ranks < 9 ? 1 : 5)
			for (int manner = 0; manner < 2 * MANNERS; manner++) {
				bool together = manner >= MANNERS;
				int64_t visits = 0;
				knng_schedule s;
				knng_err err;
				bool met[20][20] = {{false}}, fine = true;
				int64_t given = 0, idle = 0;
				CHECK(knng_schedule_make(&s, blocks, ranks, together, &err) == KNNG_OK, "%s", err.text);
				int64_t all = blocks * (blocks + 1) / 2;
				fine = s.left == all;
				for (int64_t i = 0; idle < 4000 && given < all; i++) {
					int rank = next_rank(manner % MANNERS, ranks, i);
					knng_part own = knng_blocks_of_rank(blocks, ranks, rank);
					knng_visit visit;
					if (manner % MANNERS == ONE && idle > 1000) /* the others, at last */
						rank = (int)(i % ranks), own = knng_blocks_of_rank(blocks, ranks, rank);
					if (!knng_schedule_next(&s, rank, true, &visit)) {
						idle++;
						continue;
					}
					visits++;
					fine &= visit.first >= own.first && visit.end <= own.end;
					fine &= together || visit.end == visit.first + 1;
					for (knng_pair_of_blocks pair = {-1, -1}; knng_visit_step(&visit, &pair);) {
						given++;
						fine &= pair.home >= own.first && pair.home < own.end;
						fine &= !met[pair.home][pair.visitor] && !met[pair.visitor][pair.home];
						met[pair.home][pair.visitor] = true;
						knng_pair_of_blocks turned = {pair.visitor, pair.home};
						fine &= knng_schedule_done(&s, i % 2 ? pair : turned);
						fine &= !knng_schedule_done(&s, pair);
					}
				}
				/* A rank's own blocks at once, and then each visitor once, but for those that others
				 * took. */
				if (together && blocks % ranks == 0 && manner % MANNERS == TURNS)
					fine &= visits <= ranks * (1 + blocks / 2) + s.moved;
				CHECK(fine && given == all && s.left == 0,
				      "%lld blocks, %d ranks, manner %d: %lld of %lld", (long long)blocks, ranks,
				      manner, (long long)given, (long long)all);
				knng_schedule_free(&s);
			}
}

/* What has met before is given to nobody. */
static void
test_resumed(void)
{
	knng_schedule s;
	knng_visit visit;
	int64_t given = 0, known = 0;
	CHECK(knng_schedule_make(&s, 12, 3, false, NULL) == KNNG_OK, "12 blocks");
	for (int64_t a = 0; a < 12; a++)
		for (int64_t b = a; b < 12; b += 2)
			known += knng_schedule_done(&s, (knng_pair_of_blocks){b, a});
	for (int r = 0; r < 3; r++)
		while (knng_schedule_next(&s, r, true, &visit)) {
			given++;
			CHECK((visit.first - visit.visitor) % 2 != 0, "%lld, %lld", (long long)visit.first,
			      (long long)visit.visitor);
		}
	CHECK(given + known == 78 && s.left == given, "%lld, %lld", (long long)given, (long long)known);
	knng_schedule_free(&s);
}

/* Without help every rank has about as much, and rows of others come to it once each. */
static void
test_even(void)
{
	enum { BLOCKS = 64, RANKS = 16 };
	knng_schedule s;
	knng_visit visit;
	CHECK(knng_schedule_make(&s, BLOCKS, RANKS, false, NULL) == KNNG_OK, "64 blocks");
	for (int r = 0; r < RANKS; r++)
		CHECK(llabs(s.waiting[r] - BLOCKS * (BLOCKS + 1) / 2 / RANKS) <= 2, "rank %d: %lld", r,
		      (long long)s.waiting[r]);
	knng_part own = knng_blocks_of_rank(BLOCKS, RANKS, 3);
	int64_t come = 0, last = -1;
	for (int64_t left = s.waiting[3]; left > 0; left--) {
		CHECK(knng_schedule_next(&s, 3, true, &visit), "%lld", (long long)left);
		bool foreign = visit.visitor < own.first || visit.visitor >= own.end;
		come += foreign && visit.visitor != last;
		last = visit.visitor;
	}
	CHECK(come <= BLOCKS / 2 && s.moved == 0, "%lld blocks came", (long long)come);
	knng_schedule_free(&s);
}

/* How long a visit takes: of blocks among each other half as long. */
static double
length_of(knng_visit v)
{
	double count = (double)(v.end - v.first);
	return v.visitor == v.first ? count * count / 2 : count;
}

/* Time until all is done, where ranks work at these speeds, and each knows its next visit when it begins one. */
static double
makespan(int64_t blocks, int ranks, bool together, const double *speed)
{
	knng_schedule s;
	double *at = room(ranks, sizeof *at), end = 0;
	knng_visit *next = room(ranks, sizeof *next);
	bool *knows = room(ranks, sizeof *knows);
	if (knng_schedule_make(&s, blocks, ranks, together, NULL) != KNNG_OK)
		abort();
	for (int r = 0; r < ranks; r++) {
		at[r] = 0;
		knows[r] = knng_schedule_next(&s, r, false, &next[r]);
	}
	for (;;) {
		int first = 0;
		for (int r = 1; r < ranks; r++)
			first = at[r] < at[first] ? r : first;
		if (isinf(at[first]))
			break;
		if (!knows[first] && !knng_schedule_next(&s, first, true, &next[first])) {
			at[first] = INFINITY;
			continue;
		}
		at[first] += length_of(next[first]) / speed[first];
		end = fmax(end, at[first]);
		knows[first] = knng_schedule_next(&s, first, false, &next[first]);
	}
	knng_schedule_free(&s);
	free(at);
	free(next);
	free(knows);
	return end;
}

static void
test_slow(void)
{
	enum { MOST = 64 };
	static const struct {
		int ranks;
		double one, together; /* times what would be best */
	} cases[] = {{4, 1.4, 2.1}, {16, 1.2, 1.4}, {32, 1.13, 1.18}, {64, 1.06, 1.09}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int together = 0; together < 2; together++) {
			int ranks = cases[i].ranks;
			double speed[MOST], sum = ranks - 0.7, blocks = 2 * ranks, all = blocks * blocks / 2;
			for (int r = 0; r < ranks; r++)
				speed[r] = 1;
			double even = makespan(2 * ranks, ranks, together, speed);
			CHECK(even <= 1.02 * all / ranks, "%d ranks: %g, of %g", ranks, even, all / ranks);
			speed[ranks / 3] = 0.3;
			double slow = makespan(2 * ranks, ranks, together, speed),
			       most = together ? cases[i].together : cases[i].one;
			CHECK(slow <= most * all / sum, "%d ranks, one slow, %d: %g, of %g", ranks, together, slow,
			      all / sum);
		}
}

/* What is packed and merged elsewhere is what lists that were merged here have; damage is seen, and harms nothing. */
static void
test_found(void)
{
	enum { N = 30, K = 6 };
	knng_neighbours a, b, c;
	knng_found f;
	double room_of[2 * K], distance[K];
	int32_t index_room[2 * K], index[K];
	knng_err err;
	if (knng_neighbours_make(&a, N, K, 2, &err) != KNNG_OK || knng_neighbours_make(&b, N, K, 2, &err) != KNNG_OK ||
	    knng_neighbours_make(&c, N, K, 2, &err) != KNNG_OK || knng_found_make(&f, N, K, &err) != KNNG_OK)
		abort();
	a.first = b.first = c.first = 100;
	knng_part rows = {104, 125};
	for (int turn = 0; turn < 40; turn++) {
		for (int64_t i = rows.first; i < rows.end; i++) {
			int64_t count = random_below(K + 1);
			knng_neighbours_clear(&c, i, i + 1);
			for (int64_t e = 0; e < count; e++) {
				distance[e] = (double)(e / 2) + (double)random_below(2) / 2;
				index[e] = (int32_t)(random_below(5) + 5 * e);
				distance[e] = e > 0 && distance[e] < distance[e - 1] ? distance[e - 1] : distance[e];
			}
			knng_neighbours_merge(&c, i, distance, index, count, room_of, index_room);
			knng_neighbours_merge(&a, i, distance, index, count, room_of, index_room);
			c.level[i - 100] = (uint8_t)random_below(4);
			a.level[i - 100] = a.level[i - 100] > c.level[i - 100] ? a.level[i - 100] : c.level[i - 100];
		}
		knng_found_pack(&f, &c, rows, 2);
		CHECK(f.bytes <= f.room, "%lld of %lld bytes", (long long)f.bytes, (long long)f.room);
		CHECK(knng_found_merge(&f, &b, rows, 2, room_of, index_room), "turn %d", turn);
		CHECK(memcmp(a.index, b.index, N * K * sizeof *a.index) == 0 &&
			      memcmp(a.distance, b.distance, N * K * sizeof *a.distance) == 0 &&
			      memcmp(a.level, b.level, N) == 0,
		      "turn %d", turn);
		f.bytes -= 4;
		CHECK(!knng_found_merge(&f, &b, rows, 2, room_of, index_room), "cut off");
		f.bytes += 4;
		((int64_t *)f.data)[0] += random_below(2) ? 1 : -1;
		CHECK(!knng_found_merge(&f, &b, rows, 2, room_of, index_room), "another count");
		CHECK(memcmp(a.distance, b.distance, N * K * sizeof *a.distance) == 0, "damage changes nothing");
	}
	knng_neighbours_free(&a);
	knng_neighbours_free(&b);
	knng_neighbours_free(&c);
	knng_found_free(&f);
}

/* A rank of a machine that sees the processors [first, end) and, of GPUs that a text names by letters, these. */
static knng_resources
bound(int machine, int first, int end, const char *gpus)
{
	knng_resources r = {.machine = machine, .gpus = (int)strlen(gpus)};
	for (int c = first; c < end; c++)
		CPU_SET(c, &r.cpus);
	for (int g = 0; g < r.gpus; g++)
		r.gpu[g][0] = (unsigned char)gpus[g];
	return r;
}

/* What each rank is to have: threads, the letters of GPUs, and ranks at one of them. */
typedef struct {
	int threads;
	const char *gpus;
	int sharing;
} portion;

static void
check_portions(const char *what, int ranks, const knng_resources *all, const portion *want)
{
	for (int r = 0; r < ranks; r++) {
		int gpu[KNNG_MAX_DEVICES], sharing, n = knng_share_gpus(all, ranks, r, gpu, &sharing);
		char got[KNNG_MAX_DEVICES + 1] = "";
		for (int g = 0; g < n; g++)
			got[g] = (char)all[r].gpu[gpu[g]][0];
		CHECK(knng_share_threads(all, ranks, r) == want[r].threads, "%s: rank %d has %d threads", what, r,
		      knng_share_threads(all, ranks, r));
		CHECK(strcmp(got, want[r].gpus) == 0 && sharing == want[r].sharing, "%s: rank %d has %s, with %d", what,
		      r, got, sharing);
	}
}

static void
test_share(void)
{
	const knng_resources none[] = {bound(0, 0, 16, "abcd"), bound(0, 0, 16, "abcd"), bound(2, 0, 16, "abcd")};
	check_portions("bound to nothing, on two machines", 3, none,
		       (portion[]){{8, "ac", 1}, {8, "bd", 1}, {16, "abcd", 1}});
	const knng_resources many[] = {bound(0, 0, 5, "ab"), bound(0, 0, 5, "ab"), bound(0, 0, 5, "ab")};
	check_portions("more ranks than GPUs", 3, many, (portion[]){{1, "a", 2}, {1, "b", 1}, {1, "a", 2}});
	const knng_resources each[] = {bound(0, 0, 8, "a"), bound(0, 8, 16, "b"), bound(0, 16, 20, "c"),
				       bound(0, 20, 20, "")};
	check_portions("each bound to its own", 4, each,
		       (portion[]){{8, "a", 1}, {8, "b", 1}, {4, "c", 1}, {0, "", 0}});
	const knng_resources pairs[] = {bound(0, 0, 8, "a"), bound(0, 8, 16, "b"), bound(0, 0, 8, "a"),
					bound(0, 8, 16, "b")};
	check_portions("two bound to each", 4, pairs, (portion[]){{4, "a", 2}, {4, "b", 2}, {4, "a", 2}, {4, "b", 2}});
	const knng_resources mixed[] = {bound(0, 0, 8, "ab"), bound(0, 4, 8, "ba"), bound(0, 9, 10, "b")};
	check_portions("some in common", 3, mixed, (portion[]){{6, "ab", 3}, {2, "ba", 3}, {1, "b", 3}});
	const knng_resources crowd[] = {bound(0, 3, 4, ""), bound(0, 3, 4, ""), bound(0, 3, 4, "")};
	check_portions("one processor for all", 3, crowd, (portion[]){{1, "", 0}, {1, "", 0}, {1, "", 0}});
}

int
main(void)
{
	test_every_pair();
	test_resumed();
	test_even();
	test_slow();
	test_found();
	test_share();
	return summary();
}
