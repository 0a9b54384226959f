import { type AccessTarget, accessOf, askingOf, isAtLeast, levelsOn } from '../../../assets/access/public-reading.ts';
import { askerOf, deniedFields } from '../../../assets/definitions/public-reading.ts';
import { itemNamesFor } from '../../../assets/metadata/public.ts';
import { filesHaving } from '../../../assets/shapes/public.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import { resourceTable } from '../resources.ts';
import { type EventRow, scopesOfNotifications } from './store.ts';

/** Tells all events, also of what the caller may not read. */
export const everyEvent = '_event_read_all';

/** Kinds of entities that access entries stand on, with the roles that a caller without `_event_read` needs. */
const guarded: ReadonlyMap<string, string> = new Map([
  ['item', '_item_read'],
  ['collection', '_collection_read'],
  ['library', '_library_read'],
]);

/** Role for reading entities without access entries, by kind. Events of other kinds are hidden. */
const roles: ReadonlyMap<string, string> = new Map([
  ['user', '_user_read'],
  ['group', '_group_read'],
  ['job', '_job_read'],
  ['storage', '_storage_read'],
  ['file', '_file_read'],
  ['document', '_document_read'],
  ['quota', '_quota_read'],
  ['configuration', '_configuration_read'],
  ['deletion-lock', '_deletion_lock_read'],
  ...resourceTable.map(({ resource, role }) => [`notification ${resource}`, `_${role}_notification_read`] as const),
]);

interface Payload {
  readonly itemId?: unknown;
  readonly collectionId?: unknown;
  readonly entityType?: unknown;
  readonly entityId?: unknown;
  /** User who started the job, in events of jobs. */
  readonly user?: unknown;
  readonly changes?: readonly { readonly field: string }[];
}

interface ParsedEvent {
  readonly row: EventRow;
  readonly payload: Payload;
  readonly places: readonly AccessTarget[];
}

/** Filter that keeps the events of a page which the caller may see. Undefined where the caller may see all. */
export type EventFilter = (rows: readonly EventRow[]) => Promise<readonly EventRow[]>;

/**
 * Filter by the rights of the caller, which are read for each page, also in a stream. `isMine`: only jobs of the caller,
 * the own account, and entities with access entries that the caller may read. `allJobs`: also jobs of others.
 */
export async function filterFor(
  reader: Reader,
  call: Caller,
  { mine: isMine = false, allJobs = false } = {},
): Promise<EventFilter | undefined> {
  const [asking, asker, subject] = [await askingOf(call), await askerOf(call), subjectOf(call)];
  if (!isMine && (asking.administrator || (await subject.has(everyEvent)))) return undefined;
  const byRole = new Set<string>();
  for (const [kind, role] of roles) {
    const isAsked = !isMine || (allJobs && kind === 'job');
    if (isAsked && (await subject.has(role))) byRole.add(kind);
  }
  const withheld = new Set<string>();
  if (isMine) for (const [kind, role] of guarded) if (!(await subject.has(role))) withheld.add(kind);
  const seesValues = !isMine || (await subject.has('_metadata_read'));

  /** Files of which some item with READ tells: who reads files is not asked. */
  async function filesOf(events: readonly ParsedEvent[]): Promise<ReadonlySet<string>> {
    const ids = events.flatMap(({ places }) => places.flatMap(({ type, id }) => (type === 'file' ? [id] : [])));
    if (isMine) return new Set();
    if (ids.length === 0 || byRole.has('file')) return new Set(ids);
    return filesHaving(reader, await accessOf(reader, call), ids, 'READ', false);
  }

  const isOwn = (type: string, id: string, payload: Payload): boolean =>
    (type === 'job' && payload.user === subject.name) || (['user', 'session'].includes(type) && id === subject.name);

  return async (rows) => {
    const events = await withPlaces(reader, rows);
    const entities = events.flatMap(({ places }) => places.filter(({ type }) => guarded.has(type)));
    const { levelOf } = await levelsOn(reader, asking, entities);
    const files = await filesOf(events);
    const isChange = events.some(({ payload }) => payload.changes !== undefined);
    const denied = isChange ? await deniedFields(reader, asker) : new Set();
    const isOpen = ({ type, id }: AccessTarget, payload: Payload): boolean =>
      guarded.has(type)
        ? !withheld.has(type) && isAtLeast(levelOf({ type, id }), 'READ')
        : type === 'file'
          ? files.has(id)
          : byRole.has(type) || isOwn(type, id, payload);
    const isShown = (places: readonly AccessTarget[], field: string): boolean =>
      seesValues &&
      !denied.has(field) &&
      places.every(
        (place) =>
          !guarded.has(place.type) || isAtLeast(levelOf(place, { type: 'METADATA', extradata: field }), 'READ'),
      );
    return events.flatMap(({ row, payload, places }) => {
      if (!places.every((place) => isOpen(place, payload))) return [];
      if (payload.changes === undefined) return [row];
      const changes = payload.changes.filter(({ field }) => isShown(places, field));
      return [
        changes.length < payload.changes.length ? { ...row, payload: JSON.stringify({ ...payload, changes }) } : row,
      ];
    });
  };
}

/** Events with the names of their items, as far as the caller may read them. */
export async function withItemNames(
  reader: Reader,
  call: Caller,
  rows: readonly EventRow[],
): Promise<readonly EventRow[]> {
  const events = rows.map((row) => ({ row, payload: JSON.parse(row.payload) as Payload }));
  const itemOf = ({ row, payload: { itemId } }: (typeof events)[number]): string | undefined =>
    row.entityType === 'item' ? row.entityId : typeof itemId === 'string' ? itemId : undefined;
  const names = await itemNamesFor(
    reader,
    call,
    events.flatMap((event) => itemOf(event) ?? []),
  );
  return events.map((event) => {
    const itemName = names.get(itemOf(event) ?? '');
    return itemName === undefined
      ? event.row
      : { ...event.row, payload: JSON.stringify({ ...event.payload, itemName }) };
  });
}

/** Events with all that each is about: its own entity, and those that it names. */
async function withPlaces(reader: Reader, rows: readonly EventRow[]): Promise<readonly ParsedEvent[]> {
  const ids = rows.flatMap(({ entityType, entityId }) => (entityType === 'notification' ? [entityId] : []));
  const scopes = ids.length === 0 ? [] : await scopesOfNotifications(reader, { ids });
  const notifications = new Map(scopes.map((each) => [each.id, each]));
  return rows.map((row) => {
    const payload = JSON.parse(row.payload) as Payload;
    const named = [
      ['item', payload.itemId],
      ['collection', payload.collectionId],
      [payload.entityType, payload.entityId],
    ].flatMap(([type, id]): AccessTarget[] =>
      typeof type === 'string' && typeof id === 'string' ? [{ type, id }] : [],
    );
    const { entityType: type, entityId: id } = row;
    const own = type === 'notification' ? entitiesOf(notifications.get(id)) : [{ type, id }];
    return { row, payload, places: [...own, ...named] };
  });
}

/** A notification is read by role, and one about an entity by those who read that. One that is gone has no readers. */
function entitiesOf(row: { readonly resource: string; readonly entity: string } | undefined): readonly AccessTarget[] {
  const own = { type: `notification ${row?.resource}`, id: '' };
  return row === undefined || row.entity === ''
    ? [own]
    : [own, { type: row.resource.slice(row.resource.lastIndexOf('/') + 1), id: row.entity }];
}
