/* entities.h  Characters by number: as UTF-8, and as texts of XML, GML and Pajek have them, which also use names. */
#ifndef KNNG_ENTITIES_H
#define KNNG_ENTITIES_H

#include <stdbool.h>
#include <stdint.h>

/* Writes a character as UTF-8; the bytes, 4 at most. */
int64_t knng_utf8(uint32_t c, char *to);
/* Writes the text [p, p + length) at `to`, which has as much room, with its &#N; and &#xN; as UTF-8 and, if `named`,
 * &amp; &lt; &gt; &quot; &apos; as what they stand for; what is none of these stays as it is. Returns the bytes. */
int64_t knng_entities(const char *p, int64_t length, char *to, bool named);

#endif
