/* text.c  Lines, words and numbers of a text file; see text.h. */
#include "io/text.h"
#include "base/task.h"
#include "io/matrix_file.h"
#include "io/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, bytes) ((void)(p), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(p, bytes) ((void)(p), (void)(bytes))
#endif

enum { FIRST_READ = 1 << 18 };
enum { NARROW, LITTLE_UNITS, BIG_UNITS }; /* of UTF-16 the byte that comes first */

/* ---- the buffer ---- */

/* Lines that end in \r\n or \r end in \n; the bytes that are left. *after_cr: the piece before ended in \r. */
static int64_t
unify_lines(char *piece, int64_t bytes, bool *after_cr)
{
	char *p = piece, *to = piece, *end = piece + bytes;
	if (bytes == 0)
		return 0;
	if (*after_cr && *p == '\n')
		p++;
	*after_cr = end[-1] == '\r';
	while (p < end) {
		char *cr = memchr(p, '\r', (size_t)(end - p));
		size_t run = (size_t)((cr != NULL ? cr : end) - p);
		if (to != p)
			memmove(to, p, run);
		to += run;
		p += run;
		if (cr != NULL) {
			*to++ = '\n';
			p += p + 1 < end && p[1] == '\n' ? 2 : 1;
		}
	}
	return to - piece;
}

static knng_status
fail_file(const knng_text *t, const char *verb, const char *remedy, knng_err *err)
{
	int reason = errno;
	if (t->task != NULL && knng_task_poll(t->task, err) != KNNG_OK)
		return KNNG_EINTERRUPTED;
	return knng_fail(err, KNNG_EIO, "knng:io:open", "cannot %s %.200s: %s%s", verb, t->path, strerror(reason),
			 remedy);
}

static bool
ends_in(const char *path, const char *ending)
{
	size_t length = strlen(path), own = strlen(ending);
	return length >= own && strcasecmp(path + length - own, ending) == 0;
}

/* Whether the path is that of a file of numbers, with .gz behind it. */
static bool
are_packed_numbers(const char *path)
{
	char name[64];
	size_t length = strlen(path);
	if (!ends_in(path, ".gz"))
		return false;
	const char *last = length < sizeof name ? path : path + length - sizeof name + 1;
	snprintf(name, sizeof name, "%.*s", (int)strlen(last) - 3, last);
	return knng_matrix_format_of(name) != NULL;
}

/* What holds a NUL byte is no text; some of it is something else that users have. */
static knng_status
fail_binary(const knng_text *t, knng_err *err)
{
	static const char pickle[] = "was saved by Python's pickle: there write a table as a text, by "
				     "pandas.read_pickle(file).to_csv('table.csv'), an array by "
				     "numpy.save('array.npy', X)";
	static const struct {
		const char *begins, *ends, *what;
	} others[] = {
		{"\x93NUMPY", ".gz", "is a packed array of NumPy: unpack it (gunzip), and give it a name in .npy"},
		{"\x93NUMPY", "", "is an array of NumPy: give it a name that ends in .npy"},
		{"PK\3\4", ".npz", "is an archive of arrays of NumPy, and no text"},
		{"PK\3\4", "", "is a spreadsheet (.xlsx) or an archive (.zip): save it as CSV, or unpack it"},
		{"\xD0\xCF\x11\xE0", "", "is a spreadsheet (.xls): save it as CSV"},
		{"\x1F\x8B", "", "is gzipped twice: unpack it once (gunzip)"},
		{"BZh", "", "is packed by bzip2: unpack it (bunzip2), or pack it with gzip"},
		{"\xFD"
		 "7zXZ",
		 "", "is packed by xz: unpack it (unxz), or pack it with gzip"},
		{"\x28\xB5\x2F\xFD", "", "is packed by zstd: unpack it (unzstd), or pack it with gzip"},
		{"PAR1", "",
		 "is a table of Parquet: write it as a text, in Python by "
		 "pandas.read_parquet(file).to_csv('table.csv')"},
		{"ARROW1", "",
		 "is a table of Arrow (Feather): write it as a text, in Python by "
		 "pandas.read_feather(file).to_csv('table.csv')"},
		{"\x80\4\x95", "", pickle},
		{"\x80\5\x95", "", pickle},
		{"\x80\2", ".pkl", pickle},
		{"\x80\2", ".pickle", pickle},
		{"\x80\3", ".pkl", pickle},
		{"\x80\3", ".pickle", pickle},
		{"Octave-1-", "", "holds variables, saved by Octave, and no text: load reads it"},
		{"RDX", "", "was saved by R: write the table in it as a text, as write.csv does"},
		{"X\n", "", "was saved by R (saveRDS): write the table in it as a text, as write.csv does"},
	};
	if (are_packed_numbers(t->path))
		return knng_fail(err, KNNG_EIO, "knng:io:format",
				 "%.200s is packed, and files of numbers are read as they are: unpack it first "
				 "(gunzip)",
				 t->path);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strncmp(t->text, others[i].begins, strlen(others[i].begins)) == 0 &&
		    ends_in(t->path, others[i].ends))
			return knng_fail(err, KNNG_EIO, "knng:io:format", "%.200s %s", t->path, others[i].what);
	return knng_text_fail(t, err,
			      "found a NUL byte, which no text has: the file is damaged, UTF-16 without its mark or "
			      "UTF-32 (save it as UTF-8), or no text at all. Raw numbers need their size in front: as "
			      ".fbin, uint32 rows, uint32 columns, then float32 (see help knng.read)");
}

void *
knng_text_room(int64_t count, size_t size, const char *what, knng_err *err)
{
	enum { MUCH = 1 << 20 };
	double bytes = (double)count * (double)size;
	void *p = NULL;
	if (bytes > MUCH && knng_afford(bytes, what, err) != KNNG_OK)
		return NULL;
	if ((p = knng_alloc(count, size)) == NULL)
		knng_fail_memory(err, what, bytes);
	return p;
}

/* ---- encodings ---- */

/* The first byte from p on that is no UTF-8, or the end, where a NUL stands. */
static char *
skip_utf8(char *p, char *end)
{
	for (uint64_t eight; p < end;) {
		if (end - p >= 8 && (memcpy(&eight, p, 8), (eight & UINT64_C(0x8080808080808080)) == 0)) {
			p += 8;
			continue;
		}
		const char *next = p;
		if (knng_utf8_next(&next) < 0)
			return p;
		p = (char *)next;
	}
	return end;
}

/* The character that Windows-1252 has for a byte. Below 0x80 and from 0xA0 on it is that of Latin-1, and so it is here
 * for the five bytes that are none. */
static uint32_t
of_windows(unsigned char byte)
{
	static const uint16_t others[32] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
					    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
					    0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
					    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};
	return byte >= 0x80 && byte < 0xA0 ? others[byte - 0x80] : byte;
}

/* Copies the text [from, end) to `to`, NULL to count alone, and turns each line that is no UTF-8 into it, as if it were
 * Windows-1252. *at, which points into it, gets to where its character is. Returns the bytes. */
static int64_t
unify_characters(char *from, char *end, char *to, char **at)
{
	int64_t bytes = 0;
	char *here = *at;
	for (char *line = from, *next; line < end; line = next) {
		char *newline = memchr(line, '\n', (size_t)(end - line));
		next = newline != NULL ? newline + 1 : end;
		bool fine = skip_utf8(line, next) >= next;
		if (here >= line && here <= next && to != NULL && fine)
			*at = to + bytes + (here - line);
		if (fine) {
			if (to != NULL)
				memcpy(to + bytes, line, (size_t)(next - line));
			bytes += next - line;
			continue;
		}
		for (char *p = line; p < next; p++) {
			if (here == p && to != NULL)
				*at = to + bytes;
			char spelt[4];
			int64_t length = knng_utf8_put(of_windows((unsigned char)*p), spelt);
			if (to != NULL)
				memcpy(to + bytes, spelt, (size_t)length);
			bytes += length;
		}
		if (here == next && to != NULL)
			*at = to + bytes;
	}
	return bytes;
}

/* Of a text that is all there: sees to it that it is UTF-8. */
static knng_status
unify_text(knng_text *t, knng_err *err)
{
	char *bad = skip_utf8(t->text, t->end);
	if (t->unified || bad == t->end) {
		t->unified = true;
		return KNNG_OK;
	}
	knng_text there = {.at = t->text, .line = 1};
	knng_text_advance(&there, bad);
	t->foreign = (knng_foreign){.line = there.line, .byte = (unsigned char)*bad, .left = t->end - bad};
	int64_t bytes = unify_characters(t->text, t->end, NULL, &(char *){t->at});
	char *larger = knng_text_room(bytes + 2, 1, "reading a file", err);
	if (larger == NULL)
		return KNNG_EMEMORY;
	char *at = t->at;
	unify_characters(t->text, t->end, larger + 1, &at);
	ASAN_UNPOISON_MEMORY_REGION(t->buffer, (size_t)t->room + 2);
	knng_free(t->buffer);
	t->buffer = t->pack = larger;
	t->text = larger + 1;
	t->end = t->text + bytes;
	*t->end = '\0';
	t->at = at;
	t->room = bytes;
	t->unified = true;
	return KNNG_OK;
}

/* Turns the units of UTF-16 [from, from + bytes) into UTF-8, from `to` on, which may lie before `from` by a third of
 * what is to come; t->high is half a character that the piece before ended in. Returns the end; where a unit has no
 * other half it stops, and *fine is false. */
static char *
unify_units(knng_text *t, const char *from, int64_t bytes, char *to, bool *fine)
{
	int big = t->wide == BIG_UNITS;
	for (const char *p = from; p + 1 < from + bytes && *fine; p += 2) {
		uint32_t c = (uint32_t)(unsigned char)p[!big] << 8 | (unsigned char)p[big];
		bool low = c >= 0xDC00 && c < 0xE000;
		*fine = low == (t->high != 0);
		if (low)
			c = 0x10000 + ((t->high - 0xD800) << 10) + (c - 0xDC00);
		t->high = c >= 0xD800 && c < 0xDC00 ? c : 0;
		if (*fine && t->high == 0)
			to += knng_utf8_put(c, to);
	}
	return to;
}

/* ---- reading ---- */

/* Reads UTF-16 to the end of what there is room for. The bytes of UTF-8, as knng_file_read; *all: the file is at its
 * end; *fine: it is UTF-16. */
static int64_t
read_units(knng_text *t, char *fresh, int64_t want, bool *all, bool *fine)
{
	int64_t bytes = (want - 4) / 3 * 2;
	char *from = fresh + want - bytes;
	int64_t got = knng_file_read(t->file, from, bytes);
	if (got < 0)
		return got;
	*all = got < bytes;
	char *end = unify_units(t, from, got, fresh, fine);
	*fine = *fine && !(*all && (got % 2 != 0 || t->high != 0));
	return end - fresh;
}

/* As knng_file_read, but that UTF-16, which its byte order mark tells, comes as UTF-8. */
static int64_t
read_on(knng_text *t, char *fresh, int64_t want, bool *all, bool *fine)
{
	int64_t head = 0;
	if (!t->begun) {
		t->begun = true;
		head = knng_file_read(t->file, fresh, 2);
		t->wide = head < 2                            ? NARROW
			  : memcmp(fresh, "\xFF\xFE", 2) == 0 ? LITTLE_UNITS
			  : memcmp(fresh, "\xFE\xFF", 2) == 0 ? BIG_UNITS
							      : NARROW;
		*all = head < 2;
		if (*all)
			return head;
	}
	if (t->wide != NARROW)
		return read_units(t, fresh, want, all, fine);
	int64_t got = knng_file_read(t->file, fresh + head, want - head);
	*all = head + got < want;
	return got < 0 ? got : head + got;
}

/* Reads on until the buffer is full or the file at its end, which closes it. */
static knng_status
fill(knng_text *t, knng_err *err)
{
	int64_t want = t->room - (t->end - t->text);
	char *fresh = t->end;
	bool all = false, fine = true;
	ASAN_UNPOISON_MEMORY_REGION(fresh, (size_t)want + 1);
	errno = 0;
	int64_t got = read_on(t, fresh, want, &all, &fine);
	if (got < 0)
		return errno != 0 ? fail_file(t, "read", "", err)
				  : knng_fail(err, KNNG_EIO, "knng:io:truncated",
					      "the gzip stream of %.200s is damaged or stops in the middle, after %lld "
					      "bytes of text or more; copy or download the file again",
					      t->path, (long long)(t->end - t->text));
	t->end += unify_lines(fresh, got, &t->after_cr);
	*t->end = '\0';
	char *nul = memchr(fresh, '\0', (size_t)(t->end - fresh));
	if (nul != NULL) {
		t->line = 1;
		t->at = t->text;
		knng_text_advance(t, nul);
		return fail_binary(t, err);
	}
	if (!fine) {
		t->line = 1;
		t->at = t->text;
		knng_text_advance(t, t->end);
		return knng_text_fail(
			t, err,
			"the file is UTF-16, as its first two bytes say, and half a character is missing here: "
			"it is damaged or cut off; copy or download it again");
	}
	if (all) {
		knng_file_close(t->file);
		t->file = NULL;
		/* Of what lies behind the text nothing may be read: the sanitizer is to see it. */
		ASAN_POISON_MEMORY_REGION(t->end + 1, (size_t)(t->text + t->room - t->end));
	}
	return KNNG_OK;
}

knng_status
knng_text_open(knng_text *t, const char *path, const knng_task *task, knng_err *err)
{
	knng_status status;
	static const knng_read_options none;
	*t = (knng_text){.path = path, .line = 1, .room = FIRST_READ, .task = task, .point = '.', .opt = &none};
	if ((t->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0)) == (locale_t)0)
		return knng_fail_memory(err, "a locale", 1e3);
	errno = 0;
	t->file = knng_file_open(path, task);
	if (t->file == NULL && errno == ENOMEM)
		return knng_fail_memory(err, "opening a file", 1e6);
	if (t->file == NULL)
		return fail_file(t, "open", "; check the name and the current folder", err);
	if ((t->buffer = knng_alloc(t->room + 2, 1)) == NULL)
		return knng_fail_memory(err, "reading a file", (double)t->room);
	t->pack = t->buffer;
	t->text = t->end = t->at = t->buffer + 1;
	if ((status = fill(t, err)) != KNNG_OK)
		return status;
	if (t->end == t->text)
		return knng_fail(err, KNNG_EIO, "knng:io:truncated", "%.200s is empty", path);
	if (strncmp(t->text, "\xEF\xBB\xBF", 3) == 0)
		t->at += 3;
	return KNNG_OK;
}

knng_status
knng_text_rest(knng_text *t, knng_err *err)
{
	while (t->file != NULL) {
		knng_status status;
		/* A few bytes of gzip can promise more than the machine has. */
		if ((status = knng_afford(2.0 * (double)t->room, "reading a file", err)) != KNNG_OK)
			return status;
		char *larger = knng_alloc(2 * t->room + 2, 1);
		if (larger == NULL)
			return knng_fail_memory(err, "reading a file", 2.0 * (double)t->room);
		int64_t bytes = t->end - t->text, at = t->at - t->text;
		memcpy(larger + 1, t->text, (size_t)bytes);
		knng_free(t->buffer);
		t->buffer = t->pack = larger;
		t->text = larger + 1;
		t->end = t->text + bytes;
		t->at = t->text + at;
		t->room *= 2;
		if ((status = fill(t, err)) != KNNG_OK)
			return status;
	}
	return unify_text(t, err);
}

void
knng_text_close(knng_text *t)
{
	knng_file_close(t->file);
	knng_free(t->buffer);
	if (t->c_locale != (locale_t)0)
		freelocale(t->c_locale);
	*t = (knng_text){0};
}

/* The pack ends at least one byte before p: it begins one before the text, and what was kept since gave up a separator
 * each. So a string and its NUL end at `end` at most, and the separator there is not yet touched. */
int64_t
knng_text_keep(knng_text *t, const char *p, const char *end)
{
	memmove(t->pack, p, (size_t)(end - p));
	t->pack += end - p;
	*t->pack++ = '\0';
	return t->kept++;
}

knng_status
knng_text_adopt(knng_text *t, char ***strings, char **bytes, knng_err *err)
{
	size_t size = (size_t)(t->pack - t->buffer);
	*bytes = knng_alloc((int64_t)size, 1);
	*strings = knng_alloc(t->kept, sizeof **strings);
	if (*bytes == NULL || *strings == NULL) {
		knng_free(*bytes);
		knng_free(*strings);
		*bytes = NULL;
		*strings = NULL;
		return knng_fail_memory(err, "the names of a file", (double)size + 8.0 * (double)t->kept);
	}
	memcpy(*bytes, t->buffer, size);
	char *p = *bytes;
	for (int64_t i = 0; i < t->kept; i++) {
		(*strings)[i] = p;
		p += strlen(p) + 1;
	}
	t->pack = t->buffer;
	t->kept = 0;
	return KNNG_OK;
}

/* ---- lines and words ---- */

bool
knng_text_begins(const char *p, const char *word)
{
	while (*word != '\0' && lower(*p) == *word)
		p++, word++;
	return *word == '\0';
}

bool
knng_text_is(const char *p, const char *end, const char *word)
{
	while (p < end && *word != '\0' && lower(*p) == *word)
		p++, word++;
	return p == end && *word == '\0';
}

bool
knng_text_stopped(knng_text *t)
{
	if (++t->looks % 1024 != 0 || t->task == NULL || knng_task_poll(t->task, NULL) == KNNG_OK)
		return false;
	t->at = t->end;
	return true;
}

size_t
knng_text_word(const char *p, const char *end, char *word, size_t size)
{
	size_t length = 0;
	for (; p < end && length < size - 1; p++)
		if ((lower(*p) >= 'a' && lower(*p) <= 'z') || is_digit(*p))
			word[length++] = lower(*p);
	length = p == end ? length : 0;
	word[length] = '\0';
	return length;
}

bool
knng_text_among(const char *const *words, const char *word)
{
	while (*words != NULL && strcmp(*words, word) != 0)
		words++;
	return *words != NULL;
}

void
knng_text_next_word(knng_text *t)
{
	if (knng_text_stopped(t))
		return;
	while (*(t->at = skip_blanks(t->at)) == '\n') {
		t->at++;
		t->line++;
	}
}

void
knng_text_next_line(knng_text *t)
{
	char *begin = t->at;
	knng_text_next_word(t);
	if (*t->at != '\0') /* back over the blanks before it, which may be empty fields */
		while (t->at > begin && is_blank(t->at[-1]))
			t->at--;
}

bool
knng_text_is_last_line(const knng_text *t, const char *p)
{
	size_t left = (size_t)(t->end - p);
#ifdef KNNG_PLANT_READ /* tests/unit/fuzz_read.c has to find it */
	left += 2;
#endif
	return memchr(p, '\n', left) == NULL;
}

/* ---- numbers ---- */

static const double exact_power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
				     1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* w / 10^p rounded once, w > 0, 0 <= p <= 19: both are shifted up to 64 bits, the quotient has 63 or 64 bits, and a
 * remainder is marked in its last bit, far below the 53 that are kept. */
static double
divide(uint64_t w, int p)
{
	uint64_t ten = 1;
	for (int i = 0; i < p; i++)
		ten *= 10;
	int up = __builtin_clzll(w), down = __builtin_clzll(ten);
	unsigned __int128 num = (unsigned __int128)(w << up) << 63;
	uint64_t den = ten << down, q = (uint64_t)(num / den);
	return ldexp((double)(q | (num % den != 0)), down - up - 63);
}

/* As strtod in the C locale, of a number that has such signs for the point and for the e of its exponent, NULL: none.
 */
static double
of_library(const knng_text *t, char *start, char *point, char *e)
{
	char sign = point != NULL ? *point : '.', letter = e != NULL ? *e : 'e';
	if (sign != '.')
		*point = '.';
	if (lower(letter) != 'e')
		*e = 'e';
	double v = strtod_l(start, NULL, t->c_locale);
	if (sign != '.')
		*point = sign;
	if (lower(letter) != 'e')
		*e = letter;
	return v;
}

/* Almost all are exact products or quotients of two doubles, or have at most 19 digits after which one division
 * decides; the rest goes to the C library. */
char *
knng_text_number(const knng_text *t, char *p, double *value)
{
	char *start = p;
	bool negative = *p == '-';
	if (*p == '-' || *p == '+')
		p++;
	uint64_t w = 0;
	int64_t digits = 0, significant = 0, exponent = 0;
	for (; is_digit(*p); p++, digits++)
		if (significant > 0 || *p != '0') {
			w = w * 10 + (uint64_t)(*p - '0'); /* wraps past 19 digits; not used then */
			significant++;
		}
	char *point = *p == (t->point == ',' ? ',' : '.') ? p : NULL;
	if (point != NULL)
		for (p++; is_digit(*p); p++, digits++, exponent--)
			if (significant > 0 || *p != '0') {
				w = w * 10 + (uint64_t)(*p - '0');
				significant++;
			}
	if (digits == 0)
		return NULL;
	char *letter = lower(*p) == 'e' || (point != NULL && lower(*p) == 'd') ? p : NULL;
	if (letter != NULL) {
		char *e = p + 1;
		bool minus = *e == '-';
		int64_t x = 0;
		if (*e == '-' || *e == '+')
			e++;
		if (!is_digit(*e))
			return NULL;
		for (; is_digit(*e); e++)
			if (x < 100000000)
				x = x * 10 + (*e - '0');
		exponent += minus ? -x : x;
		p = e;
	}
	double v;
	if (w == 0 && significant == 0)
		v = 0;
	else if (significant <= 19 && w <= (UINT64_C(1) << 53) && exponent >= -22 && exponent <= 22)
		v = exponent < 0 ? (double)w / exact_power[-exponent] : (double)w * exact_power[exponent];
	else if (significant <= 19 && exponent >= -19 && exponent <= 0)
		v = divide(w, (int)-exponent);
	else {
		*value = of_library(t, start, point, letter);
		return p;
	}
	*value = negative ? -v : v;
	return p;
}

bool
knng_text_is_missing(const char *p, const char *end)
{
	static const char *const missing[] = {"", "na", "nan", "+nan", "-nan", "n/a", "#n/a", "null", "?"};
	for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
		if (knng_text_is(p, end, missing[i]))
			return true;
	return false;
}

bool
knng_text_is_unmeasured(const char *p, const char *end)
{
	static const char *const words[] = {"bdl",
					    "belowdetection",
					    "belowdetectionlimit",
					    "belowlod",
					    "belowloq",
					    "bld",
					    "bloq",
					    "blq",
					    "bql",
					    "lloq",
					    "lod",
					    "loq",
					    "nd",
					    "notdetected",
					    "nq",
					    "oor",
					    "outofrange",
					    "overflow",
					    "saturated",
					    "underflow",
					    "undetermined",
					    NULL};
	char word[24];
	knng_text_word(p, end, word, sizeof word);
	return knng_text_among(words, word);
}

/* Characters that look like a blank, or like nothing. A soft hyphen is none, since it may have been a minus. */
static const struct {
	const char *spelt, *name;
} unseen[] = {
	{"\xC2\xA0", "a no-break space, U+00A0"},
	{"\xE2\x80\x82", "an en space, U+2002"},
	{"\xE2\x80\x83", "an em space, U+2003"},
	{"\xE2\x80\x87", "a figure space, U+2007"},
	{"\xE2\x80\x88", "a punctuation space, U+2008"},
	{"\xE2\x80\x89", "a thin space, U+2009"},
	{"\xE2\x80\x8A", "a hair space, U+200A"},
	{"\xE2\x80\x8B", "a zero-width space, U+200B"},
	{"\xE2\x80\x8E", "a left-to-right mark, U+200E"},
	{"\xE2\x80\x8F", "a right-to-left mark, U+200F"},
	{"\xE2\x80\xAA", "a left-to-right embedding, U+202A"},
	{"\xE2\x80\xAC", "an end of embedding, U+202C"},
	{"\xE2\x80\xAD", "a left-to-right override, U+202D"},
	{"\xE2\x80\xAF", "a narrow no-break space, U+202F"},
	{"\xE2\x81\xA0", "a word joiner, U+2060"},
	{"\xE3\x80\x80", "an ideographic space, U+3000"},
	{"\xEF\xBB\xBF", "a byte order mark, U+FEFF"},
};

enum { UNSEEN = sizeof unseen / sizeof *unseen };

/* Which of them is at p, in a text that goes to `end`; UNSEEN: none. */
static size_t
unseen_at(const char *p, const char *end)
{
	size_t i = 0;
	while (i < UNSEEN && ((size_t)(end - p) < strlen(unseen[i].spelt) ||
			      memcmp(p, unseen[i].spelt, strlen(unseen[i].spelt)) != 0))
		i++;
	return i;
}

size_t
knng_text_unseen_at(const char *p, const char *end)
{
	size_t i = p < end && ((unsigned char)*p & 0x80) != 0 ? unseen_at(p, end) : UNSEEN;
	return i < UNSEEN ? strlen(unseen[i].spelt) : 0;
}

const char *
knng_text_unseen(const char *p, const char *end)
{
	for (; p < end; p++) {
		size_t i = (unsigned char)*p < 0x80 ? UNSEEN : unseen_at(p, end);
		if (i < UNSEEN)
			return unseen[i].name;
	}
	return NULL;
}

/* The bytes of the one that ends at `end`, not before `begin`; 0: there is none. */
static size_t
unseen_before(const char *begin, const char *end)
{
	for (size_t length = 2; length < 4 && end - begin >= (ptrdiff_t)length; length++)
		if (knng_text_unseen_at(end - length, end) == length)
			return length;
	return 0;
}

void
knng_text_trim(char **begin, const char **end)
{
	char *p = *begin;
	const char *e = *end;
	bool first = false, last = false;
	for (size_t bytes; (bytes = knng_text_unseen_at(p, e)) > 0 || (p < e && *p == ' '); first |= bytes > 0)
		p += bytes > 0 ? bytes : 1;
	*begin = first ? p : *begin;
	for (size_t bytes; (bytes = unseen_before(*begin, e)) > 0 || (e > *begin && e[-1] == ' '); last |= bytes > 0)
		e -= bytes > 0 ? bytes : 1;
	*end = last ? e : *end;
}

bool
knng_text_value(const knng_text *t, char *p, const char *end, double *value)
{
	const char *whole = p, *whole_end = end;
	if (p < end && ((*p & 0x80) != 0 || *p == ' ' || (end[-1] & 0x80) != 0 || end[-1] == ' '))
		knng_text_trim(&p, &end);
	char behind = *end, *at = p + (end - p);
	if (t->point == ',') /* a comma there is none of the number */
		*at = '\0';
	char *done = knng_text_number(t, p, value);
	if (t->point == ',')
		*at = behind;
	const char *word = *p == '-' || *p == '+' ? p + 1 : p;
	bool number = done == end, beyond = number && isinf(*value);
	if (!number && (knng_text_is(word, end, "inf") || knng_text_is(word, end, "infinity"))) {
		*value = *p == '-' ? -INFINITY : INFINITY;
		number = true;
	}
	if (knng_text_is_said(t, p, end, number && !beyond ? *value : NAN) ||
	    ((p > whole || end < whole_end) && knng_text_is_said(t, whole, whole_end, NAN))) {
		*value = NAN;
		return true;
	}
	*value = number ? *value : NAN;
	return number || knng_text_is_missing(p, end);
}

bool
knng_text_is_beyond(const char *p, double value)
{
	return isinf(value) && is_digit(p[strcspn(p, "iI0123456789")]);
}

char *
knng_text_count(char *p, int64_t *count)
{
	char *start = p;
	for (*count = 0; is_digit(*p); p++)
		if ((*count = *count * 10 + (*p - '0')) > INT64_C(1) << 53)
			return NULL;
	return p > start && (is_blank(*p) || is_end(*p)) ? p : NULL;
}

/* ---- errors ---- */

const char *
knng_text_quote(const char *p, const char *end, char out[KNNG_QUOTED + 8])
{
	int i = 0;
	if (p == end)
		return *p == '\0' ? "the end of the file" : *p == '\n' ? "the end of the line" : "nothing";
	out[i++] = '\'';
	for (; i <= KNNG_QUOTED && p < end; p++)
		out[i++] = (unsigned char)*p < ' ' || *p == 127 ? '.' : *p;
	strcpy(out + i, p == end ? "'" : "...'");
	return out;
}

const char *
knng_text_spelt(const char *p, const char *end, char out[KNNG_SPELT])
{
	char *to = out;
	if (end - p > KNNG_QUOTED)
		return "with all of that text";
	*to++ = '\'';
	for (; p < end; p++) {
		if ((unsigned char)*p < ' ' || *p == 127)
			return "with all of that text";
		if (*p == '\'')
			*to++ = *p;
		*to++ = *p;
	}
	strcpy(to, "'");
	return out;
}

/* 'FILE, line L: ' and the message. */
static void
place(const knng_text *t, int64_t line, const char *id, const char *format, va_list ap, knng_err *err)
{
	char text[sizeof err->text];
	vsnprintf(text, sizeof text, format, ap);
	knng_fail(err, KNNG_EIO, id, "%.200s, line %lld: %s", t->path, (long long)line, text);
}

knng_status
knng_text_fail(const knng_text *t, knng_err *err, const char *format, ...)
{
	if (err != NULL) {
		va_list ap;
		va_start(ap, format);
		place(t, t->line, "knng:io:format", format, ap, err);
		va_end(ap);
	}
	return KNNG_EIO;
}

void
knng_text_warn(knng_text *t, int64_t line, const char *format, ...)
{
	if (t->warnings++ > 0)
		return;
	va_list ap;
	va_start(ap, format);
	place(t, line, "knng:data:metadata", format, ap, &t->warning);
	va_end(ap);
}

knng_status
knng_text_fail_truncated(const knng_text *t, const char *missing, knng_err *err)
{
	return knng_fail(err, KNNG_EIO, "knng:io:truncated",
			 "%.200s ends in line %lld, before %s; copy or download the file again", t->path,
			 (long long)t->line, missing);
}

knng_status
knng_text_fail_found(const knng_text *t, char *p, const char *expected, knng_err *err)
{
	char q[KNNG_QUOTED + 8];
	if (knng_text_is_last_line(t, p))
		return knng_text_fail_truncated(t, expected, err);
	return knng_text_fail(t, err, "found %s, expected %s", knng_text_quote(p, skip_word(p), q), expected);
}
