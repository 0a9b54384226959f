import { raw } from '../../http/forms.ts';
import { badParameter, choice, repeated, text } from '../../http/parameters/index.ts';
import { typed } from '../../http/reply.ts';
import { anybody, type Route, route } from '../../http/route.ts';
import {
  colourIn,
  latestPictured,
  noSuchPicture,
  type PictureKind,
  pictureAt,
  pictureTime,
} from '../../production/transcoding/public.ts';
import { drawableSize } from '../../production/transcoding/public-reading.ts';
import type { Colour } from './canvas.ts';
import type { PixelsType } from './pixels.ts';
import type { DrawSheet, SheetContext } from './sheet-drawing.ts';
import { type Grid, type Layout, layoutOf, maxOfSheet, squareGrid } from './sheet-layout.ts';
import { spriteRoutes } from './sprite-routes.ts';

const maxPictures = 100;
const types: Readonly<Record<'png' | 'jpeg', PixelsType>> = { png: 'image/png', jpeg: 'image/jpeg' };

/** Colours that HTML 4 names. */
const named: Readonly<Record<string, string>> = {
  ...{ white: 'ffffff', silver: 'c0c0c0', gray: '808080', black: '000000', red: 'ff0000', maroon: '800000' },
  ...{ yellow: 'ffff00', olive: '808000', lime: '00ff00', green: '008000', aqua: '00ffff', teal: '008080' },
  ...{ blue: '0000ff', navy: '000080', fuchsia: 'ff00ff', purple: '800080' },
};

/** Pictures of items side by side. Only those whose hash the caller has: nothing is fetched from elsewhere. */
function stitchRoute({ store }: Pick<SheetContext, 'store'>, draw: DrawSheet): Route {
  async function pictureFor(uri: string) {
    const named = namedBy(uri);
    if (!named) {
      const expected = 'Expected addresses of thumbnails or posters of this service, with their hash';
      throw badParameter('uri', expected, uri.slice(0, 200));
    }
    const { kind, itemId, instant, hash } = named;
    const version = named.version ?? (await latestPictured(store, { itemId, kind }))[0]?.version ?? 0;
    const at = { itemId, kind, version, instant };
    const [row] = await pictureAt(store, at);
    if (!row || row.key !== hash) throw noSuchPicture(kind, uri.slice(-80));
    return { at, key: row.key };
  }
  type Stitched = Awaited<ReturnType<typeof pictureFor>>;

  /** Pictures are read one by one: all of them together may be large. */
  const bytesOf = async ({ at }: Stitched) => (await pictureAt(store, at))[0]?.bytes;

  async function largestOf(pictures: readonly Stitched[]): Promise<Boxes> {
    let [width, height] = [1, 1];
    for (const picture of pictures) {
      const bytes = await bytesOf(picture);
      const size = bytes && drawableSize(bytes);
      width = Math.max(width, size?.width ?? 1);
      height = Math.max(height, size?.height ?? 1);
    }
    return { box: { width, height }, margin: [0, 0] };
  }

  return route({
    method: 'GET',
    path: '/APInoauth/stitch',
    says: 'Thumbnails and posters side by side on one picture, for callers with their hashes.',
    query: {
      uri: repeated('The address of a thumbnail or poster of this service, as noauth-url=true tells it'),
      geometry: text('Box of each picture and its margins, such as 100x50+10+10. Default: original sizes'),
      tile: text('Columns and rows, such as 4x3, 4x or x3. Default: about a square'),
      format: choice('Image format. Default: by the header Accept, PNG first', ['png', 'jpeg']),
      background: text('The colour between pictures, such as white or #f5f7f8; "none" for none, in a PNG', {
        defaultValue: 'white',
      }),
    },
    answers: raw('bytes', ['image/png', 'image/jpeg']),
    access: anybody,
    async handle(call) {
      const { uri, geometry, tile, format, background: backgroundText } = call.query;
      if (uri.length === 0 || uri.length > maxPictures) {
        throw badParameter('uri', `Expected the addresses of 1 to ${maxPictures} pictures`);
      }
      const type = format === undefined ? (call.type as PixelsType) : types[format];
      const background = backgroundIn(backgroundText, type);
      const pictures: Stitched[] = [];
      for (const each of uri) pictures.push(await pictureFor(each));
      function layoutIn({ box, margin }: Boxes): Layout {
        const layout = layoutOf(pictures.length, gridIn(tile, pictures.length, box), box, margin);
        if (layout.width * layout.height <= maxOfSheet) return layout;
        throw badParameter('geometry', `Expected a sheet of at most ${maxOfSheet} pixels`, geometry ?? '');
      }
      const fixed = geometry === undefined ? undefined : layoutIn(geometryIn(geometry));
      const layout = async () => fixed ?? layoutIn(await largestOf(pictures));
      const name = JSON.stringify([pictures.map(({ key }) => key), geometry, tile, background, type]);
      const open = (index: number) => bytesOf(pictures[index]!);
      return typed(type, await draw({ name, layout, background, type, open }, call));
    },
  });
}

interface PictureAddress {
  readonly kind: PictureKind;
  readonly itemId: string;
  readonly version: number | undefined;
  readonly instant: number;
  readonly hash: string;
}

const address = /\/APInoauth\/(thumbnail|poster)\/[^/]+\/([^/;]+)(?:;version=(\d{1,7}))?\/([^/]+)$/;

/** Picture that an address names. The host does not matter: the hash opens the picture. */
function namedBy(uri: string): PictureAddress | undefined {
  const url = URL.parse(uri, 'http://host');
  const hash = url?.searchParams.get('hash');
  const [, kind, itemId, version = url?.searchParams.get('version'), time] = address.exec(url?.pathname ?? '') ?? [];
  if (!hash || itemId === undefined || time === undefined) return undefined;
  try {
    const instant = pictureTime(decodeURIComponent(time))?.instant;
    if (instant === undefined || (version && !/^\d{1,7}$/.test(version))) return undefined;
    const number = version ? Number(version) : undefined;
    return { kind: kind as PictureKind, itemId: decodeURIComponent(itemId), version: number, instant, hash };
  } catch {
    return undefined;
  }
}

function backgroundIn(given: string, type: PixelsType): Colour {
  const word = given.trim().toLowerCase();
  if (word === 'none' && type === 'image/png') return [0, 0, 0, 0];
  return [...colourIn('background', Object.hasOwn(named, word) ? named[word]! : given), 255];
}

type Margin = readonly [across: number, down: number];

interface Boxes {
  readonly box: { readonly width: number; readonly height: number };
  readonly margin: Margin;
}

/** A plus sign is a blank once the query is read. */
function geometryIn(given: string): Boxes {
  const [, width, height, across, down = across] =
    /^(\d{1,4})x(\d{1,4})(?:[+ ](\d{1,3})(?:[+ ](\d{1,3}))?)?$/.exec(given) ?? [];
  if (Number(width) > 0 && Number(height) > 0) {
    const margin: Margin = [Number(across ?? 0), Number(down ?? 0)];
    return { box: { width: Number(width), height: Number(height) }, margin };
  }
  throw badParameter('geometry', 'Expected a width, a height and margins, such as 100x50+10+10', given.slice(0, 60));
}

function gridIn(
  given: string | undefined,
  count: number,
  box: { readonly width: number; readonly height: number },
): Grid {
  if (given === undefined) return squareGrid(count, box);
  const [, columns, rows] = /^(\d{0,3})x(\d{0,3})$/.exec(given) ?? [];
  const [across, down] = [Number(columns || 0), Number(rows || 0)];
  const grid = { columns: across || Math.ceil(count / (down || 1)), rows: down || Math.ceil(count / (across || 1)) };
  if (columns !== undefined && across + down > 0 && grid.columns * grid.rows >= count) return grid;
  throw badParameter(
    'tile',
    `Expected columns and rows for ${count} pictures, such as 4x3, 4x or x3`,
    given.slice(0, 60),
  );
}

/** Pictures that are made of pictures. */
export function sheetRoutes(parts: Pick<SheetContext, 'store'>, draw: DrawSheet): readonly Route[] {
  return [...spriteRoutes(parts, draw), stitchRoute(parts, draw)];
}
