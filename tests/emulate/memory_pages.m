function [npass, nfail] = memory_pages()
%MEMORY_PAGES  docs/memory.md has the tables of how many rows fit on a GPU as plans have them now: asked of emulated GPUs.
%   To be run from the folder that build.sh made.
  root = fileparts(fileparts(fileparts(mfilename('fullpath'))));
  addpath(fullfile(root, 'tools'));
  page = fileread(fullfile(root, 'docs', 'memory.md'));
  tables = strsplit(memory_table('gpu'), "\n\n");
  ok = numel(tables) == 2 && all(cellfun(@(t) ~isempty(strfind(page, strtrim(t))), tables));
  if ~ok
    fprintf('the tables of rows on GPUs in docs/memory.md are not what tools/memory_table.m makes now\n');
  end
  npass = double(ok);
  nfail = double(~ok);
  fprintf('%d passed, %d failed\n', npass, nfail);
end
