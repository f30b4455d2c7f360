function names = demo (name, folder)
%KNNG.DEMO  Run an example that comes with knng.
%   knng.demo () lists the examples, one a line.
%   knng.demo (name) runs one: it says what the example does, shows the lines to
%   copy, prints its result, and leaves its pictures and pages in a new folder
%   below tempdir, which it names.
%   knng.demo (name, folder) leaves the pictures in that folder, and makes it if
%   need be; the folder above it has to exist.
%   names = knng.demo (...) returns the names of the examples, a 1-by-e cell;
%   names = knng.demo () prints nothing.
%
%   The examples are the scripts in the folder 'examples' beside knngraph.m:
%
%     sample      a published graph, made again
%     microarray  the neighbours of a gene, and a map of all genes
%     leukaemia   from a file to answers: clusters of genes, a map of the
%                 patients, cross-validation, the genes of a diagnosis
%     geo         from a series of GEO with gaps to symbols, clusters, genes
%                 that differ, what they are known for, and a page
%     cluster     a MATLAB script of clusterdata, clustergram and kmeans, and
%                 the same with knng, line by line
%     explore     a page to explore genes in, for a browser
%     ring, swissroll, images  groups and maps of points of known shape
%
%   No screen is needed: pictures are drawn by gnuplot and Ghostscript where
%   they are installed.
%
%   Cost: that of the example; the longest, 'microarray', takes about 10
%   seconds.
%
%   Errors: knng:args:name (no such example; the message has the most similar
%   one and all there are), :option (folder is no text, or has one of " $ ` \ '
%   in its name, with which print would run commands); knng:io:open (the
%   examples are not there); knng:io:write (the folder cannot be made);
%   knng:toolbox:noGraphics (no gnuplot to draw with).
%
%   Example:
%     knng.demo ()
%     knng.demo ('sample')
%
%   See also knngraph, knng.read, knng.neighbors.

  here = fullfile (fileparts (which ('knngraph')), 'examples');
  files = dir (fullfile (here, '*.m'));
  if (isempty (files))
    error ('knng:io:open', 'there are no examples in %s: they come with the sources of knng', here);
  end
  known = cellfun (@(f) f(1:end-2), {files.name}, 'UniformOutput', false);
  if (nargout > 0)
    names = known;
  end
  if (nargin == 0 && nargout > 0)
    return
  elseif (nargin == 0)
    list_examples (here, known);
    return
  end
  check_name (name, known);
  if (nargin < 2)
    folder = tempname ();
  else
    check_folder (folder);
  end
  folder = make_folder (folder);

  file = fullfile (here, [name '.m']);
  fprintf ('%s\n', about (file));
  run_alone (file, folder);
  pictures = [dir(fullfile (folder, '*.png')); dir(fullfile (folder, '*.csv')); dir(fullfile (folder, '*.html'))];
  if (~isempty (pictures))
    fprintf ('\nIn %s: %s\n', folder, strjoin ({pictures.name}, ', '));
  elseif (nargin < 2)
    rmdir (folder);
  end
  fprintf ('The example is %s\n', file);
end

function list_examples (here, known)
% The names and the first lines of what is said about them.
  for i = 1:numel (known)
    fprintf ('%-12s %s\n', known{i}, strtok (about (fullfile (here, [known{i} '.m'])), sprintf ('\n')));
  end
  fprintf ('Run one by its name, as in knng.demo (''%s'').\n', known{1});
end

function check_name (name, known)
  if (~ischar (name) || size (name, 1) ~= 1 || ndims (name) > 2)
    error ('knng:args:name', 'the name of an example is a %d-by-%d %s, expected one of %s', size (name, 1), ...
           size (name, 2), class (name), strjoin (known, ', '));
  elseif (~any (strcmp (known, name)))
    near = knng.internal.similar_names (known(:), name);
    error ('knng:args:name', 'there is no example ''%s''%s. The examples are %s', knng.internal.shown (name), ...
           knng.internal.meant (near), strjoin (known, ', '));
  end
end

function check_folder (folder)
  if (~ischar (folder) || size (folder, 1) ~= 1 || ndims (folder) > 2 || isempty (folder))
    error ('knng:args:option', 'the folder is a %d-by-%d %s, expected its name, a text', size (folder, 1), ...
           size (folder, 2), class (folder));
  end
end

function folder = make_folder (folder)
% Makes the folder unless it is there, and returns its whole name, since run goes to the folder of the script.
  if (any (folder < 32) || ~isempty (regexp (folder, '["$`\\'']', 'once')))
    error ('knng:args:option', ['the folder %s has a name with one of " $ ` \\ '' or an end of line, with which print would run ' ...
           'commands: choose another'], knng.internal.shown (folder));
  end
  try
    native2unicode (uint8 (folder), 'UTF-8');
  catch
    error ('knng:args:option', 'the folder %s has a name that is no UTF-8, as pictures need it: choose another', ...
           knng.internal.shown (folder));
  end
  above = fileparts (folder);
  [made, why] = deal (false, 'the folder above it does not exist');
  if (isempty (above) || exist (above, 'dir'))
    [made, why] = mkdir (folder);
  end
  if (~made)
    error ('knng:io:write', 'cannot make the folder %s for the pictures: %s', knng.internal.shown (folder), why);
  end
  back = pwd ();
  try
    cd (folder);
  catch err
    error ('knng:io:write', 'cannot enter the folder %s for the pictures: %s', knng.internal.shown (folder), err.message);
  end
  folder = pwd ();
  cd (back);
end

function run_alone (file__, folder)   %#ok<INUSD>
% The script sees the folder for its pictures, and what it does to the path is undone.
  former__ = path ();
  restore__ = onCleanup (@() path (former__));
  run (file__);
end

function text = about (file)
% The comment at the head of a script, without its name and the percent signs.
  lines = strsplit (fileread (file), sprintf ('\n'), 'CollapseDelimiters', false);
  lines = lines(1:find (~strncmp (lines, '%', 1), 1) - 1);
  lines = regexprep (lines, '^%(   |\w+  )?', '');
  text = sprintf ('%s\n', lines{:});
end

%!test
%! names = knng.demo ();
%! assert (all (ismember ({'cluster', 'explore', 'geo', 'images', 'leukaemia', 'microarray', 'sample', 'ring', 'swissroll'}, names)));
%! text = evalc ('knng.demo ()');
%! for i = 1:numel (names)
%!   assert (~isempty (regexp (text, ['(^|\n)' names{i} ' +[A-Z].*\.\n'], 'dotexceptnewline')), names{i});
%! end
%!test
%! text = evalc ('knng.demo (''sample'')');
%! assert (~isempty (strfind (text, 'ds = knng.read (')) && ~isempty (strfind (text, 'ok: the 30 published')));
%!testif ; any (strcmp (available_graphics_toolkits (), 'gnuplot')) && ~isempty (file_in_path (getenv ('PATH'), 'gs'))
%! folder = tempname ();
%! toolkit = graphics_toolkit ();
%! former = pwd ();
%! searched = path ();
%! unwind_protect
%!   text = evalc ('knng.demo (''ring'', folder)');
%!   assert (~isempty (strfind (text, '600 points, 2 groups, of 300 and 300 points')), text);
%!   assert (~isempty (strfind (text, [folder ': ring.png'])), text);
%!   assert (size (imread (fullfile (folder, 'ring.png')), 3), 3);
%!   assert ({pwd(), graphics_toolkit(), path()}, {former, toolkit, searched});
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, 'local');
%!   rmdir (folder, 's');
%! end_unwind_protect
%!test  # a folder named from the current one
%! former = pwd ();
%! above = tempname ();
%! mkdir (above);
%! unwind_protect
%!   cd (above);
%!   evalc ('knng.demo (''ring'', ''here'')');
%!   assert (exist (fullfile (above, 'here', 'ring.png'), 'file'), 2);
%! unwind_protect_cleanup
%!   cd (former);
%!   confirm_recursive_rmdir (false, 'local');
%!   rmdir (above, 's');
%! end_unwind_protect
%!test  # a folder whose name means others where names are patterns
%! former = pwd ();
%! above = tempname ();
%! mkdir (above);
%! unwind_protect
%!   cd (above);
%!   mkdir ('ab');
%!   symlink ('nowhere', 'a');
%!   evalc ('knng.demo (''sample'', ''[a]*'')');
%!   assert (pwd (), above);
%!   assert (exist (fullfile (above, '[a]*'), 'dir'), 7);
%! unwind_protect_cleanup
%!   cd (former);
%!   confirm_recursive_rmdir (false, 'local');
%!   unlink (fullfile (above, 'a'));
%!   rmdir (above, 's');
%! end_unwind_protect
%!error <did you mean 'microarray'\?.*ring, sample, swissroll> knng.demo ('micro')
%!error <did you mean '(leukaemia|microarray)'\?> knng.demo ('mi')
%!error id=knng:args:name knng.demo ('ringg')
%!error id=knng:args:name knng.demo ('no such thing')
%!error id=knng:args:name knng.demo ({'ring'})
%!error id=knng:args:name knng.demo ('../ring')
%!error id=knng:args:name knng.demo ('')
%!error id=knng:args:option knng.demo ('ring', 5)
%!error id=knng:io:write knng.demo ('ring', '/dev/null/folder')
%!error id=knng:io:write knng.demo ('ring', fullfile (tempname (), 'folder'))
%!error id=knng:args:option knng.demo ('ring', '')
%!error id=knng:args:option knng.demo ('ring', fullfile (tempdir (), 'a$(false)'))
%!error id=knng:args:option knng.demo ('ring', fullfile (tempdir (), 'a`false`'))
%!error id=knng:args:option knng.demo ('ring', fullfile (tempdir (), 'a\b'))
%!error id=knng:args:option knng.demo ('ring', fullfile (tempdir (), 'it''s'))
