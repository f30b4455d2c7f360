/* utf8.h  Characters by number. */
#ifndef KNNG_UTF8_H
#define KNNG_UTF8_H

#include <stdint.h>

/* Writes a character as UTF-8; the bytes, 4 at most. */
int64_t knng_utf8_put(uint32_t c, char *to);

/* The character at *s, which moves past it; -1 if it is no UTF-8. */
int32_t knng_utf8_next(const char **s);

#endif
