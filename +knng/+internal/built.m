function built ()
%BUILT  An error with a remedy where the compiled part of knng is missing; else nothing, at once.

  persistent fine
  if (isempty (fine))
    here = fileparts (mfilename ('fullpath'));
    if (exist (fullfile (here, ['search.' mexext()]), 'file') == 0)
      error ('knng:build:missing', ...
             'knng is not built yet: run make in %s, then try again', fileparts (fileparts (here)));
    end
    fine = true;
  end
end
