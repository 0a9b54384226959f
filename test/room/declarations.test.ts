import { describe, expect, it } from 'vitest';
import { rooms } from '../../src/composition/rooms.ts';
import type { EventKind } from '../../src/core/events/event-kinds.ts';
import { mergeExtensions, mergeMigrations, mergeRooms } from '../../src/room/merge-rooms.ts';
import { type Source, sourceOf, sourcesIn } from '../architecture/sources.ts';
import { tables } from '../core/store/described.ts';
import { catalogue } from '../support/declared.ts';

/** Declaration of a file for its room, found by the words that declare it: the formatter keeps them in one shape. */
interface Declared {
  readonly path: string;
  readonly kind: Kind;
  readonly name: string;
}

/** By the property of a room that lists it. */
type Kind = 'documents' | 'tables' | 'events' | 'migrations';

const words: Readonly<Record<Exclude<Kind, 'migrations'>, RegExp>> = {
  documents: /\bdocument\(\s*'(\w+)'/g,
  tables: /\bsqliteTable\(\s*'(\w+)'/g,
  events: /'([\w/]+)': (?:event|firing)\b/g,
};

function declaredIn({ path, code }: Source): Declared[] {
  const found = Object.entries(words).flatMap(([kind, pattern]) =>
    [...code.matchAll(pattern)].map((match) => ({ path, kind: kind as Kind, name: match[1]! })),
  );
  const migration = /\/migrations\/(\d{4}-.+)\.ts$/.exec(path);
  return migration ? [...found, { path, kind: 'migrations', name: migration[1]! }] : found;
}

/** Names of each kind in the context. */
type Listed = Readonly<Record<Kind, ReadonlySet<string>>>;

/** Everything that a file declares and no room lists: the service does not know it. */
const unlisted = (sources: readonly Source[], listed: Listed): string[] =>
  sources
    .flatMap(declaredIn)
    .filter(({ kind, name }) => !listed[kind].has(name))
    .map(({ path, kind, name }) => `${path}: no room lists "${name}". Remedy: add it to ${kind} of its room.ts`);

const sources = sourcesIn('src');

const listed: Listed = {
  documents: new Set(catalogue.map(({ name }) => name)),
  tables: new Set(tables.map(({ name }) => name)),
  events: new Set(Object.keys(mergeRooms(rooms, 'events'))),
  // First schemas follow from the tables.
  migrations: new Set(
    [{ migrations: mergeMigrations(rooms) }, ...mergeExtensions(rooms)]
      .flatMap((chain) => chain.migrations.slice(1))
      .map(({ number, name }) => `${String(number).padStart(4, '0')}-${name}`),
  ),
};

describe('an event', () => {
  /** Golden bodies show those that can fire a notification. */
  const silent = Object.entries<EventKind>(mergeRooms(rooms, 'events')).filter(([, { trigger }]) => !trigger);

  it('that fires no notification is expected by a test', () => {
    const text = sourcesIn('test')
      .map(({ code }) => code)
      .join('\n');
    const named = new Set(text.match(/(?<![/\w])\w+(?:\/\w+)+(?![/\w])/g));
    const unseen = silent.map(([name]) => name).filter((name) => !named.has(name));
    expect(unseen.map((name) => `${name}: no test expects it. Remedy: a scenario with it in events`)).toEqual([]);
    expect(silent.length).toBeGreaterThan(3);
  });
});

describe('what the files of a room declare', () => {
  it('is listed in a room', () => {
    expect(unlisted(sources, listed)).toEqual([]);
  });

  it.each(Object.keys(listed) as Kind[])('is found: all %s', (kind) => {
    const found = sources.flatMap(declaredIn).filter((each) => each.kind === kind);
    const names = new Set(found.map(({ name }) => name));
    expect([...listed[kind]].filter((name) => !names.has(name))).toEqual([]);
  });

  it.each([
    ['src/storage/documents/x.ts', "export const x = careful(\n  document('XDocument', {\n", 'XDocument', 'documents'],
    ['src/storage/files/store.ts', "export const x = sqliteTable(\n  'x',\n", 'x', 'tables'],
    ['src/storage/files/rules.ts', "  'x/modify': event<{ readonly x: string }>(),\n", 'x/modify', 'events'],
    ['src/storage/events.ts', "  'x/create': firing<X>(ofX('CREATE'), x),\n", 'x/create', 'events'],
    ['src/storage/migrations/0099-x.ts', '', '0099-x', 'migrations'],
  ])('is missed in %s: %s', (path, text, name, kind) => {
    expect(unlisted([sourceOf(path, text)], listed)).toEqual([
      `${path}: no room lists "${name}". Remedy: add it to ${kind} of its room.ts`,
    ]);
  });
});
