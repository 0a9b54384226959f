import type { LimitedReader } from '../../../core/store/statement.ts';
import type { Viewer } from '../../access/public-reading.ts';
import { type Contents, loadThere, type MetadataState, readableFields } from '../../metadata/public-reading.ts';
import { type IndexedKind, kindOf } from '../index/keys.ts';
import { withInherited } from '../index/participant.ts';
import type { Names } from './names.ts';
import { entitiesAmong } from './store.ts';

/** Reader and viewer of a search that reads metadata, with the closed fields. */
interface Reading {
  readonly reader: LimitedReader;
  readonly viewer: Viewer;
  readonly names: Pick<Names, 'closed'>;
}

/** Metadata states by number in the index, without fields closed to the viewer. */
export async function statesByNumber(
  by: Reading,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, MetadataState>> {
  const states = new Map<number, MetadataState>();
  const rows = await entitiesAmong(by.reader, { numbers });
  for (const kind of ['item', 'collection'] as const) {
    const those = rows.filter(({ id }) => kindOf(id) === kind);
    const whole = await statesToRead(
      by,
      kind,
      those.map(({ entityId }) => entityId),
    );
    for (const { id, entityId } of those) {
      const state = whole.get(entityId);
      if (state) states.set(id, state);
    }
  }
  return states;
}

/** Metadata states of entities of one kind, by id. Items include inherited values. */
export async function statesToRead(
  { reader, viewer, names }: Reading,
  kind: IndexedKind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MetadataState>> {
  if (ids.length === 0) return new Map();
  const own = new Map(Array.from(await loadThere(reader, kind, ids), ([id, { state }]) => [id, state]));
  const whole = kind === 'item' ? await withInherited(reader, own) : own;
  if (names.closed.fields === undefined) return whole;
  const asker = { userId: viewer.userId, administers: viewer.administrator };
  const readable = await readableFields(reader, asker, { kind, ids: [...whole.keys()] }, { states: whole.values() });
  return readable ? new Map(Array.from(whole, ([id, state]) => [id, openPart(state, readable(id))])) : whole;
}

type IsOpen = (name: string, groups: readonly string[]) => boolean;

const openPart = (state: MetadataState, isOpen: IsOpen): MetadataState => ({
  ...state,
  spans: new Map(
    Array.from(state.spans, ([key, span]) => [key, { ...span, contents: openContents(span.contents, isOpen, []) }]),
  ),
});

/** `around`: names of the groups, the nearest first. */
const openContents = ({ fields, groups }: Contents, isOpen: IsOpen, around: readonly string[]): Contents => ({
  fields: new Map([...fields].filter(([, { name }]) => isOpen(name, around))),
  groups: groups.map((group) => ({
    ...group,
    contents: openContents(group.contents, isOpen, [group.name, ...around]),
  })),
});
