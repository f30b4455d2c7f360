function [list, why] = devices ()
%KNNG.DEVICES  The GPUs that knng can search on, or why there are none.
%   knng.devices () prints them, one a line.
%   list = knng.devices () returns a g-by-1 struct array, one element a GPU.
%   [list, why] = knng.devices () also says why the list is empty: knng was
%   built without CUDA, a library or the driver is missing or too old, or the
%   machine has no GPU.
%
%     list.number      what to give to 'Device', counted from 1
%     list.name        as the driver names it
%     list.capability  its compute capability, a text such as '9.0'
%     list.memory      bytes of memory that it has
%     list.free        bytes that are free now; what knng holds for the session
%                      counts as free
%     list.problem     empty, or why knng does not use it: it failed earlier in
%                      this session, or this build has no code for it
%     list.note        empty, or what knng does otherwise on it: a search skips
%                      the precision levels f16 and f32 (info.certified of
%                      knngraph) on a GPU whose half-precision products err by
%                      more than the proven bound. The result is the same
%
%   Errors: none.
%
%   Cost: the first call starts the GPUs and checks their products, up to some
%   seconds.
%
%   Example:
%     [list, why] = knng.devices ();
%     if (isempty (list)), disp (why), end
%
%   See also knngraph.

  knng.internal.built ();
  [found, reason] = knng.internal.search ('devices');
  if (nargout > 0)
    list = found;
    why = reason;
    return
  end
  if (isempty (found))
    fprintf ('no GPU: %s\n', reason);
  end
  for i = 1:numel (found)
    g = found(i);
    fprintf ('%d: %s, compute capability %s, %.1f of %.1f GB free', g.number, g.name, g.capability, g.free / 1e9, g.memory / 1e9);
    if (~isempty (g.problem))
      fprintf (', not used: %s', g.problem);
    end
    if (~isempty (g.note))
      fprintf ('; %s', g.note);
    end
    fprintf ('\n');
  end
end

%!test
%! [list, why] = knng.devices ();
%! assert (isstruct (list) && ischar (why));
%! assert (isempty (list), ~isempty (why));
%! assert (isfield (list, 'problem') && isfield (list, 'note'));
%!test
%! [idx, dist, info] = knngraph (magic (4), 1, 'euclidean', 'Device', 'cpu');
%! assert (strncmp (info.device, 'cpu', 3) && ~isempty (info.note));
