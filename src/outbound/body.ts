import type { OutboundCall } from '../spi/index.ts';
import { OutboundError } from './error.ts';
import type { WireAnswer } from './wire.ts';

/** The text of an answer, of which no more is ever read than that many bytes. */
export async function readText({ body }: WireAnswer, { mostBytes, longer }: OutboundCall): Promise<string> {
  if (!body) return '';
  const decoder = new TextDecoder();
  let [text, left] = ['', mostBytes];
  for await (const bytes of body) {
    // Not the other way round: a limit that is no number lets nothing through.
    if (!(bytes.length <= left)) {
      if (longer !== 'cut') throw new OutboundError('too-large', `Expected an answer of at most ${mostBytes} bytes`);
      // Not flushed: half a character at the end is left out.
      return text + decoder.decode(bytes.subarray(0, left), { stream: true });
    }
    left -= bytes.length;
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}
