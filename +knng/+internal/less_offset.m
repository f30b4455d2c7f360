function text = less_offset (offset)
%LESS_OFFSET  What the name of a scale says where its numbers are less OFFSET, as ' - 273.15'; '' for 0.

  text = '';
  if (offset > 0)
    text = sprintf (' - %.15g', offset);
  elseif (offset < 0)
    text = sprintf (' + %.15g', -offset);
  end
end

%!assert ({knng.internal.less_offset(0), knng.internal.less_offset(273.15), knng.internal.less_offset(-1e9)}, {'', ' - 273.15', ' + 1000000000'})
