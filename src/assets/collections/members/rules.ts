import { badValue } from '../../../documents/bad-value.ts';
import { noSuchEntity } from '../../../entities/find.ts';
import { keyOf, type Member, type MemberKey, Order, type Placed, placesOf } from './order.ts';

/** What a document says of one member. Entries with a mode are steps, one after the other. */
export interface Entry extends MemberKey {
  readonly mode?: 'add' | 'remove' | 'move' | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

export interface Arranged {
  readonly placed: readonly Placed[];
  readonly removed: readonly MemberKey[];
}

/** The members that a document leaves. `clear`: no other than those that it names. */
export function putEntries(members: readonly Member[], entries: readonly Entry[], clear: boolean): Arranged {
  const modes = entries.filter(({ mode }) => mode !== undefined).length;
  if (modes > 0 && modes < entries.length) {
    throw badValue('/CollectionDocument/content', 'a mode on every entry, or on none', `${modes} of ${entries.length}`);
  }
  if (modes > 0) return takeSteps(members, entries);
  const order = new Order(members);
  const named = new Set(entries.map(keyOf));
  if (!clear) {
    for (const entry of unique(entries)) order.put(entry);
    return arranged(members, order);
  }
  const stored = new Map(members.map((member) => [keyOf(member), member]));
  return {
    placed: placesOf(
      unique(entries).map(({ type, id }) => ({ type, id, position: stored.get(keyOf({ type, id }))?.position })),
    ),
    removed: members.filter((member) => !named.has(keyOf(member))),
  };
}

/** An entity is a member once, at the first place that names it. */
export const unique = (entries: readonly Entry[]): readonly Entry[] => [
  ...new Map(entries.map((entry) => [keyOf(entry), entry])).values(),
];

/** Adds, removes and moves one after the other. */
export function takeSteps(members: readonly Member[], steps: readonly Entry[]): Arranged {
  const order = new Order(members);
  for (const step of steps) {
    const anchor = anchorOf(order, step);
    const isMember = order.has(step);
    if (step.mode !== 'add' && !isMember) throw noSuchMember(step.id);
    if (step.mode === 'remove') order.remove(step);
    else if (!isMember || anchor || step.mode === 'move') order.put(step, anchor);
  }
  return arranged(members, order);
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

function arranged(members: readonly Member[], order: Order): Arranged {
  return { placed: placesOf(order), removed: members.filter((member) => !order.has(member)) };
}

export const noSuchMember = (id: string) => noSuchEntity({ noun: 'CollectionMember' }, id);
