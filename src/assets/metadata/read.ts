import { written } from '../../core/documents/index.ts';
import { askEach } from '../../core/lib/maybe.ts';
import { runInSlices, yieldTurn } from '../../core/lib/turn.ts';
import type { Reader } from '../../core/store/statement.ts';
import type { MediaType } from '../../http/negotiation.ts';
import { bytesOfOne, heaviestLot } from '../../room/entities/page-weight.ts';
import { idsAmong, type Viewer, type ViewerFor, viewerFor } from '../access/public-reading.ts';
import type { FieldReader } from '../definitions/public-reading.ts';
import { readableFields, seesAll, seesNothing } from './allowed.ts';
import { computedAhead, inOrder, readTransient } from './computed.ts';
import { displayName, nameInRows, nameInStates, namingFields } from './display-name.ts';
import type { MetadataDocumentValue, MetadataGroup } from './documents.ts';
import { heirsAmong, type InheritableNames, inheritedBy, inheritedBytes, sourcesAmong } from './inherited/inherit.ts';
import {
  type KnownStates,
  type Loaded,
  loadAll,
  loadRows,
  longText,
  mayHaveGone,
  rowsThere,
  type StateRow,
} from './load.ts';
import { rowsOfText } from './merge/stored.ts';
import { type MetadataOwner, type OwnerKind, sizedStates } from './store.ts';
import { defaultsOf, withDefinitions } from './view/definitions.ts';
import { documentOf, type Extra, type TransientValue } from './view/document.ts';
import { type MetadataForm, metadataFormOf } from './view/forms.ts';
import { isPlain, type MetadataQuery, type MetadataView, wholeView } from './view/parameters.ts';
import { resolverOf } from './view/references.ts';
import { emptySurvey, MetadataWriter, type Survey, surveyOf } from './view/writer.ts';

export {
  type MetadataQuery,
  type MetadataView,
  metadataView,
  storedView,
  terseView,
  viewOf,
  wholeView,
} from './view/parameters.ts';

/** Options of the reader of metadata. */
interface ReadScope {
  /** Site prefix of ids, for the origin of definitions. */
  readonly site?: string;
  /** Undefined: the service itself, which sees all fields. */
  readonly asker?: FieldReader;
  /** Entity of all states, which show it at several times. Undefined: each state belongs to the entity with its id. */
  readonly of?: string;
  /** States that were read ahead. */
  readonly known?: KnownStates | undefined;
  /** Fields and groups that items inherit, where they were read ahead. */
  readonly inheritable?: InheritableNames | undefined;
  /** True: items include metadata inherited from collections. */
  readonly inherits?: boolean;
  /** Gets the ids of entities that give the asker no right in any field. */
  readonly closed?: string[];
}

/**
 * Metadata documents of entities of one kind, by id, in the requested view. Entities without metadata have an empty
 * document.
 */
export async function metadataOf(
  reader: Reader,
  owners: readonly MetadataOwner[],
  view: MetadataView,
  by: ReadScope = {},
): Promise<ReadonlyMap<string, MetadataDocumentValue>> {
  const [first] = owners;
  if (first === undefined) return new Map();
  const ids = owners.map(({ id }) => id);
  const loaded = await loadAll(reader, first.kind, ids, by.known);
  return documentsOf(reader, first.kind, loaded, view, { inherits: true, ...by });
}

/** State to be shown, with optional details. */
type Shown = Pick<Loaded, 'state'> & Partial<Loaded> & Pick<Extra, 'touched' | 'keepsEmpty'>;

/** Metadata documents of states that are already loaded. */
export async function documentsOf(
  reader: Reader,
  kind: MetadataOwner['kind'],
  shown: ReadonlyMap<string, Shown>,
  view: MetadataView,
  { site = 'VX', asker, of, inheritable, inherits = false, closed }: ReadScope = {},
): Promise<ReadonlyMap<string, MetadataDocumentValue>> {
  const own = new Map([...shown].map(([id, { state }]) => [id, state] as const));
  const ids = [...shown.keys()];
  const [inherited, naming] = await Promise.all([
    inherits && kind === 'item' ? inheritedBy(reader, own, inheritable) : undefined,
    namingFor(reader, view),
  ]);
  const states = [...own.values(), ...(inherited?.values() ?? [])];
  const resolver = await resolverOf(reader, states);
  const missing = new Map(
    await askEach(view.defaultValue ? [...shown] : [], async ([id, { state }]) => {
      return [id, await defaultsOf(reader, view, state)] as const;
    }),
  );
  const content = {
    states: [...states, ...(resolver?.states ?? [])],
    fields: [...missing.values()].flatMap((defaults) => [...defaults.keys()]),
  };
  const owners = { kind, ids: of === undefined ? ids : [of] };
  const readable = asker && (await readableFields(reader, asker, owners, content));
  const computed = await computedFor(reader, kind, ids, view, asker);
  const documents = new Map<string, MetadataDocumentValue>();
  for (const [id, { state, changedAt, touched, keepsEmpty }] of shown) {
    const isReadable = readable?.(of ?? id);
    if (isReadable === seesNothing) closed?.push(id);
    const name = naming && nameInStates([state, inherited?.get(id)], naming, isReadable);
    documents.set(
      id,
      await runInSlices(
        documentOf(state, view, {
          transient: transientOf(view, changedAt, computed.get(id), name),
          ...(inherited?.has(id) && { inherited: inherited.get(id)! }),
          ...(resolver && { resolve: resolver.resolve }),
          ...(isReadable && { isReadable }),
          ...(missing.get(id) && { missing: missing.get(id)! }),
          ...(touched && { touched }),
          ...(keepsEmpty && { keepsEmpty }),
        }),
      ),
    );
  }
  return withDefinitions(reader, documents, view, site);
}

/** Starts the reads of inherited and computed values of an item, for `Store.ahead`. */
export const itemAhead = (reader: Reader, id: string): Promise<unknown> =>
  Promise.all([sourcesAmong(reader, [id]), computedAhead(reader, id)]);

type ToldMetadata = ReturnType<typeof toldMetadata>;

interface ToldScope extends Omit<ReadScope, 'of'> {
  readonly isTerse: boolean;
  /** Form of the answer. Undefined: documents, for readers that look into them. */
  readonly type?: MediaType | undefined;
}

/**
 * Metadata of entities of one kind as answers tell it, by id, without those that were deleted or closed meanwhile. Where
 * nothing is filtered, it is written already.
 */
export async function metadataTold(
  reader: Reader,
  owners: readonly MetadataOwner[],
  view: MetadataView,
  { isTerse, type, ...by }: ToldScope,
): Promise<ReadonlyMap<string, ToldMetadata>> {
  const [first] = owners;
  if (first === undefined) return new Map();
  const { kind } = first;
  const ids = owners.map(({ id }) => id);
  const rows = await rowsThere(reader, kind, ids, by.known);
  const form = type === undefined || !isPlain(view) ? undefined : metadataFormOf(type);
  const answers = form ? await writtenOf(reader, kind, rows, view, form, isTerse, by) : new Map();
  if (answers.size === rows.size) return answers;
  const others = await loadRows(reader, new Map([...rows].filter(([id]) => !answers.has(id))));
  const closed: string[] = [];
  const documents = await documentsOf(reader, kind, others, view, { inherits: true, ...by, closed });
  for (const [id, document] of documents) answers.set(id, toldMetadata(isTerse, document));
  if (closed.length === 0) return answers;
  // Rights were revoked, or went with their entity: nothing of it would be shown.
  const viewer = (await viewerOnce(reader, by.asker)())!;
  const left = await idsAmong(reader, viewer, kind as 'item' | 'collection', closed, 'READ');
  for (const id of closed) if (!left.has(id)) answers.delete(id);
  return answers;
}

/** Characters of stored metadata that become an answer in one turn of the loop. */
const longTurn = 4 * longText;

/** Written metadata of those entities for which the answer has all that is stored, and nothing else but computed values. */
async function writtenOf(
  reader: Reader,
  kind: OwnerKind,
  rows: ReadonlyMap<string, StateRow | undefined>,
  view: MetadataView,
  form: MetadataForm,
  isTerse: boolean,
  { asker, inheritable }: Pick<ReadScope, 'asker' | 'inheritable'>,
): Promise<Map<string, ToldMetadata>> {
  const [heirs, naming] = await Promise.all([
    kind === 'item' ? heirsAmong(reader, [...rows.keys()], inheritable) : undefined,
    namingFor(reader, view),
  ]);
  const surveys = new Map<string, Survey>();
  for await (const [id, row] of inTurns(rows)) {
    if (heirs?.has(id) || (row && (mayHaveGone(row) || row.doc.length > longText))) continue;
    const survey = row ? surveyOf(rowsOfText(row.doc)) : emptySurvey;
    if (!survey.hasReferences) surveys.set(id, survey);
  }
  const namesOf = (kind: 'fields' | 'groups'): readonly string[] => {
    const names = new Set<string>();
    for (const survey of surveys.values()) for (const name of survey[kind]) names.add(name);
    return [...names];
  };
  const isOpen = await seesAll(reader, asker, { kind, ids: [...surveys.keys()] }, () => ({
    fields: namesOf('fields'),
    groups: namesOf('groups'),
  }));
  for (const id of [...surveys.keys()]) if (!isOpen(id)) surveys.delete(id);
  const answers = new Map<string, ToldMetadata>();
  if (surveys.size === 0) return answers;
  const computed = await computedFor(reader, kind, [...surveys.keys()], view, asker);
  const writer = new MetadataWriter(form, view, isTerse);
  for await (const [id, row] of inTurns(rows)) {
    const survey = surveys.get(id);
    if (!survey) continue;
    const name = naming && nameInRows(survey.rows, naming);
    const values = transientOf(view, row?.changedAt, computed.get(id), name);
    const text = writer.write(survey, values);
    answers.set(id, isTerse ? { terse: { values: written(text) } } : { metadata: written(text) });
  }
  return answers;
}

/** Rows of states, with turns of the loop between those that are long. */
async function* inTurns(rows: ReadonlyMap<string, StateRow | undefined>) {
  let length = 0;
  for (const entry of rows) {
    length += entry[1]?.doc.length ?? 0;
    if (length > longTurn) {
      await yieldTurn();
      length = 0;
    }
    yield entry;
  }
}

/** Computed values by id, as far as the view shows them. */
async function computedFor(
  reader: Reader,
  kind: OwnerKind,
  ids: readonly string[],
  view: MetadataView,
  asker: FieldReader | undefined,
): Promise<ReadonlyMap<string, readonly TransientValue[]>> {
  if (!view.transient) return new Map();
  const only = view.fields.only && new Set(view.fields.only.keys());
  return readTransient(reader, kind, ids, only, viewerOnce(reader, asker));
}

/** Fields that name, where the view asks for the name. */
const namingFor = async (
  reader: Reader,
  { transient, fields, displayName: isNamed }: MetadataView,
): Promise<readonly string[] | undefined> =>
  isNamed || (transient && fields.only?.has(displayName)) ? namingFields(reader) : undefined;

/**
 * First values of fields of entities of one kind, by their ids and by the fields, as far as the asker may read them. Long
 * states are read one by one.
 */
export async function firstValuesOf(
  reader: Reader,
  owners: readonly MetadataOwner[],
  fields: readonly string[],
  asker?: FieldReader,
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const only = new Map(fields.map((field) => [field, field]));
  const view: MetadataView = { ...wholeView, fields: { only, except: new Set(), deep: new Set() } };
  const firstValues = new Map<string, ReadonlyMap<string, string>>();
  for (let at = 0; at < owners.length; at += maxNamed) {
    const slice = owners.slice(at, at + maxNamed);
    const states: KnownStates = new Map();
    await metadataWeights(reader, slice[0]!.kind, [...new Set(slice.map(({ id }) => id))], wholeOwner, states);
    const long = slice.filter(({ id }) => !states.has(id)).map((owner) => [owner]);
    for (const some of [slice.filter(({ id }) => states.has(id)), ...long]) {
      for (const [id, document] of await metadataOf(reader, some, view, { ...(asker && { asker }), known: states })) {
        const terse = terseOf(document);
        const pairs = fields.flatMap((field) => {
          const value = terse.get(field)?.[0]?.value;
          return value === undefined ? [] : [[field, value] as const];
        });
        firstValues.set(id, new Map(pairs));
      }
    }
    if (at + maxNamed < owners.length) await yieldTurn();
  }
  return firstValues;
}

/** Display names of entities of one kind by id, as far as the asker may read them. Entities without one are missing. */
export async function displayNamesOf(
  reader: Reader,
  owners: readonly MetadataOwner[],
  asker?: FieldReader,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const [id, values] of await firstValuesOf(reader, owners, [displayName], asker)) {
    const name = values.get(displayName);
    if (name !== undefined) names.set(id, name);
  }
  return names;
}

/** Entities whose names are read at once. */
const maxNamed = 100;
const wholeOwner = { field: undefined, group: undefined };

const ofAll: ViewerFor = async () => undefined;

/** Undefined: the service itself, or an administrator. */
function viewerOnce(reader: Reader, asker: FieldReader | undefined): ViewerFor {
  if (asker === undefined || asker.administers) return ofAll;
  let viewer: Viewer | undefined;
  return async () => {
    viewer ??= await viewerFor(reader, { administrator: false, userId: asker.userId });
    return viewer;
  };
}

const transientOf = (
  { transient }: MetadataView,
  changedAt: number | undefined,
  values: readonly TransientValue[] = [],
  name?: string,
): readonly TransientValue[] =>
  inOrder([
    ...(changedAt === undefined || !transient
      ? []
      : [['__metadata_last_modified', new Date(changedAt).toISOString()] as const]),
    ...(name === undefined ? [] : [[displayName, name] as const]),
    ...values,
  ]);

/** A value in the short form. */
interface TerseValue {
  readonly end: string;
  readonly start: string;
  /** Empty for computed values. */
  readonly uuid: string;
  readonly value: string;
}

/** Metadata in documents of entities, complete or in the short form. */
const toldMetadata = (isTerse: boolean, metadata: MetadataDocumentValue | undefined) =>
  isTerse && metadata ? { terse: { values: terseOf(metadata) } } : { metadata };

/** Short form of a document: values by field in flat lists, including values in groups. */
export function terseOf({ timespan = [] }: MetadataDocumentValue): ReadonlyMap<string, readonly TerseValue[]> {
  const terse = new Map<string, TerseValue[]>();
  const collect = ({ field = [], group = [] }: MetadataGroup, start: string, end: string): void => {
    for (const { name, value: values = [] } of field) {
      const list = terse.get(name!) ?? [];
      terse.set(name!, list);
      for (const { value = '', uuid = '' } of values) list.push({ end, start, uuid, value });
    }
    for (const each of group) collect(each, start, end);
  };
  for (const span of timespan) collect(span, span.start!, span.end!);
  return terse;
}

/** Bytes per unit for metadata that is read but mostly not shown, and so counts for less. */
const bytesOfUnshown = 16 * bytesOfOne;

/** Bytes of states that are read with the sizes of a page. */
const maxRead = heaviestLot * bytesOfOne;

type Chosen = Pick<MetadataQuery, 'field' | 'group'> & { readonly p?: string | undefined };

/** Weight of the metadata of entities on a page, by id: stored bytes, including inherited ones. */
export async function metadataWeights(
  reader: Reader,
  kind: OwnerKind,
  ids: readonly string[],
  { field, group, p }: Chosen,
  known: KnownStates = new Map(),
): Promise<(id: string) => number> {
  const each = Math.floor(maxRead / ids.length);
  const rows = await sizedStates(reader, { kind, ids, each });
  for (const { id, bytes, doc, ...row } of rows) {
    if (bytes === null) known.set(id, undefined);
    else if (doc !== null) known.set(id, { doc, ...row });
  }
  const own = new Map(rows.map(({ id, bytes }) => [id, bytes ?? 0]));
  const inherited = kind === 'item' && rows[0]?.inherits === 1 ? await inheritedBytes(reader, ids) : undefined;
  const isPart = p !== undefined || [field, group].some((names) => names?.some((name) => !name.startsWith('-')));
  const one = isPart ? bytesOfUnshown : bytesOfOne;
  return (id) => ((own.get(id) ?? 0) + (inherited?.get(id) ?? 0)) / one;
}
