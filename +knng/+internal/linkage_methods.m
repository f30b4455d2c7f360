function list = linkage_methods ()
%LINKAGE_METHODS  The methods of knng.linkage, a cell of texts.

  list = {'single', 'complete', 'average', 'weighted', 'ward', 'centroid', 'median'};
end

%!assert (numel (knng.internal.linkage_methods ()), 7)
