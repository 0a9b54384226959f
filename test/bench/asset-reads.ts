import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ask, authorization, metadataOf, prepareRoot } from './item-root.ts';
import { load, requestBytes } from './load.ts';
import { median, type Row } from './row.ts';
import { type RuntimeName, startService, startUnder } from './runtimes.ts';

const connections = 64;

/** All metadata of an item with 200 values, against one read by key and `JSON.stringify` of the same document. */
export async function benchMetadata(
  runtime: RuntimeName,
  directory: string,
  rounds = 5,
  seconds = 1,
): Promise<readonly Row[]> {
  const root = join(directory, 'root');
  await prepareRoot(runtime, root, 200);
  const server = await startService(runtime, root);
  const made = await ask(server, 'POST /API/import/placeholder', metadataOf(200, 'first'));
  const path = `/API/item/${(JSON.parse(made) as { id: string }).id}/metadata`;
  const document = join(directory, 'document.json');
  await writeFile(document, await ask(server, `GET ${path}`));
  const bare = await startUnder(runtime, 'test/bench/bare-server.ts', [join(root, 'portico.db'), document]);
  const bytes = (accept: string) => requestBytes('GET', path, { authorization, accept });
  const sides = {
    json: [server, bytes('application/json')],
    bare: [bare, bytes('application/json')],
    xml: [server, bytes('application/xml')],
  } as const;
  const rates = { json: [] as number[], bare: [] as number[], xml: [] as number[] };
  try {
    // Sides alternate, so that a slow moment of the machine hits all of them. The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const name of ['json', 'bare', 'xml'] as const) {
        const [{ port }, request] = sides[name];
        const { perSecond } = await load({ port, connections, seconds, next: () => request });
        if (round > 0) rates[name].push(perSecond);
      }
    }
  } finally {
    await Promise.all([server.stop(), bare.stop()]);
  }
  const against = (own: readonly number[]) => median(own.map((rate, round) => rate / rates.bare[round]!));
  const name = (form: string) => `all metadata with 200 values as ${form}, against a read by key and JSON.stringify`;
  return [
    { name: name('JSON'), ratio: against(rates.json), floor: 0.5, perSecond: median(rates.json) },
    { name: name('XML'), ratio: against(rates.xml), floor: 0.35, perSecond: median(rates.xml) },
  ];
}
