import { DocumentError } from './error.ts';
import { type DocumentLimits, tooMuch } from './limits.ts';

const whole = new TextDecoder('utf-8', { fatal: true });

/** Decode UTF-8 in pieces. A BOM is taken off; what is not UTF-8 is refused, never replaced. */
export function createDecoder(place: string): { decode(chunk: Uint8Array): string; end(): string } {
  // Made where pieces follow each other: a decoder of its own costs as much as it takes to read a short document.
  let decoder: TextDecoder | undefined;
  let begun = false;
  return {
    decode(chunk) {
      const endsWhole = !begun && !decoder && chunk.length > 0 && chunk[chunk.length - 1]! < 0x80;
      if (endsWhole) {
        begun = true;
        return decoded(place, () => whole.decode(chunk));
      }
      // A BOM is only valid at the beginning.
      decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: begun });
      return decoded(place, () => decoder!.decode(chunk, { stream: true }));
    },
    end: () => (decoder ? decoded(place, () => decoder!.decode()) : ''),
  };
}

/** A body as text, within its limit. */
export function bodyText(body: Uint8Array | string, limits: DocumentLimits, place: string): string {
  if (body.length > limits.bytes) {
    throw new DocumentError({ kind: 'limit', place, ...tooMuch('bytes', limits) });
  }
  if (typeof body !== 'string') return decoded(place, () => whole.decode(body));
  return body.charCodeAt(0) === 0xfeff ? body.slice(1) : body;
}

function decoded(place: string, decode: () => string): string {
  try {
    return decode();
  } catch {
    throw new DocumentError({ kind: 'syntax', place, explanation: 'Expected UTF-8: found other bytes' });
  }
}
