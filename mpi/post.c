#include "post.h"
#include "base/sys.h"

#include <math.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
	LETTER = 1, /* tag of letters; those of parcels are their numbers */
	FIRST_NUMBER = 2,
	NUMBERS = 30000, /* MPI promises tags up to 32767 */
	PIECE = 1 << 28, /* bytes of one message */
	LARGE = 1 << 16, /* bytes that go in many steps */
	FAREWELL = 10,   /* seconds that MPI has to end the others */
	NAP = 1,         /* seconds without a step after which this process was stopped, or starved */
};

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
	int rank, ranks, place, neighbours, hosts, number, job;
	char (*host)[MPI_MAX_PROCESSOR_NAME];
	double *heard;  /* [ranks] when something came from it, */
	double stepped; /* and when this rank last looked */
	parcel *first;
	int sending, receiving, large;
	double received;
};

/* ---- the start and the end ---- */

static void
hear_all(knng_post *p)
{
	for (int r = 0; r < p->ranks; r++)
		p->heard[r] = knng_seconds();
}

/* Which machine everybody is on. */
static knng_status
meet_all(knng_post *p, knng_err *err)
{
	int length;
	MPI_Comm here;
	p->host = knng_calloc(p->ranks, sizeof *p->host);
	p->heard = knng_calloc(p->ranks, sizeof *p->heard);
	if (p->host == NULL || p->heard == NULL)
		return knng_fail_memory(err, "the names of all machines", p->ranks * (double)sizeof *p->host);
	MPI_Get_processor_name(p->host[p->rank], &length);
	MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, p->host, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, MPI_COMM_WORLD);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, p->rank, MPI_INFO_NULL, &here);
	MPI_Comm_rank(here, &p->place);
	MPI_Comm_size(here, &p->neighbours);
	MPI_Comm_free(&here);
	int leads = p->place == 0;
	MPI_Allreduce(&leads, &p->hosts, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	hear_all(p);
	return KNNG_OK;
}

knng_status
knng_post_open(knng_post **post, int *argc, char ***argv, knng_err *err)
{
	int level;
	*post = NULL;
	if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS || level < MPI_THREAD_FUNNELED)
		return knng_fail(err, KNNG_EINTERNAL, "knng:mpi:start",
				 "MPI did not start, or allows no threads: run this as 'mpirun -n 4 knng-mpi …', with "
				 "the MPI that it was built with");
	knng_post *p = knng_calloc(1, sizeof *p);
	if (p == NULL)
		return knng_fail_memory(err, "messages", sizeof *p);
	MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &p->ranks);
	*post = p;
	return meet_all(p, err);
}

void
knng_post_close(knng_post *p)
{
	if (p == NULL)
		return;
	MPI_Finalize();
	knng_free(p->host);
	knng_free(p->heard);
	knng_free(p);
}

void
knng_post_abort(knng_post *p, int status)
{
	(void)p;
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
knng_post_place(const knng_post *p)
{
	return p->place;
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
	MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
	hear_all(p);
	return value;
}

void
knng_post_all(knng_post *p, const void *mine, int bytes, void *all)
{
	(void)p;
	MPI_Allgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, MPI_COMM_WORLD);
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

/* While this process was stopped, it could not hear the others: that is not their silence. */
static void
excuse(knng_post *p)
{
	double now = knng_seconds(), nap = now - p->stepped;
	for (int r = 0; nap > NAP && r < p->ranks; r++)
		p->heard[r] = fmin(p->heard[r] + nap, now);
	p->stepped = now;
}

bool
knng_post_step(knng_post *p, knng_letter *letter, bool *busy)
{
	int come;
	MPI_Status status;
	excuse(p);
	*busy = sweep(p);
	MPI_Iprobe(MPI_ANY_SOURCE, LETTER, MPI_COMM_WORLD, &come, &status);
	if (!come)
		return false;
	MPI_Recv(letter, sizeof *letter, MPI_BYTE, status.MPI_SOURCE, LETTER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	p->heard[status.MPI_SOURCE] = knng_seconds();
	*busy = true;
	return letter->job == p->job;
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
knng_post_silent(knng_post *p, int rank)
{
	excuse(p);
	return p->stepped - p->heard[rank];
}

double
knng_post_received(const knng_post *p)
{
	return p->received;
}
