import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MediaSource } from '../../../spi/index.ts';
import { AnswerClass } from '../../piece-pool.ts';

/** Media that is lent under an address of its own, until it is taken back. */
interface ServedMedia {
  readonly url: string;
  /** Error of the source, in contrast to a fault of the media. */
  fault(): { readonly error: unknown } | undefined;
  takeBack(): void;
}

interface Entry {
  readonly source: MediaSource;
  /** Answers on their way. */
  readonly answers: Set<ServerResponse>;
  fault: { readonly error: unknown } | undefined;
}

/** Answers ranges of media to processes of this machine that know the address. */
export class Loopback {
  readonly #entries = new Map<string, Entry>();
  #server: Promise<Server> | undefined;

  async lend(source: MediaSource): Promise<ServedMedia> {
    this.#server ??= this.#listen();
    const { port } = (await this.#server).address() as AddressInfo;
    const token = randomBytes(24).toString('hex');
    const entry: Entry = { source, answers: new Set(), fault: undefined };
    this.#entries.set(token, entry);
    return {
      url: `http://127.0.0.1:${port}/${token}`,
      fault: () => entry.fault,
      takeBack: () => {
        this.#entries.delete(token);
        for (const answer of entry.answers) answer.destroy();
      },
    };
  }

  async close(): Promise<void> {
    const server = await this.#server?.catch(() => undefined);
    this.#server = undefined;
    this.#entries.clear();
    if (!server) return;
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  #listen(): Promise<Server> {
    const server = createServer({ ServerResponse: AnswerClass }, (request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => {
        // Does not keep the process alive.
        server.unref();
        resolve(server);
      });
    });
  }

  async #answer({ method = '', url = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const entry = this.#entries.get(url.slice(1));
    if (!entry || (method !== 'GET' && method !== 'HEAD')) {
      response.writeHead(entry ? 405 : 404, { 'content-length': 0 }).end();
      return;
    }
    const { size } = entry.source;
    const range = rangeIn(headers.range, size);
    if (!range) {
      response.writeHead(416, { 'content-length': 0, 'content-range': `bytes */${size}` }).end();
      return;
    }
    const { from, end, isPart } = range;
    response.writeHead(isPart ? 206 : 200, {
      'accept-ranges': 'bytes',
      'content-type': 'application/octet-stream',
      'content-length': end - from,
      ...(isPart && { 'content-range': `bytes ${from}-${end - 1}/${size}` }),
    });
    if (method === 'HEAD') return void response.end();
    entry.answers.add(response);
    response.once('close', () => entry.answers.delete(response));
    try {
      await sendRange(entry.source, from, end, response);
    } catch (error) {
      // An error behind the end of an answer is no fault of the source.
      if (!response.destroyed) entry.fault ??= { error };
      throw error;
    }
  }
}

/** Undefined: the range lies outside of the media. */
function rangeIn(header: string | undefined, size: number) {
  if (header === undefined) return { from: 0, end: size, isPart: false };
  const parts = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header);
  const from = Number(parts?.[1] ?? Number.NaN);
  const end = parts?.[2] ? Math.min(Number(parts[2]) + 1, size) : size;
  return from < end ? { from, end, isPart: true } : undefined;
}

const defaultPieceBytes = 1024 * 1024;

async function sendRange(source: MediaSource, from: number, end: number, response: ServerResponse): Promise<void> {
  const { pieceBytes = defaultPieceBytes } = source;
  for (let at = from; at < end && !response.destroyed; at += pieceBytes) {
    const bytes = await source.read({ from: at, end: Math.min(at + pieceBytes, end) });
    if (!response.write(bytes)) await drained(response);
  }
  response.end();
}

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      // A long answer waits many times: listeners of each time would stay until its end.
      for (const event of ['drain', 'close']) response.off(event, go);
      resolve();
    };
    if (response.destroyed) return go();
    for (const event of ['drain', 'close']) response.on(event, go);
  });
