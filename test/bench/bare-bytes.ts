import { createReadStream, createWriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** The least that could take and give bytes: `bare-bytes.ts FOLDER`. Run as its own process beside the real server. */
const folder = process.argv[2]!;

const server = createServer(async (request, response) => {
  const file = join(folder, request.url!.slice(1));
  if (request.method === 'GET') {
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    if (range !== null) {
      response.writeHead(206, { 'content-range': `bytes ${range[1]}-${range[2]}/${(await stat(file)).size}` });
      response.end(await piece(file, Number(range[1]), Number(range[2])));
      return;
    }
    // Without it each piece goes out as a chunk of its own, which costs more.
    response.setHeader('content-length', (await stat(file)).size);
    await pipeline(createReadStream(file, { highWaterMark: 256 * 1024 }), response);
  } else {
    // Ours are durable, too.
    await pipeline(request, createWriteStream(file, { flush: true }));
    response.end();
  }
});
async function piece(file: string, first: number, last: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    return (await handle.read({ buffer: Buffer.allocUnsafe(last - first + 1), position: first })).buffer;
  } finally {
    await handle.close();
  }
}

server.listen(0, '127.0.0.1', () => console.log(`listening on ${(server.address() as { port: number }).port}`));
