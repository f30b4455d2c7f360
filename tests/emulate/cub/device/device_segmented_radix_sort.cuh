#include "device_radix_sort.cuh"
