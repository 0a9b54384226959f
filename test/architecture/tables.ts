import { rankOf, roomOf } from './rules.ts';
import type { Source } from './sources.ts';

/** Rooms by their tables: declared ones, and those that a statement creates. */
function roomsOfTables(sources: readonly Source[]): ReadonlyMap<string, string> {
  const rooms = new Map<string, string>();
  for (const { path, code } of sources) {
    const declared = code.matchAll(/\bsqliteTable\(\s*'(\w+)'|\bCREATE (?:VIRTUAL )?TABLE "?(\w+)"?/g);
    for (const [, table, created] of declared) rooms.set(table ?? created!, placeOf(path));
  }
  return rooms;
}

/** Extensions are rooms of one rank. */
const placeOf = (path: string): string => /^src\/(extensions\/[\w-]+)\//.exec(path)?.[1] ?? roomOf(path);
const rankOfPlace = (place: string): number => rankOf(place.replace(/^extensions\/.*/, 'extensions'));

/** Tables of rooms above, or of neighbours, that the SQL of a file reads or writes. */
export function tablesLookedUp(sources: readonly Source[]): string[] {
  const rooms = roomsOfTables(sources);
  return sources.flatMap(({ path, code }) => {
    const own = placeOf(path);
    const named = code.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE)\s+"?([a-z_]+)"?|\bwrites\('(\w+)'\)/g);
    const tables = new Set([...named].map(([, read, written]) => read ?? written!));
    for (const [cascade] of code.matchAll(/\bgoesWith\([^()]*\)/g))
      for (const [, table] of cascade.matchAll(/\b(\w+):/g)) tables.add(table!);
    return [...tables]
      .filter((table) => {
        const other = rooms.get(table);
        return other !== undefined && other !== own && rankOfPlace(other) >= rankOfPlace(own);
      })
      .map((table) => `${path}: ${table} of ${rooms.get(table)}`);
  });
}

/** Words of SQLite that PostgreSQL lacks and that other words can say, with their number in each file. */
export function sqliteWords(sources: readonly Source[]): Readonly<Record<string, number>> {
  const counts = sources.map(
    ({ path, code }) => [path, code.match(/\b(?:INDEXED BY|GLOB|INSERT OR)\b/g)?.length] as const,
  );
  return Object.fromEntries(counts.flatMap(([path, count]) => (count === undefined ? [] : [[path, count]])));
}
