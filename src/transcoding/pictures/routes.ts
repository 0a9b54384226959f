import { mayRead, mayWrite } from '../../access/public.ts';
import { uriListDocument } from '../../documents/index.ts';
import { baseOf } from '../../http/address.ts';
import { bytesReply } from '../../http/bytes.ts';
import type { Call } from '../../http/call.ts';
import { openUpload } from '../../http/form-body.ts';
import { documentOrText, type MediaType, textOnly } from '../../http/negotiation.ts';
import { flag, text, whole } from '../../http/parameters/index.ts';
import { lines, plain, type Reply } from '../../http/reply.ts';
import { type Access, anybody, type Params, type Route, role, route, segment } from '../../http/route.ts';
import { itemName, itemNamed } from '../../items/contract/item/kind.ts';
import { type ItemRow, itemMustExist } from '../../items/contract/item/store.ts';
import { ServiceError } from '../../lib/errors.ts';
import { joined } from '../../lib/joined.ts';
import type { Maybe } from '../../lib/maybe.ts';
import { wholePicture } from '../../lib/pixels.ts';
import { textOfBytes } from '../../lib/random.ts';
import { itemGone, latestOf, loadShapes } from '../../shapes/public.ts';
import { changing } from '../../store/commit-plan.ts';
import type { TranscodingParts } from '../parts.ts';
import { noSuchResource } from '../resources/rules.ts';
import { findResource, resourceMustExist, thumbnailPlace } from '../resources/store.ts';
import { pictureUri } from './addresses.ts';
import { mostBytes, noSuchPicture, type PictureKind, pictureKinds } from './kind.ts';
import { keepPicture } from './put.ts';
import { pictureShelf } from './shelf.ts';
import { latestPictured, pictureAt, picturesOf, removePicture, removePictures } from './store.ts';
import { timeIn } from './times.ts';

const read = role('_thumbnail_read');
const write = role('_thumbnail_write');
const imageTypes: readonly MediaType[] = ['image/jpeg', 'image/png'];
const version = { version: whole('The essence version. Default: the latest with pictures', {}) };

/** Thumbnails and posters of items. */
export const pictureRoutes = (parts: TranscodingParts): readonly Route[] =>
  pictureKinds.flatMap((kind) => routesOf(parts, kind));

function routesOf(parts: TranscodingParts, kind: PictureKind): readonly Route[] {
  const { store, clock, random, render } = parts;
  const noun = kind === 'thumbnail' ? 'thumbnails' : 'posters';
  const onItem = `/${kind}/:place/:item`;
  const onTime = `${onItem}/:time`;

  async function itemFor(call: Call, params: Params): Promise<ItemRow> {
    const item = await itemNamed(store, segment(params, 'item'));
    await (call.method === 'GET' ? mayRead : mayWrite)(store, call, itemName, item);
    return item;
  }

  async function versionOf(itemId: string, given: number | undefined): Promise<number> {
    if (given !== undefined) return given;
    return (await latestPictured(store, { itemId, kind }))[0]?.version ?? 0;
  }

  const listed = (type: MediaType, uri: readonly string[]): Reply =>
    type === 'text/plain'
      ? lines(uri.map((each) => [each]))
      : render(type, uriListDocument, uri.length > 0 ? { uri } : {});

  /** Relative in JSON: some clients put the host in front. Absolute in XML, because others refuse anything else. */
  const baseFor = (call: Call, type: MediaType): string => (type === 'application/json' ? call.root : baseOf(call));

  async function shown(
    call: Call,
    itemId: string,
    given: number | undefined,
    time: string,
    hash?: string,
    isOpen = false,
  ): Promise<Reply> {
    const { instant } = timeIn('path', time);
    const found = { itemId, kind, version: await versionOf(itemId, given), instant };
    const [row] = await pictureAt(store, found);
    if (!row || (isOpen && row.key !== hash)) throw noSuchPicture(kind, time);
    const { bytes } = row;
    // Cacheable for a year: a new picture at the same time has another hash.
    const caching = hash === row.key ? 'private, max-age=31536000, immutable' : 'private, max-age=60';
    return bytesReply(call.request, {
      size: bytes.byteLength,
      type: row.type,
      version: row.key,
      modified: row.createdAt,
      headers: { 'x-content-type-options': 'nosniff', 'cache-control': caching },
      open: (from, end) => streamOf(bytes.slice(from, end)),
    }) as Promise<Reply>;
  }

  const resourceRoutes = (['GET', 'PUT'] as const).map(
    (method): Route =>
      route({
        method: method as 'PUT',
        path: `/item/:item/${kind}resource`,
        says:
          method === 'GET'
            ? `The resources that have the ${noun} of an item.`
            : `The same. The first request creates the resource of ${noun}.`,
        query: version,
        answers: [uriListDocument, 'text'],
        access: method === 'GET' ? read : write,
        acting: 'allowed',
        produces: documentOrText,
        async handle(call, type, params) {
          const { id } = await itemFor(call, params);
          const shelf = method === 'GET' ? await thumbnailPlace(store) : await pictureShelf(parts);
          if (shelf === undefined) return listed(type, []);
          const { version: given = (await latestPictured(store, { itemId: id, kind }))[0]?.version } = call.query;
          const ofVersion = given === undefined || given === null ? '' : `;version=${given}`;
          return listed(type, [`${baseFor(call, type)}/${kind}/${shelf}/${id}${ofVersion}`]);
        },
      }),
  );

  return [
    ...resourceRoutes,
    route({
      method: 'GET',
      path: onItem,
      says: `The times or addresses of the ${noun} of an item. A caller that accepts only images gets the first one.`,
      query: {
        ...version,
        url: flag('Addresses instead of times', false),
        'noauth-url': flag('Addresses that work without credentials', false),
      },
      answers: [uriListDocument, 'text', 'bytes'],
      access: read,
      produces: [...documentOrText, ...imageTypes],
      async handle(call, type, params) {
        const { id } = await itemFor(call, params);
        const ofItem = { itemId: id, kind, version: await versionOf(id, call.query.version) };
        const rows = await picturesOf(store, ofItem);
        if (imageTypes.includes(type)) {
          if (rows.length === 0) throw noSuchPicture(kind, id);
          return shown(call, id, ofItem.version, rows[0]!.time);
        }
        const keyed = call.query['noauth-url'];
        if (!keyed && !call.query.url)
          return listed(
            type,
            rows.map(({ time }) => time),
          );
        const base = keyed ? withoutCredentials(call) : baseOf(call);
        return listed(
          type,
          rows.map((row) => pictureUri(row, segment(params, 'place'), { base, keyed })),
        );
      },
    }),
    route({
      method: 'DELETE',
      path: onItem,
      says: `Deletes the ${noun} of a version of an item.`,
      query: version,
      access: write,
      acting: 'allowed',
      async handle(call, params) {
        const { id } = await itemFor(call, params);
        const ofItem = { itemId: id, kind, version: await versionOf(id, call.query.version) };
        await call.commit(changing(itemMustExist(id, itemGone(id)), removePictures(ofItem)));
      },
    }),
    showing(onTime, read, (call, params) => itemFor(call, params).then(({ id }) => id)),
    // The item is not looked up: its existence is not disclosed without credentials.
    showing(`/APInoauth${onTime}`, anybody, async (_call, params) => segment(params, 'item')),
    route({
      method: 'PUT',
      path: onTime,
      says: `Sets one of the ${noun}: a PNG or a JPEG. It replaces one at the same time.`,
      query: version,
      reads: 'bytes',
      answers: 'text',
      access: write,
      acting: 'allowed',
      produces: textOnly,
      async handle(call, _type, params) {
        const place = segment(params, 'place');
        const { id } = await itemFor(call, params);
        if (!(await findResource(store, { type: 'thumbnail', id: place }))) throw noSuchResource(place);
        const { text: time, instant } = timeIn('path', segment(params, 'time'));
        const { bytes, type } = await pictureFrom(call);
        const essenceVersion = call.query.version ?? latestOf(await loadShapes(store, id)) ?? 0;
        const key = textOfBytes(random.bytes(16));
        const row = { itemId: id, essenceVersion, kind, instant, time, key, createdAt: clock.now() };
        const put = keepPicture({ ...row, type, size: bytes.byteLength, bytes });
        await call.commit(changing(resourceMustExist(place, noSuchResource(place)), ...put));
        return plain(time);
      },
    }),
    route({
      method: 'DELETE',
      path: onTime,
      says: `Deletes one of the ${noun} of an item.`,
      query: version,
      access: write,
      acting: 'allowed',
      async handle(call, params) {
        const { id } = await itemFor(call, params);
        const { instant, text: time } = timeIn('path', segment(params, 'time'));
        const at = { itemId: id, kind, version: await versionOf(id, call.query.version), instant };
        if ((await pictureAt(store, at)).length === 0) throw noSuchPicture(kind, time);
        await call.commit(changing(itemMustExist(id, itemGone(id)), removePicture(at)));
      },
    }),
  ];

  function showing(path: string, access: Access, find: (call: Call, params: Params) => Promise<string>): Route {
    const isOpen = access === anybody;
    return route({
      method: 'GET',
      path,
      says: isOpen ? `One of the ${noun} of an item, for callers with its hash.` : `One of the ${noun} of an item.`,
      query: {
        ...version,
        hash: text('Version of the picture, for caches'),
      },
      answers: 'bytes',
      access,
      produces: imageTypes,
      async handle(call, _type, params) {
        const { version: given, hash } = call.query;
        const id = await find(call, params);
        return shown(call, id, given, segment(params, 'time'), hash, isOpen);
      },
    });
  }
}

/** Base address on the same host for pictures without credentials, identified by their hash. */
export const withoutCredentials = (call: Call): string => {
  const base = baseOf(call);
  return `${base.slice(0, base.length - call.root.length)}/APInoauth`;
};

export const streamOf = (bytes: Uint8Array<ArrayBuffer>): Maybe<ReadableStream<Uint8Array>> =>
  new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });

/** Bytes that are a picture up to their end: browsers show them as what they are. */
async function pictureFrom(call: Call) {
  const body = openUpload(call.request);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const piece = await body.read();
    if (!piece) break;
    size += piece.byteLength;
    pieces.push(piece);
    if (size <= mostBytes) continue;
    await body.cancel();
    throw new ServiceError('body-too-large', { context: 'body', explanation: `Expected at most ${mostBytes} bytes` });
  }
  const bytes = joined(pieces);
  const found = await wholePicture(bytes);
  if (typeof found !== 'string') return { bytes, type: found.type };
  throw new ServiceError('bad-value', { context: 'body', explanation: found });
}
