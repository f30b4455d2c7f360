function ok = refused(id, f)
%REFUSED  Whether f() ends in an error of that identifier.
  ok = false;
  try
    f();
  catch e
    ok = strcmp(e.identifier, id);
  end
end
