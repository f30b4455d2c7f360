/* select.c  The k smallest of vectors, a segment of a vector at a time.
 *
 * A vector's candidates gather in a pile. What is known of the rest is a cut: a key that k elements at least do not
 * exceed. The first cut is taken from the segment itself: its elements are dealt into 2k groups and more, and the k-th
 * least of the groups' least is such a key, which some 1.4k elements of the segment are expected to reach. Then one
 * pass collects what is at or below the cut, and, once there are k of these, strictly below it: what comes later and
 * ties loses by its index. A full pile is cut to the k best, which lowers the cut. So each element is looked at twice,
 * out of memory and out of the cache, and orders that bring a new record with every element, and masses of ties, cost
 * little more than others. Last the pile is sorted, as far as its k-th item, by digits that fit the range of its keys,
 * ties staying in the order of their indices.
 *
 * Vectors that do not lie in one piece are transposed, those of a few cache lines together and a segment at a time.
 * Where there are fewer vectors than threads, each is cut in parts, and the sorted answers of the parts are merged in
 * pairs.
 *
 * All of it works on keys (keys.h), whatever the class, and only the loops over elements know the machine. GPUs
 * take the place of knng_topk_along, with the same keys: anywhere.c, cuda/topk/. */
#include "topk/select.h"
#include "base/sys.h"
#include "base/task.h"
#include "topk/keys.h"

#include <math.h>
#include <string.h>

enum {
	SEGMENT = 1 << 18, /* bytes of a segment */
	TILE = 1 << 21,    /* bytes of the segments of vectors that are transposed together */
	LANES = 256,       /* bytes of vectors side by side that are transposed together */
	PAD = 64,          /* bytes between transposed segments, which would fall into the same places of the cache */
	PART = 1 << 16,    /* elements of a part, at least */
	JOB = 1 << 17,     /* elements of a job, about */
	SPARE = 256,       /* items of a pile beyond 2k */
	LITTLE = 1 << 16,  /* elements for which it does not pay to wake a thread */
	LOOK = 1 << 26,    /* bytes for which it pays to ask how many there are */
};

/* ---------------------------------------------------------------- keys and items */

static int
bits_of_range(uint64_t range)
{
	return range == 0 ? 0 : 64 - __builtin_clzll(range);
}

/* Counts a digit of eight bits below the highest that differs, and goes on with the keys of one digit: at most eight
 * times. */
uint64_t
knng_kth_key(uint64_t *a, int64_t n, int64_t k)
{
	enum { FEW = 24, BITS = 8 };
	while (n > FEW) {
		int64_t count[1 << BITS] = {0}, before = 0, left = 0;
		uint64_t low = a[0], high = low, digit = 0;
		for (int64_t i = 1; i < n; i++) {
			low = a[i] < low ? a[i] : low;
			high = a[i] > high ? a[i] : high;
		}
		int shift = bits_of_range(high - low) > BITS ? bits_of_range(high - low) - BITS : 0;
		for (int64_t i = 0; i < n; i++)
			count[(a[i] - low) >> shift]++;
		while (before + count[digit] < k)
			before += count[digit++];
		if (shift == 0)
			return low + digit;
		for (int64_t i = 0; i < n; i++) {
			a[left] = a[i];
			left += (a[i] - low) >> shift == digit;
		}
		n = left;
		k -= before;
	}
	for (int64_t i = 1, j; i < n; i++) {
		uint64_t x = a[i];
		for (j = i; j > 0 && a[j - 1] > x; j--)
			a[j] = a[j - 1];
		a[j] = x;
	}
	return a[k - 1];
}

/* Puts the k first of n items in front, sorted by key; those of one key keep their order. scratch holds n. Deals them
 * by a digit of as many bits as there are items, below the highest bit that differs, and sorts what shares a digit the
 * same way: some twelve times at most, once or twice where keys spread. */
static void
sort_items(knng_item *a, knng_item *scratch, int64_t n, int64_t k)
{
	enum { FEW = 24, BITS = 11 };
	int64_t end[(1 << BITS) + 1];
	if (n <= FEW) {
		for (int64_t i = 1, j; i < n; i++) {
			knng_item x = a[i];
			for (j = i; j > 0 && a[j - 1].key > x.key; j--)
				a[j] = a[j - 1];
			a[j] = x;
		}
		return;
	}
	uint64_t low = a[0].key, high = low;
	for (int64_t i = 1; i < n; i++) {
		low = a[i].key < low ? a[i].key : low;
		high = a[i].key > high ? a[i].key : high;
	}
	int bits = bits_of_range((uint64_t)n), range = bits_of_range(high - low);
	bits = bits < BITS ? bits : BITS;
	int shift = range > bits ? range - bits : 0;
	int64_t digits = (int64_t)((high - low) >> shift) + 1;
	if (digits == 1)
		return;
	memset(end, 0, (size_t)(digits + 1) * sizeof *end);
	for (int64_t i = 0; i < n; i++)
		end[((a[i].key - low) >> shift) + 1]++;
	for (int64_t d = 1; d < digits; d++)
		end[d + 1] += end[d];
	for (int64_t i = 0; i < n; i++) /* end[d] begins as where digit d begins */
		scratch[end[(a[i].key - low) >> shift]++] = a[i];
	memcpy(a, scratch, (size_t)n * sizeof *a);
	for (int64_t d = 0, from = 0; shift > 0 && d < digits && from < k; from = end[d++])
		if (end[d] - from > 1)
			sort_items(a + from, scratch + from, end[d] - from, k - from);
}

/* The first k of two sorted lists, of which the first wins ties. */
static void
merge_items(const knng_item *a, int64_t na, const knng_item *b, int64_t nb, knng_item *to, int64_t k)
{
	int64_t i = 0, j = 0;
	for (int64_t o = 0; o < k && o < na + nb; o++)
		to[o] = i < na && (j == nb || a[i].key <= b[j].key) ? a[i++] : b[j++];
}

/* ---------------------------------------------------------------- a pile */

typedef struct {
	const knng_topk *s;
	const knng_keys *keys;
	uint64_t mask;
	int64_t lanes, across, blocks; /* vectors worked on together; blocks in `inner`; blocks in all */
	int64_t parts, length, each;   /* of a vector; elements of a part; items that a part answers with */
	int64_t room;                  /* items of a pile */
	int64_t segment, pitch;        /* elements; bytes from one transposed segment to the next */
	int64_t groups, per_job;       /* for the first cut; blocks a job */
	char *space;                   /* of all threads: piles, scratch, tile */
	size_t bytes;                  /* of it a thread */
	knng_item *lists, *merged;     /* with several parts: parts x each of every vector */
	int64_t step;                  /* parts of a list that is merged */
} selecting;

typedef struct {
	knng_item *items; /* in the order of their indices */
	int64_t count;
	uint64_t cut; /* k elements of the vector have keys of at most this */
} pile;

/* Drops the items above the cut, and of those at the cut all but the first `ties`. */
static void
drop(pile *p, int64_t ties)
{
	int64_t left = 0;
	for (int64_t i = 0; i < p->count; i++) {
		uint64_t key = p->items[i].key;
		p->items[left] = p->items[i];
		left += (key < p->cut) | ((key == p->cut) & (ties > 0));
		ties -= key == p->cut;
	}
	p->count = left;
}

/* Leaves the k best items. */
static void
keep(pile *p, int64_t k, uint64_t *scratch)
{
	int64_t less = 0;
	for (int64_t i = 0; i < p->count; i++)
		scratch[i] = p->items[i].key;
	p->cut = knng_kth_key(scratch, p->count, k);
	for (int64_t i = 0; i < p->count; i++)
		less += p->items[i].key < p->cut;
	drop(p, k - less);
}

/* Takes in n elements, the first of which has the index `first`. */
static void
feed(const selecting *w, pile *p, const char *x, int64_t first, int64_t n, int64_t k, uint64_t *scratch)
{
	bool look = p->cut == UINT64_MAX, looked = false;
	for (int64_t at = 0; at < n;) {
		const char *rest = x + at * w->s->size;
		if (look && !looked && n - at >= 2 * w->groups) {
			looked = true;
			w->keys->least(rest, n - at, w->mask, w->groups, scratch + w->groups, scratch);
			uint64_t cut = knng_kth_key(scratch, w->groups, k);
			if (cut < p->cut) {
				p->cut = cut;
				drop(p, INT64_MAX);
			}
		}
		bool open = p->count < k;
		if (!open && p->cut == 0)
			return;
		at += w->keys->below(rest, n - at, first + at, w->mask, open ? p->cut : p->cut - 1, p->items, &p->count,
				     open ? k : w->room);
		if (p->count >= w->room && at < n) {
			keep(p, k, scratch);
			look = true;
		}
	}
}

/* ---------------------------------------------------------------- jobs */

static int64_t
smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Where the vectors of a block begin, and how many they are. */
static int64_t
block_of(const selecting *w, int64_t block, int64_t *outer, int64_t *inner)
{
	*outer = block / w->across;
	*inner = block % w->across * w->lanes;
	return smaller(w->lanes, w->s->inner - *inner);
}

/* Writes the sorted lists of a block, `pitch` items apart. Transposed vectors write side by side, a few rows at a time.
 */
static void
put(const selecting *w, int64_t block, const knng_item *lists, int64_t pitch)
{
	enum { ROWS = 64 };
	const knng_topk *s = w->s;
	int64_t outer, inner, lanes = block_of(w, block, &outer, &inner);
	const char *x = (const char *)s->data + (outer * s->n * s->inner + inner) * s->size;
	int64_t to = outer * s->k * s->inner + inner;
	for (int64_t r = 0; r < s->k; r += ROWS)
		for (int64_t l = 0; l < lanes; l++) {
			const knng_item *items = lists + l * pitch + r;
			int64_t rows = smaller(ROWS, s->k - r), at = to + r * s->inner + l;
			if (s->values != NULL)
				w->keys->put(items, rows, w->mask, x + l * s->size, s->inner,
					     (char *)s->values + at * s->size, s->inner);
			for (int64_t i = 0; s->index != NULL && i < rows; i++)
				s->index[at + i * s->inner] = (double)(items[i].index + 1);
		}
}

/* A part of the vectors of a block: its answer is written, or, if there are several parts, kept. */
static void
answer(const selecting *w, int64_t block, int64_t part, char *space)
{
	const knng_topk *s = w->s;
	int64_t outer, inner, lanes = block_of(w, block, &outer, &inner), pitch = w->room + KEYS_BLOCK;
	int64_t from = part * w->length, n = smaller(w->length, s->n - from), k = smaller(s->k, n);
	const char *x = (const char *)s->data + (outer * s->n * s->inner + inner) * s->size;
	knng_item *items = (knng_item *)space, *scratch = items + w->lanes * pitch;
	char *tile = (char *)(scratch + pitch);
	pile piles[LANES];
	for (int64_t l = 0; l < lanes; l++)
		piles[l] = (pile){.items = items + l * pitch, .cut = UINT64_MAX};
	for (int64_t e = from; e < from + n; e += w->segment) {
		const char *here = x + e * s->inner * s->size;
		int64_t count = smaller(w->segment, from + n - e);
		if (s->inner > 1)
			w->keys->transpose(here, s->inner, lanes, count, tile, w->pitch / s->size);
		for (int64_t l = 0; l < lanes; l++)
			feed(w, &piles[l], s->inner > 1 ? tile + l * w->pitch : here, e, count, k, (uint64_t *)scratch);
	}
	for (int64_t l = 0; l < lanes; l++) {
		sort_items(piles[l].items, scratch, piles[l].count, k);
		if (w->parts > 1)
			memcpy(w->lists + ((outer * s->inner + inner + l) * w->parts + part) * w->each, piles[l].items,
			       (size_t)k * sizeof *items);
	}
	if (w->parts == 1)
		put(w, block, items, pitch);
}

static knng_status
answer_job(void *context, int worker, int64_t i, knng_err *err)
{
	const selecting *w = context;
	char *space = w->space + (size_t)worker * w->bytes;
	(void)err;
	if (w->parts > 1)
		answer(w, i / w->parts, i % w->parts, space);
	else
		for (int64_t b = i * w->per_job; b < smaller((i + 1) * w->per_job, w->blocks); b++)
			answer(w, b, 0, space);
	return KNNG_OK;
}

/* How many items the list of `step` parts from `part` on has. */
static int64_t
list_length(const selecting *w, int64_t part)
{
	int64_t left = w->s->n - part * w->length;
	return left < 0 ? 0 : smaller(w->s->k, smaller(left, w->step * w->length));
}

static knng_status
merge_job(void *context, int worker, int64_t i, knng_err *err)
{
	const selecting *w = context;
	int64_t pairs = (w->parts + 2 * w->step - 1) / (2 * w->step), part = i % pairs * 2 * w->step;
	int64_t at = (i / pairs * w->parts + part) * w->each;
	(void)worker;
	(void)err;
	merge_items(w->lists + at, list_length(w, part), w->lists + at + w->step * w->each,
		    list_length(w, part + w->step), w->merged + at, w->s->k);
	return KNNG_OK;
}

static knng_status
put_job(void *context, int worker, int64_t i, knng_err *err)
{
	const selecting *w = context;
	int64_t outer, inner;
	(void)worker;
	(void)err;
	block_of(w, i, &outer, &inner);
	put(w, i, w->lists + (outer * w->s->inner + inner) * w->parts * w->each, w->parts * w->each);
	return KNNG_OK;
}

/* ---------------------------------------------------------------- all of it */

knng_keys_kind
knng_topk_kind(const knng_topk *s)
{
	int log = s->size == 8 ? 3 : s->size == 4 ? 2 : s->size == 2 ? 1 : 0;
	if (s->number == KNNG_FLOAT)
		return (s->size == 4 ? KNNG_KEYS_F32 : KNNG_KEYS_F64) + (s->magnitude ? 2 : 0);
	return KNNG_KEYS_8 + log + (s->magnitude && s->number == KNNG_SIGNED ? 4 : 0);
}

uint64_t
knng_topk_mask(const knng_topk *s)
{
	uint64_t sign = s->number == KNNG_SIGNED && !s->magnitude ? (uint64_t)1 << (8 * s->size - 1) : 0;
	return s->largest ? ~sign : sign;
}

/* How the work is divided among at most that many threads. */
static int
divide(selecting *w, int threads)
{
	const knng_topk *s = w->s;
	int64_t vectors = s->inner * s->outer, most = vectors * s->n / LITTLE + 1;
	threads = (int)smaller(threads, most);
	w->lanes = s->inner > 1 ? smaller(LANES / s->size, s->inner) : 1;
	w->across = (s->inner + w->lanes - 1) / w->lanes;
	w->blocks = w->across * s->outer;
	w->parts = smaller((2 * threads + w->blocks - 1) / w->blocks, s->n / PART);
	w->parts = w->blocks >= 2 * threads || w->parts < 1 ? 1 : w->parts;
	w->length = (s->n + w->parts - 1) / w->parts;
	w->each = smaller(s->k, w->length);
	w->groups = (2 * w->each + KEYS_GROUPS - 1) / KEYS_GROUPS * KEYS_GROUPS;
	w->room = smaller(2 * w->each + SPARE, w->length);
	w->segment = s->inner > 1 ? TILE / (w->lanes * s->size) : SEGMENT / s->size;
	if (s->inner == 1 && w->segment < 16 * w->groups)
		w->segment = 16 * w->groups;
	w->segment = smaller(w->segment, w->length);
	w->pitch = (w->segment * s->size + PAD - 1) / PAD * PAD + PAD;
	w->per_job = JOB / (w->lanes * s->n) + 1;
	w->bytes = (size_t)((w->lanes + 1) * (w->room + KEYS_BLOCK)) * sizeof(knng_item) +
		   (size_t)(s->inner > 1 ? w->lanes * w->pitch : 0);
	w->bytes = (w->bytes + PAD - 1) / PAD * PAD;
	return threads;
}

knng_status
knng_topk_along(knng_task *task, const knng_topk *s, const char *target, knng_err *err)
{
	const knng_keys *keys = knng_keys_find(target);
	knng_status status = KNNG_OK;
	selecting w = {.s = s, .mask = knng_topk_mask(s)};
	if (keys == NULL)
		return knng_fail(err, KNNG_EARGS, "knng:args:option", "'Target' is '%.40s', which does not run here",
				 target);
	if (s->k == 0 || s->inner == 0 || s->outer == 0)
		return KNNG_OK;
	w.keys = &keys[knng_topk_kind(s)];
	task->stage = "selection";
	int threads = divide(&w, knng_task_threads(task));
	int64_t vectors = s->inner * s->outer, items = 0, space = 0;
	bool fits = w.parts == 1 || knng_mul(vectors, w.parts, w.each, &items);
	/* A kernel that hands out more than it has would end the session later; fewer threads take less. */
	double lists = 2.0 * sizeof(knng_item) * (double)items;
	double free = threads * (double)w.bytes + lists > LOOK ? knng_memory_available() : 0;
	double room = free > 0 ? 0.9 * free - lists : INFINITY;
	while (threads > 1 && threads * (double)w.bytes > room)
		threads--;
	fits = fits && threads * (double)w.bytes <= room && knng_mul(threads, (int64_t)w.bytes, 1, &space);
	if (fits) {
		w.space = knng_alloc(space, 1);
		w.lists = items > 0 ? knng_alloc(items, sizeof *w.lists) : NULL;
		w.merged = items > 0 ? knng_alloc(items, sizeof *w.merged) : NULL;
	}
	if (w.space == NULL || (items > 0 && (w.lists == NULL || w.merged == NULL))) {
		status = knng_fail_memory(err, "the candidates of the k smallest or largest",
					  (double)threads * (double)w.bytes + 32.0 * (double)items);
		goto done;
	}
	int64_t jobs = w.parts > 1 ? w.blocks * w.parts : (w.blocks + w.per_job - 1) / w.per_job;
	status = knng_task_run(task, threads, jobs, answer_job, &w, err);
	for (w.step = 1; status == KNNG_OK && w.step < w.parts; w.step *= 2) {
		int64_t pairs = (w.parts + 2 * w.step - 1) / (2 * w.step);
		status = knng_task_run(task, threads, vectors * pairs, merge_job, &w, err);
		knng_item *swap = w.lists;
		w.lists = w.merged;
		w.merged = swap;
	}
	if (status == KNNG_OK && w.parts > 1)
		status = knng_task_run(task, threads, w.blocks, put_job, &w, err);
done:
	knng_free(w.space);
	knng_free(w.lists);
	knng_free(w.merged);
	return status;
}
