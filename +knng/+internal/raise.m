function raise (err)
%RAISE  Raises an error of a gateway again, without the name of the gateway, which Octave puts before the text: for
%   functions that share a gateway whose name says another thing than what they do.

  rethrow (struct ('identifier', err.identifier, 'message', regexprep (err.message, '^(search|topk|graph_file): ', '')));
end

%!error <^k is> knng.internal.raise (struct ('identifier', 'knng:args:k', 'message', 'search: k is'))
%!error id=knng:args:k knng.internal.raise (struct ('identifier', 'knng:args:k', 'message', 'search: %d'))
%!error <^%d$> knng.internal.raise (struct ('identifier', 'knng:args:k', 'message', 'search: %d'))
%!error <^out of memory$> knng.internal.raise (struct ('identifier', '', 'message', 'out of memory'))
