import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenOnNode } from '../../src/entry/listen-node.ts';
import { AnswerClass, lendPiece, pieceBytes } from '../../src/entry/piece-pool.ts';
import { filePlaces } from '../support/file-place.ts';

const listen = async (fetch: Parameters<typeof listenOnNode>[0]) => {
  const listener = await listenOnNode(fetch, { host: '127.0.0.1', port: 0, requestTimeout: 10 });
  onTestFinished(() => listener.stop(0));
  return listener.port;
};

/** Takes all pieces that wait for a reader: those that are lent next are new, or have come back. */
function emptied(): ReadonlySet<Buffer> {
  return new Set(Array.from({ length: 100 }, () => lendPiece()));
}

const settled = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** An answer on a connection that takes bytes when it is told to. */
function answer(headers: Readonly<Record<string, string>> = { 'content-length': String(1000 * pieceBytes) }) {
  const waiting: ((error?: Error) => void)[] = [];
  const connection = new Duplex({
    read: () => undefined,
    write: (_chunk, _encoding, taken) => void waiting.push(taken),
  });
  connection.on('error', () => undefined);
  const response = new AnswerClass(new IncomingMessage(connection as Socket));
  response.on('error', () => undefined);
  response.assignSocket(connection as Socket);
  response.writeHead(200, headers);
  const take = async (error?: Error) => {
    await settled();
    for (let taken = waiting.shift(); taken; taken = waiting.shift()) {
      taken(error);
      await settled();
    }
  };
  return { connection, response, take };
}

describe('memory for a piece of a file', () => {
  it.each([
    ['of known length', undefined],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('comes back when the connection has taken it, and not before: an answer %s', async (_, headers) => {
    emptied();
    const { response, take } = answer(headers);
    const piece = lendPiece();
    response.write(piece);
    await settled();
    expect(emptied().has(piece)).toBe(false);
    await take();
    const back = emptied();
    expect([back.has(piece), emptied().has(piece)]).toEqual([true, false]);
  });

  it('does not come back from a connection that breaks or ends', async () => {
    emptied();
    const pieces = [lendPiece(), lendPiece(), lendPiece()];
    const broken = answer();
    broken.response.write(pieces[0]);
    await broken.take(new Error('EPIPE'));
    const gone = answer();
    gone.response.write(pieces[1]);
    await settled();
    gone.connection.destroy();
    await settled();
    gone.response.write(pieces[2]);
    await settled();
    const back = emptied();
    expect(pieces.map((piece) => back.has(piece))).toEqual([false, false, false]);
  });

  it('does not come back from a view of it: another one may be on its way', async () => {
    emptied();
    const { response, take } = answer();
    const piece = lendPiece();
    response.write(piece.subarray(9));
    response.write(piece.subarray(0, 9));
    await take();
    expect(emptied().has(piece)).toBe(false);
  });

  it('waits for 32 readers at most', async () => {
    emptied();
    const { response, take } = answer();
    const pieces = Array.from({ length: 40 }, () => lendPiece());
    for (const piece of pieces) response.write(piece);
    await take();
    const back = emptied();
    expect(pieces.filter((piece) => back.has(piece)).length).toBe(32);
  });

  it('is the same for all pieces of a download', async () => {
    emptied();
    const used = new Set<Buffer>();
    let count = 0;
    const body = () =>
      new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            const piece = lendPiece().fill(++count);
            used.add(piece);
            controller.enqueue(piece);
            if (count === 100) controller.close();
          },
        },
        { highWaterMark: 0 },
      );
    const port = await listen(
      async () => new Response(body(), { headers: { 'content-length': `${100 * pieceBytes}` } }),
    );
    const got = Buffer.from(await (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer());
    const wanted = Array.from({ length: 100 }, (_, at) => at + 1);
    expect(wanted.map((_, at) => got[at * pieceBytes + 5])).toEqual(wanted);
    expect(used.size).toBeLessThan(10);
  });

  it('is of one file: many clients read files at once, some slowly, and others leave', async () => {
    const places = await filePlaces();
    const driver = await places.open('place');
    const files = Array.from({ length: 4 }, (_, number) => Buffer.alloc(3_000_001 + number, `file ${number} `));
    await Promise.all(files.map((bytes, number) => writeFile(join(places.root, `place/${number}`), bytes)));
    const port = await listen(async (request) => {
      const { body, file } = await driver.read(new URL(request.url).pathname.slice(1));
      return new Response(body, { headers: { 'content-length': String(file.size) } });
    });
    const ask = async (number: number, how: number) => {
      const reader = (await fetch(`http://127.0.0.1:${port}/${number}`)).body!.getReader();
      const hash = createHash('sha1');
      for (let piece = 0; ; piece++) {
        const { done, value } = await reader.read();
        if (done) return hash.digest('hex');
        hash.update(value);
        if (how === 1) await settled();
        if (how === 2 && piece === 3) return void (await reader.cancel());
      }
    };
    const told = await Promise.all(Array.from({ length: 48 }, (_, at) => ask(at % 4, Math.floor(at / 4) % 3)));
    const hashes = files.map((bytes) => createHash('sha1').update(bytes).digest('hex'));
    expect(told).toEqual(told.map((_, at) => (Math.floor(at / 4) % 3 === 2 ? undefined : hashes[at % 4])));
    await expect.poll(() => places.openHandles()).toBe(0);
  });
});
