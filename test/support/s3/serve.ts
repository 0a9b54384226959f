import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fakeS3 } from './fake.ts';

/** The strict bucket `media` at a port of this machine, with the key KEY and SECRET. */
export async function serveBucket(): Promise<{ readonly port: number; close(): void }> {
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const body = pieces.length === 0 ? null : Buffer.concat(pieces);
    const request = new Request(`http://${headers.host}${url}`, { method, headers: headers as HeadersInit, body });
    const answer = await bucket.fetch(request);
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    outgoing.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const key = { accessKey: 'KEY', secret: 'SECRET', region: 'us-east-1' };
  const bucket = fakeS3({ key, bucket: 'media', host: `127.0.0.1:${port}`, now: Date.now });
  return { port, close: () => void server.close() };
}
