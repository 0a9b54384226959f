import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** The least that could take and give bytes: `bare-bytes.ts FOLDER`. Run as its own process beside the real server. */
const folder = process.argv[2]!;

const server = createServer(async (request, response) => {
  const file = join(folder, request.url!.slice(1));
  if (request.method === 'GET') {
    // Without it each piece goes out as a chunk of its own, which costs more.
    response.setHeader('content-length', (await stat(file)).size);
    await pipeline(createReadStream(file, { highWaterMark: 256 * 1024 }), response);
  } else {
    // Ours are durable, too.
    await pipeline(request, createWriteStream(file, { flush: true }));
    response.end();
  }
});
server.listen(0, '127.0.0.1', () => console.log(`listening on ${(server.address() as { port: number }).port}`));
