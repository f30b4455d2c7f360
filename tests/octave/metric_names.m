function names = metric_names()
%METRIC_NAMES  The names of all metrics of the library, the second ones too.

table = knng.internal.search('metrics');
names = [{table.name}, setdiff({table.alias}, {''})];
end
