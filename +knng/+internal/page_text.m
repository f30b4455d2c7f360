function [text, blocks] = page_text (page)
%PAGE_TEXT  The page, a uint8 row, of what knng.internal.page_blocks has gathered; BLOCKS also has the parts 'meta' and
%   'page', the page without what it carries.
%   page.html is the skeleton, in which @NAME@ stands for a part; data.js says how a damaged character is found in each. The
%   policy allows the one script, by its hash, and nothing else: no request leaves the page, and nothing runs that came with
%   the data. A second </title> is there lest the title takes all that follows if the first one is damaged.

  here = fullfile (fileparts (mfilename ('fullpath')), 'page');
  part = @(name) fileread (fullfile (here, name));
  script = [part('data.js'), part('numbers.js'), part('draw.js'), part('gram.js'), part('show.js'), part('page.js')];
  title = page.meta.title;
  if (isempty (title))
    title = 'knng: a graph of nearest neighbours';
  end
  policy = @(hash) ['default-src ''none''; script-src ''sha256-', hash, '''; img-src data: blob:; base-uri ''none''; form-action ''none'''];
  pack = @knng.internal.page_block;
  blocks = [pack('body', part ('body.html')), pack('style', part ('page.css')), pack('meta', knng.internal.json_text (page.meta)), page.blocks];
  empty = struct ('name', [{'shell'}, {blocks.name}], 'text', zeros (1, 0, 'uint8'));
  shell = filled (part ('page.html'), policy (''), as_html (title), empty, '');
  blocks = [pack('shell', shell), blocks];
  text = filled (part ('page.html'), policy (digest (script)), as_html (title), blocks, script);
  blocks = [struct('name', 'page', 'text', zeros (1, numel (text) - sum (cellfun ('length', {blocks.text})), 'uint8')), blocks];
end

function text = filled (skeleton, policy, title, blocks, script)
% page.html, bytes, with its parts.
  known = struct ('policy', policy, 'title', title, 'script', script);
  parts = regexp (skeleton, '@(\w+)@', 'split');
  names = regexp (skeleton, '@(\w+)@', 'tokens');
  pieces = {knng.internal.utf8_bytes(parts{1})};
  for i = 1:numel (names)
    if (strcmp (names{i}{1}, 'blocks'))
      pieces = [pieces, data_elements(blocks)]; %#ok<AGROW>
    else
      pieces{end + 1} = valid_bytes (knng.internal.utf8_bytes (known.(names{i}{1}))); %#ok<AGROW>
    end
    pieces{end + 1} = knng.internal.utf8_bytes (parts{i + 1}); %#ok<AGROW>
  end
  text = [pieces{:}];
end

function b = valid_bytes (b)
% What is no UTF-8 becomes the character for that, as browsers show it; they would tell of it, too.
  if (all (b < 128))
    return
  end
  least = [194 128; 224 160; 225 128; 237 128; 238 128; 240 144; 241 128; 244 128];   % first byte, from, and its second one
  most = [223 191; 224 191; 236 191; 237 159; 239 191; 240 191; 243 191; 244 143];
  more = [1 2 2 2 2 3 3 3];
  good = b < 128;
  tail = [b >= 128 & b <= 191, false(1, 3)];                 % a second byte or a later one
  after = [b(2:end), 0];
  for kind = 1:8
    i = find (b >= least(kind, 1) & b <= most(kind, 1) & after >= least(kind, 2) & after <= most(kind, 2));
    for later = 2:more(kind)
      i = i(tail(i + later));
    end
    for later = 0:more(kind)
      good(i + later) = true;
    end
  end
  if (all (good))
    return
  end
  list = num2cell (b);
  list(~good) = {uint8([239 191 189])};
  b = [list{:}];
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
