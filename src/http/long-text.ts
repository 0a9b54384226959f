import { LateText } from '../core/lib/late-text.ts';
import { piece, piecesOf } from '../core/lib/text-pieces.ts';
import { inParts, type Reply, type Text } from './reply.ts';

type TextReply = Reply & { readonly body: Text };

const isWhole = (body: Reply['body']): body is Text => typeof body === 'string' || inParts(body);

export const isTextBody = (body: Reply['body']): body is Text | LateText => isWhole(body) || body instanceof LateText;

export const isLong = (reply: Reply): reply is TextReply => isWhole(reply.body) && lengthOf(reply.body) > piece;

export const lengthOf = (text: Text): number =>
  typeof text === 'string' ? text.length : text.reduce((sum, part) => sum + part.length, 0);

/** The answer as a stream of pieces: the platform would make bytes of the whole text in one turn, and copy them. */
export async function inPieces(reply: TextReply): Promise<Reply> {
  const pieces: Uint8Array[] = [];
  for await (const each of piecesOf(reply.body)) pieces.push(each);
  const length = pieces.reduce((sum, each) => sum + each.length, 0);
  return { ...reply, body: streamOf(pieces), headers: { ...reply.headers, 'content-length': `${length}` } };
}

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
