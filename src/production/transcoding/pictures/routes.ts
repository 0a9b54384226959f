import { itemAt } from '../../../assets/items/contract/entities.ts';
import { latestOf, loadShapes } from '../../../assets/shapes/public.ts';
import { joined } from '../../../core/lib/bytes.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { textOfBytes } from '../../../core/lib/random.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { baseOf } from '../../../http/address.ts';
import { urisIfAny } from '../../../http/answers.ts';
import type { Call } from '../../../http/call.ts';
import { openUpload } from '../../../http/form-body.ts';
import { raw } from '../../../http/forms.ts';
import { flag, text, whole } from '../../../http/parameters/index.ts';
import type { PathEntity } from '../../../http/path-entity.ts';
import type { Reply } from '../../../http/reply.ts';
import { anybody, type Route, role, route } from '../../../http/route.ts';
import { accountOf } from '../../../security/caller.ts';
import { createPictureCheck } from '../codecs/whole-picture.ts';
import type { TranscodingParts } from '../parts.ts';
import { storedResource } from '../resources/load.ts';
import { thumbnailPlace } from '../store.ts';
import { baseWithoutCredentials, pictureShelf, pictureUri, shownPicture } from './addresses.ts';
import { keepPicture, mostBytes, noSuchPicture, type PictureKind, pictureKinds, pictureReply } from './picture.ts';
import { latestPictured, pictureAt, picturesOf, pictureUpTo, removePicture, removePictures } from './store.ts';
import { timeIn } from './times.ts';

const read = role('_thumbnail_read');
const write = role('_thumbnail_write');
const version = { version: whole('The essence version. Default: the latest with pictures', {}) };
const imageTypes = ['image/jpeg', 'image/png'];

interface ShownAt {
  readonly itemId: string;
  readonly time: string;
  readonly version: number | undefined;
  readonly hash?: string | undefined;
}

/** Thumbnails and posters of items. */
export const pictureRoutes = (parts: TranscodingParts): readonly Route[] =>
  pictureKinds.flatMap((kind) => routesOf(parts, kind));

function routesOf(parts: TranscodingParts, kind: PictureKind): readonly Route[] {
  const { store, clock, random } = parts;
  const check = createPictureCheck(parts.thread);
  const noun = kind === 'thumbnail' ? 'thumbnails' : 'posters';
  const onItem = `/${kind}/:place/:item` as const;
  const onTime = shownPicture(kind).path;
  const item = itemAt(store);
  const resource = storedResource(store);
  /** The resource that addresses of pictures name. */
  const place: PathEntity<{ readonly id: string }> = {
    ...resource,
    find: (id, call) => resource.find(id, call, { type: 'thumbnail' }),
  };

  async function versionOf(itemId: string, given: number | undefined): Promise<number> {
    if (given !== undefined) return given;
    return (await latestPictured(store, { itemId, kind }))[0]?.version ?? 0;
  }

  /** The resource of the pictures of an item, as a list. */
  async function resourceUris(
    call: Call<{ readonly version: number | undefined }>,
    itemId: string,
    shelf: string | undefined,
  ): Promise<readonly string[]> {
    if (shelf === undefined) return [];
    const { version: askedVersion = (await latestPictured(store, { itemId, kind }))[0]?.version } = call.query;
    const ofVersion = askedVersion === undefined || askedVersion === null ? '' : `;version=${askedVersion}`;
    // Relative in JSON: some clients put the host in front. Absolute in XML, because others refuse anything else.
    const base = call.type === 'application/json' ? call.root : baseOf(call);
    return [`${base}/${kind}/${shelf}/${itemId}${ofVersion}`];
  }

  /** `isOpen`: for callers without credentials, the hash alone opens the picture. */
  async function shown(call: Call, { itemId, time, ...query }: ShownAt, isOpen = false): Promise<Reply> {
    const { instant } = timeIn('path', time);
    const version = await versionOf(itemId, query.version);
    const [row] = await pictureUpTo(store, { itemId, kind, version, instant });
    if (!row || (isOpen && row.key !== query.hash)) throw noSuchPicture(kind, time);
    const { bytes, type, key, createdAt } = row;
    return pictureReply(call, { bytes, type, version: key, modified: createdAt }, query.hash);
  }

  const ofResource = { path: `/item/:item/${kind}resource`, query: version, answers: urisIfAny } as const;
  const showing = {
    method: 'GET',
    query: { ...version, hash: text('Version of the picture, for caches') },
    answers: raw('bytes', imageTypes),
  } as const;

  return [
    route({
      ...ofResource,
      method: 'GET',
      says: `The resources that have the ${noun} of an item.`,
      entities: { item: item('READ') },
      access: read,
      handle: async (call, { item: { id } }) => resourceUris(call, id, await thumbnailPlace(store)),
    }),
    route({
      ...ofResource,
      method: 'PUT',
      says: `The resources that have the ${noun} of an item. The first request creates the resource.`,
      entities: { item: item('WRITE') },
      access: write,
      acting: 'allowed',
      handle: async (call, { item: { id } }) => resourceUris(call, id, await pictureShelf(parts)),
    }),
    route({
      method: 'GET',
      path: onItem,
      says: `The times or addresses of the ${noun} of an item. A caller that accepts only images gets the first one.`,
      entities: { item: item('READ') },
      query: {
        ...version,
        url: flag('Addresses instead of times', false),
        'noauth-url': flag('Addresses that work without credentials', false),
      },
      answers: raw([...urisIfAny.forms, 'bytes'], [...urisIfAny.types, ...imageTypes]),
      access: read,
      async handle(call, { item: { id }, place }) {
        const ofItem = { itemId: id, kind, version: await versionOf(id, call.query.version) };
        const rows = await picturesOf(store, ofItem);
        if (imageTypes.includes(call.type)) {
          if (rows.length === 0) throw noSuchPicture(kind, id);
          return shown(call, { ...ofItem, time: rows[0]!.time });
        }
        const { url, 'noauth-url': keyed } = call.query;
        const view = { base: keyed ? baseWithoutCredentials(call) : baseOf(call), keyed };
        const list = keyed || url ? rows.map((row) => pictureUri(row, place, view)) : rows.map(({ time }) => time);
        return urisIfAny.reply(list, call);
      },
    }),
    route({
      method: 'DELETE',
      path: onItem,
      says: `Deletes the ${noun} of a version of an item.`,
      entities: { item: item('WRITE') },
      query: version,
      access: write,
      acting: 'allowed',
      async handle(call, { item: { id } }) {
        const ofItem = { itemId: id, kind, version: await versionOf(id, call.query.version) };
        await call.commit(changing(removePictures(ofItem)));
      },
    }),
    route({
      ...showing,
      path: onTime,
      says: `One of the ${noun} of an item: the one at the time, or the last one before it.`,
      entities: { item: item('READ') },
      access: read,
      handle: (call, { item: { id }, time }) => shown(call, { ...call.query, itemId: id, time }),
    }),
    // The item is not looked up: its existence is not disclosed without credentials.
    route({
      ...showing,
      path: `/APInoauth${onTime}`,
      says: `One of the ${noun} of an item, for callers with its hash.`,
      access: anybody,
      handle: (call, { item, time }) => shown(call, { ...call.query, itemId: item, time }, true),
    }),
    route({
      method: 'PUT',
      path: onTime,
      says: `Sets one of the ${noun}: a PNG or a JPEG. It replaces one at the same time.`,
      entities: { item: item('WRITE'), place },
      query: version,
      reads: raw('bytes'),
      answers: 'text',
      access: write,
      acting: 'allowed',
      async handle(call, { item: { id }, time: text }) {
        const { text: time, instant } = timeIn('path', text);
        const { bytes, type } = await pictureFrom(call, check);
        const essenceVersion = call.query.version ?? latestOf(await loadShapes(store, id)) ?? 0;
        const key = textOfBytes(random.bytes(16));
        const row = { itemId: id, essenceVersion, kind, instant, time, key, createdAt: clock.now() };
        await call.commit(changing(...keepPicture({ ...row, type, size: bytes.byteLength, bytes })));
        return time;
      },
    }),
    route({
      method: 'DELETE',
      path: onTime,
      says: `Deletes one of the ${noun} of an item.`,
      entities: { item: item('WRITE') },
      query: version,
      access: write,
      acting: 'allowed',
      async handle(call, { item: { id }, time: text }) {
        const { instant, text: time } = timeIn('path', text);
        const at = { itemId: id, kind, version: await versionOf(id, call.query.version), instant };
        if ((await pictureAt(store, at)).length === 0) throw noSuchPicture(kind, time);
        await call.commit(changing(removePicture(at)));
      },
    }),
  ];
}

/** Bytes that are a picture up to their end: browsers show them as what they are. */
async function pictureFrom(call: Call, check: ReturnType<typeof createPictureCheck>) {
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
  const picture = await check({ bytes, by: accountOf(call) });
  if (typeof picture !== 'string') return { bytes, type: picture.type };
  throw new ServiceError('bad-value', { context: 'body', explanation: picture });
}
