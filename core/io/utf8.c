/* utf8.c  Characters by number; see utf8.h. */
#include "io/utf8.h"

int64_t
knng_utf8_put(uint32_t c, char *to)
{
	int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0};
	to[0] = (char)(lead[more] | c >> 6 * more);
	for (int i = 1; i <= more; i++)
		to[i] = (char)(0x80 | (c >> 6 * (more - i) & 0x3F));
	return more + 1;
}

int32_t
knng_utf8_next(const char **s)
{
	const unsigned char *p = (const unsigned char *)*s;
	static const int32_t least[] = {0, 0x80, 0x800, 0x10000};
	int more = p[0] < 0x80 ? 0 : p[0] >= 0xF0 ? 3 : p[0] >= 0xE0 ? 2 : 1;
	if (p[0] >= 0x80 && (p[0] < 0xC2 || p[0] > 0xF4))
		return -1;
	int32_t c = more == 0 ? p[0] : p[0] & (0x3F >> more);
	for (int i = 1; i <= more; i++) {
		if ((p[i] & 0xC0) != 0x80)
			return -1;
		c = c << 6 | (p[i] & 0x3F);
	}
	if (c < least[more] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
		return -1;
	*s += more + 1;
	return c;
}
