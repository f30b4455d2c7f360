function [text, blocks] = page_text (page)
%PAGE_TEXT  The page, a uint8 row, of what knng.internal.page_blocks has gathered; BLOCKS also has the parts 'meta' and
%   'page', the page without what it carries.
%   page.html is the skeleton, in which @NAME stands for a part. The policy allows the one script and the one style, by
%   their hashes, and nothing else: no request leaves the page, and nothing runs that came with the data.

  here = fullfile (fileparts (mfilename ('fullpath')), 'page');
  skeleton = fileread (fullfile (here, 'page.html'));
  style = fileread (fullfile (here, 'page.css'));
  script = '';
  for name = {'data', 'numbers', 'draw', 'show', 'page'}
    script = [script, fileread(fullfile (here, [name{1} '.js']))]; %#ok<AGROW>
  end
  title = page.meta.title;
  if (isempty (title))
    title = 'knng: a graph of nearest neighbours';
  end
  policy = sprintf (['default-src ''none''; script-src ''sha256-%s''; style-src ''sha256-%s''; img-src data: blob:; ' ...
                     'base-uri ''none''; form-action ''none'''], digest (script), digest (style));
  meta = knng.internal.page_block ('meta', knng.internal.json_text (page.meta));
  blocks = [meta, page.blocks];
  known = struct ('policy', policy, 'title', as_html (title), 'style', style, 'script', script);
  parts = regexp (skeleton, '@(\w+)@', 'split');
  names = regexp (skeleton, '@(\w+)@', 'tokens');
  pieces = {knng.internal.utf8_bytes(parts{1})};
  for i = 1:numel (names)
    if (strcmp (names{i}{1}, 'blocks'))
      pieces = [pieces, data_elements(blocks)]; %#ok<AGROW>
    else
      pieces{end + 1} = knng.internal.utf8_bytes (known.(names{i}{1})); %#ok<AGROW>
    end
    pieces{end + 1} = knng.internal.utf8_bytes (parts{i + 1}); %#ok<AGROW>
  end
  text = [pieces{:}];
  blocks = [struct('name', 'page', 'text', zeros (1, numel (text) - sum (cellfun ('length', {blocks.text})), 'uint8')), blocks];
end

function pieces = data_elements (blocks)
  pieces = cell (3, numel (blocks));
  for b = 1:numel (blocks)
    pieces{1, b} = knng.internal.utf8_bytes (sprintf ('<script type="application/octet-stream" id="data-%s">', blocks(b).name));
    pieces{2, b} = blocks(b).text;
    pieces{3, b} = knng.internal.utf8_bytes (sprintf ('</script>\n'));
  end
  pieces = reshape (pieces, 1, []);
end

function t = digest (text)
% SHA-256 in base64, as policies have it.
  hex = knng.internal.explore ('hash', knng.internal.utf8_bytes (text));
  t = matlab.net.base64encode (uint8 (hex2dec (reshape (hex, 2, [])'))');
end

function t = as_html (t)
  t(t < 32 | t == 127) = ' ';
  t = strrep (strrep (strrep (t, '&', '&amp;'), '<', '&lt;'), '>', '&gt;');
end
