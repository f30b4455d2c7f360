function [text, id] = last_warning()
%LAST_WARNING  As lastwarn, but '' where the last warning is one that is off: Octave 11 remembers these as well.
%   [text, id] = last_warning()

[text, id] = lastwarn();
if ~isempty(id) && strcmp(warning('query', id).state, 'off')
  text = '';
  id = '';
end
end
