import { createHash } from 'node:crypto';
import { type FileHandle, readFile, writeFile } from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { listenOnNode } from '../../src/entry/listen-node.ts';
import { writing } from '../../src/entry/native/file-storage/file-writer.ts';
import { AnswerClass, lendPiece, pieceBytes } from '../../src/entry/piece-pool.ts';
import { knowBody, openBody } from '../../src/http/body.ts';
import type { ArrivingBody } from '../../src/security/arrival.ts';
import { filePlaces } from '../support/file-place.ts';
import { openRaw, parseAnswer } from '../support/raw.ts';

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

  it('comes back from an answer that is no longer than it, too', async () => {
    emptied();
    const { response, take } = answer({ 'content-length': '9' });
    const piece = lendPiece(9);
    response.end(piece);
    await settled();
    expect([...emptied()].some(({ buffer }) => buffer === piece.buffer)).toBe(false);
    await take();
    const back = [...emptied()].filter(({ buffer }) => buffer === piece.buffer);
    expect([response.writableFinished, back.map(({ byteLength }) => byteLength)]).toEqual([true, [pieceBytes]]);
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

  it('is the same for all pieces of a copy from folder to folder, which has the bytes of its file', async () => {
    const places = await filePlaces();
    const [from, to] = [await places.open('from'), await places.open('to')];
    const bytes = Buffer.alloc(100 * pieceBytes);
    for (let at = 0; at < 100; at++) bytes.fill(at, at * pieceBytes, (at + 1) * pieceBytes);
    await writeFile(join(places.root, 'from/film.mov'), bytes);
    emptied();
    const allocate = vi.spyOn(Buffer, 'allocUnsafeSlow');
    const { token } = await to.stage((await from.read('film.mov')).body, { hashes: ['SHA-1'] });
    const count = allocate.mock.calls.length;
    allocate.mockRestore();
    await to.publish(token, 'film.mov', 'create');
    expect((await readFile(join(places.root, 'to/film.mov'))).equals(bytes)).toBe(true);
    expect(count).toBeLessThan(10);
  });

  it('does not come back from a write that fails', async () => {
    emptied();
    const piece = lendPiece();
    const fails = { write: () => Promise.reject(new Error('EIO')) } as unknown as FileHandle;
    await expect(
      writing(fails, {}, async (writer) => {
        await writer.add(piece);
        await writer.flush();
      }),
    ).rejects.toThrow('EIO');
    expect(emptied().has(piece)).toBe(false);
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

/** The pieces of an upload as they come, each passed on as `pass` says. */
function streamOf(request: Request, body: ArrivingBody, pass: (piece: Uint8Array) => Uint8Array) {
  knowBody(request, body);
  const open = openBody(request);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await open.read();
        if (piece) controller.enqueue(pass(piece));
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

describe('memory for a piece of a request', () => {
  it('is freed once the piece is written, and the file has what was sent', async () => {
    const places = await filePlaces();
    const driver = await places.open('place');
    const left: number[] = [];
    const port = await listen(async (request, { body }) => {
      const pieces: Uint8Array[] = [];
      const staged = await driver.stage(
        streamOf(request, body!, (piece) => {
          pieces.push(piece);
          return piece;
        }),
      );
      left.push(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
      await driver.publish(staged.token, new URL(request.url).pathname.slice(1), 'create');
      return new Response(null, { status: 204 });
    });
    const files = Array.from({ length: 6 }, (_, number) => Buffer.alloc(3_000_001 + number, `file ${number} `));
    const method = 'PUT';
    await Promise.all(files.map((body, number) => fetch(`http://127.0.0.1:${port}/${number}`, { method, body })));
    for (const [number, bytes] of files.entries()) {
      expect((await readFile(join(places.root, `place/${number}`))).equals(bytes)).toBe(true);
    }
    expect(left).toEqual(files.map(() => 0));
  });

  it('stays where the piece that is written is a view of it', async () => {
    const driver = await (await filePlaces()).open('place');
    const pieces: Uint8Array[] = [];
    const port = await listen(async (request, { body }) => {
      await driver.stage(
        streamOf(request, body!, (piece) => {
          pieces.push(piece);
          return piece.subarray(1);
        }),
      );
      return new Response(null, { status: 204 });
    });
    const body = Buffer.alloc(300_000, 'portico');
    await fetch(`http://127.0.0.1:${port}/`, { method: 'PUT', body });
    expect(Buffer.concat(pieces).equals(body)).toBe(true);
  });
});

describe('an upload', () => {
  const head = 'PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n';

  it('whose connection breaks gives the bytes that came, and then a refusal', async () => {
    let seen: (told: unknown) => void;
    const told = new Promise((resolve) => {
      seen = resolve;
    });
    const port = await listen(async (request, { body }) => {
      knowBody(request, body!);
      const open = openBody(request);
      let bytes = 0;
      for (;;) {
        const piece = await open.read().catch((error) => void seen([bytes, error.code]));
        if (!piece) return new Response('');
        bytes += piece.byteLength;
        if (bytes === 70_000) connection.socket.destroy();
      }
    });
    const connection = openRaw(port);
    connection.write(head + 'x'.repeat(70_000));
    expect(await told).toEqual([70_000, 'body-broken']);
  });

  it('that is given up wakes its reader, and its connection ends without the rest', async () => {
    const port = await listen(async (request, { body }) => {
      knowBody(request, body!);
      const open = openBody(request);
      await open.read();
      const next = open.read().catch((error) => error.code);
      await open.cancel();
      return new Response(await next);
    });
    const connection = openRaw(port);
    connection.write(`${head}x`);
    expect(parseAnswer(await connection.ended).body).toBe('body-broken');
  });
});
