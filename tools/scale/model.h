/* model.h  How long a search would take by knng-mpi, or by knng, on machines that are not at hand: a simulation, event
 * by event, with rates that were measured (h200.rates).
 *
 * Which blocks meet where, how large they are, and what they take of memory is said by the sources of the program
 * itself: mpi/schedule.c, core/blocks/ranks.c. What the ranks do meanwhile follows mpi/engine.c and mpi/cluster.c: rows
 * are read while blocks meet, a rank asks for the next visit when one begins, what visitors found is merged by one
 * thread of the rank that has them, one after the other, and by all of them where it has nothing else to do.
 *
 * Left out: locks, and a link or a disk is used by one transfer at a time, the first that asks. */
#ifndef SCALE_MODEL_H
#define SCALE_MODEL_H

#include "base/knng_base.h"

/* Rates of a machine. h200.rates says what each is, and which measured line it was fitted to. */
typedef struct {
	double products, compare, row, place, refined, refine, thresholds, upload, stays, gpu_memory, gpu_loss, meeting;
	double start, read, beside, copy, merge, threads, inbox, post, latency, output, hash, save, search, restart;
} scale_rates;

/* Whose time is asked for: of the filter of one search, a call of knngraph (CUDA has started), knng, knng-mpi. */
typedef enum { SCALE_FILTER, SCALE_CALL, SCALE_KNNG, SCALE_MPI, SCALE_KINDS } scale_kind;
extern const char *const scale_kind_name[SCALE_KINDS];

/* A job. 0 is nothing, or no limit, where nothing else is said. */
typedef struct {
	scale_kind kind;
	int64_t rows, columns, k;
	int bytes; /* of a number: 4 or 8 */
	int ranks, gpus,
		nodes;       /* gpus: of each rank; nodes: machines, which have about as many ranks each; 1 or more */
	int64_t blocks;      /* 0: as planned */
	bool keeps;          /* a checkpoint */
	bool writes;         /* the graph goes to a file of HDF5 */
	bool stuck;          /* no rank takes meetings from another */
	double network;      /* bytes a second of a machine, each way; 0: without limit */
	double disk;         /* bytes a second of the file system, all machines together; 0: without limit */
	double memory;       /* bytes of host that a rank may take */
	double slow, speed;  /* that part of the machines (0 … 1) computes at such a speed (0 … 1) */
	double failures;     /* seconds from one failure of a machine to its next, on average */
	double limit, queue; /* seconds that the batch system allows a run, and until the next one begins */
	double grace;        /* seconds before the limit at which a run is told to save */
	double interval;     /* seconds from one save to the next; 0: as the program does */
	uint64_t seed;
} scale_job;

/* What ranks did in the last run, seconds each. */
typedef struct {
	double load, search, wait, save;
	double received; /* bytes */
	double peak;     /* bytes of host */
	int64_t meetings;
	bool slow;
} scale_rank;

typedef struct {
	double seconds;  /* from the first start to the end, with all waiting in the queue */
	double running;  /* of these, those in which a run was on */
	double gathered; /* of these, after the last meeting: rank 0 gathers the graph, and writes it */
	int runs, failures;
	int64_t size, blocks;
	int64_t together;        /* blocks of a rank that meet a visitor at once, at most */
	int64_t again;           /* meetings that were begun in vain: they were lost, or not over when a run ended */
	int64_t moved;           /* meetings that were taken over from another rank, in the last run */
	bool resident, finished; /* finished: it ends at all */
	double network, disk;    /* bytes that went between machines, and to and from the file system */
	double planned, peak;    /* bytes of host, of the rank that takes most */
	scale_rank *rank;        /* [ranks], to be freed */
} scale_result;

/* Errors: knng:memory:host, also where the job does not fit; knng:args:option. */
knng_status scale_run(const scale_rates *rates, const scale_job *job, scale_result *result, knng_err *err);
void scale_free(scale_result *result);

/* Seconds of one meeting of a and b rows (b of 0: a with itself) on a rank of full speed, where each found its first
 * neighbours before or not, and the rows of a are on the GPU already or not. */
double scale_meeting(const scale_rates *rates, const scale_job *job, double a, double b, int64_t meetings_before,
		     bool a_stays);

/* The rates of a file. Errors: knng:io:open, :format, which names the line. */
knng_status scale_rates_read(scale_rates *rates, const char *path, knng_err *err);

/* A line of the table of what was measured: the model is to say it to 15 %. */
typedef struct {
	scale_job job;
	bool received;    /* gigabytes that rank 0 received, in place of seconds */
	double low, high; /* measured, once or several times */
	char line[200];
} scale_measured;

/* The next line; false: there is none. Errors: knng:io:format. */
bool scale_measured_read(scale_measured *m, void *file, knng_err *err);
/* What the model says of it; NaN: it cannot. */
double scale_measured_model(const scale_measured *m, const scale_rates *rates);
/* By how much that is too much (more than 0) or too little, next to what was measured: 0.15 for 15 %. */
double scale_measured_error(const scale_measured *m, double model);

#endif
