/* post.c  Messages, see post.h.
 *
 * The main thread may be long in work of its own, such as reading a file, and is not to be taken for dead then. So a
 * second thread says once a second that this process is there, and looks who does not. Only one thread at a time is in
 * MPI, under a lock. Where the main thread asks MPI over and over again, on a busy machine, the other may find the lock
 * taken each time: so the main thread does the same when it is due. No call of the main thread waits in there but for
 * the first and the last, which cannot do otherwise: the second thread sees that the lock does not come free. */
#include "post.h"
#include "base/sys.h"
#include "clock.h"

#include <math.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
	LIFE = 0,   /* tag of signs of life, which go between rank 0 and each other one, */
	LETTER = 1, /* and of letters; those of parcels are their numbers */
	FIRST_NUMBER = 2,
	NUMBERS = 30000, /* MPI promises tags up to 32767 */
	PIECE = 1 << 28, /* bytes of one message */
	LARGE = 1 << 16, /* bytes that go in many steps */
	FAREWELL = 10,   /* seconds that MPI has to end the others */
	NAP = 1,         /* seconds without a step after which this process was stopped, or starved */
	INTERVAL = 1,    /* seconds from one sign of life to the next */
	LOOK = 200,      /* ms from one look for those of others to the next */
	TURN = 12,       /* seconds, more than FAREWELL, that others wait for their end before they give up, too */
	PATIENCE = 120,  /* seconds of silence that are borne until somebody sets others */
	PAUSE = 100,     /* us from one look at what all do together to the next */
};

enum { BEAT, END }; /* signs of life; END: the last */

/* What is done when a parcel is through. */
typedef struct {
	void *owned;
	void (*call)(void *context);
	void *context;
} after;

/* A parcel that is under way, in pieces. */
typedef struct parcel {
	struct parcel *next;
	bool sent;
	after after;
	int64_t bytes;
	int pieces;
	MPI_Request request[];
} parcel;

struct knng_post {
	int rank, ranks, machine, neighbours, hosts, number, job;
	int turn; /* after so many others this rank may give up */
	char (*host)[MPI_MAX_PROCESSOR_NAME];
	double *heard;  /* [ranks] when something came from it, */
	double stepped; /* when this rank last looked at all, */
	double looked;  /* and who is there */
	parcel *first;
	int sending, receiving, large;
	double received;
	/* The second thread. */
	pthread_t watcher;
	pthread_mutex_t lock; /* of all that is here and of MPI, recursive */
	unsigned entered;     /* how often the first thread had it: while that changes, MPI comes back */
	bool watched, over;   /* it runs; it is to end, which is said under both locks */
	pthread_mutex_t rest; /* for the time from look to look: the other lock may be held for long */
	pthread_cond_t end;
	bool ends;  /* no more signs of life but END */
	int ended;  /* ranks that have sent theirs */
	int status; /* to end with, where MPI does not end */
	bool keeps; /* what is found is saved */
	double deadline;
	double said;          /* when signs of life were sent last */
	MPI_Request *life;    /* [ranks] the last one to each */
	char sign;            /* what it says */
	void (*last)(void *); /* called before all are ended, or NULL */
	void *last_context;
};

static void
enter(knng_post *p)
{
	pthread_mutex_lock(&p->lock);
	__atomic_add_fetch(&p->entered, 1, __ATOMIC_RELAXED);
}

static void
leave(knng_post *p)
{
	pthread_mutex_unlock(&p->lock);
}

/* ---- signs of life ---- */

/* Whether it is up to this rank to give up. Many miss what is lost, and one says it; the others do so later, for nobody
 * may be left who ends them. Of some that end at once mpirun may hang, or crash, too. */
static bool
is_lost(const knng_post *p, double silence)
{
	return silence > p->deadline + TURN * p->turn;
}

/* While this process was stopped, it could not hear the others: that is not their silence. */
static void
excuse(knng_post *p)
{
	double now = knng_seconds(), nap = now - p->stepped;
	for (int r = 0; nap > NAP && r < p->ranks; r++)
		p->heard[r] = fmin(p->heard[r] + nap, now);
	p->stepped = now;
}

static void
hear_all(knng_post *p)
{
	for (int r = 0; r < p->ranks; r++)
		p->heard[r] = knng_seconds();
}

/* Those with whom signs of life are exchanged: [0, partners), or all but rank 0. */
static int
partners(const knng_post *p)
{
	return p->rank == 0 ? p->ranks : 1;
}

static void
hear(knng_post *p)
{
	int come = 1;
	while (come) {
		char sign;
		MPI_Status status;
		MPI_Iprobe(MPI_ANY_SOURCE, LIFE, MPI_COMM_WORLD, &come, &status);
		if (!come)
			return;
		MPI_Recv(&sign, 1, MPI_CHAR, status.MPI_SOURCE, LIFE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		p->heard[status.MPI_SOURCE] = knng_seconds();
		p->ended += sign == END;
	}
}

/* To all whom the one before has reached; END after it has reached all. */
static void
say(knng_post *p, char sign)
{
	p->sign = sign;
	p->said = knng_seconds();
	for (int r = 0; r < partners(p); r++) {
		int through = 0;
		if (r == p->rank)
			continue;
		MPI_Test(&p->life[r], &through, MPI_STATUS_IGNORE);
		if (through)
			MPI_Isend(&p->sign, 1, MPI_CHAR, r, LIFE, MPI_COMM_WORLD, &p->life[r]);
	}
}

static const char *
what_is_kept(const knng_post *p)
{
	return p->keeps ? "the same command goes on from what was saved" : "nothing was kept";
}

static void
give_up(knng_post *p, int rank)
{
	fprintf(stderr,
		"knng:mpi:silent: rank %d, on %s, has said nothing for %.0f seconds: its machine or the network "
		"failed; %s\n",
		rank, p->host[rank], p->deadline, what_is_kept(p));
	knng_post_abort(p, 1);
}

/* MPI does not come back. At the end nothing is lost by that. */
static void
give_up_mpi(const knng_post *p)
{
	if (!p->ends)
		fprintf(stderr,
			"knng:mpi:silent: MPI has not answered rank %d, on %s, for %.0f seconds: a machine or the "
			"network failed; %s\n",
			p->rank, p->host[p->rank], p->deadline, what_is_kept(p));
	else if (p->rank == 0)
		fprintf(stderr, "knng: MPI does not end for %.0f seconds; all that was to be done is done\n",
			p->deadline);
	if (p->last != NULL)
		p->last(p->last_context);
	fflush(NULL);
	_exit(p->ends ? p->status : 1);
}

static void
look_around(knng_post *p)
{
	excuse(p);
	hear(p);
	if (!p->ends && p->stepped - p->said >= INTERVAL)
		say(p, BEAT);
	p->looked = p->stepped;
	for (int r = 0; r < partners(p); r++)
		if (r != p->rank && is_lost(p, p->stepped - p->heard[r]))
			give_up(p, r);
}

/* The first thread, which has the lock, looks where the second has not for a while. */
static void
look_if_due(knng_post *p)
{
	if (p->watched && knng_seconds() - p->looked >= 2 * LOOK / 1e3)
		look_around(p);
}

/* Waits until the next look. True: it is over. */
static bool
rest(knng_post *p)
{
	const struct timespec until = knng_clock_after(LOOK / 1e3);
	int woken = 0;
	pthread_mutex_lock(&p->rest);
	while (!p->over && woken == 0)
		woken = pthread_cond_timedwait(&p->end, &p->rest, &until);
	bool over = p->over;
	pthread_mutex_unlock(&p->rest);
	return over;
}

/* The second thread. Time in which the process is stopped counts little, for it counts looks. */
static void *
watch(void *post)
{
	knng_post *p = post;
	double stuck = 0;
	unsigned before = 0;
	for (bool over = false; !over;) {
		unsigned entered = __atomic_load_n(&p->entered, __ATOMIC_RELAXED);
		stuck = entered == before ? stuck : 0;
		before = entered;
		if (pthread_mutex_trylock(&p->lock) == 0) {
			stuck = 0;
			if (!p->over)
				look_around(p);
			leave(p);
		} else if (is_lost(p, stuck += LOOK / 1e3)) {
			give_up_mpi(p);
		}
		over = rest(p);
	}
	return NULL;
}

/* Whether all ranks have one: without it a rank is given up while it reads or writes. Signals stay with the main
 * thread. */
static bool
start_watch(knng_post *p)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	p->watched = pthread_create(&p->watcher, NULL, watch, p) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	int fine = p->watched;
	MPI_Allreduce(MPI_IN_PLACE, &fine, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	return fine;
}

/* What all ranks do together, until it is through. */
static void
finish(knng_post *p, MPI_Request *request)
{
	for (int tries = 0, through = 0; !through; tries++) {
		enter(p);
		MPI_Test(request, &through, MPI_STATUS_IGNORE);
		look_if_due(p);
		leave(p);
		if (!through && tries < 1000)
			sched_yield();
		else if (!through)
			usleep(PAUSE);
	}
}

/* ---- the start and the end ---- */

/* Rank 0 gives up first, then one of another machine, or rank 1 if there is none, then all others. */
static void
take_turns(knng_post *p)
{
	int other = p->machine != 0 ? p->rank : p->ranks;
	MPI_Allreduce(MPI_IN_PLACE, &other, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	if (other < p->ranks && p->rank > 0)
		p->turn = p->rank == other ? 1 : 2;
}

/* Which machine everybody is on. */
static knng_status
meet_all(knng_post *p, knng_err *err)
{
	int length;
	MPI_Comm here;
	p->host = knng_calloc(p->ranks, sizeof *p->host);
	p->heard = knng_calloc(p->ranks, sizeof *p->heard);
	p->life = knng_alloc(p->ranks, sizeof *p->life);
	if (p->host == NULL || p->heard == NULL || p->life == NULL)
		return knng_fail_memory(err, "the names of all machines", p->ranks * (double)sizeof *p->host);
	MPI_Get_processor_name(p->host[p->rank], &length);
	hear_all(p);
	for (int r = 0; r < p->ranks; r++)
		p->life[r] = MPI_REQUEST_NULL;
	enter(p);
	if (p->ranks > 1 && !start_watch(p)) {
		leave(p);
		return knng_fail(err, KNNG_EMEMORY, "knng:mpi:start",
				 "a rank can start no thread: allow more processes (ulimit -u), or start fewer ranks");
	}
	MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, p->host, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, MPI_COMM_WORLD);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, p->rank, MPI_INFO_NULL, &here);
	MPI_Comm_size(here, &p->neighbours);
	MPI_Allreduce(&p->rank, &p->machine, 1, MPI_INT, MPI_MIN, here);
	MPI_Comm_free(&here);
	int leads = p->machine == p->rank;
	MPI_Allreduce(&leads, &p->hosts, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	take_turns(p);
	hear_all(p);
	leave(p);
	return KNNG_OK;
}

knng_status
knng_post_open(knng_post **post, int *argc, char ***argv, knng_err *err)
{
	int level;
	*post = NULL;
	if (MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS || level < MPI_THREAD_SERIALIZED)
		return knng_fail(err, KNNG_EINTERNAL, "knng:mpi:start",
				 "MPI did not start, or allows no threads: run this as 'mpirun -n 4 knng-mpi …', with "
				 "the MPI that it was built with");
	knng_post *p = knng_calloc(1, sizeof *p);
	if (p == NULL)
		return knng_fail_memory(err, "messages", sizeof *p);
	pthread_mutexattr_t recursive;
	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&p->lock, &recursive);
	pthread_mutexattr_destroy(&recursive);
	knng_clock_condition(&p->end);
	pthread_mutex_init(&p->rest, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &p->ranks);
	p->turn = p->rank < 2 ? p->rank : 2;
	p->deadline = PATIENCE;
	p->stepped = knng_seconds();
	*post = p;
	return meet_all(p, err);
}

/* Whether all signs of life have gone out. */
static bool
have_said(knng_post *p)
{
	bool all = true;
	for (int r = 0; r < p->ranks; r++) {
		int through;
		MPI_Test(&p->life[r], &through, MPI_STATUS_IGNORE);
		all &= through != 0;
	}
	return all;
}

/* Waits for all others, of whom some may still work, and sees that no sign of life is under way when MPI ends. */
static void
part(knng_post *p)
{
	MPI_Request all;
	enter(p);
	MPI_Ibarrier(MPI_COMM_WORLD, &all);
	leave(p);
	finish(p, &all);
	for (bool said = false, gone = false; !gone;) {
		enter(p);
		p->ends = true;
		bool through = have_said(p);
		if (through && !said) {
			say(p, END);
			said = true;
			through = have_said(p);
		}
		hear(p);
		look_if_due(p);
		gone = said && through && p->ended == (p->rank == 0 ? p->ranks - 1 : 1);
		leave(p);
		if (!gone)
			usleep(PAUSE);
	}
}

void
knng_post_close(knng_post *p, int status)
{
	if (p == NULL)
		return;
	p->status = status;
	if (p->ranks > 1)
		part(p);
	enter(p);
	MPI_Finalize();
	pthread_mutex_lock(&p->rest);
	p->over = true;
	pthread_cond_signal(&p->end);
	pthread_mutex_unlock(&p->rest);
	leave(p);
	if (p->watched)
		pthread_join(p->watcher, NULL);
	pthread_cond_destroy(&p->end);
	pthread_mutex_destroy(&p->rest);
	pthread_mutex_destroy(&p->lock);
	knng_free(p->host);
	knng_free(p->heard);
	knng_free(p->life);
	knng_free(p);
}

void
knng_post_deadline(knng_post *p, double deadline)
{
	enter(p);
	p->deadline = deadline;
	leave(p);
}

void
knng_post_keeps(knng_post *p, bool keeps)
{
	enter(p);
	p->keeps = keeps;
	leave(p);
}

void
knng_post_last(knng_post *p, void (*last)(void *context), void *context)
{
	enter(p);
	p->last = last;
	p->last_context = context;
	leave(p);
}

void
knng_post_abort(knng_post *p, int status)
{
	for (int tries = 0; tries < 100 && pthread_mutex_trylock(&p->lock) != 0; tries++)
		usleep(10000);
	if (p->last != NULL)
		p->last(p->last_context);
	fflush(NULL);
	signal(SIGALRM, SIG_DFL); /* ends this process where the abort does not */
	alarm(FAREWELL);
	MPI_Abort(MPI_COMM_WORLD, status);
	_exit(status);
}

int
knng_post_rank(const knng_post *p)
{
	return p->rank;
}

int
knng_post_ranks(const knng_post *p)
{
	return p->ranks;
}

int
knng_post_neighbours(const knng_post *p)
{
	return p->neighbours;
}

int
knng_post_machine(const knng_post *p)
{
	return p->machine;
}

int
knng_post_hosts(const knng_post *p)
{
	return p->hosts;
}

const char *
knng_post_host(const knng_post *p, int rank)
{
	return p->host[rank];
}

void
knng_post_begin(knng_post *p)
{
	p->job++;
}

double
knng_post_least(knng_post *p, double value)
{
	MPI_Request request;
	double least;
	enter(p);
	MPI_Iallreduce(&value, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD, &request);
	leave(p);
	finish(p, &request);
	enter(p);
	hear_all(p);
	leave(p);
	return least;
}

void
knng_post_all(knng_post *p, const void *mine, int bytes, void *all)
{
	MPI_Request request;
	enter(p);
	MPI_Iallgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, MPI_COMM_WORLD, &request);
	leave(p);
	finish(p, &request);
}

/* ---- sending and receiving ---- */

int
knng_post_number(knng_post *p)
{
	p->number = (p->number + 1) % NUMBERS;
	return FIRST_NUMBER + p->number;
}

/* Begins to send or to receive, in pieces. */
static knng_status
begin(knng_post *p, bool sent, int rank, int tag, void *data, int64_t bytes, after after, knng_err *err)
{
	int pieces = bytes > 0 ? (int)((bytes + PIECE - 1) / PIECE) : 1;
	parcel *c = knng_alloc(1, sizeof *c + (size_t)pieces * sizeof *c->request);
	if (c == NULL) {
		knng_free(after.owned);
		return knng_fail_memory(err, "a message", (double)sizeof *c);
	}
	enter(p);
	c->next = p->first;
	c->sent = sent;
	c->after = after;
	c->bytes = bytes;
	c->pieces = pieces;
	p->first = c;
	p->sending += sent;
	p->receiving += !sent;
	p->large += bytes > LARGE;
	for (int i = 0; i < pieces; i++) {
		int64_t at = (int64_t)i * PIECE, count = bytes - at < PIECE ? bytes - at : PIECE;
		char *piece = (char *)data + at;
		if (sent)
			MPI_Isend(piece, (int)count, MPI_BYTE, rank, tag, MPI_COMM_WORLD, &c->request[i]);
		else
			MPI_Irecv(piece, (int)count, MPI_BYTE, rank, tag, MPI_COMM_WORLD, &c->request[i]);
	}
	leave(p);
	return KNNG_OK;
}

knng_status
knng_post_send(knng_post *p, int to, const knng_letter *letter, knng_err *err)
{
	knng_letter *copy = knng_alloc(1, sizeof *copy);
	if (copy == NULL)
		return knng_fail_memory(err, "a message", sizeof *copy);
	*copy = *letter;
	copy->from = p->rank;
	copy->job = p->job;
	return begin(p, true, to, LETTER, copy, sizeof *copy, (after){.owned = copy}, err);
}

knng_status
knng_post_parcel(knng_post *p, int to, int number, const void *data, int64_t bytes, void *owned,
		 void (*sent)(void *context), void *context, knng_err *err)
{
	const after then = {owned, sent, context};
	return begin(p, true, to, number, (void *)data, bytes, then, err);
}

knng_status
knng_post_receive(knng_post *p, int from, int number, void *to, int64_t bytes, void (*arrived)(void *context),
		  void *context, knng_err *err)
{
	return begin(p, false, from, number, to, bytes, (after){NULL, arrived, context}, err);
}

/* Takes out what is through. */
static bool
sweep(knng_post *p)
{
	bool any = false;
	for (parcel **at = &p->first; *at != NULL;) {
		parcel *c = *at;
		int through;
		MPI_Testall(c->pieces, c->request, &through, MPI_STATUSES_IGNORE);
		if (!through) {
			at = &c->next;
			continue;
		}
		*at = c->next;
		any = true;
		p->sending -= c->sent;
		p->receiving -= !c->sent;
		p->large -= c->bytes > LARGE;
		p->received += c->sent ? 0 : (double)c->bytes;
		if (c->after.call != NULL)
			c->after.call(c->after.context);
		knng_free(c->after.owned);
		knng_free(c);
	}
	return any;
}

bool
knng_post_step(knng_post *p, knng_letter *letter, bool *busy)
{
	int come;
	MPI_Status status;
	enter(p);
	excuse(p);
	look_if_due(p);
	*busy = sweep(p);
	MPI_Iprobe(MPI_ANY_SOURCE, LETTER, MPI_COMM_WORLD, &come, &status);
	if (come) {
		MPI_Recv(letter, sizeof *letter, MPI_BYTE, status.MPI_SOURCE, LETTER, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		p->heard[status.MPI_SOURCE] = knng_seconds();
		*busy = true;
	}
	leave(p);
	return come && letter->job == p->job;
}

int
knng_post_sending(const knng_post *p)
{
	return p->sending;
}

int
knng_post_receiving(const knng_post *p)
{
	return p->receiving;
}

bool
knng_post_busy(const knng_post *p)
{
	return p->large > 0;
}

double
knng_post_received(const knng_post *p)
{
	return p->received;
}
