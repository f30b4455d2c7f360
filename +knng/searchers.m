function s = searchers ()
%KNNG.SEARCHERS  The searchers that there are, and the memory that they hold.
%   s = knng.searchers () returns a struct array, m-by-1, an element for each
%   searcher that knng.createns has made and that is not released yet, in the
%   order in which they were made.
%
%     s(i).rows, s(i).columns  the size of the matrix
%     s(i).class               text: its class
%     s(i).Distance            text: the metric
%     s(i).bytes               memory that the searcher holds, on the host
%     s(i).gpu, s(i).gpubytes  number of the GPU that has its rows, 0: the CPU;
%                              and the bytes that it holds there, 0 where they
%                              are lost, as in a forked child, or where a search
%                              has found that another library reset the GPU
%     s(i).id                  what it is known by, as in its handle
%
%   numel (s) is their number, and sum ([s.bytes]) the memory of all, beside
%   sum ([s.gpubytes]) of GPUs. knng.release frees them.
%
%   Cost: some microseconds a searcher; memory: 1 KB each.
%
%   Errors: none of its own.
%
%   Example:
%     ns = knng.createns (rand (1000, 3));
%     s = knng.searchers ();
%     numel (s)
%     sum ([s.bytes])
%
%   See also knng.createns, knng.release.

  knng.internal.built ();
  s = knng.internal.search ('searchers');
end

%!test
%! before = knng.searchers ();
%! a = knng.createns (magic (4));
%! b = knng.createns (single (magic (6)), 'Distance', 'cosine');
%! s = knng.searchers ();
%! assert (numel (s), numel (before) + 2);
%! assert ([s(end-1:end).rows], [4 6]);
%! assert ({s(end-1:end).class}, {'double', 'single'});
%! assert ({s(end-1:end).Distance}, {'euclidean', 'cosine'});
%! assert ([s(end-1:end).bytes], [a.bytes, b.bytes]);
%! assert ([s(end-1:end).gpu, s(end-1:end).gpubytes], zeros (1, 4));    # so few rows do not gain from a GPU
%! clear a
%! s = knng.searchers ();
%! assert (s(end).id, b.id);
%! assert (numel (s), numel (before) + 1);
