function s = correlation_sign (metric)
%CORRELATION_SIGN  Of a metric, by its full name, that is a correlation: r = s*(1 - distance), where s is 1 or -1; |r| of 'abspearson'. 0: it
%   is none.

  t = knng.internal.search ('metrics');
  t = t(strcmp ({t.map}, 'half') & (strcmp ({t.prepared}, 'centred') | strcmp ({t.prepared}, 'ranked')));
  s = sum ((1 - 2 * strcmp ({t.sum}, 'plus')) .* strcmp ({t.name}, metric));
end

%!assert (cellfun (@knng.internal.correlation_sign, {'pearson', 'spearman', 'abspearson', 'antipearson', 'cosine', 'euclidean', ''}), [1 1 1 -1 0 0 0])
