/* text.h  What every reader of a text file stands on: the whole file as lines, words and numbers, and errors that name
 * a line.
 *
 * The file, unpacked, lies in one buffer that ends in a NUL; no other NUL is let in, so that parsers need no bounds.
 * Lines end in \n: \r\n (Windows) and \r (old Macintosh) are made so while reading, and a byte order mark is skipped.
 * UTF-16, which spreadsheets call Unicode and whose mark shows it, is turned into UTF-8 while it is read. Lines that
 * are no UTF-8 are taken for Windows-1252, of which Latin-1 is a part, and turned into it: all texts that come out of a
 * file are UTF-8. Line by line, since files are put together from those of several people.
 *
 * A parser goes through the text once and may change what it has passed. Strings that it keeps are packed at the front
 * of the same buffer, behind its reading position, so that memory is bounded by the file, whatever a header promises.
 */
#ifndef KNNG_TEXT_H
#define KNNG_TEXT_H

#include "base/file.h"
#include "base/sys.h"
#include "io/knng_io.h"
#include "io/missing.h"

#include <locale.h>
#include <string.h>

/* The first byte of a file that is no UTF-8; line 0: there is none. */
typedef struct {
	int64_t line, left; /* bytes from it to the end */
	unsigned char byte;
} knng_foreign;

typedef struct knng_text {
	const char *path;
	char *text;   /* where the text begins; the buffer has a byte before it */
	char *end;    /* its NUL */
	char *at;     /* the first byte not yet parsed */
	int64_t line; /* its line, from 1 */
	int64_t kept; /* strings kept */
	knng_err warning;
	int64_t warnings;             /* how many; the text is the first one's */
	char point;                   /* the decimal sign */
	const knng_read_options *opt; /* never NULL */
	knng_missing *said;           /* what they say is missing, of knng_read_with; NULL: nothing */
	knng_foreign foreign;         /* what it was before */
	/* the rest is text.c's */
	char *buffer, *pack;
	int64_t room;
	knng_file *file;
	const knng_task *task;
	unsigned looks;
	bool after_cr, unified, begun;
	int wide;      /* 0, or which order the bytes of UTF-16 have */
	uint32_t high; /* half a character of it, at the end of a piece */
	locale_t c_locale;
} knng_text;

/* Opens a file and reads its first 256 KB, enough to tell its format. Errors: knng:io:open, knng:io:truncated (empty,
 * or a damaged gzip stream), knng:io:format (a NUL), knng:memory:host, and, if the task (NULL is fine) says stop,
 * knng:interrupted. Close it in any case. */
knng_status knng_text_open(knng_text *t, const char *path, const knng_task *task, knng_err *err);
/* Reads the rest, all as UTF-8. The text moves: pointers into it do not survive. The same errors. */
knng_status knng_text_rest(knng_text *t, knng_err *err);
void knng_text_close(knng_text *t); /* always safe on a zeroed or closed one */

/* Keeps the string [p, end) of the text, which lies behind all that was kept before with at least one byte (a
 * separator) between them. Returns its number, from 0. */
int64_t knng_text_keep(knng_text *t, const char *p, const char *end);
/* Where the string lies that was kept last, of that length, until they are handed over. */
static inline const char *
knng_text_kept(const knng_text *t, int64_t length)
{
	return t->pack - 1 - length;
}
/* Hands the kept strings over: *strings has a pointer for each, in order, into *bytes; knng_free both. Nothing of them
 * remains in the text. */
knng_status knng_text_adopt(knng_text *t, char ***strings, char **bytes, knng_err *err);

/* Memory for count elements of a file; what: they are, for the message. If it is much it is asked whether the machine
 * has it. Error: knng:memory:host, and NULL. */
void *knng_text_room(int64_t count, size_t size, const char *what, knng_err *err);

/* Goes to a place behind t->at, and counts the lines. */
static inline void
knng_text_advance(knng_text *t, char *to)
{
	for (const char *p = t->at; (p = memchr(p, '\n', (size_t)(to - p))) != NULL; p++)
		t->line++;
	t->at = to;
}

/* ---- characters, independent of the locale ---- */

static inline bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool
is_end(char c) /* of a line */
{
	return c == '\n' || c == '\0';
}

static inline bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

static inline char *
skip_blanks(const char *p) /* takes and returns what strchr does */
{
	while (is_blank(*p))
		p++;
	return (char *)p;
}

/* The end of a word: the next blank or end of the line. */
static inline char *
skip_word(const char *p)
{
	while (!is_blank(*p) && !is_end(*p))
		p++;
	return (char *)p;
}

/* Does the text at p begin with this lower-case word, in any case? Is [p, end) this word? */
bool knng_text_begins(const char *p, const char *word);
bool knng_text_is(const char *p, const char *end, const char *word);

/* The letters and digits of [p, end) in lower case; "", if they are more than `size` - 1. Returns how many. */
size_t knng_text_word(const char *p, const char *end, char *word, size_t size);
/* Is a word among others, of which NULL is the end? */
bool knng_text_among(const char *const *words, const char *word);

/* ---- lines ---- */

/* Now and then looks whether the task says stop; the text is at its end then, and knng_read says why. The next two do
 * so; a parser that uses neither calls it for every few words. */
bool knng_text_stopped(knng_text *t);

/* To the first character that is no blank of the next line that has one, or to the end of the text: for formats in
 * which blanks separate. */
void knng_text_next_word(knng_text *t);
/* To the beginning of the next line that holds more than blanks, or to the end of the text. Call it at the end of a
 * line or the beginning of one. */
void knng_text_next_line(knng_text *t);
/* Does the text end in the line of p? Then a fault in it is a file that was cut off there. */
bool knng_text_is_last_line(const knng_text *t, const char *p);

/* ---- numbers ---- */

/* Does the letter at p, behind what may be a number, plainly begin its exponent? An e does, and the d of Fortran, which
 * always writes a decimal sign, and decimals or the sign of the exponent (1.5D-02, 1.D+03): else it may be a name, as
 * 1D3 and 1.D3 are of wells. Where there are values alone, 1.D3 is one. */
static inline bool
knng_text_is_exponent(const char *p, bool after_sign)
{
	return lower(*p) == 'e' || (after_sign && lower(*p) == 'd' && (is_digit(p[-1]) || p[1] == '+' || p[1] == '-'));
}
/* The number at p, correctly rounded whatever the locale; its end, or NULL when it is none. */
char *knng_text_number(const knng_text *t, char *p, double *value);
/* Characters that look like a blank, or like nothing, such as a no-break space: the bytes of the one at p, 0: none is
 * there; the first of a text, in words, NULL: it has none. trim takes blanks from both ends of a field, on a side where
 * such a character is among them. */
size_t knng_text_unseen_at(const char *p, const char *end);
void knng_text_trim(char **begin, const char **end);
const char *knng_text_unseen(const char *p, const char *end);
/* The field [p, end): a number, an infinity, or a word for a missing value, without what knng_text_trim takes. */
bool knng_text_value(const knng_text *t, char *p, const char *end, double *value);
/* Is this value infinite though a number stands at p, such as 1e400? */
bool knng_text_is_beyond(const char *p, double value);
/* Is it a word for a missing value, whatever the options say? */
bool knng_text_is_missing(const char *p, const char *end);
/* Is it a word for what was not measured, such as n.d. or OOR <, which is no missing value? */
bool knng_text_is_unmeasured(const char *p, const char *end);
/* Do the options say that it is one? value: the number that it is, NaN: none. */
static inline bool
knng_text_is_said(const knng_text *t, const char *p, const char *end, double value)
{
	return t->said != NULL && (knng_missing_word(t->said, p, end) || knng_missing_number(t->said, t->point, value));
}
/* A whole number from 0 to 2^53, before a blank or the end of the line; its end, or NULL. */
char *knng_text_count(char *p, int64_t *count);

/* ---- errors; all return KNNG_EIO ---- */

/* The field [p, end) for a message: its first 40 bytes in quotes, control characters as dots. */
enum { KNNG_QUOTED = 40 };
const char *knng_text_quote(const char *p, const char *end, char out[KNNG_QUOTED + 8]);
/* The field for a remedy, as Octave has texts: whole, quotes in it doubled; where it is longer, or has control
 * characters, in words. */
enum { KNNG_SPELT = 2 * KNNG_QUOTED + 3 };
const char *knng_text_spelt(const char *p, const char *end, char out[KNNG_SPELT]);
/* knng:io:format: 'FILE, line L: ' and the message. */
knng_status knng_text_fail(const knng_text *t, knng_err *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* knng:io:format, found the word at p, expected something else; or, in a last line that has no end, that the file is
 * truncated before what was expected. */
knng_status knng_text_fail_found(const knng_text *t, char *p, const char *expected, knng_err *err);
knng_status knng_text_fail_truncated(const knng_text *t, const char *missing, knng_err *err);
/* Metadata that are not as they should be lose no data: knng:data:metadata, a warning, with the line. */
void knng_text_warn(knng_text *t, int64_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
