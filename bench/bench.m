% bench.m  Times knngraph against FAISS-CPU and against Octave's own ways, on the same data in the same run.
%
% `make bench` runs it; BENCH=full adds n = 24158. Prints tables in Markdown and writes them to build/bench.txt.
% A time is the wall time of a whole call on a double matrix, the median of several after a warm-up. FAISS is not exact.
% The time of its float32 copy is not counted. For pearson it searches standardised rows by inner product.
1;

function [t, out] = median_time (f, most)
	% Median seconds of f () after one warm-up: as many runs as fit 8 seconds, between 1 and most.
	tic;
	out = f ();
	runs = max (1, min (most, floor (8 / toc)));
	t = zeros (1, runs);
	for i = 1:runs
		tic;
		out = f ();
		t(i) = toc;
	end
	t = sort (t)(ceil (runs / 2));
end

function out = ours (X, k, metric)
	tic;
	[~, ~, out.info] = knngraph (X, k, metric);
	out.wall = toc;
end

function U = standardised (X)
	U = X - mean (X, 2);
	U = U ./ sqrt (sumsq (U, 2));
end

function idx = products (X, k, metric)
	% The best that plain Octave does: blocks of products, nth_element for the threshold, a sort of what is below it.
	n = rows (X);
	if strcmp (metric, 'pearson')
		X = standardised (X);
		h = zeros (n, 1);
	else
		h = sumsq (X, 2) / 2;
	end
	idx = zeros (k, n);
	step = max (1, floor (2e6 / n));
	for a = 1:step:n
		b = min (n, a + step - 1);
		D = h - X * X(a:b, :)';
		D(sub2ind (size (D), a:b, 1:b-a+1)) = Inf;
		low = find (D <= nth_element (D, k, 1));
		m = b - a + 1;
		if numel (low) == k * m
			low = reshape (low, k, m);
			[~, order] = sort (D(low));
			low = low(order + (0:m-1) * k);
		else % ties at the k-th place
			c = ceil (low / n);
			[~, order] = sortrows ([c, D(low)]);
			low = low(order);
			low = low(cumsum ([1; accumarray(c, 1)])(1:end-1)' + (0:k-1)');
		end
		idx(:, a:b) = low - (0:m-1) * n;
	end
	idx = idx';
end

function idx = corr_sort (X, k)
	[~, idx] = sort (1 - corr (X'), 2);
	idx = idx(:, 2:k+1);
end

function t = faiss (X, k, metric, runs)
	% Seconds, or NaN where FAISS was not there to build against.
	t = NaN;
	if ! exist ('build/bench_faiss', 'file')
		return;
	end
	rule = 'l2';
	if strcmp (metric, 'pearson')
		X = standardised (X);
		rule = 'ip';
	end
	file = 'build/bench.f32';
	fid = fopen (file, 'w');
	fwrite (fid, X', 'single');
	fclose (fid);
	[status, text] = system (sprintf ('build/bench_faiss %s %d %d %d %s %d', file, rows (X), columns (X), k, rule, runs));
	delete (file);
	if status == 0
		t = sscanf (text, '%f')(1);
	end
end

function s = seconds (t)
	s = '–';
	if ! isnan (t)
		s = sprintf ('%.3g', t);
	end
end

function s = ratio (t, base)
	s = '–';
	if ! isnan (t)
		s = sprintf ('%.2f', t / base);
	end
end

function say (varargin)
	% To the screen and to build/bench.txt.
	text = sprintf (varargin{:});
	fputs (stdout, text);
	fflush (stdout);
	fid = fopen ('build/bench.txt', 'a');
	fputs (fid, text);
	fclose (fid);
end

function s = first_line (command)
	[~, s] = system (command);
	s = strtrim (s);
end

cd (fullfile (fileparts (mfilename ('fullpath')), '..'));
addpath (pwd);
if exist ('build/bench.txt', 'file')
	delete ('build/bench.txt');
end
rand ('twister', 42);
randn ('twister', 42);

normal = @(n, d) randn (n, d);
% name, maker, n, d, k, metric, Octave's own ways too
work = {
	'normal',           normal,                          2000,  295,  20, 'pearson',   true
	'normal',           normal,                          2000,  295,  20, 'euclidean', true
	'normal',           normal,                          8000,  295,  20, 'pearson',   true
	'normal',           normal,                          8000,  295,  20, 'euclidean', true
	'normal',           normal,                          8192, 1024, 256, 'euclidean', true
	'normal',           normal,                         20000,   16,   5, 'euclidean', true
	'all rows equal',   @(n, d) repmat (randn (1, d), n, 1), 20000, 10, 20, 'euclidean', false
	'normal',           normal,                         20000,   10,  20, 'euclidean', false
	'integers 0 … 3',   @(n, d) floor (4 * rand (n, d)), 50000,  10,  20, 'euclidean', false
	'normal',           normal,                         50000,   10,  20, 'euclidean', false
};
if strcmp (getenv ('BENCH'), 'full')
	work = [work; {
		'normal', normal, 24158, 295, 20, 'pearson',   true
		'normal', normal, 24158, 295, 20, 'euclidean', true
	}];
end

[~, ~, info] = knngraph (randn (50, 5), 2);
say ('%s, %s logical cores; Octave %s; knng %s on %s; sources %s; load %s\n\n', ...
     first_line ('sed -n "s/^model name[^:]*: //p" /proc/cpuinfo | head -n 1'), first_line ('nproc'), ...
     OCTAVE_VERSION, info.version, info.device, first_line ('make -s source-hash | cut -c 1-12'), ...
     first_line ('cut -d " " -f 1 /proc/loadavg'));
say ('Seconds of a whole call. A ratio is the other''s time over knngraph''s: above 1, knngraph is faster.\n\n');
say ('| data | n | d | k | metric | knngraph | FAISS fp32 | ratio | products + nth_element | ratio | corr + sort | ratio |\n');
say ('|%s\n', repmat (' --- |', 1, 12));
stages = '';
for w = 1:rows (work)
	[name, make, n, d, k, metric, own] = work{w, :};
	X = make (n, d);
	[t, out] = median_time (@() ours (X, k, metric), 7);
	i = out.info;
	tf = faiss (X, k, metric, max (1, min (7, floor (8 / t))));
	tp = NaN;
	tc = NaN;
	if own
		tp = median_time (@() products (X, k, metric), 3);
		if strcmp (metric, 'pearson') && n <= 8000
			tc = median_time (@() corr_sort (X, k), 3);
		end
	end
	say ('| %s | %d | %d | %d | %s | %.3g | %s | %s | %s | %s | %s | %s |\n', name, n, d, k, metric, t, ...
	     seconds (tf), ratio (tf, t), seconds (tp), ratio (tp, t), seconds (tc), ratio (tc, t));
	s = i.seconds;
	stages = [stages, sprintf('| %s | %d | %d | %d | %s | %.3g | %.3g | %.3g | %.3g | %.3g | %.3g | %d / %d / %d / %d | %s | %d | %.1f |\n', ...
	                          name, n, d, k, metric, s.prepare, s.filter, s.refine, s.sink, s.total, out.wall - s.total, ...
	                          i.certified.f32, i.certified.f64, i.certified.scan, i.certified.boxes, i.product, i.tilesize, i.memory.peak / 1e6)];
end
say ('\nWhere knngraph''s last run spent its time; the rows that each precision level certified; the peak of its memory beside input and answer.\n\n');
say ('| data | n | d | k | metric | prepare | filter | refine | sink | total | outside | f32 / f64 / scan / boxes | product | tile | MB |\n');
say ('|%s\n', repmat (' --- |', 1, 15));
say ('%s', stages);
