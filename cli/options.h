/* options.h  What the command line says. */
#ifndef KNNG_OPTIONS_H
#define KNNG_OPTIONS_H

#include "io/knng_io.h"
#include "io/matrix_file.h"
#include "search/knng_search.h"

enum { KNNG_WORDS = 32 };

/* Not to be moved. */
typedef struct {
	const char *in;            /* the data */
	const char *out;           /* the file of the graph, or NULL: standard output */
	const char *format;        /* of it, or NULL: it is opt.output */
	knng_matrix_choice choice; /* of the file of the data */
	knng_read_options of_text; /* of the same */
	const char *missing[KNNG_WORDS + 1];
	knng_options opt;
	bool checksum, quiet;
	bool planned;    /* nothing is searched */
	double deadline; /* of knng-mpi: seconds after which a rank that says nothing is given up */
	int ranks, gpus; /* of a plan of knng-mpi: that it is for, and GPUs of each; 0: as they are */
	double network;  /* of the same: bytes that a machine receives in a second; 0: nothing was said */
} knng_command;

/* Fills the command; the status with which the program ends now (of help, version, and what cannot be, which standard
 * error says), or KNNG_COMMAND_RUN. ranks: for knng-mpi; silent: one of the ranks that leave it to another to say what
 * is wrong. */
enum { KNNG_COMMAND_RUN = -1 };
int knng_parse_command(int argc, char **argv, bool ranks, bool silent, knng_command *command);

/* Says on standard error that fewer threads are taken than were asked for, where that is so. */
void knng_tell_threads(const knng_options *opt);

/* 'WHO: ' and the text on standard error, with the options of Octave's functions under their names here; an error. */
void knng_print(const char *who, const char *text);
void knng_print_error(const knng_err *err);

#endif
