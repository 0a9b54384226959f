import { nextTurn } from '../lib/turn.ts';
import { inParts, type Reply, type Text } from './reply.ts';

/** Characters that become bytes in one turn of the loop. */
const piece = 256 * 1024;

type TextReply = Reply & { readonly body: Text };

export const hasText = (reply: Reply): reply is TextReply => typeof reply.body === 'string' || inParts(reply.body);

export const isLong = (reply: Reply): reply is TextReply => hasText(reply) && lengthOf(reply.body) > piece;

export const lengthOf = (text: Text): number =>
  typeof text === 'string' ? text.length : text.reduce((sum, part) => sum + part.length, 0);

/** The answer as a stream of pieces: the platform would make bytes of the whole text in one turn, and copy them. */
export async function inPieces(reply: TextReply): Promise<Reply> {
  const pieces: Uint8Array[] = [];
  for await (const each of piecesOf(reply.body)) pieces.push(each);
  const length = pieces.reduce((sum, each) => sum + each.length, 0);
  return { ...reply, body: streamOf(pieces), headers: { ...reply.headers, 'content-length': `${length}` } };
}

/** A text as UTF-8. The loop is given back when pieces of `most` characters are made. */
export async function* piecesOf(text: Text, most = piece): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const utf8 = new TextEncoder();
  let made = 0;
  for (const part of typeof text === 'string' ? [text] : text) {
    for (let at = 0; at < part.length; ) {
      const end = pieceEnd(part, at + most);
      made += end - at;
      if (made > most) {
        await nextTurn();
        made = end - at;
      }
      yield utf8.encode(part.slice(at, end));
      at = end;
    }
  }
}

/** Where a piece ends that may reach up to `end`: the two halves of one character stay together. */
function pieceEnd(text: string, end: number): number {
  if (end >= text.length) return text.length;
  return isHigh(text.charCodeAt(end - 1)) ? end - 1 : end;
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const left = pieces.values();
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { done, value } = left.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}
