%SAMPLE  The example that was published with the first program of this kind, checked.
%   Ten features of six samples (examples/data/sample.nbi), and for each the three whose Pearson correlation r with
%   it is lowest: metric 'antipearson', distance 1 + r. Prints the neighbours and 'ok', or fails with an error.
%
%     ds = knng.read ('sample.nbi');
%     [idx, dist] = knngraph (ds.X, 3, 'antipearson');            % dist - 1 is r

% Run it from any directory: octave-cli examples/sample.m.

root = fileparts (fileparts (mfilename ('fullpath')));
addpath (root);

% The published output: source, target (counted from 0), r.
published = [
    0 5 -0.145362;  0 8 -0.782624;  0 4 -0.117918;  1 5 -0.480781;  1 4 -0.866238;  1 3 -0.415669
    2 5 -0.486956;  2 4 -0.763127;  2 3 -0.833721;  3 9 -0.520289;  3 1 -0.415669;  3 2 -0.833721
    4 9 -0.673579;  4 1 -0.866238;  4 2 -0.763127;  5 7 -0.620824;  5 1 -0.480781;  5 2 -0.486956
    6 7 -0.317340;  6 1 -0.292388;  6 8 -0.834691;  7 4 -0.367099;  7 5 -0.620824;  7 6 -0.317340
    8 0 -0.782624;  8 6 -0.834691;  8 9 -0.426985;  9 8 -0.426985;  9 4 -0.673579;  9 3 -0.520289];
published = sortrows (reshape (published', 3, [])');

ds = knng.read (fullfile (root, 'examples', 'data', 'sample.nbi'));
k = 3;
[idx, dist] = knngraph (ds.X, k, 'antipearson');

n = numel (ds.names);
for i = 1:n
    fprintf ('%-5s', ds.names{i});
    for c = 1:k
        fprintf ('  %-5s r = %9.6f', ds.names{idx(i, c)}, dist(i, c) - 1);
    end
    fprintf ('\n');
end

ours = sortrows ([kron((0:n-1)', ones (k, 1)), reshape(idx', [], 1) - 1, reshape(dist', [], 1)]);
if ~isequal (ours(:, 1:2), published(:, 1:2))
    error ('knng:sample:neighbours', 'the neighbours are not the published ones');
end
off = max (abs (ours(:, 3) - (1 + published(:, 3))));
if ~(off < 2e-6)
    error ('knng:sample:distance', 'a distance differs by %g from the published 1 + r', off);
end
fprintf ('ok: the %d published neighbours, 1 + r within %.1g\n', n * k, off);
