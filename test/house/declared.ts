import type { Source } from '../architecture/sources.ts';

/** What a file declares for its room, by the words that declare it: the formatter keeps them in one shape. */
export interface Declared {
  readonly path: string;
  readonly kind: Kind;
  readonly name: string;
}

/** By the property of a room that lists it. */
export type Kind = 'documents' | 'tables' | 'events' | 'migrations';

const words: Readonly<Record<Exclude<Kind, 'migrations'>, RegExp>> = {
  documents: /\bdocument\(\s*'(\w+)'/g,
  tables: /\bsqliteTable\(\s*'(\w+)'/g,
  events: /'([\w/]+)': (?:event|firing)\b/g,
};

export function declaredIn({ path, code }: Source): Declared[] {
  const found = Object.entries(words).flatMap(([kind, pattern]) =>
    [...code.matchAll(pattern)].map((match) => ({ path, kind: kind as Kind, name: match[1]! })),
  );
  const migration = /\/migrations\/(\d{4}-.+)\.ts$/.exec(path);
  return migration ? [...found, { path, kind: 'migrations', name: migration[1]! }] : found;
}

/** What the context has of each kind, by name. */
export type Listed = Readonly<Record<Kind, ReadonlySet<string>>>;

/** Everything that a file declares and no room lists: the service does not know it. */
export const unlisted = (sources: readonly Source[], listed: Listed): string[] =>
  sources
    .flatMap(declaredIn)
    .filter(({ kind, name }) => !listed[kind].has(name))
    .map(({ path, kind, name }) => `${path}: no room lists "${name}". Remedy: add it to ${kind} of its room.ts`);
