import { joined } from '../../core/lib/bytes.ts';
import { Recent } from '../../core/lib/cache.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { Gate, GateFull } from '../../core/lib/gate.ts';
import { boxesIn } from '../../core/lib/iso-boxes.ts';
import { yieldTurn } from '../../core/lib/turn.ts';
import { type SettingsOf, type SettingTable, setting, whole } from '../../core/settings/kinds.ts';
import { mediaSourceOf } from '../../production/checking/public.ts';
import { mediaKindOf } from '../../production/checking/public-reading.ts';
import {
  markerFrom,
  type RenditionRow,
  renditionsOfShape,
  type SegmentIndex,
  type TranscodingParts,
} from '../../production/transcoding/public.ts';
import { type Mark, type MarkedStreams, marksHook } from '../../room/marks.ts';
import type { MediaSource } from '../../spi/index.ts';
import { storageRefusal } from '../../storage/public.ts';
import { hlsFiles, onlyVariant } from './hls.ts';
import { bandwidthOf, fileOf } from './rendition.ts';

export const streamingSettings = {
  maxMarkings: setting(
    whole(1, 64),
    2,
    'Maximum number of segments of streams that get the mark of a viewer at the same time on this server.',
  ),
} as const satisfies SettingTable;

type Parts = TranscodingParts & { readonly settings: SettingsOf<typeof streamingSettings> };
type Bytes = Uint8Array<ArrayBuffer>;

/** Lines of a picture that is marked. Of larger ones only the smallest is, up to the second bound. */
const [wantedLines, maxLines] = [720, 1080];
/** Segments that are kept, the bytes of one that is, and the milliseconds for which it is. */
const [maxSegments, maxKept, lifetime] = [24, 3 * 1024 * 1024, 10 * 60_000];
/** Bytes of a segment that is marked. */
const maxBytes = 32 * 1024 * 1024;
/** Segments that wait, and the milliseconds that one of them waits: players give up later. */
const [depth, maxWait] = [32, 15_000];

interface Film {
  readonly row: RenditionRow;
  readonly index: SegmentIndex;
  readonly size: { readonly width: number; readonly height: number };
}

interface Segment {
  readonly head: Bytes;
  readonly fragment: Bytes;
}

const linesOf = ({ size: { width, height } }: Film): number => Math.min(width, height);

/** Marks segments of streams for their viewers, each when it is asked for. */
export function createMarkedStreams(parts: Parts): MarkedStreams {
  const { store, clock, hooks, settings } = parts;
  const gate = new Gate({ width: settings.maxMarkings, depth, maxWait }, clock);
  const recent = new Recent<string, Segment>(maxSegments);
  /** Segments that are being made: the head of a rendition and its first segment are asked for at once. */
  const making = new Map<string, Promise<Segment | undefined>>();

  /** The rendition that is marked: a larger one would take more of the processor than a viewer is worth. */
  async function filmOf(shapeId: string): Promise<Film | undefined> {
    let film: Film | undefined;
    for (const row of await renditionsOfShape(store, { shapeId })) {
      // The index of a long film is read in a turn of its own.
      await yieldTurn();
      const index = JSON.parse(row.segments) as SegmentIndex;
      if (index.size) film = { row, index, size: index.size };
      if (film && linesOf(film) <= wantedLines) return film;
    }
    return film && linesOf(film) <= maxLines ? film : undefined;
  }

  /** The head of the rendition and one of its segments, as a file of their own. */
  async function sourceOf({ row, index }: Film, at: number, signal: AbortSignal): Promise<MediaSource> {
    const file = await fileOf(store, row);
    const { head, start, segments } = index;
    const from = segments.slice(0, at).reduce((sum, [bytes]) => sum + bytes, start);
    const refuse = (error: unknown): never => {
      throw storageRefusal(error, { storage: file.storageId, path: file.path });
    };
    const { source } = await mediaSourceOf(parts, file, signal).catch(refuse);
    const read = async (begin: number, end: number) =>
      begin < end ? source.read({ from: begin, end }).catch(refuse) : new Uint8Array();
    return {
      size: head + segments[at]![0],
      read: async ({ from: begin, end }) =>
        joined([
          await read(Math.min(begin, head), Math.min(end, head)),
          await read(from + Math.max(begin - head, 0), from + Math.max(end - head, 0)),
        ]),
    };
  }

  async function made(film: Film, at: number, mark: Mark, viewer: Parameters<MarkedStreams['part']>[3]) {
    const [marker, marks] = [await markerFrom(parts.transcoders()), hooks.find(marksHook)];
    if (!marker || !marks) return undefined;
    const { index, size } = film;
    // Never aborted: others may wait for the same segment, and the transcoder bounds its time.
    const { signal } = new AbortController();
    try {
      const source = await sourceOf(film, at, signal);
      const overlay = await marks.overlay(size, mark, viewer);
      const order = { overlay, timescale: index.timescale, bitrate: bandwidthOf(index).peak };
      return segmentIn(await marker.mark(source, order, { signal }));
    } catch (error) {
      const kind = mediaKindOf(error);
      if (kind === undefined) throw error;
      parts.log.write('warn', 'mark-failed', { shape: film.row.shapeId, message: (error as Error).message });
      if (kind === 'exhausted') throw busy();
      return undefined;
    }
  }

  async function segmentOf(film: Film, at: number, mark: Mark, viewer: Parameters<MarkedStreams['part']>[3]) {
    const key = JSON.stringify([film.row.shapeId, film.row.name, at, mark]);
    const cached = recent.get(key, clock.now());
    if (cached) return cached;
    const begin = () => {
      const task = gate.run(() => made(film, at, mark, viewer), { line: viewer.line });
      const begun = task.finally(() => making.delete(key));
      making.set(key, begun);
      return begun;
    };
    const segment = await (making.get(key) ?? begin()).catch((error: unknown) => {
      throw error instanceof GateFull ? busy() : error;
    });
    if (segment && segment.fragment.byteLength <= maxKept) recent.set(key, segment, clock.now() + lifetime);
    return segment;
  }

  return {
    isAble: async () => hooks.find(marksHook) !== undefined && (await markerFrom(parts.transcoders())) !== undefined,
    async master(shapeId, manifest, address) {
      const film = await filmOf(shapeId);
      return film && onlyVariant(manifest, (uri) => uri.includes(`/${film.row.name}.m3u8?`), address);
    },
    async playlist(shapeId) {
      const film = await filmOf(shapeId);
      return film && hlsFiles(film.index);
    },
    async part(shapeId, name, mark, viewer) {
      const film = await filmOf(shapeId);
      const [, number] = /^(\d{1,4})\.m4s$/.exec(name) ?? [];
      const at = name === 'head.mp4' ? 0 : Number(number ?? Number.NaN);
      const bytes = film?.index.segments[at]?.[0];
      if (!film || bytes === undefined || bytes > maxBytes) return undefined;
      const segment = await segmentOf(film, at, mark, viewer);
      return name === 'head.mp4' ? segment?.head : segment?.fragment;
    },
  };
}

const busy = (): ServiceError =>
  new ServiceError(
    'busy',
    { explanation: 'Too many films are being marked: try again shortly' },
    { 'retry-after': '5' },
  );

/** The boxes ahead of the samples, and those with them. Undefined: the transcoder has made no segment. */
function segmentIn(bytes: Bytes): Segment | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const boxes = boxesIn(view, 0, bytes.byteLength);
  const first = boxes.findIndex(({ type }) => type === 'moof');
  if (first < 1) return undefined;
  const start = boxes[first - 1]!.end;
  const end = boxes.findLast(({ type }) => type === 'mdat')?.end ?? start;
  return { head: bytes.slice(0, start), fragment: bytes.slice(start, end) };
}
