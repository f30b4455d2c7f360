/* doubts.c  What looks wrong in a data set that was read, though each of its fields is right. The rules have to have
 * practically no false alarms: knng.read's help gives them. */
#include "io/doubts.h"
#include "base/filled.h"
#include "base/names.h"
#include "base/sys.h"
#include "io/text.h"
#include "io/titles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- names that a spreadsheet changed ---- */

/* So many digits at p, from `least` to `most` of them; else 0. */
static int
digits_at(const char *p, int least, int most)
{
	int n = 0;
	while (is_digit(p[n]))
		n++;
	return n >= least && n <= most ? n : 0;
}

/* The length of the month at p, as spreadsheets write it: in English, German or French; 0: it is none. In upper and
 * lower case, since apr-1 and mai-2 are genes of worms. */
static size_t
month_at(const char *p)
{
	static const char *const months[] = {"January",
					     "February",
					     "March",
					     "April",
					     "June",
					     "July",
					     "August",
					     "Sept",
					     "October",
					     "November",
					     "December",
					     "Jan",
					     "Feb",
					     "Mar",
					     "Apr",
					     "May",
					     "Jun",
					     "Jul",
					     "Aug",
					     "Sep",
					     "Oct",
					     "Nov",
					     "Dec",
					     "Mrz",
					     "M\xC3\xA4r",
					     "Mai",
					     "Okt",
					     "Dez",
					     "mars",
					     "avr",
					     "mai",
					     "sept",
					     "oct",
					     "nov",
					     "d\xC3\xA9"
					     "c"};
	for (size_t i = 0; i < sizeof months / sizeof *months; i++)
		if (strncmp(p, months[i], strlen(months[i])) == 0)
			return strlen(months[i]);
	return 0;
}

/* Is it a day and a month such as 1-Mar or 01. Mrz, also with a year; a month and a year as Mar-01, which has two
 * digits; or 2001-03-01, perhaps with 00:00:00? */
static bool
is_date(const char *p)
{
	int n = digits_at(p, 1, 2);
	size_t month;
	if (n > 0 && (p[n] == '-' || p[n] == '.')) {
		p += n;
		p += p[0] == '.' && p[1] == ' ' ? 2 : 1;
		if ((month = month_at(p)) == 0)
			return false;
		p += month;
		p += *p == '.';
		if (*p == '\0')
			return true;
		n = *p == '-' || *p == ' ' ? digits_at(p + 1, 2, 4) : 0;
		return (n == 2 || n == 4) && p[1 + n] == '\0';
	}
	if ((month = month_at(p)) > 0)
		return p[month] == '-' && digits_at(p + month + 1, 2, 2) > 0 && p[month + 3] == '\0';
	if (digits_at(p, 4, 4) == 0 || p[4] != '-' || digits_at(p + 5, 2, 2) == 0 || p[7] != '-' ||
	    digits_at(p + 8, 2, 2) == 0)
		return false;
	return p[10] == '\0' || strcmp(p + 10, " 00:00:00") == 0;
}

/* Is it a power of ten as 2.31E+19, which was 2310009E13? R and Python write e. From 10^10 on, since a spreadsheet
 * shows smaller numbers in full. */
static bool
is_power(const char *p)
{
	if (digits_at(p, 1, 1) == 0)
		return false;
	p++;
	if (*p == '.')
		for (p++; is_digit(*p); p++) {
		}
	return p[0] == 'E' && p[1] == '+' && p[2] != '0' && digits_at(p + 2, 2, 3) > 0 &&
	       p[2 + digits_at(p + 2, 2, 3)] == '\0';
}

/* Of names or symbols: counts those that look changed, less than half of them, and says which is the first. */
static int64_t
count_changed(char *const *names, int64_t n, bool (*changed)(const char *), int64_t *first)
{
	int64_t count = 0;
	for (int64_t i = 0; names != NULL && i < n; i++)
		if (changed(names[i]) && count++ == 0)
			*first = i;
	return 2 * count < n ? count : 0;
}

static void
doubt_names(const knng_dataset *ds, const char *path, knng_err *doubt)
{
	static const struct {
		bool (*changed)(const char *);
		const char *what;
	} kinds[] = {
		{is_date, "a gene that a spreadsheet took for a date (1-Mar was MARCH1, today MARCHF1; 2-Sep SEPT2, "
			  "SEPTIN2; 1-Dec DEC1, DELEC1)"},
		{is_power, "an identifier that a spreadsheet took for a number (2.31E+19 was 2310009E13)"},
	};
	char *const *lists[] = {ds->names, ds->symbols};
	for (int k = 0; k < 4; k++) {
		char more[40] = "", q[KNNG_QUOTED + 8];
		int64_t first = 0, count = count_changed(lists[k / 2], ds->nrows, kinds[k % 2].changed, &first);
		if (count == 0)
			continue;
		const char *name = lists[k / 2][first];
		if (count > 1)
			snprintf(more, sizeof more, " (and %lld more)", (long long)count - 1);
		knng_fail(doubt, KNNG_OK, "knng:data:spreadsheet",
			  "%.200s: the %s of row %lld, %s, looks like %s%s: correct it, or read the file as it was "
			  "before",
			  path, k / 2 == 0 ? "name" : "symbol", (long long)first + 1,
			  knng_text_quote(name, name + strlen(name), q), kinds[k % 2].what, more);
		return;
	}
}

/* ---- samples where genes should be ---- */

/* Does the name fit: # is a digit, @ a letter, * the rest, whatever it is; another character is itself, in upper or
 * lower case? */
static bool
fits(const char *name, const char *like)
{
	for (; *like != '\0' && *like != '*'; name++, like++)
		if (*like == '#'   ? !is_digit(*name)
		    : *like == '@' ? lower(*name) < 'a' || lower(*name) > 'z'
				   : lower(*name) != lower(*like))
			return false;
	return *like == '*' || *name == '\0';
}

/* Which of the patterns the name fits; -1: none. */
static int
which_fits(const char *name, const char *const *patterns)
{
	for (int i = 0; patterns[i] != NULL; i++)
		if (fits(name, patterns[i]))
			return i;
	return -1;
}

/* Are these genes or probes, plainly? Half of them are identifiers of data bases or of makers of arrays; or there are
 * members of four large families of genes. *first: the first of all these; as it was: there is none. */
static bool
are_genes(char *const *names, int64_t n, int64_t *first)
{
	static const char *const ids[] = {"ENS@###########*",
					  "ENS@@@@###########*",
					  "NM_######*",
					  "NR_######*",
					  "XM_######*",
					  "ILMN_######*",
					  "A_##_P####*",
					  "cg########",
					  "FBgn#######",
					  "WBGene########",
					  "AT@G#####*",
					  "Y@@###@*",
					  NULL},
				 *const families[] = {"ZNF#*",      "ZFP#*", "SLC#*",  "SLC##@*", "TMEM#*",
						      "CCDC#*",     "RPL#*", "RPS#*",  "KRT#*",   "KIAA####*",
						      "LINC#####*", "MIR#*", "HLA-@*", NULL};
	int64_t count = 0, kinds = 0;
	unsigned seen = 0;
	for (int64_t i = 0; i < n; i++) {
		size_t length = strlen(names[i]);
		bool id = (length > 3 && strcmp(names[i] + length - 3, "_at") == 0) || which_fits(names[i], ids) >= 0;
		int family = id ? -1 : which_fits(names[i], families);
		if (family >= 0 && !(seen & 1u << family)) {
			seen |= 1u << family;
			kinds++;
		}
		if ((id || family >= 0) && *first < 0)
			*first = i;
		count += id;
	}
	return 2 * count >= n || kinds >= 4;
}

static void
doubt_sides(const knng_dataset *ds, const char *path, knng_err *doubt)
{
	enum { MANY = 100 };
	int64_t first = -1, any = -1;
	char q[KNNG_QUOTED + 8];
	if (ds->samples == NULL || ds->ncols < MANY || ds->ncols <= 2 * ds->nrows ||
	    !are_genes(ds->samples, ds->ncols, &first))
		return;
	if (ds->names != NULL)
		are_genes(ds->names, ds->nrows, &any);
	if (any >= 0 || ds->symbols != NULL)
		return;
	const char *name = ds->samples[first];
	knng_fail(doubt, KNNG_OK, "knng:data:transposed",
		  "%.200s: the columns look like genes (column %lld is %s), so the rows are samples, and neighbours of "
		  "rows are those of samples; for those of genes transpose the table, as ds.X' does",
		  path, (long long)first + 1, knng_text_quote(name, name + strlen(name), q));
}

/* ---- rows that are no genes ---- */

/* HTSeq and STAR put reads that are of no gene among the counts of genes. */
static void
doubt_counts(const knng_dataset *ds, const char *path, knng_err *doubt)
{
	static const char *const counts[] = {
		"__no_feature", "__ambiguous",    "__too_low_aQual", "__not_aligned", "__alignment_not_unique",
		"N_unmapped",   "N_multimapping", "N_noFeature",     "N_ambiguous",   NULL};
	int64_t first = -1, count = 0;
	for (int64_t i = 0; ds->names != NULL && i < ds->nrows; i++)
		if (strchr("_N", ds->names[i][0]) != NULL && knng_text_among(counts, ds->names[i]) && count++ == 0)
			first = i;
	if (count == 0)
		return;
	char more[40] = "";
	if (count > 1)
		snprintf(more, sizeof more, " (and %lld more)", (long long)count - 1);
	knng_fail(
		doubt, KNNG_OK, "knng:data:counts",
		"%.200s: row %lld, %s%s, counts reads that are of no gene, and is no gene itself: leave such rows out "
		"of the file, or of ds.X and ds.names (those of %s)",
		path, (long long)first + 1, ds->names[first], more,
		ds->names[first][0] == '_'
			? "strncmp (ds.names, '__', 2)"
			: "ismember (ds.names, {'N_unmapped', 'N_multimapping', 'N_noFeature', 'N_ambiguous'})");
}

/* ---- rows of what samples are ---- */

static bool
says(const char *name, unsigned what)
{
	return (knng_title_says(name, name + strlen(name)) & what) != 0;
}

/* The first rows, where the rest are genes, as the file says or half of them show: numbers below the header look as
 * those of a gene do. */
static void
doubt_samples(const knng_dataset *ds, const char *path, knng_err *doubt)
{
	char more[100] = "", q[KNNG_QUOTED + 8];
	int64_t count = 0, first = -1;
	while (ds->names != NULL && count < ds->nrows && says(ds->names[count], KNNG_NUMBERS))
		count++;
	if (count == 0 || count == ds->nrows)
		return;
	if (!ds->genes && ds->symbols == NULL && !are_genes(ds->names + count, ds->nrows - count, &first))
		return;
	if (count > 1)
		snprintf(more, sizeof more, " (and there are %lld such rows)", (long long)count);
	knng_fail(doubt, KNNG_OK, "knng:data:samples",
		  "%.200s: row 1 is called %s%s, and those below as genes: it was read as one of them. If it says "
		  "what the samples are, put # before its name in the file (before the quote, if there is one), and it "
		  "comes to ds.meta",
		  path, knng_text_quote(ds->names[0], ds->names[0] + strlen(ds->names[0]), q), more);
}

static bool
are_whole(const double *x, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		if (!isnan(x[i]) && !(x[i] == floor(x[i]) && isfinite(x[i])))
			return false;
	return true;
}

/* Of a table whose rows are samples: columns of whole numbers without a size, such as classes, and where the others are
 * plainly genes of any numbers of samples. */
static void
doubt_columns(const knng_content *content, const char *path, knng_err *doubt)
{
	const knng_dataset *ds = &content->data;
	char more[60] = "", which[64] = "", without[160], mark[160] = "", q[KNNG_QUOTED + 8];
	int64_t count = 0, first = -1, gene = -1;
	if (ds->samples == NULL || strcmp(content->format, "table") != 0)
		return;
	bool genes = are_genes(ds->samples, ds->ncols, &gene);
	for (int64_t j = 0; j < ds->ncols; j++) {
		bool sizeless = says(ds->samples[j], KNNG_NO_SIZE) && are_whole(ds->X + j * ds->nrows, ds->nrows);
		if (!sizeless && !(genes && says(ds->samples[j], KNNG_NUMBERS)))
			continue;
		first = count++ == 0 ? j : first;
		size_t used = strlen(which);
		if (used < sizeof which - 24)
			snprintf(which + used, sizeof which - used, "%s%lld", used > 0 ? " " : "", (long long)j + 1);
	}
	if (count == 0 || count == ds->ncols)
		return;
	if (count > 1) {
		char list[sizeof which + 2]; /* as Octave has one */
		snprintf(more, sizeof more, " (and there are %lld such columns)", (long long)count);
		snprintf(list, sizeof list, "[%s]", which);
		memcpy(which, list, sizeof which);
	}
	snprintf(without, sizeof without, "ds.X(:, %s) = []; ds.samples(%s) = []", which, which);
	if (ds->names != NULL || first > 0) /* else the line would be a comment */
		snprintf(mark, sizeof mark,
			 "put # before its name in the file (before the quote, if there is one), unless that begins "
			 "the line, and it comes to ds.annotation; or ");
	knng_fail(doubt, KNNG_OK, "knng:data:samples",
		  "%.200s: column %lld is called %s%s, and its numbers count as values of the rows: if they say what "
		  "the rows are, %sleave it out: %s",
		  path, (long long)first + 1,
		  knng_text_quote(ds->samples[first], ds->samples[first] + strlen(ds->samples[first]), q), more, mark,
		  without);
}

/* ---- columns of numbers that are texts ---- */

/* What a text is: missing, dashes, a text, a number between other signs, what stands for a number that was not measured
 * (a word, a limit) or computed, a whole number, or a number with decimals, by a point or a comma. */
typedef enum { NONE, DASHES, WORDS, DRESSED, UNMEASURED, BELOW, ABOVE, BROKEN, WHOLE, DECIMALS, KINDS } kind;

/* The end of the number at p, NULL if there is none; and whether it has a decimal sign. */
static const char *
skip_number(const char *p, bool *decimals)
{
	p += *p == '-' || *p == '+';
	const char *begin = p;
	while (is_digit(*p))
		p++;
	*decimals = (*p == '.' && (p > begin || is_digit(p[1]))) || (*p == ',' && is_digit(p[1]));
	for (p += *decimals; is_digit(*p); p++) {
	}
	if (p > begin && knng_text_is_exponent(p, *decimals)) {
		const char *exponent = p + 1 + (p[1] == '-' || p[1] == '+');
		for (p = is_digit(*exponent) ? exponent : p; is_digit(*p); p++) {
		}
	}
	return p > begin ? p : NULL;
}

static kind
kind_of_number(const char *p)
{
	bool decimals;
	const char *end = skip_number(p, &decimals);
	return end == NULL || *end != '\0' ? WORDS : decimals ? DECIMALS : WHOLE;
}

enum { DRESS = 16 };

/* Where a text is a number with signs before it, or with a unit, an error or the exponent of Fortran behind it: what it
 * is without the number. Else false. */
static bool
find_dress(const char *p, char dress[DRESS])
{
	static const char *const errors[] = {"+-", "+/-", "\xC2\xB1", "(", NULL};
	size_t length = 0;
	bool decimals;
	while (*p != '\0' && *p != ' ' && !is_digit(*p) && strchr("+-.,", *p) == NULL &&
	       !(lower(*p) >= 'a' && lower(*p) <= 'z') && length < DRESS - 3)
		dress[length++] = *p++;
	dress[length++] = ' ';
	const char *end = skip_number(skip_blanks(p), &decimals), *rest;
	if (end == NULL)
		return false;
	p = skip_blanks(end);
	bool attached = p == end;
	if (attached && lower(*p) == 'd' && (p[1] == '0' || ((p[1] == '+' || p[1] == '-') && is_digit(p[2])))) {
		for (p += 2; is_digit(*p); p++) {
		}
		dress[length++] = 'd';
	}
	for (int i = 0; errors[i] != NULL; i++)
		if (strncmp(p, errors[i], strlen(errors[i])) == 0 &&
		    (rest = skip_number(skip_blanks(p + strlen(errors[i])), &decimals)) != NULL) {
			dress[length < DRESS - 1 ? length++ : length] = errors[i][0];
			p = rest;
			break;
		}
	if (length + strlen(p) >= DRESS || (attached && p == end && *p >= 'A' && *p <= 'Z') ||
	    (*p != '\0' && (strchr("_-+.,:;/|#&=", *p) != NULL || is_digit(p[1]))))
		return false; /* a name, such as 1007_s_at, 1D3 or 12F */
	strcpy(dress + length, p);
	return strcmp(dress, " ") != 0;
}

static kind
kind_of(const char *p, char dress[DRESS])
{
	static const char *const broken[] = {"#DIV/0!", "#NAME?", "#NUM!", "#REF!", "#VALUE!", NULL};
	const char *limit = p + 1;
	dress[0] = '\0';
	if (knng_text_is_missing(p, p + strlen(p)))
		return NONE;
	if (p[strspn(p, "-")] == '\0')
		return DASHES;
	if (knng_text_among(broken, p))
		return BROKEN;
	if (knng_text_is_unmeasured(p, p + strlen(p)))
		return UNMEASURED;
	if (*p != '<' && *p != '>') {
		kind k = kind_of_number(p);
		return k == WORDS && find_dress(p, dress) ? DRESSED : k;
	}
	limit = skip_blanks(limit + (*limit == '='));
	return kind_of_number(limit) < WHOLE ? WORDS : *p == '<' ? BELOW : ABOVE;
}

/* Of a column of texts what its fields are. */
typedef struct {
	int64_t count[KINDS], first; /* the first that is neither missing nor a number */
	int64_t sign;                /* the first that stands for a number, or has one between signs; -1: none */
	int64_t alike;               /* of these the ones whose signs are those of the first */
	bool differ;                 /* fields that are neither missing nor numbers do */
	bool measured;               /* a limit is no whole number, which ages, too, are */
	const char *below, *above;   /* the first limits on either side, without their signs; NULL: there is none */
	bool unit;                   /* the signs of the first are more than a letter, as that of a stage (2a) is */
} look;

static int64_t
sum_of(const look *l, kind first, kind last)
{
	int64_t sum = 0;
	for (int k = (int)first; k <= (int)last; k++)
		sum += l->count[k];
	return sum;
}

static look
look_at(const knng_meta *m)
{
	look l = {.first = -1, .sign = -1};
	char dress[DRESS], first[DRESS] = "";
	for (int64_t i = 0; i < m->count; i++) {
		const char *text = m->values[i];
		kind k = kind_of(text, dress);
		l.count[k]++;
		if (k == NONE || k >= WHOLE)
			continue;
		l.first = l.first < 0 ? i : l.first;
		l.differ |= strcasecmp(text, m->values[l.first]) != 0;
		l.measured |= (k == BELOW || k == ABOVE) && strcspn(text, ".,eE") < strlen(text);
		if (k == BELOW && l.below == NULL)
			l.below = text + strspn(text, "<= ");
		if (k == ABOVE && l.above == NULL)
			l.above = text + strspn(text, ">= ");
		if (k < DRESSED)
			continue;
		if (l.sign < 0) {
			l.sign = i;
			strcpy(first, dress);
			l.unit = strlen(dress) > 2 || dress[0] != ' ';
		}
		l.alike += k == DRESSED && strcmp(dress, first) == 0;
	}
	return l;
}

/* Do its digits alone tell the name from those of two samples, as s1 from s2 and s3? */
static bool
is_called_as_samples(const knng_dataset *ds, const char *key)
{
	int64_t count = 0;
	for (int64_t j = 0; ds->samples != NULL && j < ds->ncols && count < 2; j++) {
		const char *p = key, *q = ds->samples[j];
		bool digits = false;
		while (*p != '\0' && (*p == *q || (is_digit(*p) && is_digit(*q)))) {
			digits |= is_digit(*p);
			while (is_digit(*p) && is_digit(p[1]))
				p++;
			while (is_digit(*q) && is_digit(q[1]))
				q++;
			p++;
			q++;
		}
		count += digits && *p == '\0' && *q == '\0';
	}
	return count > 1;
}

/* Why a column is one of values: most of what is not missing are numbers, and most of these have decimals, since those
 * of genes and of places on chromosomes are whole; or all of it are numbers, dashes, or stand for a number: then there
 * is a limit, or most numbers have decimals, or it lies among the samples. Without a number groups, as of age, are
 * none: whole limits and words count among samples alone, and limits on both sides there if they have decimals and are
 * not the same. Or, there, nearly all are numbers with the same signs, perhaps also without, or all are dashes. A
 * column is among samples between columns of values, or where its name is plainly that of one (`sample`). */
typedef enum { NO_VALUES, NUMBERS, STANDINS, SIGNS, NOTHING } reason;

static reason
why_values(const knng_meta *m, const look *l, bool sample)
{
	static const char *const sides[] = {"direction", "orientation", "strand", NULL};
	int64_t texts = sum_of(l, DASHES, BROKEN), numbers = sum_of(l, WHOLE, DECIMALS), all = texts + numbers;
	int64_t limits = sum_of(l, BELOW, BROKEN), standins = limits + l->count[UNMEASURED];
	bool decimals = l->count[DECIMALS] > l->count[WHOLE], among = m->between || sample,
	     groups = l->below != NULL && l->above != NULL &&
		      (!among || !l->measured || strcmp(l->below, l->above) == 0);
	char word[20];
	knng_text_word(m->key, m->key + strlen(m->key), word, sizeof word);
	if (texts > 0 && numbers > texts && (decimals || sample))
		return NUMBERS;
	if (texts > 0 && sum_of(l, WORDS, DRESSED) == 0 && numbers > 0 &&
	    (decimals || sample || limits > 0 || (among && standins > 0)))
		return NUMBERS;
	if (standins > 0 && sum_of(l, WORDS, DRESSED) == 0 && numbers == 0 && !groups &&
	    (l->measured || l->count[BROKEN] > 0 || (among && !says(m->key, KNNG_NUMBERS))))
		return STANDINS;
	if (among && l->alike > 0 && l->differ && 10 * l->alike >= 9 * all)
		return SIGNS;
	if (among && l->alike > 0 && l->unit && numbers > 0 && 10 * (l->alike + numbers) >= 9 * all)
		return NUMBERS;
	return among && texts > 0 && texts == l->count[DASHES] && numbers == 0 && !knng_text_among(sides, word)
		       ? NOTHING
		       : NO_VALUES;
}

/* A column of values of a table that has texts since its first field is one, or was in quotes, or there are no numbers
 * in it. Other formats say themselves which columns have texts. */
static void
doubt_texts(const knng_content *content, const char *path, knng_err *doubt)
{
	const knng_dataset *ds = &content->data;
	char more[60] = "", columns[60] = "", why[240], q[KNNG_QUOTED + 8], name[KNNG_QUOTED + 8], spelt[KNNG_SPELT];
	const knng_meta *column = NULL;
	int64_t others = 0;
	look of = {0};
	reason found = NO_VALUES;
	for (int64_t l = 0; l < ds->nmeta && strcmp(content->format, "table") == 0; l++) {
		if (!ds->meta[l].by_row)
			continue;
		look here = look_at(&ds->meta[l]);
		reason reads = why_values(&ds->meta[l], &here, is_called_as_samples(ds, ds->meta[l].key));
		others += column != NULL && reads != NO_VALUES;
		if (column != NULL || reads == NO_VALUES)
			continue;
		column = &ds->meta[l];
		of = here;
		found = reads;
	}
	if (column == NULL)
		return;
	int64_t texts = sum_of(&of, DASHES, BROKEN), numbers = sum_of(&of, WHOLE, DECIMALS),
		row = found == STANDINS || found == SIGNS ? of.sign : of.first;
	if (texts > 1)
		snprintf(more, sizeof more, " (and %lld more row%s a text)", (long long)texts - 1,
			 texts > 2 ? "s have" : " has");
	if (others > 0)
		snprintf(columns, sizeof columns, " (and %lld more such)", (long long)others);
	const char *text = column->values[row], *key = column->key;
	knng_text_quote(text, text + strlen(text), q);
	knng_text_quote(key, key + strlen(key), name);
	if (found == SIGNS) {
		knng_fail(doubt, KNNG_OK, "knng:data:texts",
			  "%.200s: the column %s%s was read as texts, in ds.annotation, since row %lld has %s there, a "
			  "number and what is none, as %lld of the %lld fields that are not missing have it: if they "
			  "are values, put the numbers alone into the file, and the column comes to ds.X",
			  path, name, columns, (long long)row + 1, q, (long long)of.alike,
			  (long long)(numbers + texts));
		return;
	}
	if (found == NUMBERS)
		snprintf(why, sizeof why,
			 "row %lld has %s%s there, though %lld of the %lld fields that are not missing %s",
			 (long long)row + 1, q, more, (long long)numbers, (long long)(numbers + texts),
			 numbers > 1 ? "are numbers" : "is a number");
	else
		snprintf(why, sizeof why, "no number is in it, but %s: row %lld has %s%s",
			 found == NOTHING ? "dashes alone" : "what stands for one", (long long)row + 1, q, more);
	knng_fail(doubt, KNNG_OK, "knng:data:texts",
		  "%.200s: the column %s%s was read as texts, in ds.annotation, since %s: if that stands for a missing "
		  "value, give knng.read 'Missing', %s%s; else put a number there in the file%s; then the column comes "
		  "to ds.X",
		  path, name, columns, why, knng_text_spelt(text, text + strlen(text), spelt),
		  of.differ ? " (and so the others)" : "",
		  of.count[BELOW] > 0 ? ", such as the limit or half of it" : "");
}

/* ---- names that samples share ---- */

static knng_status
doubt_sample_names(const knng_dataset *ds, const char *path, knng_err *doubt, knng_err *err)
{
	knng_status status = KNNG_OK;
	char q[KNNG_QUOTED + 8];
	int64_t again = 0, first = 0, before = 0;
	knng_names known = {0};
	for (int64_t j = 0; ds->samples != NULL && j < ds->ncols; j++) {
		const char *name = ds->samples[j];
		int64_t length = (int64_t)strlen(name), count = known.count;
		if (length == 0)
			continue;
		if (knng_names_add(&known, name, length) < 0) {
			status = knng_fail_memory(err, "the names of the samples", 48.0 * (double)ds->ncols);
			break;
		}
		if (known.count == count && again++ == 0)
			first = j;
	}
	knng_names_free(&known);
	if (status != KNNG_OK || again == 0)
		return status;
	const char *name = ds->samples[first];
	while (strcmp(ds->samples[before], name) != 0)
		before++;
	knng_fail(doubt, KNNG_OK, "knng:data:sampleNames",
		  "%.200s: %lld of the %lld samples %s the name of one before them, the first is %s (columns %lld and "
		  "%lld of ds.X): what goes by names, such as 'Phenotypes', cannot tell them apart; give them other "
		  "names, in the file or in ds.samples, or leave them out",
		  path, (long long)again, (long long)ds->ncols, again == 1 ? "has" : "have",
		  knng_text_quote(name, name + strlen(name), q), (long long)before + 1, (long long)first + 1);
	return KNNG_OK;
}

/* ---- numbers that stand for missing values ---- */

static void
doubt_filled(const knng_dataset *ds, const char *path, knng_err *doubt)
{
	char text[500], name[300];
	knng_filled filled;
	const knng_matrix X = {.n = ds->nrows,
			       .d = ds->ncols,
			       .type = KNNG_F64,
			       .data = ds->X,
			       .row_stride = 1,
			       .col_stride = ds->nrows};
	knng_filled_look(&X, &filled);
	if (filled.column == 0)
		return;
	snprintf(name, sizeof name, "the matrix in %.250s", path);
	knng_filled_say(&filled, name, text, sizeof text);
	knng_fail(doubt, KNNG_OK, "knng:data:fill",
		  "%s: if that stands for a missing value, give knng.read 'Missing', %s%s", text, filled.code,
		  filled.other[0] != 0 ? ", and the others, too" : "");
}

knng_status
knng_doubt(knng_content *content, const char *path, knng_err *err)
{
	const knng_dataset *ds = &content->data;
	doubt_names(ds, path, &content->doubts[0]);
	doubt_sides(ds, path, &content->doubts[1]);
	doubt_counts(ds, path, &content->doubts[2]);
	doubt_samples(ds, path, &content->doubts[3]);
	if (content->doubts[3].id[0] == '\0')
		doubt_columns(content, path, &content->doubts[3]);
	doubt_texts(content, path, &content->doubts[4]);
	doubt_filled(ds, path, &content->doubts[6]);
	return doubt_sample_names(ds, path, &content->doubts[5], err);
}
