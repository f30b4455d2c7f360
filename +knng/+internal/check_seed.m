function check_seed (seed)
%CHECK_SEED  An error where SEED is no seed for knng.internal.random.

  if (numel (seed) ~= 1 || ~knng.internal.whole (seed, 0, 2147483645))
    error ('knng:args:option', '''Seed'' is %s: it must be one whole number from 0 to 2147483645', knng.internal.given (seed));
  end
end
