/* checkpoint.h  What a search of blocks has found, kept in a folder, so that the same search can go on from there.
 *
 * Each block has a file, with its lists of neighbours and, for every block that it has met, the hash of the rows of
 * that block as they were then. Two blocks have met where both files say so: one that is older only makes them meet
 * again, which changes nothing, since lists keep a neighbour once. So the files need not be of the same moment. Each
 * has room for two states, and the older one is written over: a state that is damaged, or was never finished, is not
 * the last. Nothing is believed that does not carry the hash of all that it says.
 *
 * A row's radius in a meeting comes from its own list, and lists and meetings are saved together: that is why any mix
 * of states is sound. */
#ifndef KNNG_CHECKPOINT_H
#define KNNG_CHECKPOINT_H

#include "blocks/rows.h"
#include "blocks/shelf.h"

typedef struct knng_checkpoint knng_checkpoint;

/* The rows of a block that this search has in this folder; 0: it has none there. Errors: knng:checkpoint:folder, also
 * where the folder has other files and no checkpoint; knng:checkpoint:other. */
knng_status knng_checkpoint_look(const char *path, const knng_question *q, int64_t *size, knng_err *err);

/* Whether this search, whose answer has k columns, could open its checkpoint now, if it has one: to be asked before
 * space is claimed for anything. Errors: those, and knng:checkpoint:busy, another process uses it. */
knng_status knng_checkpoint_ask(const knng_options *opt, const knng_rows *rows, int64_t k, knng_err *err);

/* Whether a new checkpoint of so many bytes has room, where files of a search that saved nothing give way. Errors:
 * knng:checkpoint:folder. */
knng_status knng_checkpoint_room(const char *path, double bytes, knng_err *err);

/* Opens the folder of a search for the lists, which are empty, and claims its space: two times 12 bytes a place, and a
 * byte a row. Fills lists with what is there, if anything. Lists may be those of some blocks, where several processes
 * have the others: then one opens the folder first, and the others join. The shelf has to live as long. One in which
 * all have met need not be written to. Errors: knng:checkpoint:folder, also where the disk is too full;
 * knng:checkpoint:busy, another process uses it; knng:checkpoint:other, it is that of another search;
 * knng:memory:host; those of knng_shelf_show. Memory: knng_checkpoint_bytes. */
knng_status knng_checkpoint_open(knng_checkpoint **c, const char *path, const knng_question *q, int64_t size,
				 knng_shelf *lists, bool joins, knng_err *err);
double knng_checkpoint_bytes(int64_t n, int64_t size);
double knng_checkpoint_disk(int64_t n, int64_t k, int64_t size); /* what its files take */
void knng_checkpoint_close(knng_checkpoint *c);                  /* NULL is fine */

/* Whether anything was there. Then every block has to be shown before the first meeting. */
bool knng_checkpoint_resumes(const knng_checkpoint *c);

/* Shows the rows of a block, when they are first read. Errors: knng:checkpoint:data, they are not those that were there
 * when the checkpoint was made. */
knng_status knng_checkpoint_show(knng_checkpoint *c, int64_t block, const void *rows, knng_err *err);
bool knng_checkpoint_knows(const knng_checkpoint *c, int64_t block); /* it was shown */
/* The hash of its rows, and that of a block that another process has been shown. Errors: the same. */
uint64_t knng_checkpoint_hash(const knng_checkpoint *c, int64_t block);
knng_status knng_checkpoint_tell(knng_checkpoint *c, int64_t block, uint64_t hash, knng_err *err);

/* Whether two blocks have met; that they have now. */
bool knng_checkpoint_has(const knng_checkpoint *c, int64_t a, int64_t b);
void knng_checkpoint_note(knng_checkpoint *c, int64_t a, int64_t b);
/* The same of one side: that the lists of a have what its rows found in b. */
bool knng_checkpoint_says(const knng_checkpoint *c, int64_t a, int64_t b);
void knng_checkpoint_note_side(knng_checkpoint *c, int64_t a, int64_t b);

/* What the search of a block in itself said of its rows. */
typedef struct {
	int64_t nonfinite, constant, points; /* as in knng_info */
} knng_block_rows;
knng_block_rows *knng_checkpoint_rows(knng_checkpoint *c, int64_t block);

/* Saves what has changed since the last time. `due`: only where it is time, `every` seconds after that, or, where that
 * is 0, after 600, or 50 times what it took, whatever is more. What could not be saved is tried again at the next time.
 * Errors: knng:checkpoint:write; of blocks that fail the state before stays. */
knng_status knng_checkpoint_save(knng_checkpoint *c, bool due, double every, knng_err *err);

#endif
