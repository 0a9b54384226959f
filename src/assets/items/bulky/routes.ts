import type { CommitPlan } from '../../../core/store/contract.ts';
import { uris } from '../../../http/answers.ts';
import type { Call } from '../../../http/call.ts';
import { raw } from '../../../http/forms.ts';
import { documentTypes, type MediaType } from '../../../http/negotiation.ts';
import { text, whole } from '../../../http/parameters/index.ts';
import type { PathEntity } from '../../../http/path-entity.ts';
import { renderLots } from '../../../http/render-list.ts';
import type { Reply } from '../../../http/reply.ts';
import { type Route, role, route, segment } from '../../../http/route.ts';
import { bytesOfOne, lotsOf } from '../../../room/entities/page-weight.ts';
import type { Entity } from '../../../room/entity.ts';
import type { Caller } from '../../../security/caller.ts';
import { disposition } from '../../../storage/public.ts';
import type { AttachmentOwner } from '../../metadata/public.ts';
import { componentPath, shapePath, shapesAt } from '../../shapes/public.ts';
import { itemAt } from '../contract/entities.ts';
import { unlockedFor } from '../contract/item-locks.ts';
import type { ItemRow } from '../contract/store.ts';
import type { ItemsContext } from '../settings.ts';
import {
  bulkyMetadataDocument,
  checkBulkyKey,
  clearBulky,
  intervalOf,
  pairOf,
  removeBulky,
  setBulky,
} from './rules.ts';
import { bulkyKeys, sizesIn, valuesAt, valuesIn } from './store.ts';

const maxKeys = 50_000;
const rowsOf = (lot: readonly { readonly row: number }[]) => lot.map(({ row }) => row);
const interval = {
  start: text('Only values that end after this time code'),
  end: text('Only values that start before this time code'),
};

/** Routes for bulky metadata of items, shapes and components, which is not searchable. */
export function bulkyRoutes(parts: ItemsContext): readonly Route[] {
  const item = itemAt(parts.store);
  const shapes = shapesAt(parts.store);
  const resources: readonly BulkyResource[] = [
    { path: '/item/:item', type: 'item', entities: (level) => ({ item: item(level, { type: 'METADATA' }) }) },
    { path: shapePath, type: 'shape', entities: shapes.shape },
    { path: componentPath, type: 'component', entities: shapes.component },
  ];
  return resources.flatMap((each) => routesOf(parts, each));
}

/** Kind of entity with bulky metadata. */
interface BulkyResource {
  readonly path: string;
  readonly type: 'item' | 'shape' | 'component';
  entities(level: 'READ' | 'WRITE'): { readonly item: PathEntity<ItemRow> };
}

/** Segments of the path of such an entity. */
type Segments = { readonly item: ItemRow } & Readonly<Record<string, unknown>>;

function routesOf({ clock }: ItemsContext, resource: BulkyResource): readonly Route[] {
  const { type } = resource;
  const path = `${resource.path}/metadata/bulky`;
  const one = `${path}/:bulky`;
  const of = `bulky metadata of the ${type}`;
  const reading = { entities: resource.entities('READ'), access: role('_metadata_read') };
  const writing = { entities: resource.entities('WRITE'), access: role('_metadata_write'), acting: 'allowed' } as const;
  const ownerIn = (segments: Segments): AttachmentOwner => ({ type, id: (segments[type] as Entity).id });

  async function values(
    call: Call,
    form: MediaType,
    segments: Segments,
    { start, end }: { readonly start?: string | undefined; readonly end?: string | undefined } = {},
  ): Promise<Reply> {
    const owner = ownerIn(segments);
    const range = { ...owner, key: segment(segments, 'bulky'), ...intervalOf(start, end) };
    const { reader } = call;
    const sizes = await sizesIn(reader, range);
    const lots = lotsOf(sizes, ({ bytes }) => 1 + bytes / bytesOfOne, Number.POSITIVE_INFINITY);
    return renderLots(call.render, form, bulkyMetadataDocument, { id: owner.id }, 'field', lots, async (lot) => {
      const rows =
        lots.length === 1 ? await valuesIn(reader, range) : await valuesAt(reader, { ...range, rows: rowsOf(lot) });
      return rows.map(pairOf);
    });
  }

  /** Commits a change, unless another user has locked the item. */
  const change = (call: Caller, { item }: Segments, { changes, ...plan }: CommitPlan): Promise<void> =>
    call.commit({ ...plan, changes: [unlockedFor(call, item.id, clock.now()), ...changes] });

  return [
    route({
      method: 'GET',
      path,
      says: `The keys of the ${of}.`,
      answers: uris,
      ...reading,
      async handle(call, segments) {
        const rows = await bulkyKeys(call.reader, { ...ownerIn(segments), limit: maxKeys });
        return rows.map(({ key }) => key);
      },
    }),
    route({
      method: 'PUT',
      path,
      says: `Sets values of the ${of}. Other values stay.`,
      reads: bulkyMetadataDocument,
      ...writing,
      handle: (call, segments) => change(call, segments, setBulky(ownerIn(segments), call.body.field)),
    }),
    route({
      method: 'DELETE',
      path,
      says: `Removes the ${of}.`,
      ...writing,
      handle: (call, segments) => change(call, segments, clearBulky(ownerIn(segments))),
    }),
    route({
      method: 'GET',
      path: one,
      says: `The values of one key in the ${of}.`,
      query: interval,
      answers: raw(bulkyMetadataDocument),
      ...reading,
      handle: (call, segments) => values(call, call.type, segments, call.query),
    }),
    route({
      method: 'GET',
      path: `${one}/as-file`,
      says: `The values of one key in the ${of}, as a file.`,
      answers: raw('bytes', ['application/octet-stream', ...documentTypes]),
      ...reading,
      async handle(call, segments) {
        const form = call.type === 'application/json' ? call.type : 'application/xml';
        const { headers, ...reply } = await values(call, form, segments);
        return { ...reply, headers: { ...headers, 'content-disposition': disposition(segment(segments, 'bulky')) } };
      },
    }),
    route({
      method: 'PUT',
      path: one,
      says: `Sets one value of the ${of} to the text that is sent.`,
      query: {
        start: text('A time code'),
        end: text('A time code'),
        stream: whole('The stream'),
        channel: whole('The channel'),
        itemTrack: text('The track'),
      },
      reads: 'text',
      ...writing,
      handle(call, segments) {
        const pair = { key: segment(segments, 'bulky'), value: call.body, ...call.query };
        return change(call, segments, setBulky(ownerIn(segments), [pair]));
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: `Removes the values of one key from the ${of}.`,
      query: interval,
      ...writing,
      handle(call, segments) {
        const key = segment(segments, 'bulky');
        checkBulkyKey(key);
        const span = intervalOf(call.query.start, call.query.end);
        return change(call, segments, removeBulky(ownerIn(segments), key, span));
      },
    }),
  ];
}
