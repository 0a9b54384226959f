/**
 * Runs in the sandbox, on one line, and carries out a template: for one item, or for what is outside of all items. It
 * keeps what it needs before a script of the template can replace it. Its answer is judged like that of any script.
 */
export const templateDriver = `(() => {
  const { parse, stringify } = JSON;
  const run = eval;
  const { root, item, known, max, longest } = parse(given);
  const out = { files: [], texts: [], missing: [] };
  const waiting = [];
  const tagged = new Map();
  const mark = (tags, file) => tags.forEach((tag) => tagged.set(tag, [...(tagged.get(tag) || []), file]));
  const told = (thrown) => (thrown instanceof Error ? thrown.name + ': ' + thrown.message : String(thrown));
  const evaluate = (at, code) => {
    try { return run(code); } catch (thrown) { throw at + ': ' + told(thrown); }
  };
  const inline = (at, parts, must) => {
    let text = '';
    for (const part of parts) {
      const value = typeof part === 'string' ? part : evaluate(at, part[0]);
      if (value !== undefined && value !== null) text += typeof value === 'object' ? stringify(value) : String(value);
      else if (must) throw at + ': Expected a value of "' + part[0].slice(0, 80) + '"';
      if (text.length > longest) throw at + ': Expected at most ' + longest + ' characters';
    }
    return text;
  };
  const itemTool = ({ id, metadata }) => {
    const fields = new Map(metadata);
    const values = (name) => fields.get(String(name)) || [];
    return { id: () => id, values, metadata: (name) => (values(name).length > 0 ? values(name)[0] : null) };
  };
  const shapeTool = ({ id, tags, mimeTypes, version }) => ({
    id: () => id, tags: () => [...tags], mimeType: () => (mimeTypes.length > 0 ? mimeTypes[0] : null), version: () => version,
  });
  const componentTool = ({ component, kind }) => ({ id: () => component, type: () => kind });
  const fileTool = ({ id, name, size, hash, storage }) => {
    const dot = name.lastIndexOf('.');
    return {
      id: () => id, name: () => name, extension: () => (dot > 0 ? name.slice(dot + 1) : ''),
      size: () => size, hash: () => hash, storage: () => storage,
    };
  };
  globalThis.checksum = {
    tag: (tag, algorithm = 'SHA-1') => {
      if (String(algorithm).toUpperCase().replace('-', '') !== 'SHA1')
        throw new Error('Expected SHA-1, the hash that is kept of files: ' + algorithm);
      const [file] = tagged.get(String(tag)) || [];
      if (!file) throw new Error('Expected a file with the tag "' + tag + '"');
      if (file.hash === null) throw new Error('Expected a file that has been hashed: ' + file.path);
      return file.hash;
    },
  };
  const enter = (scope) => {
    for (const name of ['item', 'shape', 'component', 'file', 'value']) globalThis[name] = scope[name];
  };
  const shapesIn = ({ at, shapeTag, generate }, scope) => {
    const tag = shapeTag && inline(at + '/shapeTag', shapeTag, true);
    const found = item.shapes.filter(({ tags }) => tag === undefined || tags.includes(tag));
    if (found.length === 0) out.missing.push([at, tag === undefined ? '' : tag, generate === true]);
    return found.map((facts) => ({ ...scope, shape: shapeTool(facts), files: facts.files }));
  };
  const filesIn = ({ at }, scope) => scope.files.map((index) => ({ ...scope, index, file: fileTool(item.files[index]) }));
  const instances = {
    item: (node, scope) => (item === null ? [] : [{ ...scope, item: itemTool(item) }]),
    shape: shapesIn,
    component: (node, scope) => scope.files.map((index) => ({ ...scope, files: [index], component: componentTool(item.files[index]) })),
    componentfile: filesIn,
    iterate: ({ at, values }, scope) =>
      values.flatMap((code) => evaluate(at + '/value', code)).map((value) => ({ ...scope, value })),
  };
  const below = (base, node) => {
    if (node.path === undefined) return base;
    const path = inline(node.at + '/path', node.path, true);
    return path === '' ? base : base + (path.endsWith('/') ? path : path + '/');
  };
  const into = (node, scope, base) => {
    const path = node.path === undefined ? undefined : leaf(base, node);
    return { kind: node.kind, path, at: node.at, ofItem: scope.item !== undefined, used: false };
  };
  const packed = (path, { pack }) => {
    if (pack === undefined || pack.kind === 'archive') return path;
    if (pack.path === undefined) return path + '.gz';
    if (pack.used) throw pack.at + '/path: Expected one file in the element';
    pack.used = true;
    return pack.path;
  };
  const packOf = ({ pack }) => (pack === undefined ? null : [pack.kind, pack.path || '', pack.at, pack.ofItem]);
  const leaf = (base, node) => base + inline(node.at + '/path', node.path, true);
  const full = () => {
    if (out.files.length + out.texts.length + waiting.length > max) throw 'Expected at most ' + max + ' files';
  };
  const actions = {
    componentfile: (node, scope, base, tags) => {
      const { index } = scope;
      const { name, hash } = item.files[index];
      const path = packed(node.path === undefined ? base + name : leaf(base, node), scope);
      mark(tags, { path, hash });
      out.files.push([index, path, node.at, tags, packOf(scope)]);
    },
    text: (node, scope, base, tags) => {
      if ((scope.item === undefined) !== (item === null)) return;
      const needs = node.needs.map((parts) => inline(node.at + '/dependency', parts, true));
      waiting.push({ node, scope, base, tags, needs });
    },
  };
  const walk = (node, scope, base) => {
    enter(scope);
    for (const inner of instances[node.kind] ? instances[node.kind](node, scope) : [scope]) {
      enter(inner);
      if (node.pre !== undefined) evaluate(node.at + '/pre', node.pre);
      if (node.filter !== undefined && !evaluate(node.at + '/filter', node.filter)) continue;
      const tags = node.tags.map((parts) => inline(node.at + '/tag', parts, true));
      const action = actions[node.kind];
      if (action) action(node, inner, base, tags);
      full();
      const packs = node.kind === 'archive' || node.kind === 'compress';
      const pack = packs ? into(node, inner, base) : inner.pack;
      if (packs && pack.path !== undefined) mark(tags, { path: pack.path, hash: null });
      const inside = node.kind === 'archive' ? '' : action || packs ? base : below(base, node);
      for (const each of node.inner) {
        walk(each, { ...inner, pack }, inside);
        enter(inner);
      }
    }
  };
  for (const { tags, ...file } of known) mark(tags, file);
  globalThis.files = known.map(({ item, path, size, hash }) => ({ item, path, size, hash }));
  walk(root, {}, '');
  while (waiting.length > 0) {
    const next = waiting.findIndex((one) =>
      one.needs.every((need) => !waiting.some((other) => other !== one && other.tags.includes(need))));
    if (next < 0) throw waiting[0].node.at + '/dependency: Expected elements that do not depend on each other';
    const [{ node, scope, base, tags, needs }] = waiting.splice(next, 1);
    for (const need of needs)
      if (!tagged.has(need)) throw node.at + '/dependency: Expected an element with the tag "' + need + '"';
    enter(scope);
    const path = packed(leaf(base, node), scope);
    out.texts.push([path, inline(node.at + '/content', node.content, false), node.at, node.stylesheet, packOf(scope)]);
    mark(tags, { path, hash: null });
  }
  return out;
})()`.replaceAll(/\n\s*/g, ' ');

/** Throws where a script of a template cannot be read, and runs none of them. */
export const templateCheck = `for (const [at, code] of JSON.parse(given)) {
  try { new Function(code); } catch (thrown) { throw at + ': ' + thrown.name + ': ' + thrown.message; }
}`.replaceAll(/\n\s*/g, ' ');
