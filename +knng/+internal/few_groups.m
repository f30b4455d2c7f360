function groups = few_groups (groups)
%FEW_GROUPS  All but the 39 largest groups without a name, '' or NaN, where there are more than 40; a column.
%   groups: a cell of texts, or numbers; numbers that are not whole are values, and stay.

  groups = groups(:);
  if (isempty (groups))
    return
  elseif (~iscell (groups))
    groups = full (double (groups));
    if (any (groups ~= fix (groups) & ~isnan (groups)))
      return                                                 % values, for a scale
    end
  end
  [~, noise] = knng.internal.without_noise (groups, 'groups');
  if (any (noise))                                           % no group
    groups(~noise) = knng.internal.few_groups (groups(~noise));
    return
  end
  if (iscell (groups))
    there = ~cellfun ('isempty', groups);
  else
    there = ~isnan (groups);
  end
  number = zeros (numel (groups), 1);
  [~, first, number(there)] = unique (groups(there));
  if (numel (first) > 40)
    [~, rank] = sort (accumarray (number(there), 1), 'descend');
    small = ismember (number, rank(40:end));
    if (iscell (groups))
      groups(small) = {''};
    else
      groups(small) = NaN;
    end
  end
end

%!test  # 41 of two, one of three: that and 38 of the others stay
%! groups = [1:41, 1:41, 41]';
%! few = knng.internal.few_groups (groups);
%! assert (sum (isnan (few)), 2 * (41 - 39));
%! assert (few(~isnan (few)), groups(~isnan (few)));
%! assert (any (few == 41));
%! texts = knng.internal.few_groups (arrayfun (@(g) sprintf ('%02d', g), groups', 'UniformOutput', false));
%! assert (strcmp (texts, ''), isnan (few));
%!test  # what is missing is no group, however often
%! texts = arrayfun (@(g) sprintf ('%02d', g), 1:42, 'UniformOutput', false);
%! few = knng.internal.few_groups ([texts, texts(1:39), repmat({''}, 1, 30)]);
%! assert (numel (unique (few)), 40);
%! assert (knng.internal.few_groups ([1:30, NaN(1, 20)]), [1:30, NaN(1, 20)]');
%!assert (find (isnan (knng.internal.few_groups ([-1, 1:41, 1:39])))', [41 42]);   # but not noise, of one
%!assert (knng.internal.few_groups ([1.5:50 NaN]), [1.5:50 NaN]')
%!assert (knng.internal.few_groups ({'a', 'b'}), {'a'; 'b'})
%!assert (isempty (knng.internal.few_groups ([])))
