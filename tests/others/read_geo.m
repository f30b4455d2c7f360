function read_geo (folder)
%READ_GEO  What knng.read and knng.annotate make of files as GEO has them, in FOLDER/NAME.mat, for compare_geo.py: a data set, both
%   platforms of a family, one sample, and the symbols that a platform's table gives the rows of the data set.

gds = knng.read (fullfile (folder, 'GDS507.soft.gz'));
put (folder, 'GDS507', gds);
for p = {'GPL96', 'GPL97'}
  put (folder, p{1}, knng.read (fullfile (folder, 'GSE781_family.soft.gz'), 'Platform', p{1}));
end
put (folder, 'GSM11805', knng.read (fullfile (folder, 'GSM11805.txt.gz')));
put (folder, 'annotated', knng.annotate (gds, fullfile (folder, 'GPL97.annot.gz')));
try
  knng.read (fullfile (folder, 'GSE781_family.soft.gz'));
catch e
  ds = struct ('said', e.message, 'id', e.identifier);
  save ('-v6', fullfile (folder, 'refused.mat'), '-struct', 'ds');
end
end

function put (folder, name, ds)
s = struct ('X', ds.X, 'names', {ds.names(:)}, 'samples', {ds.samples(:)}, 'symbols', {ds.symbols(:)}, 'classes', {ds.classes(:)});
known = knng.internal.known_of_samples (ds);
s.known = known(:, 1);
if (isfield (ds.meta, 'individual'))
  s.individual = ds.meta.individual(:);
end
save ('-v6', fullfile (folder, [name '.mat']), '-struct', 's');
end
