function warn_nought (nought, Mdl)
%WARN_NOUGHT  Says how many rows have no prediction since the function 'DistanceWeight' of a model gives all their neighbours 0.
%   NOUGHT, m-by-1: which.

  if (any (nought))
    warning ('knng:data:nought', ['%s no prediction: ''DistanceWeight'', %s, makes the weights of all neighbours there 0. Scale the ' ...
             'distances in it, as @(d) exp (-d / s) with s about what they are, or give ''inverse'''], ...
             knng.internal.share_of (sum (nought > 0), numel (nought), 'row', 'has', 'have'), func2str (Mdl.DistanceWeight));
  end
end

%!warning <1 of 3 rows has no prediction: .* @\(d\) exp \(-d\), makes> knng.internal.warn_nought ([0; 1; 0], struct ('DistanceWeight', @(d) exp (-d)))
%!test  # once each, of classes and numbers; sums are of the rest
%! quiet = warning ('query', 'quiet');                          # pkg test does not show warnings
%! back = onCleanup (@() warning (quiet.state, 'quiet'));
%! warning ('off', 'quiet');
%! warning ('on', 'knng:data:nought', 'local');
%! X = [0; 1; 2; 90];
%! f = @(d) exp (-d .^ 2);
%! Mdl = knng.fitcknn (X, [1 1 2 2], 'DistanceWeight', f, 'K', 2);
%! N = knng.fitrknn (X, [1 1 2 2], 'DistanceWeight', f, 'K', 2);
%! C = knng.crossval (Mdl, 'Leaveout', 'on');
%! D = knng.crossval (N, 'Leaveout', 'on');
%! calls = {@() knng.predict(Mdl, [1; 50]), @() knng.predict(N, [1; 50]), @() knng.loss(Mdl, [1; 50], [1 2]), @() knng.loss(N, [1; 50], [1 2]), ...
%!          @() knng.kfoldPredict(C), @() knng.kfoldPredict(D), @() knng.kfoldLoss(C), @() knng.kfoldLoss(D), ...
%!          @() knng.cvk(X, [1 1 2 2], 'DistanceWeight', f, 'Ks', [1 3], 'Leaveout', 'on')};
%! values = {};
%! for i = 1:numel (calls)
%!   lastwarn ('', '');
%!   said = evalc ('values{i} = calls{i} ();');
%!   assert (nthargout (2, @lastwarn), 'knng:data:nought');
%!   assert (numel (strfind (said, sprintf ('warning: 1 of %d rows has no', 2 + 2 * (i > 4)))), 1);
%! end
%! assert (values{9}, [0.5 0.5]);                                % row 3 is wrong, and row 4 left out
%! assert (isnan (values{6}), X == 90);
%! lastwarn ('', '');
%! knng.fitcknn (X, [1 1 2 2], 'DistanceWeight', f, 'Optim', 'NumNeighbors');
%! assert (lastwarn (), '');                                  # Unpredicted counts them
