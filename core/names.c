#include "names.h"
#include "sys.h"

#include <string.h>

/* FNV-1a, and a last stir, since the slot is its low bits. */
static uint64_t
hash(const char *text, int64_t length)
{
	uint64_t h = 0xcbf29ce484222325u;
	for (int64_t i = 0; i < length; i++)
		h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
	return h ^ h >> 29;
}

/* The slot of this text, or the free one where it belongs. */
static int64_t *
find(const knng_names *t, const char *text, int64_t length)
{
	for (uint64_t at = hash(text, length);; at++) {
		int64_t *slot = &t->slot[at & (uint64_t)(t->slots - 1)];
		if (*slot < 0 ||
		    (t->name[*slot].length == length && memcmp(t->name[*slot].text, text, (size_t)length) == 0))
			return slot;
	}
}

/* Twice the slots, of which at most half are taken. */
static bool
grow(knng_names *t)
{
	int64_t room = t->room > 0 ? 2 * t->room : 512;
	knng_names larger = {.count = t->count, .room = room, .slots = 2 * room};
	larger.name = knng_alloc(room, sizeof *larger.name);
	larger.slot = knng_alloc(larger.slots, sizeof *larger.slot);
	if (larger.name == NULL || larger.slot == NULL) {
		knng_names_free(&larger);
		return false;
	}
	for (int64_t i = 0; i < larger.slots; i++)
		larger.slot[i] = -1;
	for (int64_t i = 0; i < t->count; i++) {
		larger.name[i] = t->name[i];
		*find(&larger, t->name[i].text, t->name[i].length) = i;
	}
	knng_names_free(t);
	*t = larger;
	return true;
}

int64_t
knng_names_find(const knng_names *t, const char *text, int64_t length)
{
	return t->slots > 0 ? *find(t, text, length) : -1;
}

int64_t
knng_names_add(knng_names *t, const char *text, int64_t length)
{
	if (t->count == t->room && !grow(t))
		return -1;
	int64_t *slot = find(t, text, length);
	if (*slot < 0) {
		*slot = t->count;
		t->name[t->count++] = (knng_name){text, length};
	}
	return *slot;
}

void
knng_names_free(knng_names *t)
{
	knng_free(t->name);
	knng_free(t->slot);
	*t = (knng_names){0};
}
