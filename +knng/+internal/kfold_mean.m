function yfit = kfold_mean (Mdl, fold, ks, how)
%KFOLD_MEAN  What models of knng.fitrknn without a row's fold predict for it, n-by-(p*numel(KS)), for each k of the ascending KS.
%   Rows of fold 0 are in all models, and nothing is asked of them (NaN). HOW: options of searches, as of knng.internal.engine.

  rows = knng.internal.knr_check (Mdl);
  n = numel (fold);
  tell = @(r, near, dist) knng.internal.mean_of (Mdl.Y, near, dist, Mdl, ks);
  p = size (Mdl.Y, 2) * numel (ks);
  out = knng.internal.asked_folds (Mdl, fold, min (ks(end), n), [rows, how], tell, [NaN(n, p), zeros(n, 1)]);
  yfit = out(:, 1:p);
  knng.internal.warn_nought (out(:, end), Mdl);
end
