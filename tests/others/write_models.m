function write_models (folder)
%WRITE_MODELS  Predictions of knng.fitrknn and knng.fitcknn, for compare_models.py: for each case rows, numbers, queries and answers,
%   what knng.confusionmat and knng.rocmetrics say of three classes, and losses, of other rows, of the model's own and of each left out.

  ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
  u = @(n, d, seed) reshape (knng.internal.random (seed, n * d), n, d);
  whole = floor (6 * u(500, 3, 8));                          % with many ties
  cases = {'uniform', u(3000, 6, 1), 'euclidean'; 'genes', ds.X(1:1500, :), 'euclidean'; 'samples', ds.X', 'cosine'; ...
           'blocks', u(1000, 4, 2), 'cityblock'; 'largest', u(1000, 5, 3), 'chebychev'; 'twins', repmat(u(200, 4, 4), 2, 1), 'cityblock'; ...
           'ties', whole, 'cityblock'};
  for c = 1:size (cases, 1)
    [name, Z, metric] = cases{c, :};
    n = floor (0.8 * size (Z, 1));
    [X, Q] = deal (Z(1:n, :), Z(n + 1:end, :));
    Y = [sum(X .^ 2, 2), u(n, 1, 9)];
    ties = strcmp (name, 'ties');
    write_array (folder, name, 'X', X);
    write_array (folder, name, 'Y', Y);
    write_array (folder, name, 'Q', Q);
    weights = {'equal', 'inverse', @(d) exp (-d)};
    for w = 1:3
      for k = [1 5 17]
        how = {'K', k, 'Distance', metric, 'DistanceWeight', weights{w}, 'IncludeTies', ties};
        what = sprintf ('%d.%d', w, k);
        write_array (folder, name, ['numbers.' what], knng.predict (knng.fitrknn (X, Y, how{:}), Q));
        [~, score] = knng.predict (knng.fitcknn (X, Y(:, 2) > 0.4, how{:}), Q);
        write_array (folder, name, ['scores.' what], score);
      end
    end
    of_three = 1 + (Y(:, 2) > 0.4) + (Y(:, 2) > 0.7);
    CV = knng.crossval (knng.fitcknn (X, of_three, 'K', 17, 'Distance', metric, 'IncludeTies', ties));
    [label, score] = knng.kfoldPredict (CV);
    write_array (folder, name, 'classes', [of_three, label, score]);
    write_array (folder, name, 'confusion', knng.confusionmat (of_three, label));
    write_array (folder, name, 'ordered', knng.confusionmat (of_three, label, 'Order', [3 1]));
    r = knng.rocmetrics (of_three, score, CV.ClassNames);
    write_array (folder, name, 'auc', r.AUC);
    one = knng.rocmetrics (of_three == 2, score(:, 2), true);
    for c = 1:4
      curve = [r.Curves, one.Curves](c);
      write_array (folder, name, sprintf ('curve%d', c), [curve.Threshold, curve.FalsePositiveRate, curve.TruePositiveRate]);
    end
    parts = CV.Partition.fold;
    how = {'Distance', metric, 'IncludeTies', ties};
    write_array (folder, name, 'parts', parts);
    write_array (folder, name, 'cvk', knng.cvk (X, of_three, 'Ks', [1 3 8 17], 'CVPartition', parts, how{:}));
    wanted = [sum(Q .^ 2, 2), u(size (Q, 1), 1, 10)];
    write_array (folder, name, 'wanted', wanted);
    R = knng.fitrknn (X, Y(:, 1), 'K', 4, how{:});
    C = knng.fitcknn (X, of_three, 'K', 4, how{:});
    write_array (folder, name, 'losses', [knng.loss(R, Q, wanted(:, 1)), knng.resubLoss(R), ...
                                          knng.loss(C, Q, 1 + (wanted(:, 2) > 0.4) + (wanted(:, 2) > 0.7)), knng.resubLoss(C)]);
    write_array (folder, name, 'loss', knng.kfoldLoss (knng.fitrknn (X, Y, 'Distance', metric, 'Leaveout', 'on')));
  end
end
