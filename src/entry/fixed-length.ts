import type { FixLength } from '../core/outbound/wire.ts';

/** Workers send Content-Length with a stream of this class only, and ignore a header of that name. */
declare const FixedLengthStream: (new (length: number) => ReadableWritablePair<Uint8Array, Uint8Array>) | undefined;

export const fixLength: FixLength = (body, length) =>
  typeof FixedLengthStream === 'undefined' ? body : body.pipeThrough(new FixedLengthStream(length));
