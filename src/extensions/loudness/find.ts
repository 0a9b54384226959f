import {
  latestShapes,
  loadShapes,
  noSuchShape,
  originalOf,
  type Shape,
  shapeAmong,
  shapesAllowed,
} from '../../assets/shapes/public.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { badParameter } from '../../http/parameters/index.ts';
import type { TranscodingParts } from '../../production/transcoding/public.ts';
import type { Caller } from '../../security/caller.ts';
import { findSound, type LevelRow, levelsOf, type SoundRow } from './store.ts';

export interface ItemSound {
  readonly itemId: string;
  readonly shape: Shape;
  readonly row: SoundRow;
}

/** Measured sound of the requested shape. 404 if it was not measured, with the call that does it. */
export async function soundFor(
  parts: TranscodingParts,
  call: Caller,
  itemId: string,
  query: ShapeQuery,
  what: 'waveform' | 'loudness',
): Promise<ItemSound> {
  const { shape, row } = await soundIfMeasured(parts, call, itemId, query);
  if (shape && row) return { itemId, shape, row };
  const explanation = `Expected sound that was measured: POST /item/${itemId}/analyze measures it`;
  throw new ServiceError('no-such-entity', { type: what, id: shape?.id ?? itemId, explanation });
}

interface ShapeQuery {
  readonly shape?: string | undefined;
  readonly tag?: string | undefined;
}

/** The requested shape, with its sound if that was measured. 404 for a shape that is not there. */
export async function soundIfMeasured(
  { store }: TranscodingParts,
  call: Caller,
  itemId: string,
  { shape: named, tag }: ShapeQuery,
): Promise<Partial<Omit<ItemSound, 'itemId'>>> {
  const all = new Map([[itemId, await loadShapes(store, itemId)]]);
  const shapes = (await shapesAllowed(store, call, all, 'SHAPE')).get(itemId) ?? [];
  const shape = named === undefined ? chosen(shapes, tag) : await shapeAmong(store, shapes, named);
  if (!shape && named !== undefined) throw noSuchShape(named);
  const row = shape && (await findSound(store, { shapeId: shape.id }));
  return { ...(shape && { shape }), ...(row && { row }) };
}

function chosen(shapes: readonly Shape[], tag: string | undefined): Shape | undefined {
  const latest = latestShapes(shapes);
  return tag === undefined ? originalOf(latest) : latest.findLast(({ tags }) => tags.includes(tag));
}

interface SoundQuery {
  readonly stream?: number | undefined;
  readonly channel?: number | undefined;
  readonly itemTrack?: string | undefined;
}

/** Tracks of sound are counted from A1. Undefined: no such track. */
export function streamOfTrack(itemTrack: string): number | undefined {
  const track = /^A([1-9]\d?)$/i.exec(itemTrack)?.[1];
  return track === undefined ? undefined : Number(track) - 1;
}

/** The channels that a caller wants. */
export async function channelsFor(
  { store }: TranscodingParts,
  { row }: ItemSound,
  { stream, channel, itemTrack }: SoundQuery,
): Promise<readonly LevelRow[]> {
  const track = streamOfTrack(itemTrack ?? '');
  if (itemTrack && track === undefined) {
    throw badParameter('itemTrack', 'Expected a track of sound such as A1', itemTrack.slice(0, 60));
  }
  const ofStream = stream ?? track ?? -1;
  const levels = await levelsOf(store, { shapeId: row.shapeId, stream: ofStream, channel: channel ?? -1 });
  if (levels.length > 0) return levels;
  throw new ServiceError('no-such-entity', {
    type: 'waveform',
    id: `${row.shapeId} ${stream ?? itemTrack ?? ''}`.trim(),
  });
}
