/* read.c  Microarray text files.
 *
 * The whole file, unpacked, goes into one buffer that ends in a NUL; no other NUL is let in, so that the parser needs
 * no bounds. It works in place: the names are packed at the front of the buffer, behind the reading position. What a
 * header promises is believed only as far as the bytes at hand can hold it, so memory is bounded by the file.
 *
 * A format is one row of `formats`: its name, how its beginning is recognised, its parser.
 *
 * The NBI format, fields separated by a run of blanks, or by one tab with blanks around it:
 *
 *     <MicroarrayData>
 *     nFeatures nSamples
 *     name v_1 ... v_nSamples       (nFeatures rows; missing: NA, NaN, null, ?, nothing between two tabs)
 *     <SamplesNames>
 *     s_1 ... s_nSamples            (optional section)
 *     <SamplesClasses>
 *     c_1 ... c_nSamples            (optional section)
 *     <EndOfFile>
 *
 * Source: the sample in the appendix of the first paper (GPU-FS-kNN). */
#include "sys.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_READ = 1 << 18, BLOCK = 8, QUOTED = 40 };

typedef struct {
	const char *path;
	char *text;        /* bytes read, then a NUL */
	int64_t bytes;     /* without the NUL */
	int64_t start;     /* where the text proper begins */
	char *pack;        /* where the next kept name goes, never past `at` */
	char *at;          /* the first byte not yet parsed */
	int64_t line;      /* its line, from 1 */
	double *block;     /* BLOCK rows on their way into X */
	locale_t c_locale; /* for strtod_l */
} reader;

typedef struct {
	const char *name;
	bool (*sniff)(const char *text);
	knng_status (*parse)(reader *r, knng_dataset *ds, knng_err *err);
} format;

/* ---- characters, independent of the locale ---- */

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool
is_end(char c) /* of a line */
{
	return c == '\n' || c == '\r' || c == '\0';
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static char *
skip_blanks(char *p)
{
	while (is_blank(*p))
		p++;
	return p;
}

static char *
skip_field(char *p)
{
	while (!is_blank(*p) && !is_end(*p))
		p++;
	return p;
}

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

/* Is the field [p, end) this lower-case word? */
static bool
is_word(const char *p, const char *end, const char *word)
{
	while (p < end && *word != '\0' && lower(*p) == *word)
		p++, word++;
	return p == end && *word == '\0';
}

/* The field at p for a message: its first QUOTED bytes, control characters as dots. */
static const char *
quote(const char *p, char out[QUOTED + 8])
{
	int i = 0;
	if (is_end(*p))
		return *p == '\0' ? "the end of the file" : "the end of the line";
	out[i++] = '\'';
	for (; i <= QUOTED && !is_blank(*p) && !is_end(*p); p++)
		out[i++] = (unsigned char)*p < ' ' || *p == 127 ? '.' : *p;
	strcpy(out + i, is_blank(*p) || is_end(*p) ? "'" : "...'");
	return out;
}

/* ---- lines and errors ---- */

/* To the first field of the next line that has one, or to the end of the text. */
static void
next_line(reader *r)
{
	for (;;) {
		r->at = skip_blanks(r->at);
		if (*r->at == '\r')
			r->at++;
		else if (*r->at == '\n')
			r->at++, r->line++;
		else
			return;
	}
}

/* Does the text end in the line of p? Then a fault in it is a file that was cut off there. */
static bool
is_last_line(const reader *r, const char *p)
{
	return memchr(p, '\n', (size_t)(r->text + r->bytes - p)) == NULL;
}

static knng_status
fail_truncated(const reader *r, const char *missing, knng_err *err)
{
	return knng_fail(err, KNNG_EIO, "knng:io:truncated",
			 "%.200s ends in line %lld, before %s; copy or download the file again", r->path,
			 (long long)r->line, missing);
}

/* The line at `at` holds something else than what was expected. */
static knng_status
fail_found(const reader *r, const char *at, const char *expected, knng_err *err)
{
	char q[QUOTED + 8];
	if (is_last_line(r, at))
		return fail_truncated(r, expected, err);
	return knng_fail(err, KNNG_EIO, "knng:io:format", "%.200s, line %lld: found %s, expected %s", r->path,
			 (long long)r->line, quote(at, q), expected);
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

/* The number at p, correctly rounded whatever the locale; its end, or NULL when it is none. Almost all are exact
 * products or quotients of two doubles, or have at most 19 digits after which one division decides; the rest goes to
 * the C library. */
static char *
parse_number(reader *r, char *p, double *value)
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
	if (*p == '.')
		for (p++; is_digit(*p); p++, digits++, exponent--)
			if (significant > 0 || *p != '0') {
				w = w * 10 + (uint64_t)(*p - '0');
				significant++;
			}
	if (digits == 0)
		return NULL;
	if (*p == 'e' || *p == 'E') {
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
		*value = strtod_l(start, NULL, r->c_locale);
		return p;
	}
	*value = negative ? -v : v;
	return p;
}

/* The value field at p, a number, an infinity or a word for a missing value; its end, or NULL. */
static char *
parse_value(reader *r, char *p, double *value)
{
	char *end = parse_number(r, p, value);
	if (end != NULL && (is_blank(*end) || is_end(*end)))
		return end;
	end = skip_field(p);
	char *word = *p == '-' || *p == '+' ? p + 1 : p;
	if (is_word(word, end, "inf") || is_word(word, end, "infinity")) {
		*value = *p == '-' ? -INFINITY : INFINITY;
		return end;
	}
	if (is_word(word, end, "nan") || is_word(p, end, "na") || is_word(p, end, "null") || is_word(p, end, "?")) {
		*value = NAN;
		return end;
	}
	return NULL;
}

/* A size of the header: a whole number from 1 to 2^53. Its end, or NULL. */
static char *
parse_size(char *p, int64_t *size)
{
	*size = 0;
	for (; is_digit(*p); p++)
		if ((*size = *size * 10 + (*p - '0')) > INT64_C(1) << 53)
			return NULL;
	return *size > 0 && (is_blank(*p) || is_end(*p)) ? p : NULL;
}

/* ---- the NBI format ---- */

/* Keeps the name [p, end) in front of the text. A name takes one byte more than it had; it gives that byte back with
 * the separator behind it, and the first line of the file is room enough for a last name without one. */
static void
keep_name(reader *r, const char *p, const char *end)
{
	memmove(r->pack, p, (size_t)(end - p));
	r->pack += end - p;
	*r->pack++ = '\0';
}

/* Is the field at p this tag, in any case? */
static bool
is_tag(char *p, const char *tag)
{
	return *p == '<' && is_word(p, skip_field(p), tag);
}

static bool
is_any_tag(char *p)
{
	return is_tag(p, "<samplesnames>") || is_tag(p, "<samplesclasses>") || is_tag(p, "<endoffile>");
}

/* One row: a name and d values into v. */
static knng_status
nbi_row(reader *r, int64_t d, double *v, knng_err *err)
{
	char *name = r->at, *name_end = skip_field(name), *p = name_end, q[QUOTED + 8];
	int64_t have = 0;
	for (; have < d; have++) {
		char *field = p;
		bool tab = false;
		while (*field == ' ')
			field++;
		if (*field == '\t') {
			tab = true;
			for (field++; *field == ' '; field++) {
			}
		}
		if (*field == '\t' || is_end(*field)) { /* nothing between tabs is a missing value */
			if (!tab)
				break;
			v[have] = NAN;
			p = field;
			continue;
		}
		p = parse_value(r, field, &v[have]);
		if (p == NULL) {
			if (is_last_line(r, field))
				return fail_truncated(r, "the end of a row", err);
			return knng_fail(err, KNNG_EIO, "knng:io:format",
					 "%.200s, line %lld: found %s, expected a number (with a decimal point), or NA "
					 "for a missing value",
					 r->path, (long long)r->line, quote(field, q));
		}
	}
	p = skip_blanks(p);
	if (have < d || !is_end(*p)) {
		while (!is_end(*p)) {
			have++;
			p = skip_blanks(skip_field(p));
		}
		if (*p == '\0' && have < d)
			return fail_truncated(r, "the end of a row", err);
		return knng_fail(err, KNNG_EIO, "knng:io:format",
				 "%.200s, line %lld: found %lld values after the name %s, expected %lld as the header "
				 "says (nothing "
				 "between two tabs counts as a missing value)",
				 r->path, (long long)r->line, (long long)have, quote(name, q), (long long)d);
	}
	r->at = p;
	keep_name(r, name, name_end);
	return KNNG_OK;
}

/* Moves `rows` rows of the block into X, from row `first` on: eight rows fill a cache line of each column. */
static void
store_block(const reader *r, knng_dataset *ds, int64_t first, int64_t rows)
{
	for (int64_t j = 0; j < ds->ncols; j++)
		for (int64_t i = 0; i < rows; i++)
			ds->X[j * ds->nrows + first + i] = r->block[i * ds->ncols + j];
}

/* The names or labels of a section, one a sample, in one line or several; an empty section is none. */
static knng_status
nbi_labels(reader *r, int64_t d, const char *what, knng_err *err)
{
	for (int64_t have = 0;; have++) {
		next_line(r);
		bool tag = is_any_tag(r->at);
		if ((have == d || have == 0) && tag)
			return KNNG_OK;
		if (*r->at == '\0' || (have == d && is_last_line(r, r->at)))
			return fail_truncated(r, have < d ? what : "<EndOfFile>", err);
		if (tag || have == d)
			return knng_fail(
				err, KNNG_EIO, "knng:io:format",
				"%.200s, line %lld: found %s %lld %s, expected %lld, one a sample, without blanks",
				r->path, (long long)r->line, tag ? "only" : "more than", (long long)have, what,
				(long long)d);
		char *name = r->at;
		r->at = skip_field(name);
		keep_name(r, name, r->at);
	}
}

/* Gives the packed names their own, smaller buffer and points at them. */
static knng_status
adopt_names(reader *r, knng_dataset *ds, const char *samples, const char *classes, knng_err *err)
{
	int64_t bytes = r->pack - r->text;
	ds->text = knng_alloc(bytes, 1);
	ds->names = knng_alloc(ds->nrows, sizeof *ds->names);
	if (samples != NULL)
		ds->samples = knng_alloc(ds->ncols, sizeof *ds->samples);
	if (classes != NULL)
		ds->classes = knng_alloc(ds->ncols, sizeof *ds->classes);
	if (ds->text == NULL || ds->names == NULL || (samples != NULL && ds->samples == NULL) ||
	    (classes != NULL && ds->classes == NULL))
		return knng_fail_memory(err, "the names of a file",
					(double)bytes + 8.0 * (double)(ds->nrows + 2 * ds->ncols));
	memcpy(ds->text, r->text, (size_t)bytes);
	struct {
		char **to;
		int64_t count;
		char *p;
	} lists[] = {
		{ds->names, ds->nrows, ds->text},
		{ds->samples, ds->samples ? ds->ncols : 0, ds->text + (samples ? samples - r->text : 0)},
		{ds->classes, ds->classes ? ds->ncols : 0, ds->text + (classes ? classes - r->text : 0)},
	};
	for (int l = 0; l < 3; l++)
		for (int64_t i = 0; i < lists[l].count; i++) {
			lists[l].to[i] = lists[l].p;
			lists[l].p += strlen(lists[l].p) + 1;
		}
	return KNNG_OK;
}

static bool
nbi_sniff(const char *text)
{
	const char *tag = "<microarraydata>";
	while (is_blank(*text) || *text == '\n' || *text == '\r')
		text++;
	while (*tag != '\0' && lower(*text) == *tag)
		text++, tag++;
	return *tag == '\0';
}

static knng_status
nbi_parse(reader *r, knng_dataset *ds, knng_err *err)
{
	char *p, *samples = NULL, *classes = NULL;
	int64_t n, d, least, values;
	knng_status status;

	next_line(r);
	r->at = skip_field(r->at);
	next_line(r);
	if ((p = parse_size(r->at, &n)) == NULL || (p = parse_size(skip_blanks(p), &d)) == NULL ||
	    !is_end(*skip_blanks(p)))
		return fail_found(
			r, r->at,
			"two whole numbers from 1 on, the numbers of features (rows) and of samples (columns)", err);
	r->at = p;

	/* A row takes a byte of name, one a value and the end of the line. */
	if (!knng_mul(n, d + 2, 1, &least) || least > r->text + r->bytes - p)
		return knng_fail(err, KNNG_EIO, "knng:io:truncated",
				 "%.200s, line %lld: promises %lld rows of %lld values, which the %lld bytes that "
				 "follow cannot hold",
				 r->path, (long long)r->line, (long long)n, (long long)d,
				 (long long)(r->text + r->bytes - p));
	if (!knng_mul(n, d, 1, &values) || (ds->X = knng_alloc(values, sizeof *ds->X)) == NULL ||
	    (r->block = knng_alloc((n < BLOCK ? n : BLOCK) * d, sizeof *r->block)) == NULL)
		return knng_fail_memory(err, "the values of a file", 8.0 * (double)n * (double)d);
	ds->nrows = n;
	ds->ncols = d;
	for (int64_t i = 0; i < n; i++) {
		next_line(r);
		if (*r->at == '\0' || is_any_tag(r->at))
			return knng_fail(
				err, KNNG_EIO, "knng:io:truncated",
				"%.200s, line %lld: the rows end after %lld of the %lld that the header promises",
				r->path, (long long)r->line, (long long)i, (long long)n);
		if ((status = nbi_row(r, d, r->block + i % BLOCK * d, err)) != KNNG_OK)
			return status;
		if (i % BLOCK == BLOCK - 1 || i == n - 1)
			store_block(r, ds, i - i % BLOCK, i % BLOCK + 1);
	}
	for (;;) {
		next_line(r);
		char *tag = r->at;
		r->at = skip_field(tag);
		if (is_tag(tag, "<endoffile>"))
			break;
		bool names = is_tag(tag, "<samplesnames>");
		if (*tag == '\0')
			return fail_truncated(r, "<EndOfFile>", err);
		if ((!names && !is_tag(tag, "<samplesclasses>")) || (names ? samples : classes) != NULL)
			return fail_found(r, tag,
					  "<SamplesNames> or <SamplesClasses>, once, or <EndOfFile>, after as many "
					  "rows as the header says",
					  err);
		char *first = r->pack;
		if ((status = nbi_labels(r, d, names ? "sample names" : "class labels", err)) != KNNG_OK)
			return status;
		if (r->pack > first)
			*(names ? &samples : &classes) = first;
	}
	next_line(r);
	if (*r->at != '\0') {
		char q[QUOTED + 8];
		return knng_fail(err, KNNG_EIO, "knng:io:format",
				 "%.200s, line %lld: found %s, expected nothing after <EndOfFile>", r->path,
				 (long long)r->line, quote(r->at, q));
	}
	return adopt_names(r, ds, samples, classes, err);
}

/* ---- all formats ---- */

static const format formats[] = {
	{"NBI (<MicroarrayData>)", nbi_sniff, nbi_parse},
};

enum { NFORMATS = sizeof formats / sizeof *formats };

static const format *
recognise(const reader *r, knng_err *err)
{
	char names[160] = "", q[QUOTED + 8];
	for (int i = 0; i < NFORMATS; i++) {
		if (formats[i].sniff(r->text + r->start))
			return &formats[i];
		if (strlen(names) + strlen(formats[i].name) + 3 < sizeof names) {
			strcat(names, i > 0 ? ", " : "");
			strcat(names, formats[i].name);
		}
	}
	if (r->bytes == 0)
		knng_fail(err, KNNG_EIO, "knng:io:truncated", "%.200s is empty", r->path);
	else
		knng_fail(err, KNNG_EIO, "knng:io:format",
			  "%.200s, line 1: found %s, expected the beginning of one of the formats %s", r->path,
			  quote(r->text + r->start, q), names);
	return NULL;
}

/* Reads everything into r->text, and finds the format as soon as its beginning is there. */
static knng_status
load(reader *r, const format **f, knng_err *err)
{
	int64_t size = FIRST_READ, got;
	knng_status status = KNNG_OK;
	errno = 0;
	knng_file *file = knng_file_open(r->path);
	if (file == NULL && errno == ENOMEM)
		return knng_fail_memory(err, "opening a file", 1e6);
	if (file == NULL)
		return knng_fail(err, KNNG_EIO, "knng:io:open",
				 "cannot open %.200s: %s; check the name and the current folder", r->path,
				 strerror(errno));
	if ((r->text = knng_alloc(size + 1, 1)) == NULL) {
		status = knng_fail_memory(err, "reading a file", (double)size);
		goto done;
	}
	for (;;) {
		errno = 0;
		got = knng_file_read(file, r->text + r->bytes, size - r->bytes);
		if (got < 0) {
			status = errno != 0 ? knng_fail(err, KNNG_EIO, "knng:io:open", "cannot read %.200s: %s",
							r->path, strerror(errno))
					    : knng_fail(err, KNNG_EIO, "knng:io:truncated",
							"the gzip stream of %.200s is damaged or stops in the middle, "
							"after %lld "
							"bytes of text or more; copy or download the file again",
							r->path, (long long)r->bytes);
			goto done;
		}
		char *fresh = r->text + r->bytes, *nul = memchr(fresh, '\0', (size_t)got);
		r->bytes += got;
		r->text[r->bytes] = '\0';
		if (nul != NULL) {
			int64_t line = 1;
			for (char *p = r->text; p < nul; p++)
				line += *p == '\n';
			status =
				knng_fail(err, KNNG_EIO, "knng:io:format",
					  "%.200s, line %lld: found a NUL byte, expected text (not binary, not UTF-16)",
					  r->path, (long long)line);
			goto done;
		}
		if (*f == NULL) {
			r->start = strncmp(r->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* a byte order mark */
			if ((*f = recognise(r, err)) == NULL) {
				status = KNNG_EIO;
				goto done;
			}
		}
		if (r->bytes < size)
			break;
		/* A few bytes of gzip can promise more than the machine has, which it would hand out and then choke on.
		 */
		bool possible = 3.0 * (double)size < (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
		char *larger = possible ? knng_alloc(2 * size + 1, 1) : NULL;
		if (larger == NULL) {
			status = knng_fail_memory(err, "reading a file", 2.0 * (double)size);
			goto done;
		}
		memcpy(larger, r->text, (size_t)r->bytes);
		knng_free(r->text);
		r->text = larger;
		size *= 2;
	}
done:
	knng_file_close(file);
	return status;
}

knng_status
knng_read(const char *path, knng_dataset *ds, knng_err *err)
{
	reader r = {.path = path, .line = 1, .c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
	const format *f = NULL;
	knng_status status;

	*ds = (knng_dataset){0};
	if (r.c_locale == (locale_t)0)
		return knng_fail_memory(err, "a locale", 1e3);
	if ((status = load(&r, &f, err)) == KNNG_OK) {
		if (memchr(r.text, '\n', (size_t)r.bytes) == NULL) /* lines of the old Macintosh */
			for (char *p = r.text; (p = strchr(p, '\r')) != NULL;)
				*p = '\n';
		r.pack = r.text;
		r.at = r.text + r.start;
		status = f->parse(&r, ds, err);
	}
	if (status != KNNG_OK)
		knng_dataset_free(ds);
	knng_free(r.block);
	knng_free(r.text);
	freelocale(r.c_locale);
	return status;
}

void
knng_dataset_free(knng_dataset *ds)
{
	knng_free(ds->X);
	knng_free(ds->names);
	knng_free(ds->samples);
	knng_free(ds->classes);
	knng_free(ds->text);
	*ds = (knng_dataset){0};
}
