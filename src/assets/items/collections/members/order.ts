import { badValue } from '../../../../core/documents/error.ts';
import { noSuchEntity } from '../../../../room/entities/find.ts';

/** Order of the members of a collection, across items, libraries and collections. */

export interface MemberKey {
  readonly type: string;
  readonly id: string;
}

/** A stored membership. */
export interface Member extends MemberKey {
  readonly position: number;
  readonly reference: string;
}

/** Node of the linked list. Undefined position: new or moved. */
class OrderPosition implements MemberKey {
  readonly type: string;
  readonly id: string;
  readonly position: number | undefined;
  previous: OrderPosition = this;
  next: OrderPosition = this;

  constructor({ type, id }: MemberKey, position?: number) {
    this.type = type;
    this.id = id;
    this.position = position;
  }
}

/** Distance between positions, so that a member can move between two others without renumbering. */
export const gap = 2 ** 20;

export const keyOf = ({ type, id }: MemberKey): string => `${type}/${id}`;

/** Linked list of members while a request changes it. Each step takes constant time. */
export class MemberOrder {
  readonly #stored = new Map<string, Member>();
  readonly #places = new Map<string, OrderPosition>();
  readonly #removed = new Set<string>();
  readonly #end = new OrderPosition({ type: '', id: '' });

  /** Loads a slice of the stored members. */
  load(members: readonly Member[]): this {
    for (const member of members) {
      this.#stored.set(keyOf(member), member);
      this.#link(new OrderPosition(member, member.position), this.#end);
    }
    return this;
  }

  has(key: MemberKey): boolean {
    return this.#places.has(keyOf(key));
  }

  stored(key: MemberKey): Member | undefined {
    return this.#stored.get(keyOf(key));
  }

  /** The stored membership. Undefined: not stored, or removed from the order. */
  storedAs(key: string): Member | undefined {
    return this.#removed.has(key) ? undefined : this.#stored.get(key);
  }

  /** Stored members that were removed from the order. */
  get removed(): readonly Member[] {
    return Array.from(this.#removed, (key) => this.#stored.get(key)!);
  }

  /** Puts a member last, or before or after an anchor. An existing member moves. */
  put(member: MemberKey, anchor?: { readonly side: 'before' | 'after'; readonly of: MemberKey }): void {
    const of = anchor && this.#places.get(keyOf(anchor.of))!;
    // Anchored to itself, a member stays where it is.
    if (of && keyOf(of) === keyOf(member)) return;
    this.remove(member);
    const behind = of === undefined ? this.#end : anchor!.side === 'before' ? of : of.next;
    this.#link(new OrderPosition(member), behind);
    this.#removed.delete(keyOf(member));
  }

  remove(member: MemberKey): void {
    const key = keyOf(member);
    const position = this.#places.get(key);
    if (!position) return;
    position.previous.next = position.next;
    position.next.previous = position.previous;
    this.#places.delete(key);
    if (this.#stored.has(key)) this.#removed.add(key);
  }

  #link(position: OrderPosition, behind: OrderPosition): void {
    position.previous = behind.previous;
    position.next = behind;
    behind.previous.next = position;
    behind.previous = position;
    this.#places.set(keyOf(position), position);
  }

  *[Symbol.iterator](): Generator<MemberKey & { readonly position: number | undefined }> {
    for (let position = this.#end.next; position !== this.#end; position = position.next) yield position;
  }
}

export type OrderedMember = MemberKey & { readonly position: number };

/** Positions to write for this order: as few as the gaps allow. */
export function placesOf(
  order: Iterable<MemberKey & { readonly position: number | undefined }>,
): readonly OrderedMember[] {
  const all = [...order];
  const positions = keptPositions(all);
  const placed: OrderedMember[] = [];
  for (let at = 0; at < all.length; ) {
    if (positions[at] !== undefined) {
      at++;
      continue;
    }
    let end = at;
    while (end < all.length && positions[end] === undefined) end++;
    const [from, to] = [positions[at - 1], positions[end]];
    const run = end - at;
    const step = from === undefined || to === undefined ? gap : Math.floor((to - from) / (run + 1));
    // No gap left: all members are renumbered.
    if (step < 1) return all.map(({ type, id }, index) => ({ type, id, position: (index + 1) * gap }));
    const first = from ?? (to === undefined ? 0 : to - gap * (run + 1));
    for (let index = 0; index < run; index++) {
      const { type, id } = all[at + index]!;
      placed.push({ type, id, position: first + step * (index + 1) });
    }
    at = end;
  }
  return placed;
}

/** Stored positions that can stay: those that rise in the new order. */
function keptPositions(all: readonly { readonly position: number | undefined }[]): (number | undefined)[] {
  let last = Number.NEGATIVE_INFINITY;
  return all.map(({ position }) => {
    if (position === undefined || position <= last) return undefined;
    last = position;
    return position;
  });
}

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
