function check_fields (model, known, settable, maker)
%CHECK_FIELDS  An error where a model has fields that are not in the cell KNOWN: what a user has set would be ignored.
%   KNOWN has none twice. SETTABLE: those that may be set, for the message; '' where none may. MAKER: what makes such models, by default knng.fitcknn.

  if (numel (fieldnames (model)) == sum (isfield (model, known)))     % setdiff takes ten times as long
    return
  end
  other = setdiff (fieldnames (model), known);
  if (nargin < 4)
    maker = 'knng.fitcknn';
  end
  remedy = ['leave it out, or give the option to ', maker];
  if (~isempty (settable))
    remedy = ['fields that may be set are ', settable];
  end
  error ('knng:args:model', 'the model has a field ''%s'', which knng does not know and would ignore: %s', ...
         knng.internal.shown (other{1}), remedy);
end

%!error <has a field 'IncludeTies', which.*: fields that may be set are X$> knng.internal.check_fields (struct ('X', 1, 'IncludeTies', true), {'X'}, 'X')
%!error id=knng:args:model knng.internal.check_fields (struct ('X', 1), {}, '')
%!test knng.internal.check_fields (struct ('X', 1), {'X', 'Y'}, '');
