function leukaemia_series(file)
%LEUKAEMIA_SERIES  Writes the series matrix with gaps that examples/geo.m reads.
%   leukaemia_series ('examples/data/leukaemia_series_matrix.txt') takes the genes of golub.nbi.gz that have a symbol in
%   leukaemia_platform.txt.gz, rounded to three decimals. The source cut values off at 100: they are the smallest of
%   each patient. A value below what could be measured is none, so these are left empty; genes of which more than a
%   quarter would be are left out. gzip -9n then packs the file, the same way every time.
root = fileparts(fileparts(mfilename('fullpath')));
data = fullfile(root, 'examples', 'data');
ds = knng.annotate(knng.read(fullfile(data, 'golub.nbi.gz')), fullfile(data, 'leukaemia_platform.txt.gz'));
X = ds.X;
X(X <= min(X)) = NaN;
rows = find(~cellfun('isempty', ds.symbols) & mean(isnan(X), 2) <= 0.25);
named = {'ALL', 'AML'};
quoted = @(texts) sprintf('\t"%s"', texts{:});
f = fopen(file, 'w');
fprintf(f, '!Series_title\t"Leukaemia, Golub et al. (1999): %d genes of 38 patients"\n', numel(rows));
fprintf(f, '!Series_pubmed_id\t"10521349"\n\n');
fprintf(f, '!Sample_title%s\n', quoted(ds.samples));
fprintf(f, '!Sample_characteristics_ch1%s\n', quoted(strcat({'diagnosis: '}, named(ds.classes + 1))));
fprintf(f, '!series_matrix_table_begin\n"ID_REF"%s\n', quoted(ds.samples));
for i = rows'
  fprintf(f, '"%s"%s\n', ds.names{i}, strrep(sprintf('\t%.3f', X(i, :)), 'NaN', ''));
end
fprintf(f, '!series_matrix_table_end\n');
fclose(f);
end
