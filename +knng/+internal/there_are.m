function text = there_are (n, what, varargin)
%THERE_ARE  'there is 1 label', but 'there are 2 labels'. Behind WHAT may come its plural.

  verb = {'are', 'is'};
  text = sprintf ('there %s %s', verb{1 + (n == 1)}, knng.internal.count_of (n, what, varargin{:}));
end

%!assert (knng.internal.there_are (1, 'label'), 'there is 1 label')
%!assert (knng.internal.there_are (3, 'label'), 'there are 3 labels')
