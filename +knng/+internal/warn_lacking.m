function warn_lacking (of, samples, lacking)
%WARN_LACKING  A warning of those SAMPLES, by their numbers LACKING, that a table does not have; OF says of which one it speaks.

  if (~isempty (lacking))
    warning ('knng:data:metadata', '%s, has no row for %d of %s, first ''%s'': what it says of the others is missing there', of, numel (lacking), ...
             knng.internal.count_of (numel (samples), 'sample'), knng.internal.shown (samples{lacking(1)}));
  end
end

%!warning <^a table, has no row for 2 of 3 samples, first 'b': what it says of the others is missing there$> knng.internal.warn_lacking ('a table', {'a', 'b', 'c'}, [2; 3]);
%!test
%! warning ('error', 'knng:data:metadata', 'local');
%! knng.internal.warn_lacking ('a table', {'a', 'b', 'c'}, []);
