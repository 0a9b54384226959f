import { joined } from '../core/lib/bytes.ts';

/** Text of an answer of another machine, which may be of any length. */
export async function answerText(answer: Response, maxBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.byteLength;
    if (size > maxBytes) throw new Error(`Expected an answer of at most ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return new TextDecoder().decode(joined(pieces));
}
