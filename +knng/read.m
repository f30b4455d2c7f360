function ds = read (file, varargin)
%KNNG.READ  Read a data set or a graph from a file.
%   ds = knng.read (file) reads a data set, plain or gzipped, or a file of
%   numbers; of a folder, the matrix of single cells in it (cells, below).
%   g = knng.read (file) reads a graph.
%   ds = knng.read (file, 'Name', value, ...) takes options, where a file does
%   not show what it means; [] is the default of each. Of tables, also to read
%   a list of edges as one:
%
%     'Delimiter'   what separates the fields: ',' or 'comma', ';' or
%                   'semicolon', sprintf ('\t') or 'tab', ' ' or 'blank' (any
%                   run of blanks), '|' or 'bar'; default: found out, or what a
%                   first line sep=X says
%     'NamesColumn'
%                   the column with the names of the rows: its number, from 1,
%                   or its name in the header, in upper or lower case; 0 for
%                   none. Default: the first, if the rule below says so
%
%   Of a family of GEO (soft, below):
%
%     'Platform'    which of its platforms is read, such as 'GPL96', with its
%                   samples; upper or lower case. Default: the only one. One
%                   that another file describes may be given, too: its rows are
%                   those of its first sample
%
%   Of all texts that hold a data set:
%
%     'DecimalComma'
%                   true: 1,5 is a number, and 1.5 is none; false: the other way
%                   round; default 'auto': true in a table separated by
%                   semicolons or tabs, if of its values the first with a comma
%                   or a point has a comma, and not as 1,234 has it, where it
%                   may part thousands (where all are so, that is an error).
%                   In a table separated by commas, numbers in quotes alone can
%                   have decimal ones, and only with true; where there is one,
%                   all commas that are not in quotes separate fields
%     'Missing'     text, number, or cell of these: what is a missing value
%                   beside NA and the like, such as {'-', '#DIV/0!', -9999}. A
%                   text is so as it is written, in upper or lower case. A
%                   number, also one in quotes, is so however the file has it:
%                   '-9999' is -9999.00 and -9.999e3, too, 1e20 is 1.0E+20, and
%                   what single precision makes of it, 100000002004087734272.
%                   (In quotes it has the decimal sign of the file, and Inf is a
%                   text.) Among values it is NaN, in a column of texts '',
%                   unless it is in quotes there; names stay as they are. A
%                   warning, knng:data:missing, says what is nowhere in the
%                   file. Default: {}. Of a file of numbers make such ones NaN:
%                   ds = knng.read (file); ds.X(ds.X == 1e20) = NaN
%     'HeaderLines'
%                   how many lines at the top are left out, of a graph, too; the
%                   rest is read as if it were the file, but messages count all
%                   lines. Default: 0
%
%   Of files of HDF5, and of archives of NumPy (.npz):
%
%     'Dataset'     the name of the dataset, of the variable or of the array,
%                   such as '/images'; default, also '': the only matrix of
%                   numbers in the file, or the only dataset of numbers
%     'Transposed'  true: a row of ds.X is a column of the dataset, as MATLAB,
%                   Octave, Julia and R store it; default, also []: true for
%                   variables of MATLAB and Octave, which the file shows, else
%                   false. Of an array J of theirs with more than two dimensions
%                   it has to be given: false for slices along the last index,
%                   such as images, as reshape (J, [], size (J, ndims (J)))' has
%                   them, true for J(:, :). What other files give is turned
%                   afterwards: see knng:data:transposed below
%
%   The format of a text is recognised by how the file begins, whatever it is
%   called; that of a file of numbers by its ending. A leading ~/ of the name is
%   your folder, ~name/ that of another user.
%
%   Without a semicolon Octave shows all numbers of ds; after
%   struct_levels_to_print (0) it shows the sizes of fields, as MATLAB does.
%
%   Fields of a data set:
%
%     ds.X        n-by-d double, a row for each feature (gene, probe), a column
%                 for each sample; missing values are NaN, which knng.impute
%                 fills in. To have the neighbours of the samples, give ds.X' to
%                 knngraph. Of a file of numbers double or single
%     ds.names    n-by-1 cell, the names of the rows; 0-by-1 if the file has
%                 none
%     ds.samples  1-by-d cell, the names of the samples; 1-by-0 if the file has
%                 none
%     ds.classes  the labels of the samples: 1-by-d double if all are numbers,
%                 with the decimal sign of the file (a missing one is NaN), else
%                 1-by-d cell; 1-by-0 if the file has none
%     ds.symbols  n-by-1 cell, the symbols of the genes, '' for none; 0-by-1 if
%                 the file has no column of them beside the names
%     ds.annotation
%                 struct, the columns of texts that the file has beside the
%                 names of the rows, that of the symbols among them: each field
%                 is an n-by-1 cell, '' for what is missing
%     ds.meta     struct, what else the file says, of the samples and of itself;
%                 meta.format is the name of the format, the other fields are
%                 cells of texts
%
%   Formats of data sets:
%
%     nbi    microarray text, <MicroarrayData>, as below. Classes are the
%            section <SamplesClasses>
%     abk    its variant, as below. Classes are the target; meta.layout has the
%            three words at the beginning
%     geo    a series matrix, as GEO offers it for download; it begins with !.
%            Every line !KEY is a row of meta.KEY, a column for each sample: of
%            meta.Sample_characteristics_ch1 there often are several. GEO has no
%            classes: take a row that has them, as in the second example. A
%            series of sequencing often has an empty table; the error says so,
%            since its values are in supplementary files
%     soft   SOFT of GEO; it begins with ^. Of a data set (GDS) the classes are
%            the first type of subsets, every type is a field of meta (such as
%            meta.disease_state), and annotation.IDENTIFIER has the gene
%            symbols; a full one has more such columns. Of a series (family)
%            every !Sample_ line is as of geo; the columns of the platform whose
%            names say gene, symbol or title are annotation. A value that a
%            sample does not have is NaN; one of a row that the platform
%            (without one: the first sample) does not have is left out, with a
%            warning. Of several platforms 'Platform' says which is read: their
%            rows are others. A sample of another platform than the one that is
%            described is an error
%     gct    GCT, #1.2 or #1.3. The second column of #1.2 is
%            annotation.descriptions; of #1.3 each column of metadata is a field
%            of annotation, each row one of meta, 1-by-d. No classes
%     table  separated by tabs, commas or semicolons, else by blanks, as
%            spreadsheets, R and Python write it. Columns of texts, such as gene
%            symbols, are annotation. Lines below the header that say
%            what the samples are, such as class, are 1-by-d fields of meta, the
%            first of them the classes; the rule is below
%     cells  a matrix of single cells, as 10x Genomics (Cell Ranger), STARsolo
%            and others write it: FILE is the folder that has matrix.mtx,
%            features.tsv (formerly genes.tsv) and barcodes.tsv, or that matrix,
%            if both others are beside it. All three may be gzipped (.gz), and
%            have the same in front of their names (GSM1_matrix.mtx.gz), as in
%            GEO. Rows are features, ds.names their ids, ds.symbols the second
%            column of features.tsv, which is annotation.symbol, too; then come
%            annotation.feature_type, chromosome, chromosome_start and
%            chromosome_end, if they are there. ds.samples are the barcodes, the
%            cells; for neighbours of cells give ds.X' to knngraph. ds.X has all
%            the zeros that the file leaves out: 20 000 genes of 5 000 cells
%            take 0.8 GB, twice while it is read, and what has no room is
%            refused. An entry other than 0 that stands twice is an error. No
%            classes
%     h5ad   AnnData, as scanpy writes it (.h5ad, AnnData 0.7 or newer): X,
%            dense, csr_matrix or csc_matrix, with all its zeros, as cells has
%            it. Rows are the genes, ds.names those of var; its columns of
%            texts, categories and numbers are annotation. ds.samples are the
%            cells of obs; its columns of these kinds are fields of meta. All
%            are texts, as in strcmp (ds.annotation.highly_variable, 'true').
%            Columns of any other kind are left out with a warning, other
%            matrices without: 'Dataset', '/obsm/X_pca' gives one, as of .h5
%            below, a row for each cell, with ds.names from obs; such knngraph
%            reads, too. No classes. Nullable texts, integers and booleans, as
%            pandas has them (texts and names: from pandas 3 on), are read as
%            others, what is missing as ''; a name that is missing is an error.
%            Refused are files that are packed by another filter than gzip, such
%            as lzf: write those with compression = 'gzip'
%
%   Files of numbers, which no text describes (little-endian, .npy either):
%
%     .npy    an array of NumPy, as numpy.save writes it: float16, float32,
%             float64, bool, and integers of 8, 16, 32 and 64 bits. A vector is
%             one column; of more than two dimensions (in C's order) a row is
%             all that belongs to the first index, the last one running fastest
%     .npz    an archive of these, as numpy.savez and savez_compressed write
%             it: one array, 'X' or 'X.npy' for 'Dataset'. All of it is read
%             once, for its checksum, before anything else. Sparse matrices of
%             SciPy are none
%     .fbin   the numbers of rows and columns, 4 bytes each, then the rows, of
%             float32; .u8bin the same of uint8, .i8bin of int8
%     .fvecs  before every row the number of columns, 4 bytes; float32; .bvecs
%             the same of uint8, .ivecs of int32
%
%     .h5     HDF5 (also .hdf5, .he5, .h5ad): a dataset of float16, float32,
%             float64, bool, or integers, of either order of bytes, contiguous
%             or in chunks, packed by gzip or not, with shuffle and fletcher32
%             or not (h5repack -f GZIP=4 old.h5 new.h5 turns other filters into
%             gzip). A vector is one column; of more than two dimensions a row
%             is all that belongs to the first index
%     .mat    a full numeric variable of MATLAB's save ('-v7.3') or of Octave's
%             save ('-hdf5'), which are HDF5 too; of more than two dimensions
%             X(:, :) with 'Transposed', true, or with false its slices along
%             the last index
%
%   They may not be gzipped. Arrays of NumPy, archives of these and files of
%   HDF5 are known by their beginning, too, whatever the file ends in. Files of
%   HDF5 need knng to be built where HDF5 is (Debian: libhdf5-dev, pkg-config).
%   A damaged one could crash the HDF5 library: a child process tries each
%   before.
%
%   ds.X is double where the numbers are float64 or integers of 32 or 64 bits,
%   else single. Every number is exact in it: an integer beyond 2^53 that no
%   double is, is an error, which names row and column. knngraph needs no ds.X:
%   it reads such files itself, also those that are larger than the memory.
%
%   An nbi file has the numbers of features and of samples, then a line for each
%   feature: a name without blanks, and a value for each sample. Both sections
%   behind it are optional:
%
%       <MicroarrayData>
%       3 4
%       GAPDH   7.3   7.1   7.9   8
%       ZYX     1.5   NA    3e-2  4
%       CD33    0     2.25  ?     -1
%       <SamplesNames>
%       S1 S2 S3 S4
%       <SamplesClasses>
%       0 0 1 1
%       <EndOfFile>
%
%   An abk file begins with three words. The second, TARGETPRESENT or
%   TARGETNOTPRESENT, says whether there is a target, the third whether it is
%   the FIRST or the LAST row (NONE or NO: there is none). With
%   FEATURESINCOLUMNS a row is a sample, and the target the first or last value
%   of each row; ds.X has features in rows all the same:
%
%       FEATURESINROWS
%       TARGETPRESENT
%       LAST
%       2
%       3
%       dummy S1 S2 S3
%       GAPDH 7.3 7.1 7.9
%       ZYX   1.5 NA  3e-2
%       0 0 1
%
%   In both, fields are separated by blanks, or by one tab with or without
%   blanks around it.
%
%   A table: the first line names the columns, unless all in it are numbers
%   without quotes. The first column has the names of the rows
%     - if the header leaves it out or unnamed, as R and Python do;
%     - if not all of it are numbers;
%     - if all are whole numbers, from 0 on, or missing, and the header says
%       that they are names: accession, entrez, entrez gene, feature, gene, id,
%       id_ref, identifier, name, patient, probe, probe set, row name, sample,
%       subject, symbol, transcript, unnamed: 0 (of pandas), in upper or lower
%       case, also with id or s behind it, or any other name that ends in id as
%       a word (locus_id, locus id, LocusID). If they are values, give the
%       column another name.
%   Another column whose first field that is not missing is a text is a column
%   of texts, a field of annotation by its name; what is missing in it is ''.
%   A number in it is an error unless it is in quotes (knng:data:texts,
%   below), and so is a text in a column of numbers. Dates (01.02.2020),
%   versions (1.2.3) and lists (3,7,12) are texts. But columns called chr,
%   chrom, chromosome, chromosome name, seqname, seqnames or strand have
%   texts, their numbers too, if any of these columns has a text, such as X.
%   In a table that begins with Geneid, Chr, Start, End, Strand, Length, as
%   featureCounts writes it, these have, whatever is in them. If rows are
%   samples, their labels are such a column (ds.annotation.species). So are
%   numbers whose column is called #class, or # and another of the names that
%   lines of samples have (below), without quotes around the #; in the first
%   field of the header, that would make the line a comment.
%
%   Of the columns of annotation that one has the symbols whose name, without
%   blanks and signs, in upper or lower case, is symbol, gene symbol, HGNC
%   symbol or the like; else has symbol in it, but not alias, prev or synonym;
%   else is identifier; else is gene, gene name or the like; of equal ones the
%   first. Where it has -, a word for a missing value, or begins with -- (as
%   '---' and '--Control' of probes of no gene), the symbol is ''. A probe of
%   several genes keeps them all ('DDR1 /// MIR4640'). So a gene that is called
%   na or nan, as of flies, has no symbol: of a file with quotes around it
%   annotation has it, and ds.symbols = ds.annotation.symbol takes it over; in
%   the column of names ('NamesColumn') it stays as it is.
%
%   Lines of what the samples are stand directly below the header, above the
%   first row; '' is a missing label. A line is one
%     - if above columns of numbers it has texts and no numbers, of two kinds at
%       least, in half of these columns at least: its name may be any, and
%       stands in front of them, or nowhere (then the field of meta is class);
%     - if its name begins with # or ! without quotes, whatever is in it;
%     - if its name is class, group, label, phenotype or target (also classes,
%       class label, sample group and the like) and it has texts or whole
%       numbers;
%     - if it has texts and its name says as plainly what they are: age, batch,
%       cell type, cell line, condition, diagnosis, disease, dose, genotype,
%       grade, organism, outcome, patient, response, sample, sex, source, stage,
%       status, strain, subtype, time, tissue, treatment, type and the like.
%   Words such as ND, missing, - or #DIV/0!, and texts that begin like numbers,
%   such as 1.5* or 24h, count for nothing here: a line of these, and one of the
%   same text all over, are errors, since they could be a gene. Put NA for a
%   value that is missing, or # before the name of the line. Lines of separators
%   alone, as spreadsheets leave them below a table, are left out. What Octave's
%   save -text wrote, which begins with lines '# Created by Octave', '# name:'
%   and '# type:', is no table: load reads it.
%   A line of numbers with another name, such as age, is a row; where it is
%   plain that the rows are genes, a warning says so (knng:data:samples, below).
%   So a line of texts below it, such as sex, is an error: put # before both.
%
%   A field in double quotes may hold separators, ends of lines, and quotes,
%   doubled. Lines above that begin with # are skipped; the last of them is the
%   header if it has a name for each column of a row of numbers below it. A
%   first line sep=X names the separator. A table that was cut off between two
%   rows looks whole; in all other formats that is an error.
%
%   In all formats NA, NaN, N/A, #N/A, null, ? and an empty field are missing
%   values ('Missing' has more), Inf and -Inf infinite, in upper or lower case.
%   The decimal sign is the point ('DecimalComma'); an exponent follows an e, or
%   the d of Fortran where a decimal sign is before it (1.5D-02; 1D3 may be a
%   name, as of a well, and is a text; so is 1.D3 in a column of a table that
%   has no other numbers); every value is the double nearest to what the file
%   says, and one beyond all doubles (1e400) is an error, except in graphs.
%   Before and behind a value characters that look like a blank, or like
%   nothing, are taken for blanks: a no-break space (U+00A0), thin ones, those
%   without width, marks of direction and the like. Within a number they are an
%   error.
%   Lines may end as on Unix, Windows or the old Macintosh, and a byte order
%   mark is skipped.
%
%   All texts come as UTF-8. A line that is none is taken for Windows-1252, of
%   which Latin-1 is a part, and turned into it; files may have lines of both.
%   UTF-16 is known by its byte order mark (spreadsheets call it Unicode text).
%   In graphml, gexf and cyjs all but UTF-8 and UTF-16 is refused. For other
%   encodings turn the file into UTF-8 first: iconv -f SHIFT_JIS -t UTF-8.
%
%   A value or a row that is wrong is an error; there is no guessing. What is
%   wrong around the values, such as too few class labels or a broken line of
%   GEO, is a warning, knng:data:metadata, which names the line; ds.X is
%   complete, and names or labels that do not fit are in ds.meta. So is a line
%   at the end of a table that has a text alone, with a blank in it or a sign in
%   front as no name above: it is read as a row, and may be a note. Lines of one
%   key that differ in length are cells in a cell. A character that no field of
%   a struct can have becomes _; of columns of one name all but the first have
%   their number behind it.
%
%   More warnings tell of files that are in order, and yet not what they should
%   be; nothing is changed:
%
%     knng:data:spreadsheet
%        fewer than half of the names of rows, or of the symbols, but one at
%        least, look like dates (1-Mar, 01. Mrz, Mar-01, 2001-03-01), with the
%        month as spreadsheets write it, or like powers of ten from 1E+10 on,
%        with a capital E: spreadsheets make these of MARCH1 and of 2310009E13
%     knng:data:transposed
%        100 columns or more, and more than twice as many as rows, are called as
%        genes and no row is: half of them by identifiers (_at of Affymetrix,
%        Ensembl, RefSeq, Illumina, Agilent, cg of methylation, FlyBase,
%        WormBase, loci of Arabidopsis and yeast), or some from four or more of
%        the families ZNF, ZFP, SLC, TMEM, CCDC, RPL, RPS, KRT, KIAA, LINC, MIR
%        and HLA. The rows are samples then. For a row for each gene:
%        struct ('X', ds.X', 'names', {ds.samples'}, 'samples', {ds.names'})
%     knng:data:counts
%        rows are called as HTSeq and STAR call their counts of reads that are
%        of no gene (__no_feature, __ambiguous, N_unmapped and the like). Leave
%        them out
%     knng:data:samples
%        the first row, or the first few, have numbers and are called age,
%        batch, BMI, days, dose, grade, months, sex, stage, status, survival,
%        time, years or the like; and those below are genes: the header says so
%        (gene, gene symbol, probe, transcript and the like), they have symbols,
%        or half of them are called as genes (transposed, above). They are rows
%        of ds.X: for the ages of the samples write #age into the file, or
%        #"age" where names have quotes. Or rows are samples, and a column of
%        ds.X has whole numbers and is called class, group, label, phenotype,
%        target, batch, cohort, patient, sample, subject or the like; or its
%        name is any of those above, and the columns are called as genes
%     knng:data:texts
%        a column of a table was read as texts, though it has values: more than
%        half of what is not missing in it are numbers, and most of these have
%        decimals (all is in quotes there, and its first field is a text such as
%        <0.1); or beside numbers it has dashes, limits (<0.1, >100), words for
%        what was not measured (ND, LOD, BDL, OOR <, not detected and the like)
%        and errors of spreadsheets (#DIV/0!) alone, with a limit or an
%        error among them, or decimals in most numbers. Without a number limits,
%        with < or with > alone, count if one has decimals or an exponent, as
%        <.001 (<18 may be a group of ages), and errors. Of columns that have
%        columns of numbers on both sides, or whose digits alone tell their name
%        from those of two samples (s1 from s2 and s3), also those of which nine
%        of ten fields have the same beside a number ($5 and $6, 5 mg,
%        1.2+-0.1, 1.2 (0.1), 3D0), or, if that is more than a letter, are
%        numbers; of dashes alone, but not strand and the like; of such words,
%        also among whole numbers, and of limits such as <5, but not age and the
%        like; and of <0.1 and >100, but not <0.1 and >=0.1. With such a name
%        decimals are not asked for. Name in 'Missing' what is missing there, or
%        put numbers into the file, and the column comes to ds.X
%     knng:data:missing
%        what 'Missing' says is nowhere in the file, beside names and texts in
%        quotes: the file has another text for a missing value, or none is
%        missing
%     knng:data:sampleNames
%        samples have the same name, which tables of 'Phenotypes' and the like
%        go by. Give them other names, or leave them out
%     knng:data:fill
%        in a column several of 64 rows have a number that programs write for a
%        missing value, ten times as large as all others or more: -999 and the
%        like, 1e20. If a value is missing there, 'Missing', -999 makes it NaN;
%        where columns have several such numbers, name all, {-999, 1e20}. Of a
%        file of numbers ds.X(ds.X == -999) = NaN does so
%
%   Fields of a graph:
%
%     g.A            n-by-n sparse, A(i,j) the weight of the edge from i to j; a
%                    weight of 0 is realmin. An undirected edge is there in both
%                    directions
%     g.names        n-by-1 cell, the names of the nodes; no elements if the
%                    file has none but numbers
%     g.groups       n-by-1 double, NaN for no group, or a cell of texts, ''; no
%                    elements if the file has none
%     g.positions    n-by-2 double, NaN where a node has none; 0-by-2 if the
%                    file has none
%     g.directed     false if all edges are undirected; then A is symmetric
%     g.meta.format  text, the ending of the format
%
%   Formats of graphs, also as other programs write them:
%
%     gml      the one graph's nodes with id, label (or name), group, x and y
%              (or those of graphics), and edges with weight (or value)
%     graphml  nodes and edges, also of graphs inside nodes; data named name or
%              label, group, x, y, weight, and their defaults; labels and places
%              of yEd; edgedefault and directed
%     gexf     GEXF of Gephi: nodes with label, the attributes group, x and y,
%              or viz:position; edges with weight and type
%     cyjs     JSON of Cytoscape: data of nodes named id, name (or label),
%              group, x and y, or position; of edges source, target, weight;
%              directed
%     net      Pajek: *Vertices with labels and places, *Arcs, *Edges,
%              *Arcslist, *Edgeslist
%     mtx      MatrixMarket: coordinate, real, integer or pattern, general or
%              symmetric, square; see cells above, too
%     csv      a header with source and target (or from and to), perhaps weight
%              (or distance) and Gephi's Type; commas, semicolons or tabs. Nodes
%              come in order of the first column, then those that are targets
%              alone
%     knn      the edges alone
%
%   Other attributes are left out. Without weights all are 1; where some edges
%   have one, it is NaN for those that have none. An edge that stands twice with
%   one weight counts once; with two weights it is an error, as is an edge to a
%   node that the file does not have.
%
%   Cost: one pass, the larger files at some 100 MB a second and more; 24 158
%   rows of 295 numbers take well under a second. Memory: the text, and 8 bytes
%   a number, or up to 64 an edge. Ctrl-C stops it, also where the file is a
%   pipe to which nobody writes.
%
%   Errors: knng:args:count; knng:args:file (the name is no row of characters);
%   knng:args:dims (an array of MATLAB or Octave, and no 'Transposed');
%   knng:args:option (a wrong value, or an option that a file of this format
%   does not take), :unknownOption; knng:io:open (there is no such file, or it
%   cannot be read; a folder without a matrix of cells); knng:io:format
%   (something else than expected; the message has the line, or what a file of
%   HDF5 or an archive holds); knng:io:truncated (the file ends too early: no
%   <EndOfFile> or !series_matrix_table_end, fewer rows than promised, a damaged
%   gzip stream); knng:io:noHDF (knng was built without HDF5); knng:memory:host
%   (it does not fit into memory, which is found before it is claimed);
%   knng:interrupted.
%
%   Example:
%     root = fileparts (which ('knngraph'));
%     ds = knng.read (fullfile (root, 'examples', 'data', 'golub.nbi.gz'));
%     size (ds.X)                         % 3051 38
%     [idx, dist] = knngraph (ds.X, 20, 'pearson');
%     knng.neighbors (ds, idx, dist, 'X95735_at', 5)
%
%     f = fopen ('series_matrix.txt', 'w');
%     fprintf (f, ['!Sample_characteristics_ch1' ...
%                  '\t"sex: f"\t"sex: m"\t"sex: f"\n']);
%     fprintf (f, ['!series_matrix_table_begin\n' ...
%                  '"ID_REF"\t"GSM1"\t"GSM2"\t"GSM3"\n']);
%     fprintf (f, '"1007_s_at"\t10.1\t9.8\t10.4\n!series_matrix_table_end\n');
%     fclose (f);
%     ds = knng.read ('series_matrix.txt');
%     ds.classes = ds.meta.Sample_characteristics_ch1(1, :)   % sex: f, m, f
%
%     f = fopen ('genes.csv', 'w');
%     fprintf (f, 'gene,symbol,s1,s2,s3\nclass,,sick,sick,well\n');
%     fprintf (f, '1007_s_at,DDR1,10.1,9.8,10.4\n1053_at,RFC2,7,7.5,\n');
%     fclose (f);
%     ds = knng.read ('genes.csv');
%     ds.classes                          % sick sick well
%     ds.symbols'                         % DDR1 RFC2
%
%     f = fopen ('export.txt', 'w');
%     fprintf (f, 'Made on Tuesday\n"no."\tprobe\ts1\ts2\n');
%     fprintf (f, '1\t1007_s_at\t10,1\t-999\n2\t1053_at\tND\t7,5\n');
%     fclose (f);
%     ds = knng.read ('export.txt', 'HeaderLines', 1, 'NamesColumn', 2, ...
%                     'Missing', {'ND', -999});
%     ds.X                                % 1 10.1 NaN; 2 NaN 7.5
%     ds.names'                           % 1007_s_at 1053_at
%
%   See also knng.write, knng.neighbors, knngraph, knng.annotate,
%   knng.normalize, knng.filterrows, knng.impute, knng.compare.
if nargin < 1
    error ('knng:args:count', 'knng.read needs the name of a file, as in knng.read (''data.nbi''): see help knng.read');
end
if ~ischar (file) || size (file, 1) ~= 1
    error ('knng:args:file', 'FILE is %s: it must be the name of a file, in quotes', knng.internal.given (file));
end
knng.internal.built ();
opt = knng.internal.options (struct ('Dataset', [], 'Transposed', [], 'Delimiter', [], 'DecimalComma', [], ...
                                     'HeaderLines', [], 'NamesColumn', [], 'Platform', [], 'Missing', []), varargin);
if isempty (varargin)
    ds = knng.internal.read (file);
else
    ds = knng.internal.read (file, opt.Dataset, opt.Transposed, opt);
end
if isfield (ds, 'X') && knng.internal.search ('stored', file)
    knng.internal.doubt_filled (ds.X);
end
end

%!test  # all that the help promises
%! f = tempname ();
%! unwind_protect
%!   h = fopen (f, 'w');
%!   fwrite (h, sprintf (['<MicroarrayData>\n3 4\nGAPDH 7.3 7.1 7.9 8\nZYX\t1.5\tNA\t3e-2\t4\n' ...
%!               'CD33 0 2.25 ? -1\n<SamplesNames>\nS1 S2 S3 S4\n<SamplesClasses>\n0 0 1 NA\n<EndOfFile>\n']));
%!   fclose (h);
%!   ds = knng.read (f);
%!   assert (fieldnames (ds), {'X'; 'names'; 'samples'; 'classes'; 'symbols'; 'annotation'; 'meta'});
%!   assert (ds.X, [7.3 7.1 7.9 8; 1.5 NaN 3e-2 4; 0 2.25 NaN -1]);
%!   assert (ds.names, {'GAPDH'; 'ZYX'; 'CD33'});
%!   assert (ds.samples, {'S1', 'S2', 'S3', 'S4'});
%!   assert (ds.classes, [0 0 1 NaN]);
%!   assert ({ds.symbols, ds.annotation}, {cell(0, 1), struct()});
%! unwind_protect_cleanup
%!   delete (f);
%! end_unwind_protect

%!test  # the example data, twice: the second call after an error
%! root = fileparts (fileparts (which ('knng.read')));
%! f = fullfile (root, 'examples', 'data', 'golub.nbi.gz');
%! ds = knng.read (f);
%! assert (size (ds.X), [3051 38]);
%! assert (ds.X(1, 1), -1.45769);
%! assert (ds.names{end}, 'M71243_f_at');
%! assert (ds.classes, [zeros(1, 27), ones(1, 11)]);
%! fail ("knng.read ('/nonexistent/x.nbi')", 'No such file');
%! assert (isequal (knng.read (f), ds));

%!test  # genes called as missing values are: no symbol, but in annotation in quotes, and as names
%! f = tempname ();
%! unwind_protect
%!   h = fopen (f, 'w');
%!   fprintf (h, 'probe\tsymbol\ts1\ts2\np1\tNA\t1\t2\np2\t"na"\t1\t2\np3\tZYX\t3\t4\n');
%!   fclose (h);
%!   ds = knng.read (f);
%!   assert ({ds.symbols, ds.annotation.symbol}, {{''; ''; 'ZYX'}, {''; 'na'; 'ZYX'}});
%!   assert (getfield (knng.read (f, 'NamesColumn', 'symbol'), 'names'), {'NA'; 'na'; 'ZYX'});
%!   assert (! isempty (strfind (get_help_text ('knng.read'), 'a gene that is called')));
%! unwind_protect_cleanup
%!   delete (f);
%! end_unwind_protect

%!error id=knng:args:file knng.read (cat (3, 'a', 'b'))
%!error id=knng:args:file knng.read (['ab'; 'cd'])
%!test  # what Octave's save -text wrote is no table of numbers
%! f = tempname ();
%! unwind_protect
%!   [x, s] = deal (magic (4), struct ('a', 1));
%!   for how = {{'-text', f, 'x'}, {'-text', f, 's', 'x'}, {'-text', '-zip', f, 'x'}}
%!     save (how{1}{:});
%!     for call = {@() knng.read(f), @() knng.read(f, 'Delimiter', 'blank'), @() knngraph(f, 2)}
%!       try, call{1} (); e = []; catch e, end
%!       assert (e.identifier, 'knng:io:format');
%!       assert (! isempty (strfind (e.message, 'save -text, and no table: s = load (''')));
%!     end
%!   end
%!   save ('-text', f, 'x');
%!   ds = knng.read (f, 'HeaderLines', 5);
%!   assert (ds.X, magic (4));
%!   save ('-ascii', f, 'x');
%!   ds = knng.read (f);
%!   assert (ds.X, magic (4));
%! unwind_protect_cleanup
%!   delete (f);
%! end_unwind_protect

%!function packed_text (f, text)
%!  name = f(1:end-3);
%!  h = fopen (name, 'w');
%!  fwrite (h, text);
%!  fclose (h);
%!  gzip (name);
%!  delete (name);
%!endfunction
%!test  # nor is it packed, whatever it holds and whatever reading it says; a sound packed table stays what it is
%! f = [tempname(), '.gz'];
%! unwind_protect
%!   for X = {[1.5 2 3; 4 NaN 6], single([1.5 2; 3 4]), 1:3, (1:3)', 5, 'text', {1, 'a'}, struct('a', 1), int8([1 2; 3 4]), ones(2, 2, 2), 3i}
%!     v = X{1};
%!     save ('-text', '-zip', f, 'v');
%!     for call = {@() knng.read(f), @() knng.read(f, 'Delimiter', ','), @() knng.read(f, 'Transposed', true), @() knng.read(f, 'NamesColumn', 1)}
%!       evalc ('try, call{1} (); e = []; catch e, end');
%!       assert (e.identifier, 'knng:io:format');
%!       assert (! isempty (strfind (e.message, 'save -text, and no table: s = load (''')), e.message);
%!     end
%!   end
%!   packed_text (f, "g\tcolumns:\tb\nx\t1\t2\n");
%!   ds = knng.read (f);
%!   assert ({ds.X, ds.samples}, {[1 2], {'columns:', 'b'}});
%!   packed_text (f, "1\t2\n3\t4\n");                       % it is unpacked once
%!   calls = knng.internal.read ('fail', 0);
%!   ds = knng.read (f);
%!   calls(2) = knng.internal.read ('fail', 0);
%!   again = knng.internal.read (f);
%!   calls(3) = knng.internal.read ('fail', 0);
%!   assert ({ds.X, again.X}, {[1 2; 3 4], [1 2; 3 4]});
%!   assert (diff (calls, 2), 0);
%!   packed_text (f, "# a note\nno table, at all\n");
%!   fail ('knng.read (f)', 'ends in line 3');
%! unwind_protect_cleanup
%!   delete (f);
%! end_unwind_protect

%!function ds = of_text (text, varargin)
%!  f = tempname ();
%!  gone = onCleanup (@() delete (f));
%!  h = fopen (f, 'w');
%!  fwrite (h, text);
%!  fclose (h);
%!  ds = knng.read (f, varargin{:});
%!endfunction
%!test  # exponents of Fortran, and names that only look so; decimal commas in quotes; a comment of Octave's
%! assert (getfield (of_text (sprintf ('g,x,y\na,.5D+01,1\nb,2.D+01,.5d3\n')), 'X'), [5 1; 20 500]);
%! assert (getfield (of_text (sprintf ('g,well,y\na,1.D3,1\nb,1D3,2\n')), 'annotation', 'well'), {'1.D3'; '1D3'});
%! assert (getfield (of_text (sprintf ('g,x,y,z\na,1,2,"1,5"\n'), 'DecimalComma', true), 'X'), [1 2 1.5]);
%! assert (getfield (of_text (sprintf ('# Created by Octave, and by me\na,x\n1,2\n')), 'X'), [1 2]);
%! assert (getfield (of_text (sprintf ('g,x,day\na,1,01.02.2020\nb,2,2.3.2020\n')), 'annotation', 'day'), {'01.02.2020'; '2.3.2020'});
%!error <line 3: found '1.0D400' in field 2> of_text (sprintf ('g,x,y\na,1,2\nb,1.0D400,2\n'));
%!error <a text in line 2, 'below LOD': if that stands for> of_text (sprintf ('g,x,y\na,below LOD,2\nb,3,2\n'));
%!warning <the column 's1' was read as texts, .* row 1 has 'OOR <' there> of_text (sprintf ('g,s1,s2,s3\na,"OOR <",1,2\nb,"7",2,3\n'));
%!error <found 'f' in field 2, expected a number; if this line says> of_text (sprintf ('g,x,y\nage,50,60\nsex,f,m\na,1,2\n'))
%!warning <the column 's' was read as texts, .* row 1 has '5 mg' there, a number> of_text (sprintf ('g,r,s,t\na,1,5 mg,1\nb,2,6 mg,2\n'));
%!warning <dashes alone: row 1 has '-' .* 'Missing', '-'> of_text (sprintf ('g,r,s,t\na,1,-,1\nb,2,-,2\n'));
%!warning <what stands for one: row 2 has '<.001'> of_text (sprintf ('g,s,t\na,-,1\nb,<.001,2\n'));

%!test  # missing values as numbers, whatever the spelling, as the help says; one that is nowhere
%! text = sprintf ('g,x,y,z\na,-9999.00,1.0E+20,ND\nb,1,100000002004087734272,-9.999e3\n');
%! for given = {{'ND', '-9999', '1e20'}, {'ND', -9999, 1e20}, {'nd', int16(-9999), single(1e20)}}
%!   lastwarn ('');
%!   assert (getfield (of_text (text, 'Missing', given{1}), 'X'), [NaN NaN NaN; 1 NaN NaN]);
%!   assert (lastwarn (), '');
%! end
%! assert (getfield (of_text (sprintf ('g,x,y\na,-9999.0,2\n'), 'Missing', -9999), 'X'), [NaN 2]);
%! assert (getfield (of_text (sprintf ('g;x;y\na;-9,50;2\n'), 'Missing', -9.5), 'X'), [NaN 2]);
%! assert (getfield (of_text (sprintf ('g;x;y\na;-9,50;2\n'), 'Missing', '-9,5'), 'X'), [NaN 2]);
%! assert (getfield (of_text (sprintf ('g,x,y\na,NaN,inf\n'), 'Missing', {NaN, Inf}), 'X'), [NaN NaN]);
%!warning <^'Missing' '-9999' is nowhere in > of_text (sprintf ('g,x\na,1\n'), 'Missing', '-9999');
%!warning id=knng:data:missing of_text (sprintf ('g,x\na,1\n'), 'Missing', {1, -9999});
%!test  # not of files of numbers; the error says how it is done
%! f = [tempname(), '.fbin'];
%! unwind_protect
%!   h = fopen (f, 'w', 'ieee-le');
%!   fwrite (h, [2 2], 'uint32');
%!   fwrite (h, [1 1e20 3 4], 'single');
%!   fclose (h);
%!   try, knng.read (f, 'Missing', 1e20); e = []; catch e, end
%!   assert (e.identifier, 'knng:args:option');
%!   eval ([regexp(e.message, 'ds = knng.*', 'match', 'once'), ';']);
%!   assert (X, single ([1 NaN; 3 4]));
%! unwind_protect_cleanup
%!   delete (f);
%! end_unwind_protect

%!error id=knng:args:count knng.read ()
%!error id=knng:args:file knng.read (1)
%!error id=knng:args:file knng.read ({'x'})
%!error id=knng:args:file knng.read (['ab'; 'cd'])
%!error id=knng:args:file knng.read (@sin)
%!error id=knng:args:file knng.read ('')
%!error id=knng:io:open knng.read ('/nonexistent/x.nbi')
