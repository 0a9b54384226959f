import { isAtLeast, type Place } from '../../assets/access/levels.ts';
import { askingOf, levelsOn } from '../../assets/access/viewer.ts';
import { askerOf, fieldRights, level } from '../../assets/definitions/access/rights.ts';
import { type Call, caller } from '../../http/call.ts';
import type { Reader } from '../../store/statement.ts';
import type { EventRow } from './store.ts';

/** Tells events of all items and collections, also of those that the caller may not read. */
export const everyEvent = '_event_read_all';

const guarded = new Set(['item', 'collection', 'library']);

interface Payload {
  readonly itemId?: unknown;
  readonly collectionId?: unknown;
  readonly entityType?: unknown;
  readonly entityId?: unknown;
  readonly changes?: readonly { readonly field: string }[];
}

/** Filter that keeps the events of a page which the caller may see. Undefined where the caller may see all. */
export type EventFilter = (rows: readonly EventRow[]) => Promise<readonly EventRow[]>;

/** Rights are asked for each page: in a stream, too. */
export async function filterFor(reader: Reader, call: Call): Promise<EventFilter | undefined> {
  const [asking, asker] = [await askingOf(call), await askerOf(call)];
  if (asking.administrator || (await caller(call).has(everyEvent))) return undefined;
  return async (rows) => {
    const read = rows.map((row) => ({ row, payload: JSON.parse(row.payload) as Payload }));
    const about = read.map(({ row, payload }) => placesOf(row, payload));
    const { levelOf } = await levelsOn(reader, asking, about.flat());
    const changed = read.flatMap(({ payload: { changes = [] } }) => changes.map(({ field }) => field));
    const rights = await fieldRights(reader, asker, { fields: changed });
    const isOpen = (places: readonly Place[], field: string) =>
      rights.field(field) >= level.read &&
      places.every((place) => isAtLeast(levelOf(place, { type: 'METADATA', extradata: field }), 'READ'));
    return read.flatMap(({ row, payload }, index) => {
      const places = about[index]!;
      if (!places.every((place) => isAtLeast(levelOf(place), 'READ'))) return [];
      if (payload.changes === undefined) return [row];
      const changes = payload.changes.filter(({ field }) => isOpen(places, field));
      return [
        changes.length < payload.changes.length ? { ...row, payload: JSON.stringify({ ...payload, changes }) } : row,
      ];
    });
  };
}

/** The entities that an event is about: its own, and those that it names. */
function placesOf({ entityType, entityId }: EventRow, payload: Payload): readonly Place[] {
  const named = [
    [entityType, entityId],
    ['item', payload.itemId],
    ['collection', payload.collectionId],
    [payload.entityType, payload.entityId],
  ] as const;
  return named.flatMap(([type, id]) =>
    typeof type === 'string' && typeof id === 'string' && guarded.has(type) ? [{ type, id }] : [],
  );
}
