function opt = partition_defaults ()
%PARTITION_DEFAULTS  The options of knng.internal.partition, and their defaults.

  opt = struct ('KFold', [], 'Leaveout', 'off', 'Holdout', [], 'CVPartition', [], 'Seed', 0);
end
