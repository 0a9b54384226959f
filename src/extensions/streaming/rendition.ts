import { componentsOfShapes } from '../../assets/shapes/public.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { Reader } from '../../core/store/statement.ts';
import { bestFiles, type RenditionRow, type SegmentIndex, secondsOf } from '../../production/transcoding/public.ts';
import type { FileRow } from '../../storage/public-reading.ts';

/** A rendition as manifests name it. */
export interface Rendition {
  /** Unique within its stream. */
  readonly name: string;
  readonly kind: 'video' | 'audio';
  readonly segments: SegmentIndex;
  readonly bandwidth: Bandwidth;
  readonly uri: string;
}

/** Subtitles in one language. */
export interface Subtitle {
  /** Tag of RFC 5646. */
  readonly language: string;
  readonly uri: string;
}

interface Bandwidth {
  /** Bits a second of the largest segment. */
  readonly peak: number;
  readonly average: number;
}

export function bandwidthOf(segments: SegmentIndex): Bandwidth {
  const { timescale, segments: sizes } = segments;
  const rates = sizes.map(([bytes, duration]) => (duration > 0 ? (8 * bytes * timescale) / duration : 0));
  const total = sizes.reduce((sum, [bytes]) => sum + bytes, 0);
  const seconds = secondsOf(segments);
  const peak = Math.ceil(rates.reduce((max, rate) => Math.max(max, rate), 0));
  return { peak, average: seconds > 0 ? Math.ceil((8 * total) / seconds) : peak };
}

export const ofKind = (renditions: readonly Rendition[], kind: Rendition['kind']): readonly Rendition[] =>
  renditions.filter((each) => each.kind === kind);

/** The file of a rendition, on the best of its storages. */
export async function fileOf(
  reader: Reader,
  { shapeId, kind, component: place, name }: RenditionRow,
): Promise<FileRow> {
  const components = await componentsOfShapes(reader, { ids: [shapeId] });
  const component = components.find((each) => each.kind === kind && each.position === place);
  const [file] = component ? await bestFiles(reader, shapeId, component.id) : [];
  if (file) return file;
  const explanation = 'Expected a file of the rendition';
  throw new ServiceError('no-such-entity', { type: 'File', id: `${shapeId} ${name}`, explanation });
}
