import { createServer } from 'node:http';
import { fakeS3 } from '../support/s3/fake.ts';
import { bucketKey } from './bucket-key.ts';

/** The strict bucket of the tests, on a port of its own. Objects whose requests are over are forgotten by DELETE alone. */
const server = createServer(async (incoming, outgoing) => {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  const { method = 'GET', url = '/', headers } = incoming;
  const body = pieces.length === 0 ? null : Buffer.concat(pieces);
  const answer = await fake.fetch(
    new Request(`http://${headers.host}${url}`, { method, headers: headers as Record<string, string>, body }),
  );
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body) for await (const piece of answer.body) outgoing.write(piece);
  outgoing.end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as { port: number };
const fake = fakeS3({ key: bucketKey, bucket: 'media', host: `127.0.0.1:${port}`, now: Date.now });
console.log(`listening on ${port}`);
