import type { Reader } from '../../../core/store/statement.ts';
import { UntilCommit } from '../../../core/store/until-commit.ts';
import { type ClosedParts, closedTo, nothingClosed, type Viewer } from '../../access/public-reading.ts';
import { deniedFields, type FieldDefinition, isText, loadFields } from '../../definitions/public-reading.ts';
import { displayName, namingFields } from '../../metadata/public-reading.ts';
import type { ItemSearch, SearchContent } from '../documents.ts';
import { nameForm } from '../index/document.ts';
import { type FieldForm, formOf } from '../index/values.ts';
import { type Fact, type Level, linkedKinds, maxDepth } from './ast.ts';
import type { IndexState, Values } from './index-state.ts';
import { isJoined, type Joins } from './joined.ts';
import { fullTextFields, stateOfSearch } from './store.ts';

/** Names of a search, resolved for its caller. */
export interface Names {
  /** Undefined: not searchable, not readable, or not defined. */
  field(name: string): FieldForm | undefined;
  /** Form of display names, if the caller may read every field that names. */
  readonly displayName: FieldForm | undefined;
  /** Readable fields, if full text must be restricted to them. Undefined: unrestricted. */
  readonly readable: readonly FieldForm[] | undefined;
  /** Fields for full text if any is denied or closed in some entity. Undefined: none is. */
  readonly open: readonly FieldForm[] | undefined;
  readonly viewer: Viewer;
  /** Parts of entities that entries close to the caller. */
  readonly closed: ClosedParts;
  /** Time of the search. */
  readonly now: number | undefined;
  readonly index: IndexState;
  /** Rows of extensions that the search asks about. */
  readonly joins: Joins;
}

/** Name of a field in the index: the original also has the user who made an entity as a computed field. */
export const storedName = (name: string): string => (name === '__user' ? 'user' : name);

/** Maximum fields for one full-text term. */
const maxFields = 500;

interface State {
  /** Size in characters, for the cache. */
  readonly size: number;
  /** By fields whose order contains every entity: 1 if an entity has several values. */
  readonly orders: ReadonlyMap<string, number>;
  readonly counted: IndexState['counted'];
  readonly isTimed: boolean;
  readonly building: IndexState['building'];
  readonly entities: IndexState['entities'];
  readonly isGuarded: boolean;
  readonly isClosing: boolean;
}

/** Limit of the cached state, in characters. */
const maxKeptLength = 40_000;
const stateCache = new UntilCommit<State>(1, (_key, { size }) => size <= maxKeptLength);

async function stateOf(reader: Reader): Promise<State> {
  const state = await stateOfSearch(reader, {});
  const { orders, counts, timed, building, guarded, closing, entities } = state!;
  return {
    size: orders.length + counts.length + building.length,
    orders: new Map(Object.entries(JSON.parse(orders) as Record<string, number>)),
    counted: new Set(JSON.parse(counts) as string[]),
    isTimed: timed === 1,
    building: JSON.parse(building) as IndexState['building'],
    entities: JSON.parse(entities) as IndexState['entities'],
    isGuarded: guarded === 1,
    isClosing: closing === 1,
  };
}

/** Starts the reads of `loadNames` that depend on no name, for `Store.ahead`. */
export const namesAhead = (reader: Reader) => stateOfSearch(reader, {});

export async function loadNames(
  reader: Reader,
  viewer: Viewer,
  names: readonly string[],
  now?: number,
  joins: Joins = {},
): Promise<Names> {
  let isCached = true;
  const read = () => {
    isCached = false;
    return stateOf(reader);
  };
  const stored = names.map(storedName);
  const [fields, { orders, counted, isTimed, building, entities, isGuarded, isClosing }] = await Promise.all([
    loadFields(reader, stored),
    stateCache.get(reader, '', read),
  ]);
  const { administrator: administers, userId } = viewer;
  const denied = isGuarded ? await deniedFields(reader, { administers, userId }) : nobody;
  const { principals } = viewer;
  const closed = isClosing && principals ? await closedTo(reader, principals, viewer.contexts) : nothingClosed;
  const formFor = (definition: FieldDefinition): FieldForm => {
    const places = closed.fields?.of(definition.name);
    return { closed: places, ...formOf(definition) };
  };
  const allows = ({ name, searchable }: FieldDefinition) => searchable && !denied.has(name);
  const forms = new Map<string, FieldForm>();
  const ordered = new Set<string>();
  const ranged = new Map<string, Values>();
  for (const definition of fields.values()) {
    const { name } = definition;
    const several = orders.get(name);
    const values = several === undefined ? undefined : several === 0 ? 'one' : 'several';
    if (values !== undefined) ordered.add(name);
    if (values !== undefined && !isText(definition.base)) ranged.set(name, values);
    if (!allows(definition)) continue;
    const { boost } = definition.rest;
    forms.set(name, { now, boost, ...formFor(definition) });
  }
  const naming = names.includes(displayName) ? await namingFields(reader) : [];
  const hasName = naming.length > 0 && naming.every((name) => !denied.has(name) && !closed.fields?.of(name));
  const isWhole = denied.size === 0 && !closed.fields;
  const open = isWhole ? undefined : (await fullTextFields(reader, maxFields)).filter(allows).map(formFor);
  return {
    field: (name) => forms.get(storedName(name)),
    displayName: hasName ? nameForm : undefined,
    readable: denied.size === 0 ? undefined : open,
    open,
    viewer,
    closed,
    now,
    index: { isTimed, ordered, ranged, counted, building, entities, isCached },
    joins,
  };
}

/** Whether the viewer may read every field that names, so that searches sort by names. */
export const sortsNames = async (reader: Reader, viewer: Viewer): Promise<boolean> =>
  (await loadNames(reader, viewer, [displayName])).displayName !== undefined;

/** All criteria of a search, as deep as a search may have them. */
export function* contentsOf(search: ItemSearch): Generator<SearchContent> {
  yield* within(search, 0);
  for (const each of search.filter ?? []) yield* within(each, 1);
}

function* within(content: SearchContent, depth: number): Generator<SearchContent> {
  yield content;
  if (depth === maxDepth) return;
  const links = linkedKinds.flatMap((kind) => content[kind] ?? []);
  for (const each of [...(content.operator ?? []), ...(content.group ?? []), ...links]) yield* within(each, depth + 1);
}

/** Field names in a search, to be loaded before it is parsed. */
export function namesOf(search: ItemSearch): readonly string[] {
  const names = new Set<string>();
  for (const content of contentsOf(search)) for (const { name } of content.field ?? []) names.add(name);
  for (const { field } of [...(search.facet ?? []), ...(search.facetFilter ?? []), ...(search.sort ?? [])])
    names.add(field);
  for (const { field } of search.autocomplete ?? []) if (field !== undefined) names.add(field);
  return [...names];
}

const nobody: ReadonlySet<string> = new Set();

type Line = readonly [Fact['type'], readonly string[]];

const item: readonly Line[] = [
  [
    'text',
    ['__collection', '__ancestor_collection', '__shape', '__storage', '__shape_last_added', '__deletion_lock_id'],
  ],
  ['whole', ['__collection_size', '__ancestor_collection_size', '__shape_size', '__placeholder_shape_size']],
  ['text', ['__storagegroup']],
  ['whole', ['__storage_size', '__storagegroup_size', '__version', '__version_count', '__version_size']],
  ['whole', ['__sequence_size']],
  ['date', ['__metadata_last_modified', '__deletion_lock_expiry', '__usable_from', '__usable_until']],
];
const collection: readonly Line[] = [
  ['text', ['__parent_collection', '__ancestor_collection', '__deletion_lock_id']],
  ['whole', ['__parent_collection_size', '__ancestor_collection_size', '__items_size', '__child_collection_size']],
  ['date', ['__metadata_last_modified', '__deletion_lock_expiry', '__usable_from', '__usable_until']],
];
const shape: readonly Line[] = [
  ['text', ['shapeId', 'id', 'tag', 'shapeTag', 'mimeType', 'format', 'codec', 'itemId']],
  ['whole', ['essenceVersion']],
  ['date', ['created']],
];
const file: readonly Line[] = [
  ['text', ['fileId', 'id', 'storage', 'path', 'filename', 'extension', 'state', 'hash']],
  ['whole', ['size']],
  ['date', ['timestamp']],
];

const facts = (of: Fact['of'], lines: readonly Line[]): ReadonlyMap<string, Fact> =>
  new Map(lines.flatMap(([type, names]) => names.map((name) => [name, { of, name, type }])));

const factsByLevel = {
  item: facts('item', item),
  collection: facts('collection', collection),
  shape: facts('shape', shape),
  file: facts('file', file),
};

/** Resolves names outside the metadata fields. */
export function factOf(level: Level, fullName: string): Fact | undefined {
  if (level === 'both' || isJoined(level)) return undefined;
  const name =
    level === 'file'
      ? fullName.replace(/^file\./, '')
      : level === 'shape'
        ? fullName.replace(/^shape\./, '')
        : fullName;
  const fact = factsByLevel[level].get(name);
  if (fact) return fact;
  if (level === 'shape' || level === 'file') return { of: level, name: 'key', key: name, type: 'text' };
  if (level !== 'item') return undefined;
  const hash = /^__shapetag_(.+)_hash$/.exec(name)?.[1];
  if (hash !== undefined) return { of: 'item', name: 'hashOfTag', key: hash, type: 'text' };
  const tag = /^__storage_(?!size$)(.+)$/.exec(name)?.[1];
  return tag === undefined ? undefined : { of: 'item', name: 'storageOfTag', key: tag, type: 'text' };
}
