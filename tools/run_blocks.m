function run_blocks (varargin)
%RUN_BLOCKS  Run the %! tests inside files, and print 'N passed, N failed'.
%   run_blocks (PATTERN, ...) takes file names with wildcards. Expected failures (%!xtest) do not count.
passed = 0;
failed = 0;
for p = 1:nargin
	files = glob (varargin{p});
	if isempty (files)
		printf ('no file matches %s\n', varargin{p});
		failed = failed + 1;
	end
	for i = 1:numel (files)
		[good, all, xfail] = test (files{i}, 'quiet', stdout);
		printf ('%-60s %d of %d\n', files{i}, good, all - xfail);
		passed = passed + good;
		failed = failed + all - xfail - good;
	end
end
printf ('%d passed, %d failed\n', passed, failed);
if failed > 0
	exit (1);
end
end
