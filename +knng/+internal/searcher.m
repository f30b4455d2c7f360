function id = searcher (ns, there)
%SEARCHER  What a searcher of knng.createns is known by; an error where NS is none, or with THERE, where it is gone.

  fields = {'id', 'rows', 'columns', 'class', 'Distance', 'bytes', 'gpu', 'gpubytes', 'hold'};
  if (~isstruct (ns) || numel (ns) ~= 1 || ~all (isfield (ns, fields)) || ~isa (ns.hold, 'onCleanup'))
    error ('knng:args:searcher', 'ns is %s: it must be a searcher, the struct that knng.createns returns', knng.internal.given (ns));
  end
  id = ns.id;
  if (~isa (id, 'double') || numel (id) ~= 1 || ~isreal (id) || issparse (id) || ~(id >= 1))
    error ('knng:args:searcher', 'ns.id is %s: fields of a searcher are for reading; make another with knng.createns', ...
           knng.internal.given (id));
  end
  is = knng.internal.search ('searcher', id);
  if (isempty (is) && there)
    error ('knng:searcher:gone', ['the searcher is gone: it was released, or is of another session; ' ...
           'make it anew with knng.createns (X)']);
  elseif (~isempty (is) && ~is_as_made (ns, is, numel (fields)))
    refuse (ns, is, fields);
  end
end

function yes = is_as_made (ns, is, count)
  yes = numel (fieldnames (ns)) == count && ischar (ns.Distance) && strcmp (ns.Distance, is.Distance) ...
        && ischar (ns.class) && strcmp (ns.class, is.class) ...
        && is_number (ns.rows, is.rows) && is_number (ns.columns, is.columns) && is_number (ns.bytes, is.bytes) ...
        && is_number (ns.gpu, is.gpu) && (is_number (ns.gpubytes, is.gpubytes) || is_lost (is));
end

function yes = is_lost (is)
  % a GPU has lost the rows since
  yes = is.gpu > 0 && is.gpubytes == 0;
end

function yes = is_number (v, number)
  yes = isa (v, 'double') && numel (v) == 1 && v == number;
end

function refuse (ns, is, fields)
  % what a user has set, which would be ignored
  other = setdiff (fieldnames (ns), fields);
  if (~isempty (other))
    error ('knng:args:searcher', 'the searcher has a field ''%s'', which knng does not know and would ignore: leave it out', ...
           knng.internal.shown (other{1}));
  end
  if (is_lost (is))
    ns.gpubytes = 0;
  end
  for i = 1:numel (fields) - 1
    if (~isequal (ns.(fields{i}), is.(fields{i})))
      error ('knng:args:searcher', ['ns.%s is %s, and was %s: what is prepared stays as it is; make another searcher ' ...
             'with knng.createns'], fields{i}, knng.internal.given (ns.(fields{i})), knng.internal.given (is.(fields{i})));
    end
  end
end

%!test
%! ns = knng.createns (magic (4));
%! assert (knng.internal.searcher (ns, true), ns.id);
%!error <ns is 5: it must be a searcher> knng.internal.searcher (5, false)
%!error <ns.id is 'x': fields> knng.internal.searcher (setfield (knng.createns (eye (3)), 'id', 'x'), false)
%!error <ns.Distance is 'cosine', and was 'euclidean': what> knng.internal.searcher (setfield (knng.createns (eye (3)), 'Distance', 'cosine'), false)
%!error <has a field 'k', which> knng.internal.searcher (setfield (knng.createns (eye (3)), 'k', 3), false)
%!error id=knng:searcher:gone knng.internal.searcher (setfield (knng.createns (eye (3)), 'id', 17), true)
