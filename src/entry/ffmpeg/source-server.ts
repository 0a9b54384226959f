import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MediaSource } from '../../spi/index.ts';

/** A source at an address of this machine, for one program. */
export interface ServedSource {
  readonly uri: string;
  /** What the storage failed with, if it did: then the media is not to blame. */
  failure(): unknown;
  close(): Promise<void>;
}

/** Bytes that are read at once. */
const piece = 1024 * 1024;

/** Nobody who does not know the address gets a byte, and it is there only as long as the program runs. */
export async function serveSource(source: MediaSource): Promise<ServedSource> {
  const path = `/${randomBytes(24).toString('hex')}`;
  let failed: { readonly error: unknown } | undefined;
  const server = createServer((request, response) => {
    answer(source, path, request, response).catch((error: unknown) => {
      if (!response.destroyed) failed ??= { error };
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    uri: `http://127.0.0.1:${port}${path}`,
    failure: () => failed?.error,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  { size, read }: MediaSource,
  path: string,
  { url, method, headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (url !== path || (method !== 'GET' && method !== 'HEAD')) return void response.writeHead(404).end();
  const [, begin, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  const from = Number(begin ?? 0);
  const end = Math.min(last ? Number(last) + 1 : size, size);
  if (from >= size) return void response.writeHead(416, { 'content-range': `bytes */${size}` }).end();
  const ranged = begin !== undefined && { 'content-range': `bytes ${from}-${end - 1}/${size}` };
  response.writeHead(ranged ? 206 : 200, { 'content-length': end - from, 'accept-ranges': 'bytes', ...ranged });
  if (method === 'HEAD') return void response.end();
  for (let at = from; at < end && !response.destroyed; at += piece) {
    const bytes = await read({ from: at, end: Math.min(at + piece, end) });
    if (response.destroyed) return;
    if (!response.write(bytes)) await drained(response);
  }
  response.end();
}

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = () => {
      response.off('drain', go);
      response.off('close', go);
      resolve();
    };
    response.on('drain', go);
    response.on('close', go);
  });
