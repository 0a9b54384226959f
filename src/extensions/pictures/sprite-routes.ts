import { itemAt } from '../../assets/items/contract/entities.ts';
import { timeCode } from '../../assets/shapes/public-reading.ts';
import { document, element, integer, list, string, structure } from '../../core/documents/describe.ts';
import { textOfBytes } from '../../core/lib/random.ts';
import { samplesOf } from '../../core/lib/time-code.ts';
import { baseOf } from '../../http/address.ts';
import type { Call } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { flag, text, whole } from '../../http/parameters/index.ts';
import { type Reply, typed } from '../../http/reply.ts';
import { anybody, type Route, role, route } from '../../http/route.ts';
import {
  baseWithoutCredentials,
  latestPictured,
  noSuchPicture,
  type PictureRow,
  pictureAt,
  pictureReply,
  picturesOf,
  thumbnailSheet,
} from '../../production/transcoding/public.ts';
import { drawableSize } from '../../production/transcoding/public-reading.ts';
import type { DrawSheet, SheetContext } from './sheet-drawing.ts';
import { type Layout, sheetLayout } from './sheet-layout.ts';
import { black, defaultTile } from './tiles.ts';

/** Where each thumbnail of an item is on one picture of all of them. */
export const thumbnailSpriteSheetDocument = document('ThumbnailSpriteSheetDocument', {
  etag: element(string).says('Hash of the sheet. It changes with the thumbnails.'),
  url: list(string).says('The address of the picture, a JPEG.'),
  path: list(string).says('Absent: the picture is no file.'),
  thumbnail: list(
    structure('ThumbnailSpriteType', {
      width: element(integer),
      height: element(integer),
      x: element(integer).says('Pixels from the left.'),
      y: element(integer).says('Pixels from the top.'),
      timecode: element(timeCode),
      endTimecode: element(timeCode).says(
        'Time of the next thumbnail. The last one has the duration of the one before.',
      ),
    }),
  ),
});

const kind = 'thumbnail';
const read = role('_thumbnail_read');
const { path } = thumbnailSheet;
const version = { version: whole('The essence version. Default: the latest with pictures', {}) };
/** Microseconds that a single thumbnail is shown. */
const defaultLength = 10_000_000;

interface Sprites {
  readonly itemId: string;
  readonly version: number;
  readonly rows: readonly PictureRow[];
  /** Comes from the keys of the thumbnails, so nobody can guess it. */
  readonly hash: string;
}

/** All thumbnails of an item on one picture, and where each of them is. */
export function spriteRoutes({ store }: Pick<SheetContext, 'store'>, draw: DrawSheet): readonly Route[] {
  const entities = { item: itemAt(store)('READ') };

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
    return sheetLayout(sprites.rows.length, (first && drawableSize(first)) ?? defaultTile);
  }

  /** The sheet as bytes. `isOpen`: for callers without credentials, the hash alone opens it. */
  async function shown(
    call: Call<{ readonly version: number | undefined; readonly hash: string | undefined }>,
    itemId: string,
    isOpen = false,
  ): Promise<Reply> {
    const { version, hash } = call.query;
    const sprites = await spritesOf(itemId, version);
    if (isOpen && sprites.hash !== hash) throw noSuchPicture(kind, itemId);
    const name = sprites.hash;
    const open = (index: number) => bytesOf(sprites, index);
    const layout = () => layoutFor(sprites);
    const bytes = await draw({ name, layout, background: black, type: 'image/jpeg', open }, call);
    return pictureReply(call, { bytes, type: 'image/jpeg', version: name }, hash);
  }

  const showing = {
    method: 'GET',
    says: 'The sheet: a picture with the thumbnails of an item. The document of the sheet has its address.',
    query: { ...version, hash: text('Version of the sheet, for caches') },
    answers: raw('bytes', ['image/jpeg']),
  } as const;

  return [
    route({
      method: 'GET',
      path,
      says: 'The positions of the thumbnails of an item on the sheet, as a document or as WebVTT for players.',
      entities,
      query: { ...version, 'noauth-url': flag('An address that works without credentials', false) },
      answers: raw([thumbnailSpriteSheetDocument, 'text'], [...documentTypes, 'text/vtt']),
      access: read,
      async handle(call, { item: { id } }) {
        const sprites = await spritesOf(id, call.query.version);
        const { boxes } = await layoutFor(sprites);
        const base = call.query['noauth-url'] ? baseWithoutCredentials(call) : baseOf(call);
        const { itemId, version, hash } = sprites;
        const url = `${base}/item/${itemId}/thumbnail/spritesheet/image;version=${version}?hash=${hash}`;
        const cues = cuesOf(sprites.rows).map((cue, at) => ({ ...cue, ...boxes[at]! }));
        if (call.type === 'text/vtt') return typed(call.type, vttOf(url, cues));
        const thumbnail = cues.map(({ from: _from, to: _to, ...each }) => each);
        return call.render(call.type, thumbnailSpriteSheetDocument, { etag: hash, url: [url], thumbnail });
      },
    }),
    route({
      ...showing,
      path: `${path}/image`,
      entities,
      access: read,
      handle: (call, { item: { id } }) => shown(call, id),
    }),
    route({
      ...showing,
      path: `/APInoauth${path}/image`,
      access: anybody,
      handle: (call, { item }) => shown(call, item, true),
    }),
  ];
}

/** Times in microseconds. */
interface Cue {
  readonly from: number;
  readonly to: number;
  readonly timecode: ReturnType<typeof samplesOf>;
  readonly endTimecode: ReturnType<typeof samplesOf>;
}

/** Each thumbnail is shown until the next one. */
function cuesOf(rows: readonly PictureRow[]): readonly Cue[] {
  return rows.map(({ instant, time }, at) => {
    const next = rows[at + 1];
    const before = rows[at - 1];
    const to = next?.instant ?? instant + (before ? instant - before.instant : defaultLength);
    const end = next?.time ?? `${Math.round(to / 1000)}@1000`;
    return { from: instant, to, timecode: samplesOf(time), endTimecode: samplesOf(end) };
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
