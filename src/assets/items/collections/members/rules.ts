import { badValue } from '../../../../core/documents/bad-value.ts';
import { noSuchEntity } from '../../../../room/entities/find.ts';
import { keyOf, type Member, type MemberKey, type MemberOrder, type OrderedMember, placesOf } from './order.ts';

/** A member in a document. Entries with a mode are steps, applied in order. */
export interface MemberEntry extends MemberKey {
  readonly mode?: 'add' | 'remove' | 'move' | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** Whether the entries are steps: all have a mode, or none. */
export function areSteps(entries: readonly MemberEntry[]): boolean {
  const modes = entries.filter(({ mode }) => mode !== undefined).length;
  if (modes === 0 || modes === entries.length) return modes > 0;
  throw badValue('/CollectionDocument/content', 'a mode on every entry, or on none', `${modes} of ${entries.length}`);
}

/** Moves the members of a document to the end, in its order. Returns changed positions. */
export function moveToEnd(order: MemberOrder, entries: readonly MemberEntry[]): readonly OrderedMember[] {
  for (const entry of unique(entries)) order.put(entry);
  return placesOf(order);
}

/** Makes the members of the document the only ones, in its order. `stored`: those already stored. */
export function replaceBy(stored: readonly Member[], entries: readonly MemberEntry[]): readonly OrderedMember[] {
  const positions = new Map(stored.map((member) => [keyOf(member), member.position]));
  return placesOf(unique(entries).map(({ type, id }) => ({ type, id, position: positions.get(keyOf({ type, id })) })));
}

/** Removes duplicates: the first position of an entity counts. */
export const unique = (entries: readonly MemberEntry[]): readonly MemberEntry[] => [
  ...new Map(entries.map((entry) => [keyOf(entry), entry])).values(),
];

/** Applies steps in order. */
export function takeSteps(order: MemberOrder, steps: readonly MemberEntry[]): readonly OrderedMember[] {
  for (const step of steps) {
    const anchor = anchorOf(order, step);
    const isMember = order.has(step);
    if (step.mode !== 'add' && !isMember) throw noSuchMember(step.id);
    if (step.mode === 'remove') order.remove(step);
    else if (!isMember || anchor || step.mode === 'move') order.put(step, anchor);
  }
  return placesOf(order);
}

function anchorOf(order: MemberOrder, { type, id, before, after }: MemberEntry) {
  if (before !== undefined && after !== undefined) {
    throw badValue('/CollectionDocument/content', 'one of "before" and "after"', id);
  }
  const name = before ?? after;
  if (name === undefined) return undefined;
  // An id may occur in several kinds: the own kind is tried first.
  const kinds = [type, 'item', 'collection', 'library'];
  const of = kinds.map((kind) => ({ type: kind, id: name })).find((key) => order.has(key));
  if (!of) throw noSuchMember(name);
  return { side: before === undefined ? 'after' : 'before', of } as const;
}

export const noSuchMember = (id: string) => noSuchEntity({ noun: 'CollectionMember' }, id);
