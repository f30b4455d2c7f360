#include "base/names.h"
#include "base/sys.h"

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

/* The number that a text is, behind the letter that the first text begins with (ids may be n0, n1, …), if it has one;
 * -1 if it is none, or has more than 9 digits. */
static int64_t
number_of(const knng_names *t, const char *text, int64_t length)
{
	int64_t v = 0;
	if (length > 0 && text[0] == t->letter)
		text++, length--;
	else if (t->letter != '\0')
		return -1;
	if (length < 1 || length > 9 || (length > 1 && text[0] == '0'))
		return -1;
	for (int64_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9')
			return -1;
		v = v * 10 + (text[i] - '0');
	}
	return v;
}

enum { LARGE = 1 << 18 }; /* names from which on it is asked whether the machine has room */

/* Twice the slots, of which at most half are taken. */
static bool
grow(knng_names *t)
{
	int64_t room = t->room > 0 ? 2 * t->room : 512;
	knng_names larger = {.count = t->count, .room = room, .slots = 2 * room};
	if (room >= LARGE && knng_afford(48.0 * (double)room, "names", NULL) != KNNG_OK)
		return false;
	larger.name = knng_alloc(room, sizeof *larger.name);
	larger.slot = knng_alloc(larger.slots, sizeof *larger.slot);
	if (larger.name == NULL || larger.slot == NULL) {
		knng_names_free(&larger);
		return false;
	}
	for (int64_t i = 0; i < larger.slots; i++)
		larger.slot[i] = -1;
	for (int64_t i = 0; i < t->count; i++)
		larger.name[i] = t->name[i];
	for (int64_t i = 0; i < t->slots; i++)
		if (t->slot[i] >= 0)
			*find(&larger, t->name[t->slot[i]].text, t->name[t->slot[i]].length) = t->slot[i];
	knng_free(t->name);
	knng_free(t->slot);
	t->name = larger.name;
	t->slot = larger.slot;
	t->room = larger.room;
	t->slots = larger.slots;
	return true;
}

/* Room for the number v. */
static bool
grow_direct(knng_names *t, int64_t v)
{
	int64_t room = 2 * t->direct_room > v ? 2 * t->direct_room : v + 1;
	int32_t *larger = knng_alloc(room, sizeof *larger);
	if (larger == NULL)
		return false;
	for (int64_t i = 0; i < room; i++)
		larger[i] = i < t->direct_room ? t->direct[i] : -1;
	knng_free(t->direct);
	t->direct = larger;
	t->direct_room = room;
	return true;
}

int64_t
knng_names_find(const knng_names *t, const char *text, int64_t length)
{
	int64_t v = number_of(t, text, length);
	if (v >= 0 && v < t->direct_room && t->direct[v] >= 0)
		return t->direct[v];
	return t->slots > 0 ? *find(t, text, length) : -1;
}

int64_t
knng_names_add(knng_names *t, const char *text, int64_t length)
{
	int64_t at = knng_names_find(t, text, length);
	if (at >= 0)
		return at;
	if (t->count == t->room && !grow(t))
		return -1;
	if (t->count == 0)
		t->letter = length > 1 && !(text[0] >= '0' && text[0] <= '9') ? text[0] : '\0';
	int64_t v = number_of(t, text, length);
	bool direct = v >= 0 && v / 4 <= t->count + 16;
	if (direct && v >= t->direct_room && !grow_direct(t, v))
		return -1;
	at = t->count++;
	t->name[at] = (knng_name){text, length};
	if (direct)
		t->direct[v] = (int32_t)at;
	else
		*find(t, text, length) = at;
	return at;
}

void
knng_names_free(knng_names *t)
{
	knng_free(t->name);
	knng_free(t->slot);
	knng_free(t->direct);
	*t = (knng_names){0};
}
