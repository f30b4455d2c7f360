function back = quiet_alone ()
%QUIET_ALONE  While BACK is there knng.leiden and knng.louvain do not count points without edges: for callers that leave these out.

  back = knng.internal.quiet_rows ({'knng:graph:disconnected'});
end

%!test
%! lastwarn ('', '');
%! back = knng.internal.quiet_alone ();
%! c = knng.louvain (sparse (3, 3));
%! assert ({lastwarn(), c}, {'', (1:3)'});
%! back = [];
%! evalc ('knng.louvain (sparse (3, 3));');
%! assert (strncmp (lastwarn (), '3 of 3 points have no edges', 27));
