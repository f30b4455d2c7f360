function names = gateway_names(built)
%GATEWAY_NAMES  The gateways: files of mex/ without a header; of igraph's only if it is built, or BUILT is false.

folder = fullfile(fileparts(which('knngraph')), 'mex');
sources = dir(fullfile(folder, '*.c'));
headers = dir(fullfile(folder, '*.h'));
names = setdiff(strrep({sources.name}, '.c', ''), strrep({headers.name}, '.h', ''));
if nargin < 1 || built
  names = names(knng.internal.with_igraph() | ~strcmp(names, 'igraph'));
end
end
