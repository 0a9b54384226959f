import { first, type Instant, instantOf, last } from './time-code.ts';
import { uuidOf } from './uuid.ts';

/** The metadata of one entity as it is now: what all its change sets have come to. */

/** One change set, as far as it is told beside each value. */
export interface Change {
  readonly id: string;
  readonly user: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A group, a field or a value. Its uuid comes from the change set that made it, and from its place there. */
export interface Instance {
  readonly made: Change;
  readonly ordinal: number;
  readonly changed: Change;
  /** What a change set does with it. Only states that show one change set have it. */
  readonly mode?: 'add' | 'remove' | undefined;
}

export interface StoredValue extends Instance {
  readonly text: string;
  readonly language?: string | undefined;
  /** Two change sets gave values for one language, and nobody has decided yet. */
  readonly conflict?: true | undefined;
}

/** Only what is shown of a collection on an item has it: where it comes from. Nobody stores it. */
interface Inherited {
  readonly inheritance?: string | undefined;
}

export interface StoredField extends Instance, Inherited {
  readonly name: string;
  readonly track?: string | undefined;
  /** The uuid of a field that it shows instead of values of its own. */
  readonly reference?: string | undefined;
  /** Those of one language stand together, in the order in which the languages came. */
  readonly values: readonly StoredValue[];
}

export interface StoredGroup extends Instance, Inherited {
  readonly name: string;
  readonly reference?: string | undefined;
  readonly place: Place;
}

/** What holds fields and groups: a timespan, or a group. Both in the order in which they were made. */
export interface Place {
  /** By name and track. */
  readonly fields: Map<string, StoredField>;
  groups: StoredGroup[];
}

export interface Span {
  /** As they were written first. */
  readonly start: string;
  readonly end: string;
  readonly place: Place;
}

export interface State {
  /** The main groups. */
  readonly main: { readonly names: readonly string[]; readonly changed: Change } | undefined;
  /** By their instants. */
  readonly spans: Map<string, Span>;
}

export const emptyState = (): State => ({ main: undefined, spans: new Map() });
export const emptyPlace = (): Place => ({ fields: new Map(), groups: [] });
export const isEmpty = ({ fields, groups }: Place): boolean => fields.size === 0 && groups.length === 0;

/** No name has a blank. */
export const fieldKey = (name: string, track: string | undefined): string =>
  track === undefined ? name : `${name} ${track}`;

export const spanKey = (start: Instant, end: Instant): string => `${start.key} ${end.key}`;
export const generic = spanKey(first, last);

export const spanKeyOf = ({ start, end }: Pick<Span, 'start' | 'end'>): string =>
  start === '-INF' && end === '+INF' ? generic : spanKey(instantOf(start)!, instantOf(end)!);

/** Distinct for each group, field and value of an entity. */
export const instanceKey = ({ made, ordinal }: Pick<Instance, 'made' | 'ordinal'>): string => `${made.id} ${ordinal}`;

export const uuidOfInstance = ({ made, ordinal }: Pick<Instance, 'made' | 'ordinal'>): string =>
  uuidOf({ change: made.id, ordinal });

/** A state that shares its fields with the other one, but not its places. */
export function copyState({ main, spans }: State): State {
  const copies = [...spans].map(([key, span]) => [key, { ...span, place: copyPlace(span.place) }] as const);
  return { main, spans: new Map(copies) };
}

function copyPlace({ fields, groups }: Place): Place {
  return { fields: new Map(fields), groups: groups.map((group) => ({ ...group, place: copyPlace(group.place) })) };
}

/** Every place of a state, groups before what is in them. */
export function* placesOf(state: State): Generator<{ readonly span: Span; readonly place: Place }> {
  for (const span of state.spans.values()) yield* placesIn(span, span.place);
}

function* placesIn(span: Span, place: Place): Generator<{ readonly span: Span; readonly place: Place }> {
  yield { span, place };
  for (const group of place.groups) yield* placesIn(span, group.place);
}

/** The ids of the change sets that something in the state comes from. */
export function revisionOf(state: State): readonly string[] {
  const ids = new Set<string>();
  const add = ({ changed }: Instance) => ids.add(changed.id);
  for (const { place } of placesOf(state)) {
    for (const field of place.fields.values()) {
      add(field);
      field.values.forEach(add);
    }
    place.groups.forEach(add);
  }
  if (state.main) ids.add(state.main.changed.id);
  return [...ids];
}
