import { runInSlices } from '../../core/lib/turn.ts';
import { pageReader, type Reader } from '../../core/store/statement.ts';
import { bytesOfOne, heaviestLot } from '../../room/entities/page-weight.ts';
import { type Viewer, type ViewerFor, viewerFor } from '../access/public-reading.ts';
import type { FieldReader } from '../definitions/public-reading.ts';
import { readableFields } from './allowed.ts';
import { inOrder, readTransient } from './computed.ts';
import type { MetadataDocumentValue, MetadataGroup } from './documents.ts';
import { inheritedBy, inheritedBytes } from './inherited/inherit.ts';
import { type KnownStates, type Loaded, loadAll, type RowReaders, rowReadersOf } from './load.ts';
import { type MetadataOwner, type OwnerKind, sizedStates } from './store.ts';
import { defaultsOf, withDefinitions } from './view/definitions.ts';
import { documentOf, type Extra, type TransientValue } from './view/document.ts';
import type { MetadataQuery, MetadataView } from './view/parameters.ts';
import { resolverOf } from './view/references.ts';

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
  /** Readers of one entity that were chosen ahead. */
  readonly rowReaders?: RowReaders | undefined;
  /** True: items include metadata inherited from collections. */
  readonly inherits?: boolean;
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
  { site = 'VX', asker, of, rowReaders: chosen, inherits = false }: ReadScope = {},
): Promise<ReadonlyMap<string, MetadataDocumentValue>> {
  const own = new Map([...shown].map(([id, { state }]) => [id, state] as const));
  const ids = [...shown.keys()];
  const isHeir = inherits && kind === 'item';
  const rowReaders = isHeir || view.transient ? (chosen ?? (await rowReadersOf(reader, kind, ids))) : undefined;
  const inherited = rowReaders && isHeir ? await inheritedBy(rowReaders.inherited, own) : undefined;
  const states = [...own.values(), ...(inherited?.values() ?? [])];
  const resolver = await resolverOf(reader, states);
  const missing = new Map<string, ReadonlyMap<string, string>>();
  if (view.defaultValue) {
    for (const [id, { state }] of shown) missing.set(id, await defaultsOf(reader, view, state));
  }
  const content = {
    states: [...states, ...(resolver?.states ?? [])],
    fields: [...missing.values()].flatMap((defaults) => [...defaults.keys()]),
  };
  const owners = { kind, ids: of === undefined ? ids : [of] };
  const readable = asker && (await readableFields(reader, asker, owners, content));
  const only = view.fields.only && new Set(view.fields.only.keys());
  const seenBy = viewerOnce(reader, asker);
  // With restricted rights, readable members of a collection must be counted one by one.
  const source = kind === 'collection' && asker?.administers === false ? reader : rowReaders?.computed;
  const computed = source && view.transient ? await readTransient(source, kind, ids, only, seenBy) : new Map();
  const documents = new Map<string, MetadataDocumentValue>();
  for (const [id, { state, changedAt, touched, keepsEmpty }] of shown) {
    documents.set(
      id,
      await runInSlices(
        documentOf(state, view, {
          transient: transientOf(changedAt, computed.get(id)),
          ...(inherited?.has(id) && { inherited: inherited.get(id)! }),
          ...(resolver && { resolve: resolver.resolve }),
          ...(readable && { isReadable: readable(of ?? id) }),
          ...(missing.get(id) && { missing: missing.get(id)! }),
          ...(touched && { touched }),
          ...(keepsEmpty && { keepsEmpty }),
        }),
      ),
    );
  }
  return withDefinitions(reader, documents, view, site);
}

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
  changedAt: number | undefined,
  values: readonly TransientValue[] = [],
): readonly TransientValue[] =>
  inOrder([
    ...(changedAt === undefined ? [] : [['__metadata_last_modified', new Date(changedAt).toISOString()] as const]),
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
export const toldMetadata = (isTerse: boolean, metadata: MetadataDocumentValue | undefined) =>
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
const mostRead = heaviestLot * bytesOfOne;

type Chosen = Pick<MetadataQuery, 'field' | 'group'> & { readonly p?: string | undefined };

/** Weight of the metadata of entities on a page, by id: stored bytes, including inherited ones. */
export async function metadataWeights(
  reader: Reader,
  kind: OwnerKind,
  ids: readonly string[],
  { field, group, p }: Chosen,
  known: KnownStates = new Map(),
): Promise<(id: string) => number> {
  const each = Math.floor(mostRead / ids.length);
  const rows = await sizedStates(pageReader(reader, ids.length), { kind, ids, each });
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
