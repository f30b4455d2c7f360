/* hog.cu  Holds all but argv[1] bytes of the first GPU until its standard input ends; for tests. Prints one line when
 * it does. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

int
main(int argc, char **argv)
{
	size_t left, total, leave = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	void *p = NULL;
	cudaFree(NULL);
	if (cudaMemGetInfo(&left, &total) != cudaSuccess || left <= leave ||
	    cudaMalloc(&p, left - leave) != cudaSuccess)
		return 1;
	printf("held\n");
	fflush(stdout);
	while (getchar() != EOF) {
	}
	return 0;
}
