function [code, labels] = cluster_codes (clusters)
%CLUSTER_CODES  The number of each one's cluster, 0 for none, as label_codes has it, and the labels of the clusters: a column
%   of doubles, or a cell of texts.

  [code, labels] = knng.internal.label_codes (clusters);
  if (isnumeric (labels) || islogical (labels))
    labels = double (labels(:));
  else
    labels = knng.internal.label_texts (labels);
  end
end

%!test
%! [code, labels] = knng.internal.cluster_codes (int8 ([3 1 3]));
%! assert ({code(:)', labels, class(labels)}, {[2 1 2], [1; 3], 'double'});
%! [code, labels] = knng.internal.cluster_codes ({'b', '', 'a'});
%! assert ({code(:)', labels(:)'}, {[2 0 1], {'a', 'b'}});
