import type { ReshapeStep } from '../../assets/metadata/public.ts';

type Json = unknown;

/** Renames fields and groups everywhere in a search document. */
export function renamedIn(query: Json, steps: readonly ReshapeStep[]): Json {
  const renames = steps.flatMap((step) => (step.do === 'rename' ? [step] : []));
  const namesOf = (kind: 'field' | 'group') =>
    new Map(renames.filter(({ of }) => of === kind).map(({ name, to }) => [name, to]));
  const names = { field: namesOf('field'), group: namesOf('group') };

  const named = (kind: 'field' | 'group', entry: Json): Json => {
    if (typeof entry === 'string') return names[kind].get(entry) ?? entry;
    if (Array.isArray(entry)) return entry.map((each) => named(kind, each));
    const inside = walk(entry);
    if (!isObject(inside) || typeof inside['name'] !== 'string') return inside;
    return { ...inside, name: names[kind].get(inside['name']) ?? inside['name'] };
  };

  const walk = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([key, entry]) => [
      key,
      key === 'field' || key === 'group' ? named(key, entry) : walk(entry),
    ]);
    return Object.fromEntries(entries);
  };

  return walk(query);
}

const isObject = (value: Json): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
