function [npass, nfail] = test_metamorphic(level, seed)
%TEST_METAMORPHIC  Searches that must agree with each other: 'short' (default) 1000 cases, 'deep' 20 000.

if nargin < 1
  level = 'short';
end
if nargin < 2
  seed = 20120830;
end
[npass, nfail] = metamorphic(struct('short', 1000, 'deep', 20000).(level), seed);
end
