/* suggest.h  What a message says of the name that was meant; which one that is, knng_nearest_name finds. */
#ifndef KNNG_SUGGEST_H
#define KNNG_SUGGEST_H

enum { KNNG_MEANT = 100 };

/* In text: " (did you mean BEFOREnameAFTER?)", as long as there is room, or "" where name is NULL. Returns text. */
const char *knng_meant(char text[KNNG_MEANT], const char *before, const char *name, const char *after);

#endif
