#!/usr/bin/env bash
# make-contents.sh  Prints the table of contents of knng as the help text of a script, from INDEX and the first lines of
# the help texts. `make api` writes it to Contents.m, where lookfor finds its first sentence, and to +knng/Contents.m,
# which help knng.Contents shows. `make lint` fails if they are not what this prints.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

cat <<'END'
%KNNG  Exact nearest neighbours (kNN graphs, nearest neighbors): clusters
%   (k-means, Leiden, trees), classification, maps (UMAP, t-SNE, PCA), outliers;
%   missing values (NaN: impute, imputation), filters, normalization (normalize);
%   gene expression: symbols, correlation, p-values, fold changes, gene sets
%   (pathway enrichment); files (CSV, GEO, 10x single cells, HDF5) and pictures
%   (heat maps, heatmap, dendrograms): help knng.Contents lists the functions.
%
%   Begin with help knngraph, or knng.demo, which runs examples. The pages in
%   docs are a tutorial, a cookbook and more.
%
%   You may look for: load, import, open: knng.read, of a graph knng.loadgraph;
%   save, export: knng.write, of a large graph 'Output' in knngraph; graph, kNN:
%   knngraph; search, query: knng.knnsearch; filter, select: knng.filterrows;
%   fill in: knng.impute; scale, standardize: knng.normalize; test, check:
%   knng.verify; time, memory: knng.estimate; draw: knng.plot, knng.scatter,
%   knng.heatmap; classify: knng.fitcknn; embed: knng.umap, knng.tsne, knng.pca.
END
while IFS= read -r line; do
	case $line in
	*'>>'*) ;;
	' '*)
		name=${line# }
		file=${name#knng.}
		[ "$name" = knngraph ] || file=+knng/$file
		says=$(sed -n '/^%KNNG[A-Z0-9.]* /{s/^%[A-Z0-9.]* *//p;q;}' "$file.m")
		printf '%%     %-20s  %s\n' "$name" "$says"
		;;
	*) printf '%%\n%%   %s:\n%%\n' "$line" ;;
	esac
done <INDEX | awk '
# Lines for a terminal: what does not fit goes to the next one.
length <= 79 { print; next }
{
	at = 79
	while (substr($0, at + 1, 1) != " ")
		at--
	print substr($0, 1, at)
	printf "%%%27s%s\n", "", substr($0, at + 2)
}'
printf '%%\n%%   See also knngraph, knng.demo, knng.read.\n'
