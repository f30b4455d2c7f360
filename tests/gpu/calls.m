function count = calls()
%CALLS  How many calls that tests may have fail there were, those of the plugin among them: the gateway of searches counts them.
  count = knng.internal.search('fail', 0);
end
