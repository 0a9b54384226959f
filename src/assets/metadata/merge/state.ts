import { first, type Instant, instantOf, last } from '../../../core/lib/time-code.ts';
import { uuidOf } from './uuid.ts';

/** Current metadata of one entity: the result of all its change sets. */

/** A change set, as shown beside each value. */
export interface Change {
  readonly id: string;
  readonly user: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A group, a field or a value. Its uuid derives from the change set that created it, and its ordinal there. */
export interface Instance {
  readonly made: Change;
  readonly ordinal: number;
  readonly changed: Change;
  /** Mode in a change set. Set only in states that show a single change set. */
  readonly mode?: 'add' | 'remove' | undefined;
}

export interface StoredValue extends Instance {
  readonly text: string;
  readonly language?: string | undefined;
  /** Conflict: two change sets gave values for one language, and it is not resolved. */
  readonly conflict?: true | undefined;
}

/** Origin of inherited metadata. Set only for views of items, never stored. */
interface Inherited {
  readonly inheritance?: string | undefined;
}

export interface StoredField extends Instance, Inherited {
  readonly name: string;
  readonly track?: string | undefined;
  /** Uuid of another field whose values are shown. */
  readonly reference?: string | undefined;
  /** Grouped by language, in the order in which the languages appeared. */
  readonly values: readonly StoredValue[];
}

export interface StoredGroup extends Instance, Inherited {
  readonly name: string;
  readonly reference?: string | undefined;
  readonly contents: Contents;
}

/** Fields and groups of a timespan or of a group. Both are in order of creation. */
export interface Contents {
  /** Fields by name and track. */
  readonly fields: Map<string, StoredField>;
  groups: StoredGroup[];
}

export interface Span {
  /** Original notation of the times. */
  readonly start: string;
  readonly end: string;
  readonly contents: Contents;
}

export interface MetadataState {
  /** Main groups with their change set. */
  readonly main: { readonly names: readonly string[]; readonly changed: Change } | undefined;
  /** Text that clients keep beside the metadata, with its change set. */
  readonly template?: { readonly text: string; readonly changed: Change } | undefined;
  /** Spans by their instants. */
  readonly spans: Map<string, Span>;
}

/** Values of one entity, whatever brings them: as many as bulky metadata has, and twice the subtitles of a file. */
export const maxValues = 50_000;

function valuesOf({ fields, groups }: Contents): number {
  let count = 0;
  for (const { values } of fields.values()) count += values.length;
  for (const { contents } of groups) count += valuesOf(contents);
  return count;
}

export function countValues({ spans }: MetadataState): number {
  let count = 0;
  for (const { contents } of spans.values()) count += valuesOf(contents);
  return count;
}

export const emptyState = (): MetadataState => ({ main: undefined, spans: new Map() });
export const emptyContents = (): Contents => ({ fields: new Map(), groups: [] });
export const isEmpty = ({ fields, groups }: Contents): boolean => fields.size === 0 && groups.length === 0;

/** Names contain no space, so keys are unique. */
export const fieldKey = (name: string, track: string | undefined): string =>
  track === undefined ? name : `${name} ${track}`;

export const spanKey = (start: Instant, end: Instant): string => `${start.key} ${end.key}`;
export const generic = spanKey(first, last);

export const spanKeyOf = ({ start, end }: Pick<Span, 'start' | 'end'>): string =>
  start === '-INF' && end === '+INF' ? generic : spanKey(instantOf(start)!, instantOf(end)!);

/** Unique key of a group, field or value within an entity. */
export const instanceKey = ({ made, ordinal }: Pick<Instance, 'made' | 'ordinal'>): string => `${made.id} ${ordinal}`;

export const uuidOfInstance = ({ made, ordinal }: Pick<Instance, 'made' | 'ordinal'>): string =>
  uuidOf({ change: made.id, ordinal });

/** Copies a state with its contents. Fields are shared. */
export function copyState({ main, template, spans }: MetadataState): MetadataState {
  const copies = [...spans].map(([key, span]) => [key, { ...span, contents: copyContents(span.contents) }] as const);
  return { main, template, spans: new Map(copies) };
}

function copyContents({ fields, groups }: Contents): Contents {
  return {
    fields: new Map(fields),
    groups: groups.map((group) => ({ ...group, contents: copyContents(group.contents) })),
  };
}

/** Contents of all spans and groups of a state, outer ones before inner ones. */
export function* everyContents(state: MetadataState): Generator<ContentsIn> {
  for (const span of state.spans.values()) yield* contentsWithin({ span, contents: span.contents, around: [] });
}

interface ContentsIn {
  readonly span: Span;
  readonly contents: Contents;
  /** The names of the groups, the nearest first. */
  readonly around: readonly string[];
}

function* contentsWithin(path: ContentsIn): Generator<ContentsIn> {
  yield path;
  const { span, contents, around } = path;
  for (const group of contents.groups)
    yield* contentsWithin({ span, contents: group.contents, around: [group.name, ...around] });
}

/** Ids of the change sets that contributed to the state. */
export function revisionOf(state: MetadataState): readonly string[] {
  const ids = new Set<string>();
  const add = ({ changed }: Instance) => ids.add(changed.id);
  for (const { contents } of everyContents(state)) {
    for (const field of contents.fields.values()) {
      add(field);
      field.values.forEach(add);
    }
    contents.groups.forEach(add);
  }
  if (state.main) ids.add(state.main.changed.id);
  if (state.template) ids.add(state.template.changed.id);
  return [...ids];
}
