#include "model.h"
#include "base/sys.h"
#include "blocks/checkpoint.h"
#include "blocks/meeting.h"
#include "blocks/ranks.h"
#include "mpi/desk.h"
#include "mpi/schedule.h"

#include <math.h>
#include <string.h>

enum { MANY_RUNS = 10000 }; /* after which a job does not end */

/* What a rank does next. */
typedef enum { LOAD, TAKE, HOME, VISITOR, AHEAD, MEET, MET, BACK, SAVE } phase;

typedef struct {
	phase phase;
	knng_part own;
	int node;
	double speed;
	knng_visit queue[KNNG_DESK_VISITS], visit, next; /* next.first of -1: not known yet */
	int queued, wanted;
	bool dry, idle;
	double since; /* when what it does now began */
	int places;
	int64_t block[KNNG_PANELS];      /* that is there */
	double ahead;                    /* when the block that is read ahead is there */
	int64_t last[2];                 /* blocks of the meeting before */
	double place[KNNG_DESK_RETURNS]; /* when it is free again */
	double held[KNNG_DESK_RETURNS];  /* bytes that are there till then */
	double inbox;                    /* when the owner's inbox is free again */
	double merge_from, merge_to;     /* its main thread is busy */
	double saved, saving;            /* when the last save began, and how long it took */
	double kept;                     /* when what is on disk was so */
	double base;                     /* bytes of host that it always holds */
} worker;

/* Something that comes to pass. */
typedef enum { GO, GIVE, DONE } what;

typedef struct {
	double time;
	int64_t order;
	what what;
	int rank;
	knng_visit visit;
} event;

/* One run of the job. */
typedef struct {
	const scale_rates *rates;
	const scale_job *job;
	scale_result *result;
	knng_schedule schedule;
	worker *rank;      /* [ranks] */
	double *in, *out;  /* [nodes] when the link is free again */
	double disk;       /* the same */
	double *noted;     /* [blocks * blocks] when the lists of a block had those of another */
	int64_t *meetings; /* [blocks] that each had */
	event *events;     /* a heap */
	int64_t count, room, order;
	double now, end;          /* end: of the last meeting */
	int loading;              /* ranks */
	knng_pair_of_blocks step; /* of knng, which goes through all pairs in its own order */
	bool failed;              /* there is no memory for events */
} sim;

/* ---- costs ---- */

static double
row_bytes(const scale_job *job)
{
	return (double)job->columns * job->bytes;
}

static double
gpus_of(const scale_rates *rates, const scale_job *job)
{
	return job->gpus / (1 + rates->gpu_loss * (job->gpus - 1));
}

/* How many panels the rows of a search come in, where a GPU does not hold them all: two at a time, of numbers as they
 * are and rounded to half precision. */
static double
panels_of(const scale_rates *rates, const scale_job *job, double rows)
{
	double halves = 2 * rows * (double)job->columns, all = rows * row_bytes(job), memory = rates->gpu_memory;
	if (halves + all <= memory)
		return 1;
	return halves <= 0.8 * memory ? fmax(2, ceil(2 * all / (memory - halves))) : ceil(2 * (halves + all) / memory);
}

double
scale_meeting(const scale_rates *rates, const scale_job *job, double a, double b, int64_t before, bool a_stays)
{
	double d = (double)job->columns, k = (double)job->k, gpus = gpus_of(rates, job), rows = a + b;
	double pairs = b > 0 ? a * b : a * a / 2, first = rates->thresholds > 0 ? 1.0 / (double)(before + 1) : 1;
	double panels = panels_of(rates, job, rows);
	double sent = (a_stays && rates->stays > 0 && panels == 1 ? b : rows) * (panels + 1) / 2;
	double filter = pairs * (2 * d / rates->products + (rates->compare > 0 ? 1 / rates->compare : 0)) +
			rows * (rates->row + k * rates->place) +
			(rates->refine > 0 ? rows * rates->refined * k * first * row_bytes(job) / rates->refine : 0);
	if (job->kind == SCALE_FILTER)
		return filter / gpus;
	return rates->meeting + filter / gpus + (rates->upload > 0 ? sent * row_bytes(job) / rates->upload : 0) +
	       rows * k * rates->merge / fmax(1, rates->threads * job->gpus);
}

static double
at_rate(double bytes, double rate)
{
	return rate > 0 ? bytes / rate : 0;
}

/* ---- events ---- */

static bool
earlier(const event *a, const event *b)
{
	return a->time < b->time || (a->time == b->time && a->order < b->order);
}

static void
post(sim *s, double time, what what, int rank, knng_visit visit)
{
	if (s->count == s->room) {
		event *more = knng_alloc(2 * s->room, sizeof *more);
		if (more == NULL) {
			s->failed = true;
			return;
		}
		memcpy(more, s->events, (size_t)s->count * sizeof *more);
		knng_free(s->events);
		s->events = more;
		s->room *= 2;
	}
	int64_t i = s->count++;
	const event e = {time, s->order++, what, rank, visit};
	for (; i > 0 && earlier(&e, &s->events[(i - 1) / 2]); i = (i - 1) / 2)
		s->events[i] = s->events[(i - 1) / 2];
	s->events[i] = e;
}

static event
next_event(sim *s)
{
	const event first = s->events[0], last = s->events[--s->count];
	int64_t i = 0, child;
	for (; (child = 2 * i + 1) < s->count; i = child) {
		child += child + 1 < s->count && earlier(&s->events[child + 1], &s->events[child]);
		if (!earlier(&s->events[child], &last))
			break;
		s->events[i] = s->events[child];
	}
	s->events[i] = last;
	return first;
}

static void
go(sim *s, int rank, double time)
{
	post(s, time, GO, rank, (knng_visit){0, 0, 0});
}

/* ---- what is moved ---- */

static double
rows_of(const sim *s, int64_t block)
{
	knng_part part = knng_part_of(block, s->result->size, s->job->rows);
	return (double)(part.end - part.first);
}

static int
owner(const sim *s, int64_t block)
{
	return knng_rank_of_block(s->result->blocks, s->job->ranks, block);
}

static bool
owns(const worker *w, int64_t block)
{
	return block >= w->own.first && block < w->own.end;
}

/* When the main thread of a rank sees to what reaches it at such a time. */
static double
seen_to(const worker *w, double time)
{
	return time >= w->merge_from && time < w->merge_to ? w->merge_to : time;
}

/* When so many bytes that are asked for now are there. */
static double
transfer(sim *s, int from, int to, double bytes, double time)
{
	worker *a = &s->rank[from], *b = &s->rank[to];
	double begin = seen_to(a, time + s->rates->latency), own = at_rate(bytes, s->rates->post);
	s->result->rank[to].received += bytes;
	if (a->node == b->node)
		return begin + own;
	begin = fmax(begin, fmax(s->out[a->node], s->in[b->node]));
	double end = begin + at_rate(bytes, s->job->network);
	s->out[a->node] = s->in[b->node] = end;
	s->result->network += bytes;
	return fmax(end, begin + own) + s->rates->latency;
}

/* When so many bytes are read or written; rate: what one process can. */
static double
through_disk(sim *s, double bytes, double rate, double time)
{
	double begin = fmax(s->disk, time);
	s->disk = begin + at_rate(bytes, s->job->disk);
	s->result->disk += bytes;
	return fmax(s->disk, time + at_rate(bytes, rate));
}

/* When a block that is asked for now is in its place. */
static double
fetch(sim *s, int rank, int64_t block)
{
	double bytes = rows_of(s, block) * row_bytes(s->job);
	if (s->job->kind == SCALE_FILTER)
		return s->now;
	if (!s->result->resident)
		return through_disk(s, bytes, s->rates->read, s->now);
	return transfer(s, owner(s, block), rank, bytes, s->now);
}

/* ---- meetings are given ---- */

/* The pair behind this one, as in core/blocks/blocks.c: visitors come up and down by turns. */
static void
step(sim *s)
{
	knng_pair_of_blocks *p = &s->step;
	int64_t last = s->result->blocks - 1;
	bool up = p->home % 2 == 0;
	if (p->visitor == (up || p->home == last ? last : p->home + 1))
		p->home = p->visitor = p->home + 1;
	else if (p->visitor == p->home)
		p->visitor = up ? p->home + 1 : last;
	else
		p->visitor += up ? 1 : -1;
}

static bool
next_visit(sim *s, int rank, bool helps, knng_visit *visit)
{
	if (s->job->kind == SCALE_MPI)
		return (!s->job->stuck || s->schedule.waiting[rank] > 0) &&
		       knng_schedule_next(&s->schedule, rank, helps, visit);
	*visit = (knng_visit){s->step.home, s->step.home + 1, s->step.visitor};
	step(s);
	return visit->first < s->result->blocks;
}

/* Asks for as many meetings as a rank may have. */
static void
want(sim *s, int rank)
{
	worker *w = &s->rank[rank];
	/* What goes on, and one more: the rest may be taken by others. */
	while (!w->dry && w->queued + w->wanted < (w->phase == TAKE ? KNNG_DESK_VISITS : 1)) {
		bool helps = w->idle && w->queued + w->wanted == 0;
		knng_visit visit;
		if (!next_visit(s, rank, helps, &visit)) {
			w->dry = helps;
			return;
		}
		w->wanted++;
		double asked = s->job->ranks > 1 ? seen_to(&s->rank[0], s->now + s->rates->latency) : s->now;
		post(s, asked + (s->job->ranks > 1 ? s->rates->latency : 0), GIVE, rank, visit);
	}
}

/* ---- what a rank does ---- */

/* The place of a block; all of them: it has none. */
static int
find(const worker *w, int64_t block)
{
	int place = 0;
	while (place < w->places && w->block[place] != block)
		place++;
	return place;
}

/* Whether a block is in memory. */
static bool
is_there(const sim *s, const worker *w, int64_t block)
{
	return (s->result->resident && owns(w, block)) || find(w, block) < w->places;
}

/* Begins to bring a block to a place that the pair leaves free; when it is there. */
static double
bring(sim *s, int rank, int64_t block)
{
	worker *w = &s->rank[rank];
	int place = 0;
	if (is_there(s, w, block))
		return s->now;
	while (place < w->places - 1 && (w->block[place] == w->visit.first || w->block[place] == w->visit.visitor))
		place++;
	w->block[place] = block;
	return fetch(s, rank, block);
}

static double
home_rows(const sim *s, const knng_visit *visit)
{
	double rows = 0;
	for (int64_t b = visit->first; b < visit->end; b++)
		rows += rows_of(s, b);
	return rows;
}

/* The same of the home block, which is copied beside its visitor where rates say so. */
static double
bring_home(sim *s, int rank)
{
	worker *w = &s->rank[rank];
	double there = bring(s, rank, w->visit.first), bytes = home_rows(s, &w->visit) * row_bytes(s->job);
	bool copied = s->job->kind != SCALE_FILTER && s->result->blocks > (s->job->kind != SCALE_MPI) &&
		      w->visit.first != w->last[0];
	return copied ? there + at_rate(bytes, s->rates->beside * w->speed) : there;
}

/* Begins to read what the next meeting wants, and asks for the radii of a visitor. */
static double
read_ahead(sim *s, int rank)
{
	worker *w = &s->rank[rank];
	if (w->next.first >= 0)
		w->ahead = bring(s, rank, is_there(s, w, w->next.first) ? w->next.visitor : w->next.first);
	if (owns(w, w->visit.visitor))
		return s->now;
	return transfer(s, owner(s, w->visit.visitor), rank, 8 * rows_of(s, w->visit.visitor), s->now);
}

static double
meet(sim *s, int rank)
{
	worker *w = &s->rank[rank];
	int64_t home = w->visit.first, visitor = w->visit.visitor;
	bool alone = home == visitor, home_stays = home == w->last[0] || home == w->last[1];
	bool stays = home_stays || visitor == w->last[0] || visitor == w->last[1];
	double a = home_rows(s, &w->visit), b = alone ? 0 : rows_of(s, visitor);
	int64_t before = s->meetings[home] < s->meetings[visitor] ? s->meetings[home] : s->meetings[visitor];
	double seconds = scale_meeting(s->rates, s->job, home_stays || !stays ? a : b, home_stays || !stays ? b : a,
				       before, stays) /
			 w->speed;
	w->last[0] = home;
	w->last[1] = visitor;
	s->result->rank[rank].search += seconds;
	for (knng_pair_of_blocks pair = {-1, -1}; knng_visit_step(&w->visit, &pair);)
		s->result->rank[rank].meetings++;
	return s->now + seconds;
}

static double *
noted(sim *s, int64_t a, int64_t b)
{
	return &s->noted[a * s->result->blocks + b];
}

static void
hold(sim *s, int rank)
{
	worker *w = &s->rank[rank];
	double bytes = w->base;
	for (int i = 0; i < KNNG_DESK_RETURNS; i++)
		bytes += w->place[i] > s->now ? w->held[i] : 0;
	s->result->rank[rank].peak = fmax(s->result->rank[rank].peak, bytes);
}

/* Sends what a visitor found to its rank, which merges it. Of its k places those count that are nearer than what it
 * has: a k-th of them for each meeting before. */
static void
hand_back(sim *s, int rank)
{
	worker *w = &s->rank[rank], *to = &s->rank[owner(s, w->visit.visitor)];
	double rows = rows_of(s, w->visit.visitor), k = (double)s->job->k;
	double places = k / (double)(s->meetings[w->visit.visitor] + 1);
	double bytes = knng_found_bytes(1, 0) + rows * (12 * places + 5);
	int place = w->place[0] <= w->place[1] ? 0 : 1;
	double begin = fmax(s->now + s->rates->latency, to->inbox);
	double there = transfer(s, rank, owner(s, w->visit.visitor), bytes, begin);
	w->held[place] = bytes;
	w->place[place] = there;
	double threads = to->idle ? fmax(1, s->rates->inbox) : 1; /* else the search has them */
	to->merge_from = fmax(there, to->merge_to);
	to->merge_to = to->merge_from + rows * (places + k) / 2 * s->rates->merge / threads / to->speed;
	to->inbox = to->merge_to;
	hold(s, rank);
	for (int64_t b = w->visit.first; b < w->visit.end; b++) {
		*noted(s, b, w->visit.visitor) = s->now;
		*noted(s, w->visit.visitor, b) = to->merge_to;
	}
	post(s, to->merge_to + s->rates->latency, DONE, rank, w->visit);
}

static double
interval(const sim *s, const worker *w)
{
	return s->job->interval > 0 ? s->job->interval : fmax(600, 50 * w->saving);
}

/* Whether it is time to save. */
static bool
is_due(const sim *s, const worker *w)
{
	return s->job->keeps && s->now - w->saved >= interval(s, w);
}

/* When what a rank has is on disk. */
static double
save(sim *s, int rank)
{
	worker *w = &s->rank[rank];
	double rows = (double)(w->own.end - w->own.first) * (double)s->result->size;
	double end = through_disk(s, rows * (12 * (double)s->job->k + 1), s->rates->save, s->now);
	w->saved = s->now;
	w->saving = end - s->now;
	s->result->rank[rank].save += end - s->now;
	return end;
}

/* When its own rows are there. */
static double
load(sim *s, int rank)
{
	worker *w = &s->rank[rank];
	double bytes = 0, end = s->now + (s->job->kind >= SCALE_KNNG ? s->rates->start : 0);
	for (int64_t b = w->own.first; b < w->own.end; b++)
		bytes += rows_of(s, b) * row_bytes(s->job);
	if (s->job->kind != SCALE_MPI || (!s->result->resident && !s->job->keeps))
		return end;
	end = through_disk(s, bytes, s->rates->read * w->speed, end);
	return end + (s->job->keeps ? at_rate(bytes, s->rates->hash * w->speed) : 0);
}

static void
begin_visit(sim *s, int rank)
{
	worker *w = &s->rank[rank];
	w->visit = w->queue[0];
	w->next = w->queued > 1 ? w->queue[1] : (knng_visit){-1, -1, -1};
	w->queue[0] = w->queue[--w->queued];
	w->phase = HOME;
	want(s, rank);
	go(s, rank, fmax(s->now, w->ahead));
}

/* Lets a rank do what comes next, as long as that takes no time; then an event waits for it. */
static void
advance(sim *s, int rank)
{
	worker *w = &s->rank[rank];
	scale_rank *sum = &s->result->rank[rank];
	double until = s->now;
	int64_t b = s->result->blocks;
	while (until <= s->now) {
		phase was = w->phase;
		w->phase = was == SAVE ? TAKE : was + 1;
		switch (was) {
		case LOAD: /* START comes when all are loaded */
			sum->load = s->now;
			w->since = s->now;
			if (--s->loading == 0)
				for (int r = 0; r < s->job->ranks; r++) {
					s->rank[r].idle = true;
					s->rank[r].saved = s->now;
					want(s, r);
				}
			return;
		case TAKE:
			w->phase = TAKE;
			w->kept = w->saved;
			w->idle = w->queued == 0;
			w->since = s->now;
			want(s, rank);
			if (w->queued > 0 && (w->queued == KNNG_DESK_VISITS || w->wanted == 0)) /* the next is known */
				begin_visit(s, rank);
			return;
		case HOME:
			until = bring_home(s, rank);
			break;
		case VISITOR:
			until = bring(s, rank, w->visit.visitor);
			break;
		case AHEAD:
			until = read_ahead(s, rank);
			break;
		case MEET:
			sum->wait += s->now - w->since;
			until = meet(s, rank);
			break;
		case MET:
			w->since = s->now;
			for (int64_t h = w->visit.first; h < w->visit.end; h++)
				s->meetings[h]++;
			s->meetings[w->visit.visitor] += w->visit.visitor != w->visit.first;
			if (owns(w, w->visit.visitor) || b == 1) {
				for (knng_pair_of_blocks pair = {-1, -1}; knng_visit_step(&w->visit, &pair);)
					*noted(s, pair.home, pair.visitor) = *noted(s, pair.visitor, pair.home) =
						s->now;
				post(s, s->now + (s->job->ranks > 1 ? s->rates->latency : 0), DONE, rank, w->visit);
				w->phase = SAVE;
			} else {
				double packed = s->now + at_rate(12 * rows_of(s, w->visit.visitor) * (double)s->job->k,
								 s->rates->copy * w->speed);
				until = fmax(packed, fmin(w->place[0], w->place[1]));
			}
			break;
		case BACK:
			hand_back(s, rank);
			break;
		default: /* SAVE */
			sum->wait += s->now - w->since;
			until = is_due(s, w) ? save(s, rank) : s->now;
		}
	}
	go(s, rank, until);
}

/* ---- a run ---- */

/* Rank 0 gathers the lists, block after block, and writes them. */
static double
gather(sim *s)
{
	const scale_job *job = s->job;
	double start = s->now, places = (double)job->rows * (double)job->k;
	if (job->keeps)
		for (int r = 0; r < (job->kind == SCALE_MPI ? job->ranks : 1); r++)
			start = fmax(start, save(s, r));
	for (int r = 0; r < job->ranks; r++)
		s->result->rank[r].wait += s->rank[r].idle ? s->now - s->rank[r].since : 0;
	s->now = start;
	for (int64_t b = 0; job->kind == SCALE_MPI && b < s->result->blocks; b++)
		if (owner(s, b) != 0)
			s->now = transfer(s, owner(s, b), 0, rows_of(s, b) * (12 * (double)job->k + 1), s->now);
	if (job->kind != SCALE_FILTER)
		s->now += places * s->rates->output / s->rank[0].speed;
	if (job->writes)
		s->now = through_disk(s, places * (4 + job->bytes), s->rates->save, s->now);
	return s->now;
}

/* When what a rank has on disk was so; told: it was told to save before it ended. One that has nothing to do saves what
 * others found, too. */
static double
kept_at(const sim *s, const worker *w, bool told)
{
	if (told)
		return s->now;
	double every = interval(s, w), idle = w->idle ? floor((s->now - w->saved) / every) * every : 0;
	return w->idle && idle > 0 ? w->saved + idle : w->kept;
}

/* Whether both sides of a pair are on disk. */
static bool
is_kept(sim *s, int64_t a, int64_t b, bool told)
{
	return *noted(s, a, b) <= kept_at(s, &s->rank[owner(s, a)], told) &&
	       *noted(s, b, a) <= kept_at(s, &s->rank[owner(s, b)], told);
}

static void
note_done(sim *s, knng_visit visit)
{
	for (knng_pair_of_blocks pair = {-1, -1}; knng_visit_step(&visit, &pair);)
		knng_schedule_done(&s->schedule, pair);
}

static void
happen(sim *s, const event *e)
{
	worker *w = &s->rank[e->rank];
	switch (e->what) {
	case GO:
		advance(s, e->rank);
		break;
	case GIVE:
		w->wanted--;
		w->queue[w->queued++] = e->visit;
		if (w->phase == TAKE) {
			s->result->rank[e->rank].wait += s->now - w->since;
			w->since = s->now;
			advance(s, e->rank);
		}
		break;
	default:
		note_done(s, e->visit);
	}
}

/* Blocks that a rank has in memory beside its own. */
static int
places_of(const sim *s, int rank)
{
	knng_part own = knng_blocks_of_rank(s->result->blocks, s->job->ranks, rank);
	return knng_ranks_places(s->result->resident, own.end - own.first, s->result->blocks);
}

/* Sets all ranks to their beginning. kept: [blocks * blocks] of pairs that a checkpoint has. */
static knng_status
begin_run(sim *s, const uint8_t *kept, const double *speed, knng_err *err)
{
	const scale_job *job = s->job;
	int64_t blocks = s->result->blocks;
	knng_status status = knng_schedule_make(&s->schedule, blocks, job->ranks, s->result->together > 1, err);
	s->count = s->order = 0;
	s->now = s->disk = s->end = 0;
	s->step = (knng_pair_of_blocks){0, 0};
	s->loading = job->ranks;
	memset(s->in, 0, (size_t)job->nodes * sizeof *s->in);
	memset(s->out, 0, (size_t)job->nodes * sizeof *s->out);
	memset(s->meetings, 0, (size_t)blocks * sizeof *s->meetings);
	memset(s->result->rank, 0, (size_t)job->ranks * sizeof *s->result->rank);
	for (int64_t i = 0; i < blocks * blocks; i++)
		s->noted[i] = kept[i] ? -1 : INFINITY;
	for (int64_t a = 0; status == KNNG_OK && a < blocks; a++)
		for (int64_t b = a; b < blocks; b++)
			if (kept[a * blocks + b]) {
				knng_schedule_done(&s->schedule, (knng_pair_of_blocks){a, b});
				s->meetings[a]++;
				s->meetings[b] += a != b;
			}
	for (int r = 0; status == KNNG_OK && r < job->ranks; r++) {
		worker *w = &s->rank[r];
		double base = w->base;
		*w = (worker){.own = job->kind == SCALE_MPI ? knng_blocks_of_rank(blocks, job->ranks, r)
							    : (knng_part){0, blocks},
			      .node = (int)((int64_t)r * job->nodes / job->ranks),
			      .places = places_of(s, r),
			      .block = {-1, -1, -1},
			      .last = {-1, -1},
			      .base = base};
		w->speed = speed[w->node];
		s->result->rank[r].slow = w->speed < 1;
		s->result->rank[r].peak = base;
		go(s, r, load(s, r));
	}
	return status;
}

/* Until all is done, or a time comes. */
static knng_status
run_until(sim *s, double stop, knng_err *err)
{
	while ((s->schedule.left > 0 || s->loading > 0) && !s->failed) {
		if (s->count == 0)
			return knng_fail(err, KNNG_EINTERNAL, "knng:internal:model", "%lld meetings are left to nobody",
					 (long long)s->schedule.left);
		if (s->events[0].time > stop) {
			s->now = stop;
			return KNNG_OK;
		}
		event e = next_event(s);
		s->now = e.time;
		happen(s, &e);
	}
	if (s->failed)
		return knng_fail_memory(err, "events", (double)s->room * sizeof *s->events);
	s->end = s->now;
	return KNNG_OK;
}

/* splitmix64: the same numbers for a seed. In (0, 1]. */
static double
random_unit(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (double)((z ^ z >> 31) >> 11) * 0x1p-53 + 0x1p-54;
}

/* Ends a run that did not make the graph: by a failure, or told to save. */
static void
break_off(sim *s, uint8_t *kept, bool fails, bool told)
{
	int64_t blocks = s->result->blocks;
	for (int64_t a = 0; a < blocks; a++)
		for (int64_t b = 0; b < blocks; b++)
			kept[a * blocks + b] = s->job->keeps && is_kept(s, a, b, told);
	double end = s->now;
	for (int r = 0; !fails && r < s->job->ranks; r++)
		end = fmax(end, save(s, r));
	s->now = end + (fails ? s->rates->restart : 0);
	s->result->failures += fails;
}

/* Run after run. */
static knng_status
run_all(sim *s, uint8_t *kept, const double *speed, uint64_t *seed, knng_err *err)
{
	const scale_job *job = s->job;
	scale_result *r = s->result;
	knng_status status = KNNG_OK;
	while (status == KNNG_OK && !r->finished && r->runs < MANY_RUNS) {
		double fails = job->failures > 0 ? -log(random_unit(seed)) * job->failures / job->nodes : INFINITY;
		double told = job->limit > 0 ? job->limit - job->grace : INFINITY;
		if ((status = begin_run(s, kept, speed, err)) == KNNG_OK)
			status = run_until(s, fmin(fails, told), err);
		bool over = s->schedule.left == 0 && s->loading == 0;
		if (status == KNNG_OK && over)
			r->gathered = gather(s) - s->end;
		r->finished = over && s->now <= fmin(fails, told);
		if (!r->finished) {
			s->now = fmin(fails, told);
			break_off(s, kept, fails <= told, over || told < fails);
		}
		r->seconds += s->now + (r->runs++ > 0 ? job->queue : 0);
		r->running += s->now;
		r->moved = s->schedule.moved;
		for (int i = 0; i < job->ranks; i++)
			r->again += r->rank[i].meetings;
		knng_schedule_free(&s->schedule);
	}
	r->again -= r->blocks * (r->blocks + 1) / 2;
	return status;
}

/* ---- the plan ---- */

/* What a rank plans to take with blocks of this size. */
static double
planned_bytes(const scale_rates *rates, const scale_job *job, int64_t size, bool resident, int64_t together)
{
	const knng_rows rows = {.n = job->rows, .d = job->columns, .type = job->bytes == 4 ? KNNG_F32 : KNNG_F64};
	const knng_options opt = {.checkpoint = job->keeps ? "" : NULL,
				  .task = {.threads = (int)fmax(1, rates->threads * job->gpus)}};
	int64_t blocks = knng_parts(size, job->rows), own = knng_parts(job->ranks, blocks);
	if (job->kind != SCALE_MPI && blocks == 1)
		return (double)job->rows * row_bytes(job) + rates->search;
	if (job->kind != SCALE_MPI)
		return knng_neighbours_bytes(job->rows, job->k) + knng_blocks_bytes(&rows, size, job->k, &opt) +
		       rates->search;
	return knng_ranks_own_bytes(&rows, size, blocks, own, job->k, resident, false, together, &opt) +
	       knng_ranks_talk_bytes(size, blocks, job->keeps, 0, job->ranks) + rates->search;
}

/* What a rank holds without what is on its way: its own rows and lists, other blocks and the meeting. */
static double
base_bytes(const sim *s, int rank)
{
	const scale_job *job = s->job;
	knng_part own = knng_blocks_of_rank(s->result->blocks, job->ranks, rank);
	double rows = 0, size = (double)s->result->size, k = (double)job->k;
	if (job->kind != SCALE_MPI)
		return s->result->planned;
	for (int64_t b = own.first; b < own.end; b++)
		rows += rows_of(s, b);
	return rows * ((s->result->resident ? row_bytes(job) : 0) + 12 * k + 1) +
	       places_of(s, rank) * size * row_bytes(job) +
	       knng_meeting_bytes(knng_ranks_meeting(s->result->size, s->result->together, job->rows), job->k,
				  (int)fmax(1, s->rates->threads * job->gpus)) +
	       size * (12 * k + 1) + 8 * size + s->rates->search;
}

/* All blocks of a rank, where its GPUs can hold them beside a visitor. */
static int64_t
most_together(const sim *s)
{
	const scale_job *job = s->job;
	const scale_result *r = s->result;
	int64_t own = knng_parts(job->ranks, r->blocks);
	bool held = panels_of(s->rates, job, (double)knng_ranks_meeting(r->size, own, job->rows)) == 1;
	return job->kind == SCALE_MPI && job->ranks > 1 && r->resident && !job->keeps && held ? own : 1;
}

static knng_status
plan(sim *s, knng_err *err)
{
	const scale_job *job = s->job;
	scale_result *r = s->result;
	int64_t largest = job->blocks > 0          ? knng_parts(job->blocks, job->rows)
			  : job->kind == SCALE_MPI ? knng_ranks_largest(job->ranks, job->rows, job->keeps)
						   : job->rows;
	for (int resident = job->kind == SCALE_MPI; resident >= 0; resident--)
		for (int64_t size = largest; size > 0; size = job->blocks > 0 ? 0 : size - size / 5 - (size < 5)) {
			r->size = size;
			r->blocks = knng_parts(size, job->rows);
			r->resident = resident;
			const int64_t together[] = {most_together(s), 1};
			for (int i = together[0] == 1; i < 2; i++) {
				r->together = together[i];
				r->planned = planned_bytes(s->rates, job, size, resident, r->together);
				if (job->memory == 0 || r->planned <= job->memory)
					return KNNG_OK;
			}
		}
	return knng_fail(err, KNNG_EMEMORY, "knng:memory:host",
			 "a rank needs at least %.3g GB: give more memory, or ranks", r->planned / 1e9);
}

static knng_status
check(const scale_job *job, knng_err *err)
{
	const char *wrong = job->rows < 2 || job->rows > INT32_MAX - 64    ? "rows: 2 to 2^31 - 65"
			    : job->columns < 1                             ? "columns: 1 or more"
			    : job->k < 1 || job->k >= job->rows            ? "neighbours: 1 to rows - 1"
			    : job->bytes != 4 && job->bytes != 8           ? "bytes of a number: 4 or 8"
			    : job->ranks < 1 || job->ranks > 65536         ? "ranks: 1 to 65536"
			    : job->ranks > 1 && job->kind != SCALE_MPI     ? "ranks: 1, but of knng-mpi"
			    : job->gpus < 1 || job->gpus > 16              ? "GPUs of a rank: 1 to 16"
			    : job->nodes < 1 || job->nodes > job->ranks    ? "machines: 1 to as many as there are ranks"
			    : job->blocks < 0 || job->blocks > job->rows   ? "blocks: 1 to as many as there are rows"
			    : !(job->slow >= 0 && job->slow <= 1)          ? "slow machines: 0 to 1 of all"
			    : job->slow > 0 && !(job->speed > 0)           ? "their speed: more than 0"
			    : job->limit > 0 && !(job->limit > job->grace) ? "limit: more than the grace before it"
			    : job->limit > 0 && !job->keeps                ? "limit: with a checkpoint alone"
									   : NULL;
	return wrong == NULL ? KNNG_OK : knng_fail(err, KNNG_EARGS, "knng:args:option", "%s", wrong);
}

knng_status
scale_run(const scale_rates *rates, const scale_job *job, scale_result *result, knng_err *err)
{
	sim s = {.rates = rates, .job = job, .result = result, .room = 64};
	uint64_t seed = job->seed;
	*result = (scale_result){0};
	knng_status status = check(job, err);
	if (status == KNNG_OK)
		status = plan(&s, err);
	if (status != KNNG_OK)
		return status;
	int64_t blocks = result->blocks;
	double *speed = knng_calloc(job->nodes, sizeof *speed);
	uint8_t *kept = knng_calloc(blocks, (size_t)blocks);
	result->rank = knng_calloc(job->ranks, sizeof *result->rank);
	s.rank = knng_calloc(job->ranks, sizeof *s.rank);
	s.in = knng_calloc(job->nodes, sizeof *s.in);
	s.out = knng_calloc(job->nodes, sizeof *s.out);
	s.noted = knng_calloc(blocks, (size_t)blocks * sizeof *s.noted);
	s.meetings = knng_calloc(blocks, sizeof *s.meetings);
	s.events = knng_alloc(s.room, sizeof *s.events);
	if (speed == NULL || kept == NULL || result->rank == NULL || s.rank == NULL || s.in == NULL || s.out == NULL ||
	    s.noted == NULL || s.meetings == NULL || s.events == NULL)
		status = knng_fail_memory(err, "a simulation", (double)blocks * (double)blocks * sizeof *s.noted);
	if (status == KNNG_OK) {
		for (int i = 0; i < job->nodes; i++)
			speed[i] = 1;
		for (int left = (int)lround(job->slow * job->nodes); left > 0;) {
			int node = (int)(random_unit(&seed) * job->nodes) % job->nodes;
			left -= speed[node] == 1;
			speed[node] = job->speed < 1 ? job->speed : 1 - 0x1p-53;
		}
		for (int r = 0; r < job->ranks; r++)
			s.rank[r].base = base_bytes(&s, r);
		status = run_all(&s, kept, speed, &seed, err);
	}
	for (int r = 0; status == KNNG_OK && r < job->ranks; r++)
		result->peak = fmax(result->peak, result->rank[r].peak);
	knng_free(speed);
	knng_free(kept);
	knng_free(s.rank);
	knng_free(s.in);
	knng_free(s.out);
	knng_free(s.noted);
	knng_free(s.meetings);
	knng_free(s.events);
	if (status != KNNG_OK)
		scale_free(result);
	return status;
}

void
scale_free(scale_result *result)
{
	knng_free(result->rank);
	result->rank = NULL;
}
