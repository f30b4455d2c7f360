/* knng_io.h  Data sets and graphs, from files and to files. */
#ifndef KNNG_IO_H
#define KNNG_IO_H

#include "base/knng_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A line of metadata. */
typedef struct {
	const char *key;
	char **values;
	int64_t count;
	bool by_row;  /* one value a row; otherwise one a column, or as many as the file has */
	bool between; /* in the file they are a column between columns of X */
	int64_t line; /* where it stands in the file */
} knng_meta;

/* X is nrows x ncols, column-major (ready for Octave), missing values NaN. */
typedef struct {
	int64_t nrows, ncols;
	double *X;
	char **names;   /* nrows row names, or NULL if the file has none */
	char **samples; /* ncols column names, or NULL */
	char **classes; /* ncols class labels as written, or NULL */
	char **symbols; /* nrows symbols of genes, "" for none, which are in one of meta, too; or NULL */
	bool genes;     /* the file says that its rows are genes or probes */
	knng_meta *meta;
	int64_t nmeta;
	char *text, **strings, **lists; /* own what the lists point into */
} knng_dataset;

/* What is known of each node beside its name, group and place. */
typedef struct knng_attribute {
	const char *name; /* UTF-8 */
	const char *key;  /* the same as a word of ASCII letters and digits, which no other attribute has in any case */
	const double *number; /* n, NaN: missing; NULL: */
	char **text;          /* n, UTF-8, "": missing */
} knng_attribute;

/* A weighted graph of n nodes as a sparse matrix A: an edge i -> j of weight w is the entry A(i, j) = w. Column j has
 * the rows row[start[j]] … row[start[j + 1] - 1], ascending, nodes counted from 0. DBL_MIN stands for a weight of 0, as
 * knngraph gives it. */
typedef struct {
	int64_t n;
	bool directed;     /* of a file that was read: it says so, or cannot say otherwise */
	size_t *start;     /* n + 1 */
	size_t *row;       /* start[n] */
	double *weight;    /* start[n] */
	char **names;      /* n, or NULL */
	int64_t ngroups;   /* labels of groups */
	char **groups;     /* the labels */
	int64_t *group;    /* n: the group of each node, from 1; 0: none; or NULL */
	double *positions; /* x of every node, then y of every node, NaN: it has none; or NULL */
	int64_t nattributes;
	knng_attribute *attributes; /* to write; knng_read leaves them out */
	char *text; /* owns the bytes that the names and labels point into; NULL when they are the caller's */
} knng_graph;

/* What a file can hold; sums of them say what is wanted. */
typedef enum { KNNG_DATASET = 1, KNNG_GRAPH = 2 } knng_kind;

enum { KNNG_DOUBTS = 8 };

/* What a file holds: the member of its kind. */
typedef struct {
	knng_kind kind;
	const char *format; /* "nbi", … */
	char point;         /* the decimal sign of its numbers; '\0': the point */
	knng_dataset data;
	knng_graph graph;
	knng_err warning;             /* knng:data:metadata, the first of them */
	int64_t warnings;             /* how many */
	knng_err doubts[KNNG_DOUBTS]; /* what else looks wrong in a data set (doubts.h); id "": nothing */
} knng_content;

/* What a text does not show of how it is to be read; all 0, it shows it. */
typedef struct {
	char delimiter; /* of a table, what separates fields; ' ' is blanks; 0: found out */
	enum { KNNG_DECIMAL_AUTO = 0, KNNG_DECIMAL_POINT, KNNG_DECIMAL_COMMA } decimal;
	int64_t skip;         /* so many lines at the beginning are left out */
	const char *names;    /* of a table, the name of the column that has those of the rows; NULL: */
	int64_t names_column; /* its number, from 1; -1: there is none; 0: found out */
	const char *platform; /* of a family of GEO, the platform that is read, by its name; NULL: the only one */
	const char **missing; /* further words for a missing value, in any case; one that is a number is any field that
				 is this number; NULL is the end; NULL: none */
	const double *codes;  /* numbers likewise, whatever the decimal sign */
	int64_t ncodes;
	const struct knng_matrix_choice
		*choice; /* what is given of files of numbers, which no text has; NULL: nothing */
} knng_read_options;

/* What separates fields by a word for it, such as ";", "semicolon" or "tab"; '\0': it is none. */
char knng_read_delimiter(const char *word);
/* knng:args:option, if an option is given and the file is one of numbers, which no text describes. format: its name,
 * for the message, or NULL. */
knng_status knng_read_no_text(const knng_read_options *opt, const char *path, const char *format, knng_err *err);
/* Reads a text file, plain or gzipped, whose format is told by its content; docs/api.md has the formats. Of a folder
 * the matrix of cells in it is read. `kinds` says what is wanted; `task`, which may be NULL, has Ctrl-C. A leading ~/
 * of a path is the folder of the user, here and below. Errors: knng:io:open, knng:io:format (with the line; also a file
 * of another kind), knng:io:truncated, knng:memory:host, knng:interrupted. */
knng_status knng_read(const char *path, int kinds, const knng_task *task, knng_content *content, knng_err *err);
/* The same with options; also knng:args:option, where the file does not fit one. */
knng_status knng_read_with(const char *path, int kinds, const knng_read_options *opt, const knng_task *task,
			   knng_content *content, knng_err *err);
void knng_content_free(knng_content *content); /* always safe on a zeroed or freed one */

typedef struct {
	const char *format; /* "knn", "gml", … (knng_write_format); NULL: what the path ends in */
	enum {
		KNNG_DIRECTED_AUTO = 0,
		KNNG_DIRECTED,
		KNNG_UNDIRECTED
	} directed;     /* auto: undirected if A is symmetric */
	knng_task task; /* Ctrl-C */
} knng_write_options;

/* Writes a graph to a file, gzipped if the path ends in ".gz", or to standard output if it is NULL. The file appears
 * when it is whole and on the disk, with the rights of the one that it replaces, which has to be writable. `left_out`
 * (NULL is fine) gets the names of what the graph has and the format cannot hold, "" if nothing. Errors:
 * knng:args:format, knng:args:directed, knng:args:names, knng:args:idx, knng:io:open, knng:io:write, knng:memory:host,
 * knng:interrupted. O(n + edges); memory 16 bytes an edge. */
knng_status knng_write(const char *path, const knng_graph *g, const knng_write_options *opt, char left_out[64],
		       knng_err *err);
/* What of it can be known before there is a graph, so that a search is not lost: that the path, or standard output, can
 * be written (what is there stays as it is; a pipe or a device is not opened), and that the format has room for names
 * of n nodes, or NULL. Errors: those of knng_write. O(n). */
knng_status knng_write_can(const char *path, knng_err *err);
knng_status knng_write_can_names(const char *format, char *const *names, int64_t n, const knng_task *task,
				 knng_err *err);
/* As knng_write, a data set: formats "nbi", "csv", "tsv", "gct"; missing names of rows and columns are made up. Of the
 * options, `directed` has no meaning. O(nd). */
knng_status knng_write_data(const char *path, const knng_dataset *ds, const knng_write_options *opt, char left_out[64],
			    knng_err *err);
/* The names of the formats of graphs in order, NULL past the end. */
const char *knng_write_format(int i);

#ifdef __cplusplus
}
#endif
#endif
