function pre_install (desc)   %#ok<INUSD>
%PRE_INSTALL  Octave's pkg calls it before it compiles. Of the compilation pkg shows only make's standard error.

  printf ('knng: compiling for this machine takes a minute or two; on a terminal it says how far it is\n');
  fflush (stdout);
end
