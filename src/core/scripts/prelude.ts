/**
 * Runs in the sandbox before a script, and keeps what it needs before the script can replace it. Variables are trees
 * of JSON. Scripts of the API also read and write them as beans: `shape.getMimeType().get(0)`, `preset.setFormat("mp4")`.
 */
export const prelude = `(({ parse, stringify }, Error, String, Proxy, Reflect, Array, global) => {
  const { isArray } = Array;
  const owns = (target, key) => Reflect.getOwnPropertyDescriptor(target, key) !== undefined;
  const own = (target, key) => (owns(target, key) ? bean(target[key]) : null);
  const write = (target, key, value) => {
    Reflect.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
    return value;
  };
  const ofLists = {
    get: (list) => (index) => own(list, String(index)),
    size: (list) => () => list.length,
    isEmpty: (list) => () => list.length === 0,
    add: (list) => (value) => { write(list, list.length, value); return true; },
    clear: (list) => () => { list.length = 0; },
  };
  const ofMaps = {
    get: (map) => (key) => own(map, String(key)),
    containsKey: (map) => (key) => owns(map, String(key)),
    put: (map) => (key, value) => { write(map, String(key), value); return null; },
  };
  const accessor = (target, key) => {
    const methods = isArray(target) ? ofLists : ofMaps;
    if (owns(methods, key)) return methods[key](target);
    const length = key.startsWith('is') ? 2 : 3;
    const verb = key.slice(0, length);
    const first = key.charAt(length);
    if (first === '' || first !== first.toUpperCase() || first === first.toLowerCase()) return undefined;
    const name = first.toLowerCase() + key.slice(length + 1);
    if (verb === 'get' || verb === 'is') return () => own(target, name);
    return verb === 'set' ? (value) => { write(target, name, value); } : undefined;
  };
  const handler = {
    get(target, key) {
      if (typeof key !== 'string' || owns(target, key)) return bean(target[key]);
      const found = Reflect.get(target, key);
      return found === undefined ? accessor(target, key) : found;
    },
  };
  const bean = (value) => (typeof value === 'object' && value !== null ? new Proxy(value, handler) : value);
  return {
    set: (name, text) => { write(global, name, bean(parse(text))); },
    write: (value) => stringify(value),
    describe: (thrown) => {
      if (!(thrown instanceof Error)) return String(thrown);
      const line = /\\bscript:(\\d+)/.exec(thrown.stack);
      return thrown.name + ': ' + thrown.message + (line ? ' (line ' + line[1] + ')' : '');
    },
  };
})(JSON, Error, String, Proxy, Reflect, Array, globalThis)`;
