function yfit = knr_predict (Mdl, X, how)
%KNR_PREDICT  knng.predict of a model of knng.fitrknn: m-by-p, NaN for rows without neighbours. HOW as of engine.

  rows = knng.internal.knr_check (Mdl);
  [T, X, ask] = knng.internal.knn_tables (Mdl, X);
  tell = @(r, near, dist) knng.internal.mean_of (Mdl.Y, near, dist, Mdl, ask.k);
  p = size (Mdl.Y, 2);
  out = knng.internal.asked (T, X, ask, [rows, how], tell, zeros (size (X, 1), p + 1));
  yfit = out(:, 1:p);
  knng.internal.warn_nought (out(:, end), Mdl);
end
