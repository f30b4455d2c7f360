/* backend_cuda.h  What the files of the CUDA backend share: size.cu, resident.cu, load.cu, begin.cu, make.cu,
 * backend.cu, gaps.cu, tensor.cu. */
#ifndef KNNG_BACKEND_CUDA_H
#define KNNG_BACKEND_CUDA_H

#include "cuda/search/kernels.h"
#include "search/prepared.h"

enum { SAMPLE_ROWS = 2048, SAMPLE_BYTES = 4 << 20 }; /* of the rows, at most, for the centre */

/* One matrix on a device. */
typedef struct {
	__half *f;                 /* [rows * ld] the half-precision copies; or grid_bytes each in whole numbers */
	float *scale;              /* [rows] of a copy */
	double *half, *eps, *base; /* [rows] */
} operand;

typedef struct {
	int device;
	session *s;
	bool shares; /* its kernels may have the shared memory of launch_blocked */
	operand x, q, *query;
	prepared room[2];       /* all of X and all of Y (in a graph none), or two panels */
	prepared rows, columns; /* from row 0 of the queries and of the references on, which may not be there */
	boxes boxes;            /* the tree, where the search may prune */
	lists l, held; /* the lists as they are held: of a block, from its first point on; l counts all points */
	void *v[BUFFERS];
	char *raw[BUFFERS];
	double *moved[2]; /* of a tile of doubles gathered or centred rows, centred columns; or both in two pieces */
	float *sums;      /* in their place: a tile of the half-precision level whose products are summed up in parts */
	int buffer;
	uint8_t *state;
	uint64_t *hash;
	int32_t *ids;               /* [most rows] w->pending; rows to gather */
	unsigned long long *extent; /* [2] */
	int32_t *flag;              /* [8]: what begin.cu finds out about all rows */
	double *scratch, *centre, *self;
	char *packed[BUFFERS]; /* v or raw: part i of answers is that of device i, the last what they are together */
	float common;          /* scale of all copies, or 0 */
	int32_t *number; /* host [m] by place in pending: answers of this device; -1: the row escalates to the next
			    level */
	unsigned long long refined; /* exact distances of the level */
	int64_t fusible;            /* the longest rows whose tiles can be compared while they are made */
	/* Of tiles that are compared while they are made: those under way in each buffer, and the queue that they
	 * fill; how many of the next ones are small, or are made by themselves, and how many would be next time. */
	struct {
		knng_block rows, columns;
		int active;
		bool both, there;
	} compared[BUFFERS];
	int small, apart, patience; /* MANY, where most lists have too much */
	int64_t crowded; /* rows for which the level would leave too many columns, of those whose first thresholds the
			    device found */
	bool *met; /* host [lists_met]: the lists of a block of rows or of columns have met more than what gave them
		      their first thresholds */
} unit;

/* Rows of a matrix on their way to devices: the first rows of points, if there are points; all, or those of a list;
 * from `first` on. */
typedef struct {
	const knng_matrix *matrix;
	const knng_points *points;
	const int32_t *list;
	int64_t first, count;
	int from, end; /* the devices that get them */
} shipment;

/* What is taken from the rows before they are multiplied: y = u*scale - centre. */
typedef struct {
	double scale;
	double *centre; /* host [ld] */
	bool centred;   /* false: y = u */
	int sigma;
	bool integers;
	float unit; /* of copies in whole numbers */
} centring;

/* What is found about all rows while copies of them are made: the flags of a device. */
enum { EXTENTS = 4 };

enum { MANY = 64 };  /* tiles */
enum { QUEUED = 7 }; /* of lists: queued */

/* How rows lie: in clusters that half precision does not tell apart; in such that are so large that rows escalate; or
 * in such that lie so far apart that they do so more than once.
 */
typedef enum { SCATTERED, IN_CLUSTERS, IN_LARGE, FAR_APART } clustering;

/* The references of a searcher on its device, from search to search. A search changes no more of it than the copies,
 * where its queries need others. */
typedef struct {
	int device, process;
	char *memory; /* or NULL: the device has lost it */
	int64_t bytes;
	uint64_t stamp, *mark; /* what stands in it as long as it is there, and where */
	prepared rows;
	bool grids;                   /* there is room for copies in whole numbers */
	unsigned long long extent[2]; /* of the rows (launch_prepare) */
	centring t;                   /* of the copies */
	int exponent;                 /* by which it was chosen; INT32_MIN: not yet */
	/* Copies of a level and what their makers leave of each row, before bounds are made of it: those depend on the
	 * queries, too. level -1: none. */
	int level;
	operand x;
	unsigned found[EXTENTS]; /* about the rows alone */
	float common;
	/* Its tree, where that may gain, with rows or copies in the leaves. The room of a search is none of it. */
	char *tree; /* an allocation; NULL: none */
	int64_t tree_bytes;
	bool planted; /* it is as boxes says */
	clustering tight;
	boxes boxes;
} resident;

typedef struct {
	int n;
	unit *units;
	resident *resident;    /* of a searcher, whose device is the only one; or NULL */
	char *pinned[BUFFERS]; /* pinned, of the session */
	shipment held[2];      /* what the panels hold, if they are streamed; count 0: nothing */
	int32_t *place;        /* [m] of a point in pending */
	double *self;          /* [m] */
	double *within;        /* [m] the farthest that a point looks; NULL: all look as far as they like */
	int64_t most;          /* rows of the larger matrix */
	int copied;            /* the level whose copies and bounds are on the devices, or -1 */
	centring t;            /* of that level */
	bool halves;           /* the levels with half-precision products are taken */
	bool coarse; /* the first level, of copies in one half or in whole numbers, is taken, as far as is known */
	bool fused;  /* tiles of the level are compared while they are made */
	/* Answers on their way to the host: some rows of the certified points, batch after batch. Batch b is put
	 * together on device b % n and takes the buffers b % BUFFERS. */
	const int32_t *certified, *fetched; /* all of them; those that refine may ask for */
	int64_t fetched_rows;
	const char *arrived;    /* their answers */
	char *answers[BUFFERS]; /* pinned, of the session, or own where one row does not fit there */
	bool own_answers;
	int64_t rows, share; /* of a batch; bytes between the parts of packed */
	int64_t sent;        /* batches */
	double visited;      /* the part of all pairs that a search with boxes compares, as a sample says */
} gpu;

/* ---------------------------------------------------------------- size.cu: what the plan says of a device */

static inline int64_t
up_to(int64_t a, int64_t multiple)
{
	return (a + multiple - 1) / multiple * multiple;
}

/* Scores of the level are products that are rounded to half precision. */
static inline bool
has_halves(const knng_plan *plan, int level)
{
	return level == KNNG_LEVEL_F16 && knng_by_products(plan->metric);
}

/* Tiles of halves have the plan's side, all others half of it: of doubles that is as many bytes. */
static inline int64_t
side_of(const knng_plan *plan, int level)
{
	return has_halves(plan, level) ? plan->tile : plan->tile / 2;
}

/* The references are a searcher's, and stay on the device: they are no part of the arena. */
static inline bool
keeps_rows(const knng_plan *plan)
{
	return knng_prepared_whole(plan->opt.prepared);
}

/* Of such a search: what is there of them already, or NULL. */
static inline const resident *
resident_of(const knng_plan *plan)
{
	return keeps_rows(plan) ? (const resident *)plan->opt.prepared->state : NULL;
}

/* What the plan may take on each of its devices; the name of the last of them. */
knng_status devices_room(const knng_plan *plan, double *room, char *name, size_t size, knng_err *err);
/* Where that is less than the least that would do: knng:device:memory. */
knng_status refuse_room(const knng_plan *plan, double least, const char *name, double room, knng_err *err);

/* Of the copies of a row that stay on the device. */
static inline int64_t
copy_bytes(const knng_plan *plan)
{
	return knng_by_products(plan->metric) ? 2 * plan->ld
	       : plan->grids                  ? grid_bytes(plan->metric->sum, plan->ld)
					      : 0;
}

/* Tiles that are compared while they are made take no memory, and may be larger: of copies in two pieces as long as
 * these fit into the second half of a buffer. */
enum { FUSED_TILES = 4 }; /* times the side of others, at most */
int64_t fused_side(const knng_plan *plan, int level);

/* Bytes of the halves of a buffer, at least; of a row or column in two pieces (launch_split). */
static inline int64_t
half_buffer(const knng_plan *plan)
{
	return plan->tile * plan->tile;
}

static inline int64_t
pieces_bytes(const knng_plan *plan)
{
	return 3 * plan->ld * 2;
}

/* Whether those of a tile fit there; else they lie in `moved`. */
static inline bool
pieces_fit(const knng_plan *plan, int64_t side)
{
	return 2 * side * pieces_bytes(plan) <= half_buffer(plan);
}

/* Chooses the tile and its like (knng_search_gpu.plan, core/search/gpu.h). */
knng_status backend_plan(knng_plan *plan, knng_err *err);

/* Parts of a buffer for answers: what each of several devices found, and what that is together. */
static inline int
answer_parts(int ndevices)
{
	return ndevices > 1 ? ndevices + 1 : 1;
}

/* Doubles that a tile's buffer holds; it also takes the answers of a row. */
static inline int64_t
tile_elements(const knng_plan *plan, int64_t tile)
{
	int64_t list = answer_parts(plan->ndevices) * ((plan->k + 1) / 2 * 3 + 3);
	return tile * tile / 4 > list ? tile * tile / 4 : list;
}

static inline int64_t
lists_met(const knng_plan *plan)
{
	return (plan->m + plan->x.n) / fused_side(plan, KNNG_LEVEL_F32) + 2;
}

/* Places for hits in a buffer, behind what the tests of a tile take: TESTS for each row, of 16 or more. */
enum { TESTS = 3 };
static inline int64_t
fused_room(const knng_plan *plan, int level)
{
	int64_t all = has_halves(plan, level) ? tile_elements(plan, plan->tile) : half_buffer(plan) / 8;
	int64_t room = all - TESTS * fused_side(plan, level);
	return room < 0 ? 0 : room < INT32_MAX / 2 ? room : INT32_MAX / 2;
}

/* Bytes of an answer: k distances and columns. */
static inline int64_t
answer_bytes(int64_t k)
{
	return k * 12;
}

static inline int64_t
most_rows(const knng_plan *plan)
{
	return plan->x.n > plan->m ? plan->x.n : plan->m;
}

/* Rows, or columns, of a tile of doubles, or of two pieces, that are moved before they are multiplied. */
static inline int64_t
moved_rows(const knng_plan *plan, int64_t tile)
{
	return tile / 2 < most_rows(plan) ? tile / 2 : most_rows(plan);
}

/* What moved takes, and sums. */
static inline double
moved_bytes(const knng_plan *plan, int64_t tile)
{
	double doubles = 2. * (double)moved_rows(plan, tile) * (double)plan->ld * 8;
	double side = (double)up_to(tile < most_rows(plan) ? tile : most_rows(plan), 8), floats = side * side * 4;
	bool summed = knng_by_products(plan->metric) && knng_tensor_parts(plan->ld) > 1;
	return summed && floats > doubles ? floats : doubles;
}

/* A column of the matrix lies in one piece, as in Octave, or is formed so. */
static inline bool
by_columns(const knng_matrix *matrix)
{
	return matrix->pairs != NULL ||
	       (matrix->row_stride == 1 && matrix->col_stride >= matrix->n && matrix->second == NULL);
}

static inline int64_t
element_bytes(const knng_matrix *matrix)
{
	return knng_type_bytes(matrix->type);
}

/* Blocks of rows are refined together where a pair of blocks shares so many candidates that each row serves several. */
static inline bool
shares_candidates(int64_t k, int64_t n, int64_t ld)
{
	return k * 64 >= n && ld >= 64;
}

/* Of a prepared row. */
static inline int64_t
row_bytes(const knng_plan *plan)
{
	return plan->ld * (plan->single ? 4 : 8);
}

static inline bool
has_centre(const knng_metric *metric)
{
	return metric->prep == KNNG_PREP_NONE;
}

/* Prepared rows come and go. */
static inline bool
streams(const knng_plan *plan)
{
	return plan->panel < most_rows(plan);
}

/* Of one panel, or of the matrix in its place. */
static inline int64_t
room_rows(const knng_plan *plan, int which)
{
	int64_t all = which == 0 ? (keeps_rows(plan) ? 0 : plan->x.n) : plan->y.data == NULL ? 0 : plan->m;
	return streams(plan) ? plan->panel : all;
}

/* Part i of `count` things, `size` at a time. */
static inline knng_block
panel_of(int64_t i, int64_t size, int64_t count)
{
	knng_block b = {i * size, count - i * size < size ? count - i * size : size};
	return b;
}

/* ---------------------------------------------------------------- resident.cu: what a searcher keeps on its GPU */

/* Bytes of it under a plan for preparing the rows; of all on a device. */
double resident_bytes(const knng_plan *plan);
double residents_on(int device);
/* Room for it; *r is to be freed whatever happened. */
knng_status resident_open(const knng_plan *plan, int device, resident **r, knng_err *err);
/* Whether it is there, before a search, whose device is open; knng:searcher:gone. */
knng_status resident_check(resident *r, knng_err *err);
/* Room for a tree, and none any more. */
knng_status resident_plant(resident *r, int64_t bytes, knng_err *err);
void resident_fell(resident *r);
void resident_leave(struct knng_prepared *left, resident *r);
void resident_free(void *r);

/* ---------------------------------------------------------------- tensor.cu */

/* Compares the errors of half-precision products of a device with their bound, once a process. It is open; room: two
 * buffers of BUFFER_BYTES on it. Milliseconds; up to TENSOR_HOST_BYTES on the host for the while. */
enum { TENSOR_HOST_BYTES = 5 << 20 };
knng_status tensor_check(int device, char *const room[2], knng_err *err);
/* How many times the bound its worst error is; 0: it keeps the bound, or was not checked. */
double tensor_excess(int device);
#define TENSOR_NOTE                                                                                                    \
	"precision levels f16 and f32 are skipped: its half-precision products err by %.3g times the proven bound"
/* knng_search_gpu.check (core/search/gpu.h). */
knng_status backend_check(int device, char *note, size_t size, knng_err *err);

/* ---------------------------------------------------------------- load.cu */

knng_status cuda_load(knng_search *w, const knng_matrix *matrix, knng_points *points, bool queries, knng_err *err);
/* Extents of the rows that were loaded (launch_prepare), on all devices. */
knng_status extents(const gpu *c, unsigned long long extent[2], knng_err *err);
knng_status cuda_largest(const knng_search *w, double *largest, knng_err *err);
/* Where prepared rows are streamed: has points part of an operand, or of a list of its points, in panel `to` of devices
 * 0 ... devices - 1. */
knng_status hold(knng_search *w, bool queries, int to, const int32_t *list, knng_block part, int devices,
		 knng_err *err);

/* ---------------------------------------------------------------- begin.cu */

knng_status cuda_begin(knng_search *w, knng_err *err);

/* ---------------------------------------------------------------- boxes.cu */

/* Whether a plan may prune, where a device has `room`, or why not; what that takes is added to what it takes. */
void boxes_plan(knng_plan *plan, double room);
/* What the tree takes beside the lists, in whose place it lies if it fits there; there: that of a searcher is made. */
int64_t boxes_carved(const knng_plan *plan, bool there);
/* And what stays of it, where a searcher is made. */
int64_t boxes_resident(const knng_plan *plan);
/* Of the host, while a device makes its tree. */
double boxes_host_bytes(const knng_plan *plan);
/* Finds the tree its place, once the lists have theirs; there: a searcher that is made, or NULL. */
void boxes_open(const knng_plan *plan, unit *g, const resident *there);
/* knng_backend.prune (core/search/backend.h). */
knng_status cuda_prune(knng_search *w, int32_t *points, int64_t *count, knng_err *err);
/* Whether so many answers are all of them: they are those of points 0, 1 ..., whatever ids are. */
bool boxes_at_once(const knng_search *w, int64_t count);
/* Lets a device find the neighbours of queries [first, first + count) of ids, in the shape of launch_pack. */
knng_status boxes_answer(knng_search *w, unit *g, int64_t first, int64_t count, char *packed, knng_err *err);
/* Adds to info what all of them took, when they are through. */
knng_status boxes_count(knng_search *w, knng_err *err);

/* ---------------------------------------------------------------- backend.cu */

/* Numbers that one launch fetches, so that Ctrl-C is heard. */
static const int64_t GATHERED = (int64_t)1 << 35;

/* Runs job on every device, each by its own thread. */
knng_status on_devices(knng_search *w, knng_search_job *job, void *context, knng_err *err);
int cuda_workers(const knng_search *w);
void cuda_blocks(const knng_search *w, int64_t *height, int64_t *width);
extern const knng_backend backend_cuda;

/* ---------------------------------------------------------------- gaps.cu: knng_search_gpu.gaps_… (core/search/gpu.h)
 */

knng_status gaps_plan(knng_plan *plan, knng_err *err);
knng_status gaps_open(const knng_gap_search *g, void **state, knng_info *info, knng_err *err);
knng_status gaps_meet(void *state, int which, int64_t first, int64_t count, knng_pair *near, int32_t *found,
		      int64_t *made, knng_err *err);
void gaps_close(void *state);

/* ---------------------------------------------------------------- make.cu */

/* Makes a tile into the next buffer and lets the list stream wait for it. No more than BUFFERS tiles are under way. */
knng_status make_tile(knng_search *w, unit *g, knng_block rows, knng_block columns, tile *t, knng_err *err);
/* Brings a tile's rows in two pieces to q and its columns to x, ordered by a stream. */
void split_tile(const knng_search *w, unit *g, knng_block rows, knng_block columns, __half *q, __half *x,
		cudaStream_t stream);
/* After the last kernel that reads it. */
knng_status tile_done(unit *g, knng_err *err);

#endif
