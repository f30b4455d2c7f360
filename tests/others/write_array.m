function write_array (folder, name, what, A)
%WRITE_ARRAY  A matrix to the file NAME.WHAT, for arrays.py: two doubles say how many rows and columns, then its numbers by columns.

  f = fopen (fullfile (folder, [name '.' what]), 'w');
  fwrite (f, size (A), 'double');
  fwrite (f, A, 'double');
  fclose (f);
end
