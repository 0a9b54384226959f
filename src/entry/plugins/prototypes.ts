/** The prototypes of every object in the process: a plugin that changes one changes all other code. */
const watched: readonly (readonly [string, object])[] = [
  ['Object', Object.prototype],
  ['Array', Array.prototype],
  ['Function', Function.prototype],
  ['String', String.prototype],
  ['Number', Number.prototype],
  ['Boolean', Boolean.prototype],
  ['RegExp', RegExp.prototype],
  ['Date', Date.prototype],
  ['Map', Map.prototype],
  ['Set', Set.prototype],
  ['Promise', Promise.prototype],
  ['Error', Error.prototype],
  ['Headers', Headers.prototype],
  ['Request', Request.prototype],
  ['Response', Response.prototype],
];

export interface Pollution {
  /** Changed properties, such as `Object.prototype.isAdmin`. */
  readonly changed: readonly string[];
  /** Changed properties that could not be restored. */
  readonly stuck: readonly string[];
}

/** Snapshots the prototypes. The returned function restores them and reports the changes. */
export function watchPrototypes(): () => Pollution {
  const before = watched.map(([name, prototype]) => ({
    name,
    prototype,
    parent: Object.getPrototypeOf(prototype) as object | null,
    own: new Map(ownOf(prototype)),
  }));
  return () => {
    const changed: string[] = [];
    const stuck: string[] = [];
    for (const { name, prototype, parent, own } of before) {
      const now = new Map(ownOf(prototype));
      for (const key of new Set([...own.keys(), ...now.keys()])) {
        if (same(own.get(key), now.get(key))) continue;
        const shown = `${name}.prototype.${String(key)}`;
        changed.push(shown);
        if (!putBack(prototype, key, own.get(key))) stuck.push(shown);
      }
      if (Object.getPrototypeOf(prototype) === parent) continue;
      changed.push(`the prototype of ${name}.prototype`);
      if (!Reflect.setPrototypeOf(prototype, parent)) stuck.push(`the prototype of ${name}.prototype`);
    }
    return { changed, stuck };
  };
}

const ownOf = (object: object): (readonly [PropertyKey, PropertyDescriptor])[] =>
  Reflect.ownKeys(object).map((key) => [key, Reflect.getOwnPropertyDescriptor(object, key)!]);

const parts = ['value', 'get', 'set', 'enumerable', 'configurable', 'writable'] as const;
const same = (a: PropertyDescriptor | undefined, b: PropertyDescriptor | undefined): boolean =>
  a !== undefined && b !== undefined && parts.every((part) => Object.is(a[part], b[part]));

function putBack(object: object, key: PropertyKey, descriptor: PropertyDescriptor | undefined): boolean {
  return descriptor ? Reflect.defineProperty(object, key, descriptor) : Reflect.deleteProperty(object, key);
}
