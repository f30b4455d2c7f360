function [labels, noise] = without_noise (labels, kind)
%WITHOUT_NOISE  Labels of clusters with NaN, no cluster, in place of noise, and which are noise, a column of logicals.
%   Noise is -1, as of knng.dbscan, knng.hdbscan and knng.optics, where all other labels number clusters: whole numbers from 1 on. With
%   'groups' in place of KIND labels may be others than of clusters, and -1 beside one other number is a class.

  noise = false (numel (labels), 1);
  if (~isnumeric (labels) || ~isreal (labels))
    return
  end
  values = full (double (labels(:)));
  found = values == -1;
  others = unique (values(~found & ~isnan (values)));
  if (any (found) && all (others >= 1 & others == fix (others)) && (nargin < 2 || ~strcmp (kind, 'groups') || numel (others) ~= 1))
    noise = found;
    labels = full (double (labels));
    labels(noise) = NaN;
  end
end

%!test
%! f = @knng.internal.without_noise;
%! [labels, noise] = f (int8 ([2 -1 1]));
%! assert ({labels, noise}, {[2 NaN 1], [false; true; false]});
%! for same = {[1; 2], [-1 0 1], [-1 1.5], [-1 -2], {'-1', 'a'}, ['a'; 'b'], true, [NaN 1], []}
%!   [labels, noise] = f (same{1});
%!   assert ({labels, any(noise)}, {same{1}, false});
%! end
%! assert ({f([-1 1]), f([-1 1], 'groups'), f([-1 3 1 NaN], 'groups'), f([-1; -1], 'groups')}, {[NaN 1], [-1 1], [NaN 3 1 NaN], [NaN; NaN]});
