import { badValue } from '../../../documents/bad-value.ts';
import { noSuchEntity } from '../../../entities/find.ts';
import { keyOf, type MemberKey, type Order, type Placed, placesOf } from './order.ts';

/** What a document says of one member. Entries with a mode are steps, one after the other. */
export interface Entry extends MemberKey {
  readonly mode?: 'add' | 'remove' | 'move' | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** The members that a document leaves. `clear`: no other than those that it names. Gives the places that change. */
export function putEntries(order: Order, entries: readonly Entry[], clear: boolean): readonly Placed[] {
  const modes = entries.filter(({ mode }) => mode !== undefined).length;
  if (modes > 0 && modes < entries.length) {
    throw badValue('/CollectionDocument/content', 'a mode on every entry, or on none', `${modes} of ${entries.length}`);
  }
  if (modes > 0) return takeSteps(order, entries);
  const named = unique(entries);
  if (!clear) {
    for (const entry of named) order.put(entry);
    return placesOf(order);
  }
  order.keep(new Set(named.map(keyOf)));
  return placesOf(named.map(({ type, id }) => ({ type, id, position: order.stored({ type, id })?.position })));
}

/** An entity is a member once, at the first place that names it. */
export const unique = (entries: readonly Entry[]): readonly Entry[] => [
  ...new Map(entries.map((entry) => [keyOf(entry), entry])).values(),
];

/** Adds, removes and moves one after the other. */
export function takeSteps(order: Order, steps: readonly Entry[]): readonly Placed[] {
  for (const step of steps) {
    const anchor = anchorOf(order, step);
    const isMember = order.has(step);
    if (step.mode !== 'add' && !isMember) throw noSuchMember(step.id);
    if (step.mode === 'remove') order.remove(step);
    else if (!isMember || anchor || step.mode === 'move') order.put(step, anchor);
  }
  return placesOf(order);
}

function anchorOf(order: Order, { type, id, before, after }: Entry) {
  if (before !== undefined && after !== undefined) {
    throw badValue('/CollectionDocument/content', 'one of "before" and "after"', id);
  }
  const name = before ?? after;
  if (name === undefined) return undefined;
  // An id may be that of members of several kinds: the own one is meant first.
  const kinds = [type, 'item', 'collection', 'library'];
  const of = kinds.map((kind) => ({ type: kind, id: name })).find((key) => order.has(key));
  if (!of) throw noSuchMember(name);
  return { side: before === undefined ? 'after' : 'before', of } as const;
}

export const noSuchMember = (id: string) => noSuchEntity({ noun: 'CollectionMember' }, id);
