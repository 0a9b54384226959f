import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getting, makeItems, metadataWriter } from './cpu.ts';
import { load, requestBytes } from './load.ts';
import type { Row } from './row.ts';
import { type RuntimeName, startService } from './runtimes.ts';

/**
 * Object shapes that V8 makes for each request of a warm server. A property that stands behind a spread gives its object a
 * shape of its own each time in V8 11: code that reads the object is slow from then on, and shapes take old memory.
 */

/** Made by the router for a second name of a segment, and by abort signals of the runtime. */
const ceiling = 3;
const connections = 16;
const basic = `Basic ${btoa('admin:bench')}`;
const json = { authorization: basic, accept: 'application/json', 'content-type': 'application/json' };

const searching = (path: string, document: object) => {
  const bytes = requestBytes('PUT', path, json, JSON.stringify(document));
  return () => bytes;
};

/** Shapes without a place in a tree of shapes, which later objects cannot take. */
const unshared = (log: string): number => log.match(/^map,Transition,.*,prototype,/gm)?.length ?? 0;

async function textFrom(path: string, start: number): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(size - start);
    await file.read(bytes, 0, bytes.length, start);
    return bytes.toString('latin1');
  } finally {
    await file.close();
  }
}

export async function benchShapes(runtime: RuntimeName, seconds = 1): Promise<Row[]> {
  if (runtime !== 'node') return [];
  const root = await mkdtemp(join(tmpdir(), 'portico-shapes-'));
  const log = join(root, 'shapes.log');
  const flags = ['--log-maps', `--logfile=${log}`, '--no-logfile-per-isolate'];
  const server = await startService(runtime, root, {}, flags);
  try {
    const items = await makeItems(server);
    const title = { name: 'bench_title', value: [{ value: 'bench*' }] };
    const sides: Readonly<Record<string, () => Buffer>> = {
      'GET /whoami': getting('/API/whoami'),
      'GET the metadata of an item': getting(`/API/item/${items[0]}/metadata`),
      'PUT three fields of an item': metadataWriter(items),
      'a list of 20 items with metadata': getting('/API/item?number=20&content=metadata'),
      'a search with a facet': searching('/API/item', {
        field: [title],
        facet: [{ field: 'bench_title', count: true }],
      }),
      'a search of items and collections': searching('/API/search', { field: [title] }),
    };
    const rows: Row[] = [];
    for (const [name, next] of Object.entries(sides)) {
      await load({ port: server.port, connections, seconds: 2 * seconds, next });
      const { size } = await stat(log);
      const { answers } = await load({ port: server.port, connections, seconds, next });
      const made = unshared(await textFrom(log, size));
      rows.push({ name: `new shapes of objects for each request: ${name}`, ratio: made / answers, ceiling });
    }
    return rows;
  } finally {
    await server.stop();
    await rm(root, { recursive: true, force: true });
  }
}
