function devices = gpu_devices()
%GPU_DEVICES  The values of 'Device' that GPUs are tested by: one, and, where there are several, all of them.
  devices = {1, 'gpu'};
  if numel(knng.devices()) == 1
    devices = {1};                                         % 'gpu' is the same
  end
end
