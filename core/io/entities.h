/* entities.h  Characters as texts of XML, GML and Pajek have them, by number or name. */
#ifndef KNNG_ENTITIES_H
#define KNNG_ENTITIES_H

#include <stdbool.h>
#include <stdint.h>

/* Writes the text [p, p + length) at `to`, which has as much room, with its &#N; and &#xN; as UTF-8 and, if `named`,
 * &amp; &lt; &gt; &quot; &apos; as what they stand for; what is none of these stays as it is. Returns the bytes. */
int64_t knng_entities(const char *p, int64_t length, char *to, bool named);

#endif
