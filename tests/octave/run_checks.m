function nfail = run_checks(checks)
%RUN_CHECKS  Calls each function of a cell of handles: one that raises an error, as assert does, has failed.
%   Prints each failure, where it was raised, and at last 'N passed, N failed'.

npass = 0;
nfail = 0;
for i = 1:numel(checks)
  try
    checks{i}();
    npass = npass + 1;
  catch err
    printf('FAIL %s: %s\n', func2str(checks{i}), err.message);
    printf('    %s, line %d\n', [{err.stack.name}; {err.stack.line}]{:});
    nfail = nfail + 1;
  end
end
printf('%d passed, %d failed\n', npass, nfail);
end
