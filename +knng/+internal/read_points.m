function X = read_points (file, varargin)
%READ_POINTS  The rows of a data set in a file, of any format that knng.read knows, with its options.
%   Errors: those of knng.read; knng:io:format where the file holds a graph.

  ds = knng.read (file, varargin{:});
  if (~isfield (ds, 'X'))
    error ('knng:io:format', '%s holds a graph: give a file of a data set', knng.internal.shown (file));
  end
  X = ds.X;
end

%!error id=knng:io:open knng.internal.read_points ('/nonexistent/x.npy')
%!test
%! name = [tempname(), '.mtx'];
%! unwind_protect
%!   knng.write (name, sparse ([0 1; 0 0]));
%!   err = lasterror ('reset'); %#ok<NASGU>
%!   try, knng.internal.read_points (name); catch err, end
%!   assert (err.identifier, 'knng:io:format');
%!   assert (~isempty (strfind (err.message, 'holds a graph: give a file')));
%! unwind_protect_cleanup
%!   delete (name);
%! end_unwind_protect
