import { uriListDocument } from '../../documents/index.ts';
import { bytesOfOne, lotsOf } from '../../entities/page-weight.ts';
import type { Call } from '../../http/call.ts';
import { documentOrText, documentTypes, type MediaType } from '../../http/negotiation.ts';
import { text, whole } from '../../http/parameters/index.ts';
import { renderList, renderLots } from '../../http/render-list.ts';
import { lines, type Reply } from '../../http/reply.ts';
import { type Params, type Route, role, route, segment } from '../../http/route.ts';
import { disposition } from '../../media/public.ts';
import { accountOf } from '../../security/caller.ts';
import type { ItemsContext } from '../settings.ts';
import { bulkyMetadataDocument } from './documents.ts';
import { type BulkyResource, bulkyPlaces } from './places.ts';
import { checkBulkyKey, clearBulky, intervalOf, pairOf, removeBulky, setBulky } from './rules.ts';
import { bulkyKeys, sizesIn, valuesAt, valuesIn } from './store.ts';

const mostKeys = 50_000;
const rowsOf = (lot: readonly { readonly row: number }[]) => JSON.stringify(lot.map(({ row }) => row));
const read = role('_metadata_read');
const write = role('_metadata_write');
const interval = {
  start: text('Only values that end after this time code'),
  end: text('Only values that start before this time code'),
};

/** Routes for bulky metadata of items, shapes and components, which is not searchable. */
export const bulkyRoutes = (parts: ItemsContext): readonly Route[] =>
  bulkyPlaces(parts).flatMap((place) => routesAt(parts, place));

function routesAt(parts: ItemsContext, place: BulkyResource): readonly Route[] {
  const { store, render } = parts;
  const path = `${place.path}/metadata/bulky`;
  const one = `${path}/:bulky`;
  const of = `bulky metadata of the ${place.noun}`;

  async function values(
    call: Call,
    type: MediaType,
    params: Params,
    { start, end }: { readonly start?: string | undefined; readonly end?: string | undefined } = {},
  ): Promise<Reply> {
    const { owner } = await place.find(call, params, 'READ');
    const given = { ...owner, key: segment(params, 'bulky'), ...intervalOf(start, end) };
    const reader = store.reader(accountOf(call));
    const sizes = await sizesIn(reader, given);
    const lots = lotsOf(sizes, ({ bytes }) => 1 + bytes / bytesOfOne, Number.POSITIVE_INFINITY);
    return renderLots(render, type, bulkyMetadataDocument, { id: owner.id }, 'field', lots, async (lot) => {
      const rows =
        lots.length === 1 ? await valuesIn(reader, given) : await valuesAt(reader, { ...given, rows: rowsOf(lot) });
      return rows.map(pairOf);
    });
  }

  return [
    route({
      method: 'GET',
      path,
      says: `The keys of the ${of}.`,
      answers: [uriListDocument, 'text'],
      access: read,
      produces: documentOrText,
      async handle(call, type, params) {
        const { owner } = await place.find(call, params, 'READ');
        const keys = (await bulkyKeys(store.reader(accountOf(call)), { ...owner, limit: mostKeys })).map(
          ({ key }) => key,
        );
        if (type === 'text/plain') return lines(keys.map((key) => [key]));
        return renderList(render, type, uriListDocument, { uri: keys }, 'uri');
      },
    }),
    route({
      method: 'PUT',
      path,
      says: `Sets values of the ${of}. Other values stay.`,
      reads: bulkyMetadataDocument,
      access: write,
      acting: 'allowed',
      async handle(call, params) {
        const { field = [] } = call.body;
        const { owner, guards } = await place.find(call, params, 'WRITE');
        await call.commit(setBulky(owner, field, guards));
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: `Removes the ${of}.`,
      access: write,
      acting: 'allowed',
      async handle(call, params) {
        const { owner, guards } = await place.find(call, params, 'WRITE');
        await call.commit(clearBulky(owner, guards));
      },
    }),
    route({
      method: 'GET',
      path: one,
      says: `The values of one key in the ${of}.`,
      query: interval,
      answers: bulkyMetadataDocument,
      access: read,
      produces: documentTypes,
      handle: (call, type, params) => values(call, type, params, call.query),
    }),
    route({
      method: 'GET',
      path: `${one}/as-file`,
      says: `The values of one key in the ${of}, as a file.`,
      answers: 'bytes',
      access: read,
      produces: ['application/octet-stream', ...documentTypes],
      async handle(call, type, params) {
        const reply = await values(call, type === 'application/json' ? type : 'application/xml', params);
        return {
          ...reply,
          headers: { ...reply.headers, 'content-disposition': disposition(segment(params, 'bulky')) },
        };
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
      access: write,
      acting: 'allowed',
      async handle(call, params) {
        const key = segment(params, 'bulky');
        const value = call.body;
        const { owner, guards } = await place.find(call, params, 'WRITE');
        await call.commit(setBulky(owner, [{ key, value, ...call.query }], guards));
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: `Removes the values of one key from the ${of}.`,
      query: interval,
      access: write,
      acting: 'allowed',
      async handle(call, params) {
        const key = segment(params, 'bulky');
        checkBulkyKey(key);
        const { owner, guards } = await place.find(call, params, 'WRITE');
        await call.commit(removeBulky(owner, key, intervalOf(call.query.start, call.query.end), guards));
      },
    }),
  ];
}
