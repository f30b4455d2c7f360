/* steep.c  One way from left to right. Behind the last place the plot rises to infinity, so that what is open closes.
 */
#include "graph/steep.h"
#include "base/sys.h"

#include <math.h>
#include <string.h>

enum { BETWEEN = 1 << 20 }; /* places between two looks for Ctrl-C */

/* A steep descent, and the highest reach behind it so far. */
typedef struct {
	int64_t first, last;
	double behind;
} descent;

typedef struct {
	knng_task *task;
	const knng_steep_how *how;
	int64_t n;
	const double *reach;
	const int32_t *from;
	descent *open; /* [room_open] descents that may still begin a valley, from left to right */
	int64_t opened, room_open;
	knng_valley *valley; /* [room] */
	int64_t count, room;
	int64_t unheard;
} plot;

/* Looks for Ctrl-C, where enough was done since. */
static knng_status
hear(plot *p, int64_t place, knng_err *err)
{
	if (p->unheard < BETWEEN)
		return KNNG_OK;
	p->unheard = 0;
	return knng_task_step(p->task, (double)place / (double)p->n, err);
}

static double
at(const plot *p, int64_t place)
{
	return place < p->n ? p->reach[place] : INFINITY;
}

/* From this place to the next; NaN between two of 0, and two that are infinite, which are neither up nor down. */
static double
fall(const plot *p, int64_t place)
{
	return at(p, place) / at(p, place + 1);
}

static bool
steep_up(const plot *p, int64_t place)
{
	return fall(p, place) <= 1 - p->how->xi;
}

static bool
steep_down(const plot *p, int64_t place)
{
	return fall(p, place) >= 1 / (1 - p->how->xi);
}

/* The last steep place of the area that begins here: it goes one way only, with no more than minpts places that are not
 * steep one after the other. */
static int64_t
end_of_area(const plot *p, int64_t first, bool down)
{
	int64_t end = first, flat = 0;
	for (int64_t place = first; place < p->n; place++) {
		if (down ? steep_down(p, place) : steep_up(p, place)) {
			flat = 0;
			end = place;
		} else if (down ? fall(p, place) < 1 : fall(p, place) > 1)
			break;
		else if (++flat > p->how->minpts)
			break;
	}
	return end;
}

/* The array with room for one more element, or NULL, and it is as it was. */
static void *
grown(void *array, int64_t have, int64_t *room, size_t size)
{
	if (have < *room)
		return array;
	int64_t more = *room < 64 ? 64 : 2 * *room;
	void *larger = knng_alloc(more, size);
	if (larger == NULL)
		return NULL;
	if (have > 0)
		memcpy(larger, array, (size_t)have * size);
	knng_free(array);
	*room = more;
	return larger;
}

/* Forgets the descents that begin lower than the plot has risen since, but for xi. */
static void
close_descents(plot *p, double behind)
{
	int64_t kept = 0;
	for (int64_t o = 0; o < p->opened; o++) {
		if (behind == INFINITY || !(behind <= at(p, p->open[o].first) * (1 - p->how->xi)))
			continue;
		p->open[kept] = p->open[o];
		p->open[kept].behind = fmax(p->open[kept].behind, behind);
		kept++;
	}
	p->opened = kept;
}

/* Takes places away from the end until the last one was reached from one that is left, or lies lower than the first.
 * False: nothing is left. */
static bool
correct(plot *p, int64_t first, int64_t *last)
{
	for (; first < *last; --*last, p->unheard++)
		if (at(p, first) > at(p, *last) || (p->from[*last] >= first && p->from[*last] < *last))
			return true;
	return false;
}

/* The valley between a descent and an ascent, if it is one: both ends at one height, as far as they can be. */
static bool
between(plot *p, const descent *down, int64_t up, int64_t up_end, knng_valley *v)
{
	double keep = 1 - p->how->xi, left = at(p, down->first), right = at(p, up_end + 1);
	int64_t first = down->first, last = up_end;
	if (right * keep < down->behind)
		return false;
	if (left * keep >= right)
		while (first < down->last && at(p, first + 1) > right)
			first++;
	else if (right * keep >= left)
		while (last > up && at(p, last - 1) > left)
			last--;
	p->unheard += first - down->first + up_end - last;
	if (p->how->correct && !correct(p, first, &last))
		return false;
	*v = (knng_valley){(int32_t)first, (int32_t)last};
	return last - first + 1 >= p->how->least && last >= up;
}

static knng_status
note_valleys(plot *p, int64_t up, int64_t up_end, knng_err *err)
{
	knng_status status = KNNG_OK;
	for (int64_t o = p->opened - 1; o >= 0 && status == KNNG_OK; o--) {
		knng_valley *more = grown(p->valley, p->count, &p->room, sizeof *more);
		if (more == NULL)
			return knng_fail_memory(err, "the clusters", 16.0 * (double)p->count);
		p->valley = more;
		if (between(p, &p->open[o], up, up_end, &p->valley[p->count]))
			p->count++;
		p->unheard++;
		status = hear(p, up, err);
	}
	return status;
}

static knng_status
note_descent(plot *p, int64_t first, int64_t last, knng_err *err)
{
	descent *more = grown(p->open, p->opened, &p->room_open, sizeof *more);
	if (more == NULL)
		return knng_fail_memory(err, "steep descents", 48.0 * (double)p->opened);
	p->open = more;
	p->open[p->opened++] = (descent){first, last, 0};
	return KNNG_OK;
}

static knng_status
go(plot *p, knng_err *err)
{
	double behind = 0;
	knng_status status = KNNG_OK;
	for (int64_t place = 0; place < p->n && status == KNNG_OK; place++) {
		bool up = steep_up(p, place), down = steep_down(p, place);
		behind = fmax(behind, at(p, place));
		if (!up && !down)
			continue;
		close_descents(p, behind);
		int64_t end = end_of_area(p, place, down);
		p->unheard += end - place + p->opened + 1;
		status = down ? note_descent(p, place, end, err) : note_valleys(p, place, end, err);
		behind = at(p, end + 1);
		place = end;
		status = status == KNNG_OK ? hear(p, place, err) : status;
	}
	return status;
}

knng_status
knng_steep(knng_task *task, int64_t n, const double *reach, const int32_t *from, const knng_steep_how *how,
	   knng_valley **valleys, int64_t *count, knng_err *err)
{
	plot p = {.task = task, .how = how, .n = n, .reach = reach, .from = from};
	knng_status status = go(&p, err);
	knng_free(p.open);
	*valleys = status == KNNG_OK ? p.valley : NULL;
	*count = status == KNNG_OK ? p.count : 0;
	if (status != KNNG_OK)
		knng_free(p.valley);
	return status;
}
