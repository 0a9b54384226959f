import type { Statement } from '../../../core/store/contract.ts';
import { insertRendition, type OutputRow } from '../store.ts';
import { type SegmentIndex, secondsOf } from './segment-index.ts';

type Output = Pick<OutputRow, 'rendition' | 'fileId' | 'newShapeId' | 'segments'>;

/** Ticks a second of the duration of a stream. */
const milliseconds = 1000;

interface StreamPart extends Output {
  readonly kind: 'video' | 'audio';
  /** Position among the parts of its kind. */
  readonly component: number;
  readonly index: SegmentIndex;
}

/** Parts of a stream. Empty: the outputs are no stream. */
function streamParts(outputs: readonly Output[]): readonly StreamPart[] {
  const count = { video: 0, audio: 0 };
  return outputs.flatMap((output) => {
    if (output.segments === null) return [];
    const index = JSON.parse(output.segments) as SegmentIndex;
    const kind = index.size ? 'video' : 'audio';
    return [{ kind, component: count[kind]++, index, ...output } as const];
  });
}

/** Components of a new shape. A stream has a track for each file, and a container without a file. */
export function componentsOf(outputs: readonly Output[], format: string) {
  const parts = streamParts(outputs);
  const samples = Math.round(milliseconds * Math.max(0, ...parts.map(({ index }) => secondsOf(index))));
  const duration = { samples, timeBase: { numerator: 1, denominator: milliseconds } };
  const ofContainer =
    parts.length > 0
      ? { properties: { format, duration }, files: [] }
      : { properties: { format }, files: outputs.map(({ fileId }) => fileId!) };
  return [
    { kind: 'container' as const, metadata: [], ...ofContainer },
    ...parts.map(({ kind, fileId }) => ({ kind, properties: {}, files: [fileId!], metadata: [] })),
  ];
}

/** Rows of the renditions of a new shape. */
export const renditionRows = (outputs: readonly Output[]): readonly Statement[] =>
  streamParts(outputs).map(({ newShapeId, rendition, kind, component, segments }, position) =>
    insertRendition({ shapeId: newShapeId, position, name: rendition, kind, component, segments: segments! }),
  );
