function opt = optimize_defaults ()
%OPTIMIZE_DEFAULTS  The options of knng.internal.best_model, and their defaults.

  opt = struct ('OptimizeHyperparameters', 'none', 'HyperparameterOptimizationOptions', []);
end
