import { unmarked } from '../../../src/http/opaque.ts';
import type { Route } from '../../../src/http/route.ts';
import type { Rule } from '../roles/rule.ts';

export type Level = 'READ' | 'WRITE' | 'ALL' | 'OWNER';
export const levels: readonly Level[] = ['READ', 'WRITE', 'ALL', 'OWNER'];

/** Secret in the metadata, names and paths of hidden entities. No caller without rights may be told it. */
export const canary = 'canary7f3a';

/** Kinds of entities that access entries stand on. */
export const guarded = ['item', 'collection', 'library'] as const;
export type Guarded = (typeof guarded)[number];

/** An entity that a request names, and the least level that its caller needs on it. */
export interface Named {
  readonly type: Guarded;
  readonly id: string;
  readonly level: Level;
}

/** An entry for a part of an entity. `extradata`: null speaks for the whole operation. */
export interface Narrow {
  readonly operation: 'METADATA' | 'SHAPE' | 'URI';
  readonly extradata: string | null;
  readonly level: 'NONE' | 'READ';
}

/** Request of a route that names entities. */
export interface Case {
  readonly name: string;
  readonly rule: Rule;
  /** An entry for a part of the first one that says no, beside one that gives all of it. */
  readonly narrow?: ((who: string) => Narrow | undefined) | undefined;
  /** Where the rows have less than the request is about. */
  readonly answers?: 404 | undefined;
  readonly named: (who: string) => readonly Named[];
}

const words = (path: string): readonly string[] =>
  unmarked(path)
    .replace(/^\/APInoauth(?=\/)/, '')
    .split('/');

/** The name of a part of a path that stands for something. */
const partName = (word: string): string | undefined => /^:(\w+)/.exec(word)?.[1];

export const partNames = ({ path }: Pick<Route, 'path'>): readonly string[] =>
  words(path).flatMap((word) => partName(word) ?? []);

/** Values of the parts of a path in a request: `/item/:item` and `/API/item/VX-1?a=b`. */
export function partsIn(path: string, target: string): ReadonlyMap<string, string> {
  const sent = target
    .replace(/^\/(?:API|APInoauth)(?=\/)/, '')
    .split('?')[0]!
    .split('/');
  const named = words(path).map((word, at) => [partName(word), decodeURIComponent(sent[at] ?? '')] as const);
  return new Map(named.flatMap(([name, value]) => (name === undefined ? [] : [[name, value] as const])));
}

/** Other names of items in paths. */
const items: ReadonlySet<string> = new Set(['other', 'member']);

/** Kind of guarded entity that a part of a path names: by its own name, or by the part in front of it. */
export function kindOf({ path }: Pick<Route, 'path'>, part: string): Guarded | undefined {
  const all = words(path);
  const before = all[all.findIndex((word) => partName(word) === part) - 1];
  return guarded.find((kind) => kind === part || kind === before) ?? (items.has(part) ? 'item' : undefined);
}
