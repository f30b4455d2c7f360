function series_matrix(file)
%SERIES_MATRIX  Writes a small file in the form in which GEO offers a series, for docs/tutorial.md.
%   series_matrix ('examples/data/golub_series_matrix.txt') takes the 1 000 genes of golub.nbi.gz whose values vary most,
%   in the order of that file, rounded to three decimals. gzip -9n then packs the file, the same way every time.
root = fileparts(fileparts(mfilename('fullpath')));
ds = knng.read(fullfile(root, 'examples', 'data', 'golub.nbi.gz'));
[~, order] = sort(var(ds.X, 0, 2), 'descend');
rows = sort(order(1:1000));
named = {'ALL', 'AML'};
quoted = @(texts) sprintf('\t"%s"', texts{:});
f = fopen(file, 'w');
fprintf(f, '!Series_title\t"Leukaemia, Golub et al. (1999): 1000 genes of 38 patients"\n');
fprintf(f, '!Series_pubmed_id\t"10521349"\n\n');
fprintf(f, '!Sample_title%s\n', quoted(ds.samples));
fprintf(f, '!Sample_characteristics_ch1%s\n', quoted(strcat({'diagnosis: '}, named(ds.classes + 1))));
fprintf(f, '!series_matrix_table_begin\n"ID_REF"%s\n', quoted(ds.samples));
for i = rows'
  fprintf(f, '"%s"%s\n', ds.names{i}, sprintf('\t%.3f', ds.X(i, :)));
end
fprintf(f, '!series_matrix_table_end\n');
fclose(f);
end
