#include "cluster.h"
#include "agree.h"
#include "base/folder.h"
#include "base/signals.h"
#include "base/sys.h"
#include "engine.h"
#include "schedule.h"

#include <math.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What letters mean. All but those of rank 0 to all go to rank 0, where nothing else is said. */
enum {
	ASK,    /* to any: send a parcel of what (a) of a block (b), or of a pair of blocks */
	FOUND,  /* to the owner of block b: return `number` has what its rows found in block a, so many bytes (value) */
	LOADED, /* the rows of this rank's blocks are read */
	CHECKED, /* and are those of its checkpoint */
	WANT,    /* a visit; whether it helps others (a) */
	DONE,    /* the blocks a and b have met, and the lists of both know it */
	UNSAVED, /* the checkpoint of this rank could not be saved: err says why */
	BEAT,    /* this rank has so much of a meeting (value, of all work) */
	FAILED,  /* it cannot go on: status, signal, err */
	GONE,    /* its last letter: rank 0 stays until it has all that was sent */
	ENDED,   /* it computes no more, and has saved what it has; err: if it could not */
	/* from rank 0 */
	CHECK, /* all are loaded: ask for the hashes of all blocks */
	START, /* all are checked */
	GIVE,  /* the blocks a and b are to meet; a of -1: none is left */
	STOP,  /* nothing more is to be done; status: why */
	LEAVE, /* rank 0 has all that it needs */
};

/* What can be asked for. */
enum {
	OWN_HASHES,
	ALL_HASHES,
	MET,
	ROWS,
	RADII,
	RETURN,
	DISTANCES,
	INDICES,
	LEVELS,
	INFO,
	SUMS,
};

enum {
	PAUSE = 300, /* us without anything to do */
	LENT = KNNG_RANKS_LENT,
	LATER = KNNG_RANKS_LATER,
	INTERVAL = 1, /* seconds from one word of progress to the next */
	LOST = 255,   /* level of rows whose lists could not be read from their file */
};

_Static_assert(sizeof(knng_letter) <= KNNG_RANKS_LETTER &&
		       sizeof(double) + sizeof(knng_info) + sizeof(knng_block_rows) <= KNNG_RANKS_INFO,
	       "what blocks/ranks.h counts");

/* What a rank has found for a block of this one, on its way here. */
typedef struct {
	enum { EMPTY, COMING, ARRIVED } state;
	knng_visit visit;
	knng_found found;
	double *room;
	int32_t *index_room;
} inbox;

/* What rank 0 knows of all. */
typedef struct {
	knng_schedule schedule;
	uint64_t *hash; /* [blocks] */
	uint8_t *met;   /* [blocks * blocks] whether the lists of a block have those of another */
	int hashes, mets, ended, infos, gone;
	double *beat;  /* [ranks] */
	double done;   /* of all distances */
	int64_t block; /* whose result comes next */
	int parts;     /* of it that are there */
	/* The lists of that block are there: this rank's own, or those that have arrived. */
	const knng_neighbours *result;
	knng_info *info;       /* [ranks] */
	knng_block_rows *sums; /* [ranks] */
	double seen;           /* progress that was shown last */
	bool unsaved;          /* the user has heard that some rank could not save */
} chief;

typedef struct {
	const knng_cluster_plan *plan;
	knng_post *post;
	int rank, ranks;
	knng_engine engine;
	uint64_t *hash; /* [blocks] of all, from rank 0 */
	uint8_t *says;  /* [own * blocks] what its checkpoint says */
	inbox inbox;
	knng_letter *later; /* [LATER * ranks] */
	int waiting;        /* of these */
	int lent;           /* copies of radii that are on their way */
	int64_t shown;      /* the block whose lists are, in so many parts */
	int parts;
	int wanted; /* meetings that were asked for and have not come */
	bool told, started, poor, dry, failed, stopped, ended, leaves;
	bool unsaved; /* as the desk said last */
	double beat;  /* when this rank said last how far it is */
	knng_status status;
	knng_err err; /* why all ends */
	int signal;
	chief chief;
	const knng_output *out;
	knng_graph_out *file; /* or NULL */
	knng_info *info;
} cluster;

/* ---- letters ---- */

/* What fails here fails the job, since nothing can be told any more. */
static void
must(cluster *c, knng_status status, const knng_err *err)
{
	if (status == KNNG_OK)
		return;
	fprintf(stderr, "%s: %s\n", err->id, err->text);
	knng_post_abort(c->post, 1);
}

static void
send(cluster *c, int to, knng_letter letter)
{
	knng_err err;
	must(c, knng_post_send(c->post, to, &letter, &err), &err);
}

static void
send_all(cluster *c, knng_letter letter)
{
	for (int r = 0; r < c->ranks; r++)
		send(c, r, letter);
}

static void
ask(cluster *c, int rank, int what, int64_t block, void *to, int64_t bytes, void (*arrived)(void *context))
{
	knng_err err;
	knng_letter letter = {.kind = ASK, .number = knng_post_number(c->post), .a = what, .b = block};
	must(c, knng_post_receive(c->post, rank, letter.number, to, bytes, arrived, c, &err), &err);
	send(c, rank, letter);
}

static int
owner(const cluster *c, int64_t block)
{
	return knng_rank_of_block(c->plan->blocks, c->ranks, block);
}

static int64_t
count_of(knng_part rows)
{
	return rows.end - rows.first;
}

/* Says, once, that this rank cannot go on. */
static void
tell_failure(cluster *c, knng_status status, int signal, const knng_err *err)
{
	knng_letter letter = {.kind = FAILED, .status = (int)status, .signal = signal, .err = *err};
	if (c->failed)
		return;
	c->failed = true;
	if (status != KNNG_EINTERRUPTED)
		knng_name_rank(c->post, c->rank, &letter.err);
	send(c, 0, letter);
}

/* The same while it computes. */
static void
fail(cluster *c, knng_status status, int signal, const knng_err *err)
{
	if (!c->stopped)
		tell_failure(c, status, signal, err);
}

/* ---- answers ---- */

typedef struct {
	const void *data;
	int64_t bytes;
	void *owned;
	void (*sent)(void *context); /* or NULL */
	void *context;
} answer;

static void
radii_sent(void *context)
{
	cluster *c = context;
	c->lent--;
}

/* The k-th distances of the rows of a block. False: not now. */
static bool
answer_radii(cluster *c, int64_t block, answer *a)
{
	knng_engine *w = &c->engine;
	knng_part rows = knng_engine_rows_of(w, block);
	if (c->lent == LENT || pthread_mutex_trylock(&w->lock) != 0)
		return false;
	double *radii = knng_alloc(count_of(rows), sizeof *radii);
	if (radii == NULL) {
		knng_err err;
		must(c, knng_fail_memory(&err, "radii", 8.0 * (double)count_of(rows)), &err);
	}
	c->lent++;
#ifndef KNNG_PLANT_ELSEWHERE /* what the tests must find: radii that are those of other rows */
	for (int64_t i = rows.first; i < rows.end; i++)
		radii[i - rows.first] = knng_engine_radius(w, i);
#else
	for (int64_t i = rows.first; i < rows.end; i++)
		radii[rows.end - 1 - i] = knng_engine_radius(w, i);
#endif
	pthread_mutex_unlock(&w->lock);
	*a = (answer){.data = radii,
		      .bytes = count_of(rows) * (int64_t)sizeof *radii,
		      .owned = radii,
		      .sent = radii_sent,
		      .context = c};
	return true;
}

static void
part_sent(void *context)
{
	cluster *c = context;
	c->parts--;
}

/* A part of a block's lists, at the end; where they cannot be had, something as large, of level LOST, and the letter
 * that says why. False: not now, since another block's are on their way. */
static bool
answer_lists(cluster *c, const knng_letter *l, answer *a)
{
	knng_engine *w = &c->engine;
	knng_neighbours *lists;
	knng_err err;
	if (c->parts > 0 && c->shown != l->b)
		return false;
	knng_status status = knng_shelf_show(&w->shelf, l->b, false, &lists, &err);
	knng_part rows = knng_engine_rows_of(w, l->b);
	if (status != KNNG_OK) {
		tell_failure(c, status, 0, &err);
		lists = &w->visiting; /* it computes no more */
		lists->first = rows.first;
		memset(lists->level, LOST, (size_t)count_of(rows));
	}
	int64_t at = rows.first - lists->first, count = count_of(rows), k = lists->k;
	*a = l->a == DISTANCES ? (answer){.data = lists->distance + at * k, count * k * (int64_t)sizeof(double)}
	     : l->a == INDICES ? (answer){.data = lists->index + at * k, count * k * (int64_t)sizeof(int32_t)}
			       : (answer){.data = lists->level + at, count};
	a->sent = part_sent;
	a->context = c;
	c->shown = l->b;
	c->parts++;
	return true;
}

static void
answer_met(cluster *c, answer *a)
{
	const knng_engine *w = &c->engine;
	int64_t blocks = c->plan->blocks;
	for (int64_t i = w->own.first; i < w->own.end; i++)
		for (int64_t b = 0; b < blocks; b++)
			c->says[(i - w->own.first) * blocks + b] = knng_checkpoint_says(w->checkpoint, i, b);
	*a = (answer){.data = c->says, .bytes = count_of(w->own) * blocks};
}

/* False: it has to be answered later. */
static bool
answer_letter(cluster *c, const knng_letter *l)
{
	knng_engine *w = &c->engine;
	answer a = {0};
	knng_err err;
	knng_return *back;
	knng_part rows = l->b >= 0 ? knng_engine_rows_of(w, l->b) : (knng_part){0, 0};
	int64_t at = rows.first - w->own_rows.first, count = count_of(rows);
	switch (l->a) {
	case OWN_HASHES:
		a = (answer){.data = c->hash + w->own.first, .bytes = count_of(w->own) * (int64_t)sizeof *c->hash};
		break;
	case ALL_HASHES:
		a = (answer){.data = c->chief.hash, .bytes = c->plan->blocks * (int64_t)sizeof *c->hash};
		break;
	case MET:
		answer_met(c, &a);
		break;
	case ROWS:
		a = (answer){.data = w->resident + (size_t)at * knng_row_bytes(w->rows),
			     count * (int64_t)knng_row_bytes(w->rows)};
		break;
	case RADII:
		if (!answer_radii(c, l->b, &a))
			return false;
		break;
	case RETURN:
		back = &w->desk.back[-1 - l->b];
		a = (answer){
			.data = back->found.data, .bytes = back->found.bytes, .sent = knng_desk_sent, .context = back};
		break;
	case DISTANCES:
	case INDICES:
	case LEVELS:
		if (!answer_lists(c, l, &a))
			return false;
		break;
	case INFO:
		a = (answer){.data = &w->info, .bytes = sizeof w->info};
		break;
	default: /* SUMS */
		a = (answer){.data = &w->sums, .bytes = sizeof w->sums};
	}
	must(c, knng_post_parcel(c->post, l->from, l->number, a.data, a.bytes, a.owned, a.sent, a.context, &err), &err);
	return true;
}

/* ---- what is found elsewhere ---- */

static void
found_arrived(void *context)
{
	cluster *c = context;
	c->inbox.state = ARRIVED;
}

static knng_letter
letter_of(int kind, knng_visit visit)
{
	return (knng_letter){
		.kind = kind, .a = visit.first, .count = (int)(visit.end - visit.first), .b = visit.visitor};
}

static knng_visit
visit_in(const knng_letter *l)
{
	return (knng_visit){l->a, l->a + l->count, l->b};
}

/* Of a letter that a rank has something for a block of this one. False: not now, another one is on its way. */
static bool
take_found(cluster *c, const knng_letter *l)
{
#ifdef KNNG_PLANT_LOSS /* what the tests must find: what comes while the inbox is in use is thrown away */
	if (c->inbox.state != EMPTY) {
		knng_err err;
		int64_t bytes = (int64_t)l->value;
		knng_letter letter = {
			.kind = ASK, .number = knng_post_number(c->post), .a = RETURN, .b = -1 - l->number};
		void *nowhere = knng_alloc(bytes, 1);
		must(c, knng_post_receive(c->post, l->from, letter.number, nowhere, bytes, knng_free, nowhere, &err),
		     &err);
		send(c, l->from, letter);
		send(c, 0, letter_of(DONE, visit_in(l)));
		return true;
	}
#endif
	if (c->inbox.state != EMPTY)
		return false;
	c->inbox.state = COMING;
	c->inbox.visit = visit_in(l);
	c->inbox.found.bytes = (int64_t)l->value;
	ask(c, l->from, RETURN, -1 - l->number, c->inbox.found.data, c->inbox.found.bytes, found_arrived);
	return true;
}

/* Merges what has arrived into the lists of the visitor. The lock is held. */
static knng_status
merge_into(cluster *c, int threads, knng_err *err)
{
	knng_engine *w = &c->engine;
	inbox *in = &c->inbox;
	knng_visit visit = in->visit;
	knng_neighbours *lists;
	/* What the tests must find: what visitors found never goes to the file of lists. */
#ifndef KNNG_PLANT_FORGET
	bool changes = true;
#else
	bool changes = false;
#endif
	knng_status status = knng_shelf_show(&w->shelf, visit.visitor, changes, &lists, err);
	if (status != KNNG_OK)
		return status;
	if (!knng_found_merge(&in->found, lists, knng_engine_rows_of(w, visit.visitor), threads, in->room,
			      in->index_room))
		return knng_fail(err, KNNG_EINTERNAL, "knng:internal:candidates",
				 "what blocks %lld and %lld found was damaged on its way", (long long)visit.first,
				 (long long)visit.visitor);
	knng_engine_note(w, visit.visitor, lists);
	return KNNG_OK;
}

/* Merges what has arrived, unless lists are in use. */
static bool
merge_found(cluster *c)
{
	knng_engine *w = &c->engine;
	inbox *in = &c->inbox;
	knng_visit visit = in->visit;
#ifdef KNNG_PLANT_EARLY /* what the tests must find: a checkpoint that says it before it is so */
	static double since;
	if (in->state == EMPTY)
		since = knng_seconds();
	else if (w->checkpoint != NULL && pthread_mutex_trylock(&w->lock) == 0) {
		knng_checkpoint_note_side(w->checkpoint, visit.visitor, visit.first);
		pthread_mutex_unlock(&w->lock);
	}
	if (w->checkpoint != NULL && knng_seconds() - since < 0.05)
		return false;
#endif
	if (in->state != ARRIVED || pthread_mutex_trylock(&w->lock) != 0)
		return false;
	/* What has several threads first keeps the other to one: the search is to have them. It begins with nothing
	 * while this thread has given it nothing. */
	pthread_mutex_lock(&w->desk.lock);
	bool idle = w->desk.idle && w->desk.visits == 0;
	pthread_mutex_unlock(&w->desk.lock);
	knng_err err;
	knng_status status = merge_into(c, idle ? w->meeting.threads : 1, &err);
	for (int64_t b = visit.first; status == KNNG_OK && w->checkpoint != NULL && b < visit.end; b++)
		knng_checkpoint_note_side(w->checkpoint, visit.visitor, b);
	pthread_mutex_unlock(&w->lock);
	in->state = EMPTY;
	if (status == KNNG_OK)
		send(c, 0, letter_of(DONE, visit));
	else
		fail(c, status, 0, &err);
	return true;
}

/* ---- the desk ---- */

static void
wake(cluster *c)
{
	pthread_cond_broadcast(&c->engine.desk.change);
}

static void
asked_arrived(cluster *c, int what)
{
	knng_desk *d = &c->engine.desk;
	pthread_mutex_lock(&d->lock);
	d->ask[what].state = KNNG_REQUEST_NONE;
	wake(c);
	pthread_mutex_unlock(&d->lock);
}

static void
rows_arrived(void *context)
{
	asked_arrived(context, KNNG_DESK_ROWS);
}

static void
radii_arrived(void *context)
{
	asked_arrived(context, KNNG_DESK_RADII);
}

/* The signal that has come to this process, or 0. */
static int
signal_of(const cluster *c)
{
	const volatile sig_atomic_t *interrupt = c->plan->opt.task.interrupt;
	return interrupt != NULL ? __atomic_load_n(interrupt, __ATOMIC_RELAXED) : 0;
}

/* What a checkpoint says of blocks that met themselves before counts, too. */
static void
sum_rows(knng_engine *w)
{
	if (w->checkpoint == NULL)
		return;
	w->sums = (knng_block_rows){0};
	for (int64_t b = w->own.first; b < w->own.end; b++) {
		const knng_block_rows *rows = knng_checkpoint_rows(w->checkpoint, b);
		w->sums.nonfinite += rows->nonfinite;
		w->sums.constant += rows->constant;
		w->sums.points += rows->points;
	}
}

/* Says that the checkpoint could not be saved, the first time after it could. The desk is locked. */
static void
tell_unsaved(cluster *c)
{
	const knng_desk *d = &c->engine.desk;
	knng_letter letter = {.kind = UNSAVED};
	bool now = d->unsaved && !c->unsaved;
	c->unsaved = d->unsaved;
	snprintf(letter.err.text, sizeof letter.err.text, "%s", d->problem);
	if (now && !c->stopped)
		send(c, 0, letter);
}

/* Passes on what the computing thread has put there. */
static bool
clear_desk(cluster *c)
{
	static const struct {
		int what;
		void (*arrived)(void *context);
	} asks[KNNG_DESK_ASKS] = {[KNNG_DESK_ROWS] = {ROWS, rows_arrived}, [KNNG_DESK_RADII] = {RADII, radii_arrived}};
	knng_desk *d = &c->engine.desk;
	bool busy = false;
	pthread_mutex_lock(&d->lock);
	for (int i = 0; i < KNNG_DESK_ASKS; i++)
		if (d->ask[i].state == KNNG_REQUEST_NEW) {
			const knng_request *a = &d->ask[i];
			d->ask[i].state = KNNG_REQUEST_SENT;
			ask(c, owner(c, a->block), asks[i].what, a->block, a->to, a->bytes, asks[i].arrived);
			busy = true;
		}
	for (int i = 0; i < KNNG_DESK_RETURNS; i++)
		if (d->back[i].state == KNNG_FOUND_NEW) {
			const knng_return *r = &d->back[i];
			d->back[i].state = KNNG_FOUND_TOLD;
			knng_letter letter = letter_of(FOUND, r->visit);
			letter.number = i;
			letter.value = (double)r->found.bytes;
			send(c, owner(c, r->visit.visitor), letter);
			busy = true;
		}
	for (; d->mets > 0; busy = true) {
		send(c, 0, letter_of(DONE, d->met[--d->mets]));
		wake(c);
	}
	tell_unsaved(c);
	bool loaded = d->loaded, ended = d->ended;
	if (c->started && !c->dry && !c->stopped &&
	    d->visits + c->wanted < (c->poor    ? d->idle
				     : d->takes ? KNNG_DESK_VISITS
						: 1)) {
		send(c, 0, (knng_letter){.kind = WANT, .a = c->poor});
		c->wanted++;
		busy = true;
	}
	pthread_mutex_unlock(&d->lock);
	if (loaded && !c->told) {
		c->told = true;
		for (int64_t b = c->engine.own.first; c->engine.checkpoint != NULL && b < c->engine.own.end; b++)
			c->hash[b] = knng_checkpoint_hash(c->engine.checkpoint, b);
		send(c, 0, (knng_letter){.kind = LOADED});
	}
	if (ended && d->status != KNNG_OK)
		fail(c, d->status, signal_of(c), &d->err);
	/* Whoever needs something of this rank, or of whom it needs something, is waited for. */
	if (ended && c->stopped && !c->ended && knng_post_receiving(c->post) == 0 && knng_desk_is_clear(d)) {
		knng_letter letter = {.kind = ENDED, .status = c->engine.info.unsaved[0] != 0};
		snprintf(letter.err.text, sizeof letter.err.text, "%s", c->engine.info.unsaved);
		c->ended = true;
		sum_rows(&c->engine);
		send(c, 0, letter);
	}
	return busy;
}

/* The computing thread has to end: at once, or where nothing is left. */
static void
stop(cluster *c, bool at_once)
{
	knng_desk *d = &c->engine.desk;
	c->stopped = true;
	pthread_mutex_lock(&d->lock);
	d->finish = true;
	if (at_once)
		__atomic_store_n(&d->stop, SIGTERM, __ATOMIC_RELAXED);
	wake(c);
	pthread_mutex_unlock(&d->lock);
}

/* ---- rank 0 ---- */

static double
share_of(const cluster *c, knng_pair_of_blocks pair)
{
	double a = (double)count_of(knng_engine_rows_of(&c->engine, pair.home)),
	       b = (double)count_of(knng_engine_rows_of(&c->engine, pair.visitor)), n = (double)c->engine.rows->n;
	return (pair.home == pair.visitor ? 1 : 2) * a * b / (n * n);
}

static void
note_done(cluster *c, knng_pair_of_blocks pair)
{
	if (knng_schedule_done(&c->chief.schedule, pair))
		c->chief.done += share_of(c, pair);
}

static void
note_visit(cluster *c, knng_visit visit)
{
	for (knng_pair_of_blocks pair = {-1, -1}; knng_visit_step(&visit, &pair);)
		note_done(c, pair);
}

static void
hashes_arrived(void *context)
{
	cluster *c = context;
	if (++c->chief.hashes == c->ranks && c->status == KNNG_OK)
		send_all(c, (knng_letter){.kind = CHECK});
}

static void tell(const cluster *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A line for the user, at once. */
static void
tell(const cluster *c, const char *format, ...)
{
	char text[480];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (c->plan->opt.tell != NULL)
		c->plan->opt.tell(text);
}

/* What the lists of both sides have need not be found again. */
static void
mets_arrived(void *context)
{
	cluster *c = context;
	chief *chief = &c->chief;
	int64_t blocks = c->plan->blocks;
	if (++chief->mets < c->ranks || c->status != KNNG_OK)
		return;
	for (int64_t a = 0; a < blocks; a++)
		for (int64_t b = a; b < blocks; b++)
			if (chief->met[a * blocks + b] && chief->met[b * blocks + a])
				note_done(c, (knng_pair_of_blocks){a, b});
	chief->done = chief->schedule.left == 0 ? 1 : chief->done;
	c->info->resumed = chief->done;
	if (chief->done > 0)
		tell(c, "goes on from %.1f %% in %.200s", floor(1000 * chief->done) / 10, c->plan->opt.checkpoint);
	send_all(c, (knng_letter){.kind = chief->schedule.left == 0 ? STOP : START});
}

static void
infos_arrived(void *context)
{
	cluster *c = context;
	if (++c->chief.infos == 2 * c->ranks)
		send_all(c, (knng_letter){.kind = LEAVE});
}

static void get_result(cluster *c);

/* Rank 0 cannot write what was found. */
static void
give_up(cluster *c, knng_status status, const knng_err *err)
{
	c->status = status;
	c->err = *err;
	c->signal = status == KNNG_EINTERRUPTED ? signal_of(c) : 0;
	send_all(c, (knng_letter){.kind = LEAVE, .status = (int)status});
}

/* To the file, or the table. */
static knng_status
put_result(cluster *c, knng_part rows, const knng_neighbours *lists, knng_err *err)
{
	int64_t at = (rows.first - lists->first) * lists->k;
	if (c->file != NULL)
		return knng_graph_out_put(c->file, rows.first, rows.end, lists->index + at, lists->distance + at, err);
	knng_neighbours_write(lists, rows, c->out);
	return KNNG_OK;
}

/* Writes the lists of the block that comes next, if they are there. A disk may take long: the post is not waited with
 * meanwhile, and the others hear of this rank between two blocks. */
static bool
take_result(cluster *c)
{
	chief *chief = &c->chief;
	const knng_neighbours *lists = chief->result;
	knng_err err;
	if (lists == NULL || c->status != KNNG_OK)
		return false;
	chief->result = NULL;
	knng_part rows = knng_engine_rows_of(&c->engine, chief->block);
	if (lists->level[rows.first - lists->first] == LOST) /* a letter comes that says why */
		return true;
	knng_status status = put_result(c, rows, lists, &err);
	if (status != KNNG_OK) {
		give_up(c, status, &err);
		return true;
	}
	knng_neighbours_count(lists, rows, c->info->certified,
			      c->plan->opt.rows == KNNG_ROWS_PAIRWISE ? &c->info->fewer : NULL);
	chief->block++;
	get_result(c);
	return true;
}

/* One of three parts of a block's lists. */
static void
part_arrived(void *context)
{
	cluster *c = context;
	if (++c->chief.parts < 3)
		return;
	c->chief.parts = 0;
	c->engine.visiting.first = knng_engine_rows_of(&c->engine, c->chief.block).first;
	c->chief.result = &c->engine.visiting;
}

/* Those of a block of rank 0 itself. */
static void
take_own(cluster *c)
{
	knng_neighbours *lists;
	knng_err err;
	knng_status status = knng_shelf_show(&c->engine.shelf, c->chief.block, false, &lists, &err);
	if (status == KNNG_OK) {
		c->chief.result = lists;
		return;
	}
	knng_name_rank(c->post, c->rank, &err);
	give_up(c, status, &err);
}

/* Asks for the lists of one block after the other, and then for what all ranks say of their work. */
static void
get_result(cluster *c)
{
	chief *chief = &c->chief;
	knng_neighbours *to = &c->engine.visiting;
	if (chief->block < c->plan->blocks) {
		int rank = owner(c, chief->block);
		int64_t count = count_of(knng_engine_rows_of(&c->engine, chief->block)), places = count * c->plan->k;
		if (rank == 0) {
			take_own(c);
			return;
		}
		ask(c, rank, DISTANCES, chief->block, to->distance, places * (int64_t)sizeof *to->distance,
		    part_arrived);
		ask(c, rank, INDICES, chief->block, to->index, places * (int64_t)sizeof *to->index, part_arrived);
		ask(c, rank, LEVELS, chief->block, to->level, count, part_arrived);
		return;
	}
	for (int r = 0; r < c->ranks; r++) {
		ask(c, r, INFO, -1, &chief->info[r], sizeof chief->info[r], infos_arrived);
		ask(c, r, SUMS, -1, &chief->sums[r], sizeof chief->sums[r], infos_arrived);
	}
}

/* A rank's part of the work is over. */
static void
note_end(cluster *c, const knng_letter *l)
{
	chief *chief = &c->chief;
	if (l->status != 0 && c->info->unsaved[0] == '\0')
		snprintf(c->info->unsaved, sizeof c->info->unsaved, "%.300s", l->err.text);
	if (++chief->ended < c->ranks)
		return;
	if (c->status == KNNG_OK)
		get_result(c);
	else
		send_all(c, (knng_letter){.kind = LEAVE, .status = (int)c->status});
}

/* Of many ranks that cannot save the user hears once. */
static void
note_unsaved(cluster *c, const knng_letter *l)
{
	knng_err err = l->err;
	knng_name_rank(c->post, l->from, &err);
	if (!c->chief.unsaved)
		tell(c, "%.400s; the search goes on, and saving is tried again", err.text);
	c->chief.unsaved = true;
}

static void
give(cluster *c, int rank, bool helps)
{
	knng_visit visit = {-1, -1, -1};
	knng_schedule_next(&c->chief.schedule, rank, helps, &visit);
	knng_letter letter = letter_of(GIVE, visit);
	letter.status = helps;
	send(c, rank, letter);
}

/* The first failure is everybody's. */
static void
note_failure(cluster *c, const knng_letter *l)
{
	if (c->status != KNNG_OK)
		return;
	if (c->chief.ended == c->ranks) { /* it had computed all */
		give_up(c, (knng_status)l->status, &l->err);
		return;
	}
	c->status = (knng_status)l->status;
	c->err = l->err;
	c->signal = l->signal;
	send_all(c, (knng_letter){.kind = STOP, .status = l->status});
}

static void
show(cluster *c)
{
	knng_task *task = &c->engine.opt.task;
	double done = c->chief.done;
	if (task->progress == NULL || !c->started)
		return;
	for (int r = 0; r < c->ranks; r++)
		done += c->chief.beat[r];
	c->chief.seen = fmax(c->chief.seen, fmin(done, 1));
	task->progress(task->context, "blocks", c->chief.seen);
}

/* ---- all ranks ---- */

static void
all_hashes_arrived(void *context)
{
	cluster *c = context;
	knng_err err;
	knng_status status = KNNG_OK;
	for (int64_t b = 0; status == KNNG_OK && b < c->plan->blocks; b++)
		status = knng_checkpoint_tell(c->engine.checkpoint, b, c->hash[b], &err);
	if (status == KNNG_OK)
		send(c, 0, (knng_letter){.kind = CHECKED});
	else
		fail(c, status, 0, &err);
}

static void
note_loaded(cluster *c, const knng_letter *l)
{
	knng_part own = knng_blocks_of_rank(c->plan->blocks, c->ranks, l->from);
	if (c->status != KNNG_OK)
		return; /* a rank that has ended is asked for nothing more */
	if (c->engine.checkpoint != NULL)
		ask(c, l->from, OWN_HASHES, -1, c->chief.hash + own.first, count_of(own) * (int64_t)sizeof *c->hash,
		    hashes_arrived);
	else if (++c->chief.hashes == c->ranks)
		send_all(c, (knng_letter){.kind = START});
}

static void
note_checked(cluster *c, const knng_letter *l)
{
	knng_part own = knng_blocks_of_rank(c->plan->blocks, c->ranks, l->from);
	int64_t blocks = c->plan->blocks;
	if (c->status != KNNG_OK)
		return;
	ask(c, l->from, MET, -1, c->chief.met + own.first * blocks, count_of(own) * blocks, mets_arrived);
}

static void
take_visit(cluster *c, const knng_letter *l)
{
	knng_desk *d = &c->engine.desk;
	c->wanted--;
	if (l->a < 0) { /* nothing of its own is left: it helps others when it is idle; and then nothing at all */
		c->dry = l->status != 0;
		c->poor = true;
	}
	pthread_mutex_lock(&d->lock);
	d->last = c->poor;
	if (l->a >= 0)
		d->visit[d->visits++] = visit_in(l);
	wake(c);
	pthread_mutex_unlock(&d->lock);
}

/* Sees to a letter; false: not now. */
static bool
see_to(cluster *c, const knng_letter *l)
{
	switch (l->kind) {
	case ASK:
		return answer_letter(c, l);
	case FOUND:
		return take_found(c, l);
	case LOADED:
		note_loaded(c, l);
		break;
	case CHECKED:
		note_checked(c, l);
		break;
	case WANT:
		give(c, l->from, l->a != 0);
		break;
	case DONE:
		note_visit(c, visit_in(l));
		if (c->chief.schedule.left == 0)
			send_all(c, (knng_letter){.kind = STOP});
		break;
	case UNSAVED:
		note_unsaved(c, l);
		break;
	case BEAT:
		c->chief.beat[l->from] = l->value;
		break;
	case FAILED:
		note_failure(c, l);
		break;
	case ENDED:
		note_end(c, l);
		break;
	case CHECK:
		ask(c, 0, ALL_HASHES, -1, c->hash, c->plan->blocks * (int64_t)sizeof *c->hash, all_hashes_arrived);
		break;
	case START:
		c->started = true;
		if (c->rank == 0)
			show(c); /* what was done before, from which the time that is left counts */
		break;
	case GIVE:
		take_visit(c, l);
		break;
	case STOP:
		if (c->status == KNNG_OK)
			c->status = (knng_status)l->status;
		stop(c, l->status != KNNG_OK);
		break;
	case GONE:
		c->chief.gone++;
		break;
	default: /* LEAVE */
		if (c->status == KNNG_OK)
			c->status = (knng_status)l->status;
		c->leaves = true;
		send(c, 0, (knng_letter){.kind = GONE});
	}
	return true;
}

/* Tries again what could not be seen to. */
static bool
see_to_later(cluster *c)
{
	int kept = 0, before = c->waiting;
	for (int i = 0; i < before; i++)
		if (!see_to(c, &c->later[i]))
			c->later[kept++] = c->later[i];
	c->waiting = kept;
	return kept < before;
}

/* Says what this rank has done of its meeting. */
static void
beat(cluster *c)
{
	double now = knng_seconds();
	knng_desk *d = &c->engine.desk;
	if (now - c->beat < INTERVAL)
		return;
	c->beat = now;
	pthread_mutex_lock(&d->lock);
	double done = d->done;
	pthread_mutex_unlock(&d->lock);
	send(c, 0, (knng_letter){.kind = BEAT, .value = done});
	if (c->rank == 0)
		show(c);
}

/* A signal at any rank stops all. */
static void
look_for_signals(cluster *c)
{
	int signal = signal_of(c);
	knng_err err = {0};
	if (signal == 0 || c->failed)
		return;
	knng_fail(&err, KNNG_EINTERRUPTED, "knng:interrupted", "stopped by %s; nothing was kept",
		  knng_signals_name(signal));
	fail(c, KNNG_EINTERRUPTED, signal, &err);
}

static void
talk(cluster *c)
{
	knng_letter letter;
	while (!c->leaves || (c->rank == 0 && c->chief.gone < c->ranks) ||
	       knng_post_sending(c->post) + knng_post_receiving(c->post) > 0) {
		bool busy, come = knng_post_step(c->post, &letter, &busy);
		if (come && !see_to(c, &letter))
			c->later[c->waiting++] = letter;
		busy |= see_to_later(c);
		busy |= merge_found(c);
		busy |= clear_desk(c);
		busy |= take_result(c);
		if (!c->leaves) { /* also while letters come without end */
			look_for_signals(c);
			beat(c);
		}
		if (come)
			continue;
		if (!busy && knng_post_busy(c->post))
			sched_yield();
		else if (!busy)
			usleep(PAUSE);
	}
}

/* ---- the start and the end ---- */

static knng_status
open_cluster(cluster *c, const knng_rows *rows, knng_err *err)
{
	int64_t blocks = c->plan->blocks, size = c->plan->size, k = c->plan->k;
	int64_t threads = knng_task_threads(&c->plan->opt.task);
	knng_part own = knng_blocks_of_rank(blocks, c->ranks, c->rank);
	knng_status status = knng_engine_open(&c->engine, c->plan, rows, own, err);
	if (status != KNNG_OK)
		return status;
	c->hash = knng_calloc(blocks, sizeof *c->hash);
	c->says = knng_calloc(c->plan->opt.checkpoint != NULL ? count_of(own) * blocks + 1 : 1, 1);
	c->later = knng_alloc(LATER * (int64_t)c->ranks, sizeof *c->later);
	c->inbox.room = knng_alloc(threads * k, sizeof *c->inbox.room);
	c->inbox.index_room = knng_alloc(threads * k, sizeof *c->inbox.index_room);
	if (c->hash == NULL || c->says == NULL || c->later == NULL || c->inbox.room == NULL ||
	    c->inbox.index_room == NULL)
		return knng_fail_memory(err, "letters", LATER * (double)c->ranks * (double)sizeof *c->later);
	if ((status = knng_found_make(&c->inbox.found, size, k, err)) != KNNG_OK || c->rank > 0)
		return status;
	chief *chief = &c->chief;
	chief->hash = knng_calloc(blocks, sizeof *chief->hash);
	chief->met = knng_calloc(c->plan->opt.checkpoint != NULL ? blocks : 1, (size_t)blocks);
	chief->beat = knng_calloc(c->ranks, sizeof *chief->beat);
	chief->info = knng_calloc(c->ranks, sizeof *chief->info);
	chief->sums = knng_calloc(c->ranks, sizeof *chief->sums);
	if (chief->hash == NULL || chief->met == NULL || chief->beat == NULL || chief->info == NULL ||
	    chief->sums == NULL)
		return knng_fail_memory(err, "what rank 0 knows", (double)blocks * (double)blocks);
	return knng_schedule_make(&chief->schedule, blocks, c->ranks, c->plan->together > 1, err);
}

static void
close_cluster(cluster *c)
{
	chief *chief = &c->chief;
	knng_engine_close(&c->engine);
	knng_free(c->hash);
	knng_free(c->says);
	knng_free(c->later);
	knng_free(c->inbox.room);
	knng_free(c->inbox.index_room);
	knng_found_free(&c->inbox.found);
	knng_free(chief->hash);
	knng_free(chief->met);
	knng_free(chief->beat);
	knng_free(chief->info);
	knng_free(chief->sums);
	knng_schedule_free(&chief->schedule);
}

/* Rank 0 makes the folder of a checkpoint, beside which lists may be. */
static knng_status
make_folder(const cluster *c, knng_err *err)
{
	if (c->rank == 0 && c->plan->opt.checkpoint != NULL && c->plan->lists > 0)
		knng_folder_close(knng_folder_open(c->plan->opt.checkpoint, true));
	return knng_agree(c->post, KNNG_OK, err);
}

/* Rank 0 opens the folder first, and has its lock. */
static knng_status
open_checkpoint(cluster *c, knng_err *err)
{
	knng_status status = KNNG_OK;
	if (c->rank == 0)
		status = knng_engine_open_checkpoint(&c->engine, false, err);
	if ((status = knng_agree(c->post, status, err)) == KNNG_OK && c->rank > 0)
		status = knng_engine_open_checkpoint(&c->engine, true, err);
	return knng_agree(c->post, status, err);
}

/* Everything but the checkpoint, at all ranks or at none. */
static knng_status
open_all(cluster *c, const knng_rows *rows, knng_err *err)
{
	knng_status status = make_folder(c, err);
	return status == KNNG_OK ? knng_agree(c->post, open_cluster(c, rows, err), err) : status;
}

/* The same. Where some disk has no room for lists, and memory has, they are there, as *other plans it. */
static knng_status
open_anywhere(cluster *c, knng_cluster_plan *other, const knng_rows *rows, knng_err *err)
{
	const cluster closed = *c;
	knng_status status = open_all(c, rows, err);
	*other = *c->plan;
	if (status == KNNG_EIO && other->lists > 0 && knng_cluster_plan_in_memory(other, c->post, rows)) {
		close_cluster(c);
		*c = closed;
		c->plan = other;
		status = open_all(c, rows, err);
	}
	return status;
}

/* What all ranks say together. */
static void
add_infos(cluster *c, double started)
{
	knng_info *sum = c->info;
	knng_info all = c->chief.info[0];
	memcpy(all.certified, sum->certified, sizeof all.certified);
	memcpy(all.unsaved, sum->unsaved, sizeof all.unsaved);
	all.resumed = sum->resumed;
	all.fewer = sum->fewer;
	all.blocks = c->plan->blocks;
	all.nonfinite = all.constant = all.points = all.refined = 0;
	for (int r = 0; r < c->ranks; r++) {
		const knng_info *one = &c->chief.info[r];
		all.refined += one->refined;
		all.nonfinite += c->chief.sums[r].nonfinite;
		all.constant += c->chief.sums[r].constant;
		all.points += c->chief.sums[r].points;
		all.peak = fmax(all.peak, one->peak);
		all.planned = fmax(all.planned, one->planned);
		all.device_peak = fmax(all.device_peak, one->device_peak);
		if (all.fallback[0] == '\0')
			memcpy(all.fallback, one->fallback, sizeof all.fallback);
	}
	all.total = knng_seconds() - started;
	*sum = all;
	if (sum->device[0] == '\0') /* a checkpoint had all, or rank 0 had nothing to do */
		knng_plan_device(&c->plan->one, sum->device, sizeof sum->device);
}

/* What rank 0 says of an end before the end. */
static void
tell_end(cluster *c, knng_err *err)
{
	*err = c->err;
	if (c->status != KNNG_EINTERRUPTED || c->engine.checkpoint == NULL)
		return;
	const char *signal = knng_signals_name(c->signal);
	if (c->info->unsaved[0] != 0)
		knng_fail(err, c->status, "knng:interrupted", "stopped by %s; %.300s", signal, c->info->unsaved);
	else
		knng_fail(err, c->status, "knng:interrupted",
			  "stopped by %s; %.1f %% of the work is saved in %.200s, and the same command goes on from "
			  "there",
			  signal, floor(1000 * c->chief.done) / 10, c->plan->opt.checkpoint);
}

knng_status
knng_cluster_run(const knng_cluster_plan *plan, knng_post *post, const knng_rows *rows, const knng_output *out,
		 knng_graph_out *file, knng_info *info, knng_cluster_info *more, knng_err *err)
{
	knng_info unread = {0};
	cluster *c = plan->k < 1 ? NULL : knng_calloc(1, sizeof *c);
	double start = knng_seconds();
	info = info != NULL ? info : &unread;
	*info = (knng_info){0};
	*more = (knng_cluster_info){0};
	if (plan->k < 1) { /* a row alone */
		knng_plan_device(&plan->one, info->device, sizeof info->device);
		return KNNG_OK;
	}
	knng_status status = c != NULL ? KNNG_OK : knng_fail_memory(err, "a search", sizeof *c);
	if ((status = knng_agree(post, status, err)) != KNNG_OK) {
		knng_free(c);
		return status;
	}
	*c = (cluster){.plan = plan,
		       .post = post,
		       .rank = knng_post_rank(post),
		       .ranks = knng_post_ranks(post),
		       .out = out,
		       .file = file,
		       .info = info};
	knng_post_begin(post);
	knng_cluster_plan other;
	status = open_anywhere(c, &other, rows, err);
	if (status == KNNG_OK && plan->opt.checkpoint != NULL)
		status = open_checkpoint(c, err);
	knng_post_keeps(post, c->engine.checkpoint != NULL);
	if (status == KNNG_OK)
		status = knng_agree(post, knng_engine_start(&c->engine, err), err);
	if (status == KNNG_OK) {
		talk(c);
		status = c->status;
		more->signal = c->signal;
		more->taken = c->chief.schedule.moved;
		more->moved = knng_post_received(post);
		if (c->rank == 0 && status == KNNG_OK)
			add_infos(c, start);
		if (c->rank == 0 && status != KNNG_OK)
			tell_end(c, err);
	}
	close_cluster(c);
	knng_free(c);
	return status;
}
