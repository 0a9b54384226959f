import { textOfBytes } from '../../core/lib/random.ts';
import { type PictureRow, pictureAt, picturesOf, type TranscodingParts } from '../../production/transcoding/public.ts';
import { picturesHook, type SheetCaller, type TileGrid } from '../../room/pictures.ts';

/** Thumbnails of a film at equal distances, as tiles of sheets that all have the same grid. */
export interface Storyboard {
  readonly grid: TileGrid;
  /** Milliseconds from one tile to the next. */
  readonly step: number;
  /** Seconds of the film. */
  readonly seconds: number;
}

/** A storyboard as manifests name it. */
export interface NamedStoryboard extends Storyboard {
  /** Bits a second. */
  readonly bandwidth: number;
  /** Address of its playlist, or of its sheets with `$Number$` in place of the number. */
  readonly uri: string;
}

/** Tiles of a film, and of one sheet. A sheet of the usual thumbnails is as large as a frame of a film. */
const [maxTiles, maxOfSheet] = [1_000, 25];
/** Bytes of a first thumbnail that is read for its size. */
const maxOfFirst = 256 * 1024;

const kind = 'thumbnail';

interface Version {
  readonly itemId: string;
  readonly essenceVersion: number;
}

const tilesOfSheet = ({ columns, rows }: TileGrid): number => columns * rows;

/** Tiles of a film: the last one may show less than a step. */
const countOf = ({ step, seconds }: Omit<Storyboard, 'grid'>): number =>
  Math.min(maxTiles, Math.max(1, Math.ceil((seconds * 1000) / step - 0.001)));

/** Sheets of a storyboard from the first to the last, each with the seconds that its tiles show. */
export function sheetsOf(storyboard: Storyboard): readonly number[] {
  const { grid, step, seconds } = storyboard;
  const sheetSeconds = (tilesOfSheet(grid) * step) / 1000;
  const sheets = Math.ceil(countOf(storyboard) / tilesOfSheet(grid));
  return Array.from({ length: sheets }, (_sheet, at) => Math.min(sheetSeconds, seconds - at * sheetSeconds));
}

/** Name of a storyboard in addresses, which has all that its sheets are drawn by. */
export const storyboardName = ({ grid: { columns, rows, width, height }, step }: Omit<Storyboard, 'seconds'>): string =>
  `tiles-${step}-${columns}x${rows}-${width}x${height}`;

const nameForm = /^tiles-(\d{1,8})-(\d{1,2})x(\d{1,2})-(\d{1,4})x(\d{1,4})(?:\.(\d{1,4}))?\.(m3u8|jpg)$/;

/** Part of a stream that a storyboard names: its playlist, or one of its sheets, which are numbered from 1. */
export interface StoryboardPart extends Omit<Storyboard, 'seconds'> {
  readonly sheet?: number;
}

export function storyboardPart(name: string): StoryboardPart | undefined {
  const [, step, columns, rows, width, height, sheet, ending] = nameForm.exec(name) ?? [];
  if (step === undefined || (ending === 'jpg') !== (sheet !== undefined)) return undefined;
  const grid = { columns: Number(columns), rows: Number(rows), width: Number(width), height: Number(height) };
  return { grid, step: Number(step), ...(sheet !== undefined && { sheet: Number(sheet) }) };
}

/** Name that a signature covers: one of all sheets of a storyboard. */
export const signedName = (name: string): string => (storyboardPart(name) ? name.replace(/\.\d+\.jpg$/, '.jpg') : name);

/** Usual distance of thumbnails: that of most of them. */
function stepOf(rows: readonly PictureRow[], seconds: number): number {
  const gaps = rows.slice(1).map(({ instant }, at) => instant - rows[at]!.instant);
  const middle = gaps.toSorted((a, b) => a - b)[gaps.length >> 1] ?? seconds * 1_000_000;
  return Math.max(1, Math.round(middle / 1000), Math.ceil((seconds * 1000) / maxTiles));
}

/** Storyboards of the thumbnails of items, where the extension that draws them is there. */
export function createStoryboards({ store, hooks }: Pick<TranscodingParts, 'store' | 'hooks'>) {
  const thumbnails = ({ itemId, essenceVersion: version }: Version) => picturesOf(store, { itemId, kind, version });
  const bytesOf = async ({ itemId, essenceVersion: version, instant }: PictureRow) =>
    (await pictureAt(store, { itemId, kind, version, instant }))[0]?.bytes;

  return {
    /** Undefined: the version has no thumbnails, or nothing draws sheets. */
    async of(version: Version, seconds: number): Promise<Omit<NamedStoryboard, 'uri'> | undefined> {
      const drawing = hooks.find(picturesHook);
      const rows = drawing && seconds > 0 ? await thumbnails(version) : [];
      const [first] = rows;
      if (!drawing || !first) return undefined;
      const step = stepOf(rows, seconds);
      const count = Math.min(maxOfSheet, countOf({ step, seconds }));
      const grid = await drawing.grid(count, first.size > maxOfFirst ? undefined : await bytesOf(first));
      const largest = rows.reduce((max, { size }) => Math.max(max, size), 0);
      return { grid, step, seconds, bandwidth: Math.ceil((8 * largest * 1000) / step) };
    },

    /** A sheet, with the name of what is on it. Undefined: the film ends before, or there are no thumbnails. */
    async sheet(version: Version, storyboard: Storyboard, sheet: number, caller: SheetCaller) {
      const { grid, step } = storyboard;
      const begin = (sheet - 1) * tilesOfSheet(grid);
      const count = Math.min(tilesOfSheet(grid), countOf(storyboard) - begin);
      const rows = sheet > 0 && count > 0 ? await thumbnails(version) : [];
      if (rows.length === 0) return undefined;
      const shown = Array.from({ length: count }, (_tile, at) => {
        const instant = (begin + at) * step * 1000;
        return rows.findLast((row) => row.instant <= instant) ?? rows[0]!;
      });
      const keys = [storyboardName(storyboard), ...shown.map(({ key }) => key)].join();
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(keys));
      const name = textOfBytes(new Uint8Array(digest).subarray(0, 16));
      const open = (index: number) => bytesOf(shown[index]!);
      return { name, bytes: await hooks.need(picturesHook).sheet({ name, grid, count, open }, caller) };
    },
  };
}
