/* entities.c  Characters by name or number, see entities.h. */
#include "io/entities.h"
#include "io/text.h"
#include "io/utf8.h"

#include <string.h>

/* The character of &#N; or &#xN; at p, and its end; NULL if it is none, or one that no text has. */
static const char *
numbered_character(const char *p, const char *end, uint32_t *c)
{
	int base = p + 3 < end && (p[2] == 'x' || p[2] == 'X') ? 16 : 10, digits = 0;
	*c = 0;
	for (p += base == 16 ? 3 : 2; p < end && *c < 0x110000; p++, digits++) {
		int digit = is_digit(*p)                                         ? *p - '0'
			    : base == 16 && lower(*p) >= 'a' && lower(*p) <= 'f' ? lower(*p) - 'a' + 10
										 : -1;
		if (digit < 0)
			break;
		*c = *c * (uint32_t)base + (uint32_t)digit;
	}
	bool good = digits > 0 && p < end && *p == ';' && *c > 0 && *c < 0x110000 && (*c < 0xD800 || *c > 0xDFFF);
	return good ? p + 1 : NULL;
}

int64_t
knng_entities(const char *p, int64_t length, char *to, bool named)
{
	static const struct {
		const char *name;
		int length;
		char c;
	} entities[] = {{"&amp;", 5, '&'}, {"&lt;", 4, '<'}, {"&gt;", 4, '>'}, {"&quot;", 6, '"'}, {"&apos;", 6, '\''}};
	enum { COUNT = sizeof entities / sizeof *entities };
	const char *end = p + length;
	char *start = to;
	while (p < end) {
		uint32_t c;
		const char *after = NULL;
		if (*p == '&' && p + 1 < end && p[1] == '#' && (after = numbered_character(p, end, &c)) != NULL)
			to += knng_utf8_put(c, to);
		for (int i = 0; *p == '&' && named && after == NULL && i < COUNT; i++)
			if (end - p >= entities[i].length &&
			    memcmp(p, entities[i].name, (size_t)entities[i].length) == 0) {
				*to++ = entities[i].c;
				after = p + entities[i].length;
			}
		if (after == NULL)
			*to++ = *p;
		p = after != NULL ? after : p + 1;
	}
	return to - start;
}
