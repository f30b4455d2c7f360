/* size.cu  The plan of a search on GPUs: tiles, blocks, panels, and the bytes that they take. */
#include "cuda/search/backend_cuda.h"
#include "cuda/search/fused.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LARGEST_TILE = 8192, SMALLEST_TILE = 256 };

static double
operand_bytes(int64_t rows, int64_t copy)
{
	return (double)rows * (3 * 8 + 4 + (double)copy);
}

/* A row of the lists. */
static double
list_bytes(int64_t capacity)
{
	return (double)capacity * 12 + 4 + 8 + 4 + 8 + 4;
}

/* All but the lists; the order is that of unit_open. */
static double
device_bytes(const knng_plan *plan, int64_t tile)
{
	bool graph = plan->y.data == NULL;
	double most = (double)most_rows(plan), m = (double)plan->m;
	double bytes = operand_bytes(plan->x.n, keeps_rows(plan) ? 0 : copy_bytes(plan));
	bytes += graph ? 0 : operand_bytes(plan->y.n, copy_bytes(plan));
	bytes += (double)(room_rows(plan, 0) + room_rows(plan, 1)) * (double)row_bytes(plan);
	bytes += most * (4 + 1 + 8) + m * 8;
	bytes += moved_bytes(plan, tile);
	bytes += BUFFERS * ((double)tile_elements(plan, tile) * 8 + BUFFER_BYTES) + LIBRARY_BYTES +
		 FUSED_TILES * 4. * 4 * (double)tile;
	bytes += (double)plan->ld * 8 * (plan->metric->prep == KNNG_PREP_RANKED ? (double)RANK_BLOCKS + 1 : 1.);
	bytes += keeps_rows(plan) && resident_of(plan) == NULL ? resident_bytes(plan) : 0;
	return bytes + 64 * 256 + 2 * 8 * 2 * (double)plan->ld;
}

static double
host_bytes(const knng_plan *plan)
{
	double m = (double)plan->m, n = plan->ndevices;
	bool there = resident_of(plan) != NULL;
	double bytes =
		core->run_bytes(plan, plan->threads) + (there ? 0 : core->points_bytes(plan->x.n)) + n * m * 4 + m * 12;
	if (answer_bytes(plan->k) > BUFFER_BYTES)
		bytes += BUFFERS * (double)answer_bytes(plan->k);
	if (plan->y.data != NULL)
		bytes += core->points_bytes(plan->y.n);
	bytes += 3.0 * (there ? m : (double)most_rows(plan)) * 4 + (plan->opt.split > 0 ? m * 8 : 0);
	bytes += n * boxes_host_bytes(plan);
	return bytes + SAMPLE_ROWS * 4. + 17 * (double)plan->ld * 8 + BUFFERS * (double)BUFFER_BYTES + 1e5;
}

/* How many tiles the first level has, all rows together. */
static int64_t
tiles_of(const knng_plan *plan, int64_t tile)
{
	int64_t rows = (plan->m + tile - 1) / tile, columns = (plan->x.n + tile - 1) / tile;
	return plan->y.data == NULL ? rows * (rows + 1) / 2 : rows * columns;
}

int64_t
fused_side(const knng_plan *plan, int level)
{
	enum { MANY = 4000 };
	/* Of 8 192 at most: fused.h. So many rows pass for many neighbours that hits might have no room. */
	bool many = plan->ld > FUSED_IN_REGISTERS && plan->x.n < MANY * plan->k;
	int64_t times = plan->opt.tile > 0 ? 1 : many ? FUSED_TILES / 2 : (int)FUSED_TILES, side = side_of(plan, level);
	while (times > 1 && tiles_of(plan, times * plan->tile) < (plan->ndevices > 1 ? 16 * plan->ndevices : 6))
		times /= 2;
	if (has_halves(plan, level))
		return times * plan->tile;
	while (2 * side <= times * plan->tile && pieces_fit(plan, 2 * side))
		side *= 2;
	return side;
}

/* Takes the largest tile down to `least` that leaves room for the lists of all rows, or of `tiles` tiles of them; and
 * for two panels, where prepared rows are streamed: all that is left then, or half of it. */
static bool
fit(knng_plan *plan, double room, bool stream, int64_t tile, int64_t least, int64_t capacity, int64_t tiles)
{
	bool all = tiles == INT64_MAX;
	double row = 2. * (double)row_bytes(plan), lists = list_bytes(capacity), m = (double)plan->m;
	for (; tile >= least && tile > 0; tile /= 2) {
		plan->panel = stream ? 0 : most_rows(plan);
		double left = room - device_bytes(plan, tile), enough = all ? m : fmin((double)(tiles * tile), m);
		if (stream) {
			double most = (double)most_rows(plan), moved = (double)moved_rows(plan, tile);
			double panel = floor(fmin(all ? left : left / 2, left - enough * lists) / row);
			if (panel >= most)
				continue;
			panel = fmax(panel > 0 ? ceil(most / ceil(most / panel)) : 0, moved); /* of one size */
			plan->panel = (int64_t)panel;
			left -= panel * row;
		}
		double rows = floor(left / lists);
		if (rows < enough)
			continue;
		double blocks = ceil(m / rows);
		plan->tile = tile;
		plan->capacity = capacity;
		plan->block = blocks <= 1 ? plan->m : (int64_t)ceil(m / blocks);
		return true;
	}
	return false;
}

/* Of rows that are searched as they came, in single precision. */
static bool
keeps_floats(const knng_plan *plan)
{
	const knng_matrix *x = &plan->x, *y = plan->y.data == NULL ? x : &plan->y;
	return plan->metric->prep == KNNG_PREP_NONE && x->type == KNNG_F32 && y->type == KNNG_F32;
}

knng_status
devices_room(const knng_plan *plan, double *room, char *name, size_t size, knng_err *err)
{
	*room = 1e300;
	name[0] = 0;
	for (int i = 0; i < plan->ndevices; i++) {
		knng_device_info info;
		knng_status status = devices_describe(plan->devices[i], &info, err);
		if (status != KNNG_OK)
			return status;
		if (info.problem[0] != 0) /* since it was chosen */
			return host->fail(err, KNNG_EDEVICE, "knng:device:failed", "GPU %d: %.150s",
					  plan->devices[i] + 1, info.problem);
		*room = fmin(*room, info.free - 512e6); /* what the context and the launches still take */
		snprintf(name, size, "%.60s", info.name);
	}
	if (plan->opt.max_device_memory > 0)
		*room = fmin(*room, plan->opt.max_device_memory);
	return KNNG_OK;
}

knng_status
refuse_room(const knng_plan *plan, double least, const char *name, double room, knng_err *err)
{
	bool there = resident_of(plan) != NULL, makes = keeps_rows(plan) && !there;
	double held = 0;
	for (int i = 0; i < plan->ndevices; i++)
		held += residents_on(plan->devices[i]);
	return host->fail(err, KNNG_EDEVICE, "knng:device:memory",
			  "%s needs at least %.0f bytes on a GPU (%s), and %.0f are to be had%s: %s",
			  makes ? "a searcher" : "this search", least, name, room > 0 ? room : 0,
			  there      ? " beside what searchers hold"
			  : held > 0 ? " beside searchers (knng.release)"
				     : "",
			  there   ? "search fewer rows at a time, release other searchers with knng.release, or make "
				    "this one anew with knng.createns (X, 'Device', 'cpu')"
			  : makes ? "raise 'MaxDeviceMemory', give it fewer rows or columns, or let the CPU have them "
				    "('Device', 'cpu')"
				  : "raise 'MaxDeviceMemory', search fewer rows or columns, or search on the CPU");
}

/* The choices, best first: all rows together, with tiles that cost little; blocks of them; the same while prepared rows
 * are streamed; what is left. False: none fits. */
static bool
choose(knng_plan *plan, double room, int64_t tile, int64_t smallest, int64_t capacity, int64_t shortest)
{
	/* Floats stay what they are where that is exact, but for blocks of rows, which are refined as doubles: those do
	 * so only if they do not fit. */
	bool single = keeps_floats(plan) && !keeps_rows(plan),
	     blocked = shares_candidates(plan->k, plan->x.n, plan->ld);
	int64_t cheap = plan->opt.tile > 0 || tile < 2048 ? smallest : 2048;
	plan->single = single && !blocked;
	bool fits = single && fit(plan, room, false, tile, cheap, capacity, INT64_MAX);
	plan->single = fits ? plan->single : single;
	int ways = keeps_rows(plan) ? 1 : 2; /* what stays is never streamed */
	for (int stream = 0; stream < ways && !fits; stream++)
		fits = fit(plan, room, stream, tile, cheap, capacity, INT64_MAX) ||
		       fit(plan, room, stream, tile, smallest, capacity, 4);
	for (int stream = 0; stream < ways && !fits; stream++)
		fits = fit(plan, room, stream, smallest, smallest, shortest, 1);
	return fits;
}

/* Fewer pairs times features take no longer in single precision, as measured on an H100. A searcher is planned with as
 * many queries as are usual. */
static const double WORTH_GRIDS = 0x1p35;

/* Copies in whole numbers are there to gain time, and are left out where they alone would have rows streamed, or
 * searched in blocks. */
static bool
choose_copies(knng_plan *plan, double room, int64_t tile, int64_t smallest, int64_t capacity, int64_t shortest)
{
	if (knng_by_products(plan->metric))
		return choose(plan, room, tile, smallest, capacity, shortest);
	double work = (double)plan->m * (double)plan->x.n * (double)plan->x.d / (plan->y.data == NULL ? 2 : 1);
	plan->grids = false;
	bool fits = choose(plan, room, tile, smallest, capacity, shortest), streamed = streams(plan);
	bool whole = !streamed && plan->block == plan->m;
	if (!fits || (resident_of(plan) != NULL && !resident_of(plan)->grids) || plan->ld > KNNG_GRID_LONGEST ||
	    (plan->opt.tile == 0 && work < WORTH_GRIDS))
		return fits;
	knng_plan without = *plan;
	plan->grids = true;
	fits = choose(plan, room, tile, smallest, capacity, shortest);
	if (!fits || (streams(plan) && !streamed) || (plan->block < plan->m && whole))
		*plan = without;
	return true;
}

knng_status
backend_plan(knng_plan *plan, knng_err *err)
{
	double room;
	char name[96];
	knng_status status = devices_room(plan, &room, name, sizeof name, err);
	if (status != KNNG_OK)
		return status;
	int64_t candidates = plan->y.data == NULL ? plan->x.n - 1 : plan->x.n, k = plan->k;
	int64_t shortest = k + 32 < candidates ? k + 32 : candidates;
	int64_t capacity = 3 * k + 128, tile = LARGEST_TILE;
	capacity = capacity < candidates ? capacity : candidates;
	capacity = capacity < 1 ? 1 : capacity;
	shortest = shortest < 1 ? 1 : shortest;
	/* Large tiles, as long as there are enough to share out, or to make one while another is compared. */
	while (tile > 1024 && tiles_of(plan, tile) < (plan->ndevices > 1 ? 8 * plan->ndevices : 3))
		tile /= 2;
	if (plan->opt.tile > 0)
		tile = plan->opt.tile < LARGEST_TILE ? up_to(plan->opt.tile, 16) : (int64_t)LARGEST_TILE;
	if (plan->ld * 8 > BUFFER_BYTES)
		return host->fail(err, KNNG_EDEVICE, "knng:device:memory",
				  "rows of %lld features are too long for a GPU: at most %d fit; search on the CPU",
				  (long long)plan->x.d, BUFFER_BYTES / 8);
	int64_t smallest = plan->opt.tile > 0 ? tile : (int64_t)SMALLEST_TILE;
	if (!choose_copies(plan, room, tile, smallest, capacity, shortest)) {
		double least = (double)(plan->m < smallest ? plan->m : smallest) * list_bytes(shortest), resident;
		plan->panel = most_rows(plan);
		resident = device_bytes(plan, smallest);
		plan->panel = moved_rows(plan, smallest);
		least += keeps_rows(plan) ? resident : fmin(resident, device_bytes(plan, smallest));
		return refuse_room(plan, least, name, room, err);
	}
	plan->device_bytes = device_bytes(plan, plan->tile) + (double)plan->block * list_bytes(plan->capacity);
	boxes_plan(plan, room);
	plan->bytes = plan->least = host_bytes(plan);
	return KNNG_OK;
}
