/* allocate.cc  a = knng.internal.allocate (m, n, class): a matrix whose memory was claimed but not touched, to be
 * written by a gateway; [] if there is no room. For Octave alone: what a gateway makes with mxCreate… is copied when it
 * returns, by one thread, which costs more than the writing of a large result by all. C++, since Octave's own interface
 * is. */
#include <octave/oct.h>
#include <octave/version.h>

#include <cstdint>
#include <memory>
#include <new>
#if defined __linux__
#include <sys/mman.h>
#endif

#if OCTAVE_MAJOR_VERSION >= 7
/* From where such an array returns its memory to. */
template <class T, class Allocator>
static T *
claim(const Array<T, Allocator> &, size_t n)
{
	Allocator allocator;
	return std::allocator_traits<Allocator>::allocate(allocator, n);
}
#endif

/* Asks for large pages, as the gateways do for their own memory (core/base/sys.c). */
static void
prefer_large_pages(const void *block, size_t bytes)
{
#if defined __linux__ && defined MADV_HUGEPAGE
	const uintptr_t large = 1 << 21, at = reinterpret_cast<uintptr_t>(block);
	uintptr_t first = (at + large - 1) / large * large, end = (at + bytes) / large * large;
	if (bytes >= 4 * large)
		madvise(reinterpret_cast<void *>(first), end - first, MADV_HUGEPAGE);
#else
	(void)block, (void)bytes;
#endif
}

template <class Matrix, class T>
static octave_value
make(octave_idx_type m, octave_idx_type n)
{
#if OCTAVE_MAJOR_VERSION >= 7
	size_t count = static_cast<size_t>(m) * static_cast<size_t>(n);
	T *data = claim(Array<T>(), count);
	prefer_large_pages(data, count * sizeof *data);
	return Matrix(Array<T>(data, dim_vector(m, n)));
#else
	Matrix a(dim_vector(m, n));
	prefer_large_pages(a.data(), static_cast<size_t>(a.numel()) * sizeof(T));
	return a;
#endif
}

DEFUN_DLD(allocate, args, , "Memory for a result; for gateways alone.")
{
	if (args.length() != 3)
		error_with_id("knng:args:count", "knng.internal.allocate takes m, n and a class");
	octave_idx_type m = args(0).idx_type_value(true), n = args(1).idx_type_value(true);
	if (m < 0 || n < 0 || (n > 0 && m > PTRDIFF_MAX / 16 / n))
		error_with_id("knng:args:range", "knng.internal.allocate: no matrix is that large");
	try {
		return args(2).string_value() == "single" ? make<FloatNDArray, float>(m, n)
							  : make<NDArray, double>(m, n);
	} catch (const std::bad_alloc &) {
		return octave_value(Matrix());
	}
}
