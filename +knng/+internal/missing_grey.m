function grey = missing_grey ()
%MISSING_GREY  The colour of a missing value in a heat map: as far as a grey can be from those of values, which are nearly white near 0.

  grey = [0.5 0.5 0.5];
end

%!test  # for each vision; nor is it the grey of classes that are missing, or many
%! grey = knng.internal.missing_grey ();
%! for v = 1:4
%!   far = sqrt (sumsq (knng.internal.as_seen (knng.internal.heat_colours (), v) - knng.internal.as_seen (grey, v), 2));
%!   assert (min (far) > 28);
%! end
%! assert (min (abs (grey(1) - [0.6 0.85])) > 0.09);
