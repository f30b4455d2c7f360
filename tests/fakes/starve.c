/* starve.c  Preloaded, it makes each MPI_Test of a rank's first thread take 50 ms: its second thread then finds the
 * lock taken nearly each time, as on a machine with much else to do. KNNG_STARVE is the rank; without it nothing is
 * changed. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As in mpi.h, by pointers to types of its own. */
int PMPI_Test(void *request, int *through, void *status);
int MPI_Test(void *request, int *through, void *status);

int
MPI_Test(void *request, int *through, void *status)
{
	const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *starved = getenv("KNNG_STARVE");
	if (rank != NULL && starved != NULL && strcmp(rank, starved) == 0 && syscall(SYS_gettid) == getpid())
		usleep(50000);
	return PMPI_Test(request, through, status);
}
