import { mayRead } from '../../access/public.ts';
import { baseOf } from '../../http/address.ts';
import { bytesReply } from '../../http/bytes.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { flag, text, whole } from '../../http/parameters/index.ts';
import { type Reply, typed } from '../../http/reply.ts';
import { type Access, anybody, type Params, type Route, role, route } from '../../http/route.ts';
import { itemName, itemNamed } from '../../items/contract/item/kind.ts';
import { readPixels } from '../../lib/pixels.ts';
import { textOfBytes } from '../../lib/random.ts';
import type { Caller } from '../../security/caller.ts';
import type { TranscodingParts } from '../parts.ts';
import { noSuchPicture } from '../pictures/kind.ts';
import { streamOf, withoutCredentials } from '../pictures/routes.ts';
import { latestPictured, type PictureRow, pictureAt, picturesOf } from '../pictures/store.ts';
import { thumbnailSpriteSheetDocument } from './documents.ts';
import type { DrawSheet } from './draw.ts';
import { type Layout, sheetLayout } from './layout.ts';

const kind = 'thumbnail';
const read = role('_thumbnail_read');
const path = '/item/:item/thumbnail/spritesheet';
const version = { version: whole('The essence version. Default: the latest with pictures', {}) };
const black = [0, 0, 0, 255] as const;
/** The box of thumbnails where the first one cannot be read, and the microseconds of a single one. */
const [usualTile, usualLength] = [{ width: 320, height: 180 }, 10_000_000];

interface Sprites {
  readonly itemId: string;
  readonly version: number;
  readonly rows: readonly PictureRow[];
  /** Comes from the keys of the thumbnails, so nobody can guess it. */
  readonly hash: string;
}

/** All thumbnails of an item on one picture, and where each of them is. */
export function spriteRoutes(parts: TranscodingParts, draw: DrawSheet): readonly Route[] {
  const { store, render } = parts;

  async function spritesOf(itemId: string, given: number | undefined): Promise<Sprites> {
    const version = given ?? (await latestPictured(store, { itemId, kind }))[0]?.version ?? 0;
    const rows = await picturesOf(store, { itemId, kind, version });
    if (rows.length === 0) throw noSuchPicture(kind, itemId);
    const keys = new TextEncoder().encode(rows.map(({ key }) => key).join());
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', keys));
    return { itemId, version, rows, hash: textOfBytes(digest.subarray(0, 16)) };
  }

  const bytesOf = async ({ itemId, version, rows }: Sprites, index: number) =>
    (await pictureAt(store, { itemId, kind, version, instant: rows[index]!.instant }))[0]?.bytes;

  /** The first thumbnail says the size of all. */
  async function layoutFor(sprites: Sprites): Promise<Layout> {
    const first = await bytesOf(sprites, 0);
    return sheetLayout(sprites.rows.length, (first && (await readPixels(first))) ?? usualTile);
  }

  const itemFor = async (call: Caller, params: Params): Promise<string> => {
    const item = await itemNamed(store, params['item']!);
    await mayRead(store, call, itemName, item);
    return item.id;
  };

  /** For callers without credentials, the hash alone opens the sheet. */
  const showing = (at: string, access: Access): Route =>
    route({
      method: 'GET',
      path: `${at}/image`,
      says: 'The sheet: a picture with the thumbnails of an item. The document of the sheet has its address.',
      query: { ...version, hash: text('Version of the sheet, for caches') },
      answers: 'bytes',
      access,
      produces: ['image/jpeg'],
      async handle(call, type, params) {
        const isOpen = access === anybody;
        const { hash } = call.query;
        const sprites = await spritesOf(isOpen ? params['item']! : await itemFor(call, params), call.query.version);
        if (isOpen && sprites.hash !== hash) throw noSuchPicture(kind, params['item']!);
        const name = sprites.hash;
        const open = (index: number) => bytesOf(sprites, index);
        const layout = () => layoutFor(sprites);
        const bytes = await draw({ name, layout, background: black, type: 'image/jpeg', open }, call);
        const caching = hash === name ? 'private, max-age=31536000, immutable' : 'private, max-age=60';
        return bytesReply(call.request, {
          ...{ size: bytes.byteLength, type, version: name },
          headers: { 'x-content-type-options': 'nosniff', 'cache-control': caching },
          open: (from, end) => streamOf(bytes.slice(from, end)),
        }) as Promise<Reply>;
      },
    });

  return [
    route({
      method: 'GET',
      path,
      says: 'The positions of the thumbnails of an item on the sheet, as a document or as WebVTT for players.',
      query: { ...version, 'noauth-url': flag('An address that works without credentials', false) },
      answers: [thumbnailSpriteSheetDocument, 'text'],
      access: read,
      produces: [...documentTypes, 'text/vtt'],
      async handle(call, type, params) {
        const sprites = await spritesOf(await itemFor(call, params), call.query.version);
        const { boxes } = await layoutFor(sprites);
        const base = call.query['noauth-url'] ? withoutCredentials(call) : baseOf(call);
        const { itemId, version, hash } = sprites;
        const url = `${base}/item/${itemId}/thumbnail/spritesheet/image;version=${version}?hash=${hash}`;
        const cues = cuesOf(sprites.rows).map((cue, at) => ({ ...cue, ...boxes[at]! }));
        if (type === 'text/vtt') return typed(type, vttOf(url, cues));
        const thumbnail = cues.map(({ from: _from, to: _to, ...each }) => each);
        return render(type, thumbnailSpriteSheetDocument, { etag: hash, url: [url], thumbnail });
      },
    }),
    showing(path, read),
    showing(`/APInoauth${path}`, anybody),
  ];
}

/** Times in microseconds. */
interface Cue {
  readonly from: number;
  readonly to: number;
  readonly timecode: string;
  readonly endTimecode: string;
}

/** Each thumbnail is shown until the next one. */
function cuesOf(rows: readonly PictureRow[]): readonly Cue[] {
  return rows.map(({ instant, time }, at) => {
    const next = rows[at + 1];
    const before = rows[at - 1];
    const to = next?.instant ?? instant + (before ? instant - before.instant : usualLength);
    return { from: instant, to, timecode: time, endTimecode: next?.time ?? `${Math.round(to / 1000)}@1000` };
  });
}

type PositionedCue = Cue & Layout['boxes'][number];

const vttOf = (url: string, cues: readonly PositionedCue[]): string =>
  [
    'WEBVTT',
    ...cues.map(
      ({ from, to, x, y, width, height }) =>
        `${vttTime(from)} --> ${vttTime(to)}\n${url}#xywh=${x},${y},${width},${height}`,
    ),
    '',
  ].join('\n\n');

function vttTime(instant: number): string {
  const milliseconds = Math.round(instant / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const seconds = Math.floor(milliseconds / 1000);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return `${clock}.${String(milliseconds % 1000).padStart(3, '0')}`;
}
