import type { Room } from './define-room.ts';

/** What all rooms have under one name, as one type. */
type Folded<R extends readonly Room[], K extends keyof Room> = R extends readonly [infer First, ...infer Rest]
  ? (First extends { readonly [N in K]: infer T } ? T : unknown) & Folded<Rest extends readonly Room[] ? Rest : [], K>
  : unknown;

/** The tables of all rooms as one. A name that two rooms use is a mistake of the program. */
export function fold<R extends readonly Room[], K extends 'events'>(rooms: R, key: K): Folded<R, K> {
  const all: Record<string, unknown> = {};
  for (const room of rooms) {
    for (const [name, row] of Object.entries(room[key] ?? {})) {
      if (Object.hasOwn(all, name)) throw new Error(`The room ${room.name} declares ${name} in ${key} a second time`);
      all[name] = row;
    }
  }
  return all as Folded<R, K>;
}
