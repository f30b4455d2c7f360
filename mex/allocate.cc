/* allocate.cc  a = knng.internal.allocate (m, n, class): a matrix whose memory was claimed but not touched, to be
 * written by a gateway; [] if there is no room. a = knng.internal.allocate (m, n, entries) is a sparse one, whose columns
 * are empty until the gateway has filled it. For Octave alone: what a gateway makes with mxCreate… is copied when it
 * returns, by one thread, which costs more than the writing of a large result by all. C++, since Octave's own interface
 * is. */
#include <octave/oct.h>
#include <octave/version.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
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

#if OCTAVE_MAJOR_VERSION >= 7
/* Memory of an allocator's, until it is given away. */
template <class Allocator>
class room
{
public:
	using T = typename Allocator::value_type;
	explicit room(size_t n) : count(n), data(std::allocator_traits<Allocator>::allocate(allocator, n))
	{
		prefer_large_pages(data, n * sizeof *data);
	}
	room(const room &) = delete;
	room &operator=(const room &) = delete;
	~room()
	{
		if (data != nullptr)
			std::allocator_traits<Allocator>::deallocate(allocator, data, count);
	}
	T *
	give()
	{
		return std::exchange(data, nullptr);
	}

private:
	Allocator allocator;
	size_t count;
	T *data;
};

template <class Allocator>
static octave_value
make_sparse(const Sparse<double, Allocator> &, octave_idx_type m, octave_idx_type n, octave_idx_type entries)
{
	using indices = typename std::allocator_traits<Allocator>::template rebind_alloc<octave_idx_type>;
	room<indices> start(static_cast<size_t>(n) + 1), row(static_cast<size_t>(entries));
	room<Allocator> value(static_cast<size_t>(entries));
	octave_idx_type *starts = start.give();
	std::fill_n(starts, n + 1, 0);
	return SparseMatrix(Sparse<double, Allocator>(dim_vector(m, n), entries, value.give(), row.give(), starts));
}
#endif

static octave_value
make_sparse(octave_idx_type m, octave_idx_type n, octave_idx_type entries)
{
#if OCTAVE_MAJOR_VERSION >= 7
	return make_sparse(SparseMatrix(), m, n, entries);
#else
	return SparseMatrix(m, n, entries);
#endif
}

DEFUN_DLD(allocate, args, , "Memory for a result; for gateways alone.")
{
	if (args.length() != 3)
		error_with_id("knng:args:count", "knng.internal.allocate takes m, n and a class or entries");
	octave_idx_type m = args(0).idx_type_value(true), n = args(1).idx_type_value(true);
	bool is_sparse = !args(2).is_string();
	octave_idx_type most = PTRDIFF_MAX / 16, entries = is_sparse ? args(2).idx_type_value(true) : 1;
	if (m < 0 || n < 0 || n >= most || entries < 1 || entries > most || (!is_sparse && n > 0 && m > most / n))
		error_with_id("knng:args:range", "knng.internal.allocate: no matrix is that large");
	try {
		if (is_sparse)
			return make_sparse(m, n, entries);
		return args(2).string_value() == "single" ? make<FloatNDArray, float>(m, n)
							  : make<NDArray, double>(m, n);
	} catch (const std::bad_alloc &) {
		return octave_value(Matrix());
	}
}
