/**
 * `/storage/:storage/file/path/:path{opaque}`: the segment may hold any text, such as the path of a file. In the path
 * that chains and routes see, its separators are escaped.
 */
const mark = '{opaque}';
/** Marker at the end of a path, where separators may also be unescaped. */
const openMark = '{.+opaque}';

export const isOpaque = (segment: string): boolean =>
  segment.startsWith(':') && (segment.endsWith(mark) || segment.endsWith(openMark));

export const declaresOpaque = (path: string): boolean => path.split('/').some(isOpaque);

/** Path of a route without its markers, for requests without escapes. */
export const unmarked = (path: string): string => path.replaceAll(mark, '').replace(openMark, '{.+}');

/** Pattern for requests with escapes, which are allowed only in opaque segments. */
export const escapedPattern = (path: string): string => path.split('/').map(escapedSegment).join('/');

function escapedSegment(segment: string): string {
  if (!segment.startsWith(':') || isOpaque(segment)) return unmarked(segment);
  if (segment.endsWith('{.+}')) return segment.replace('{.+}', '{[^%]+}');
  if (segment.includes('{')) throw new Error(`Expected {opaque} or {.+} after the name of a parameter: "${segment}"`);
  return `${segment}{[^/%]+}`;
}
