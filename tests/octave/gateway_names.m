function names = gateway_names()
%GATEWAY_NAMES  The gateways that are built: all of mex/, but that to igraph only where igraph is.

files = dir(fullfile(fileparts(which('knngraph')), 'mex', '*.c'));
names = strrep(setdiff({files.name}, {'args.c', 'gateway.c', 'info.c', 'progress.c'}), '.c', '');
names = names(knng.internal.with_igraph() | ~strcmp(names, 'igraph'));
end
