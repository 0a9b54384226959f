import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { jpegFile } from '../../src/production/transcoding/codecs/jpeg-writer.ts';
import { compareHouses, type Reach } from '../entry/migrate/compare.ts';
import { ask, askJson, authorization, each } from './item-root.ts';
import type { Row } from './row.ts';
import { type RuntimeName, type Started, startCommand, startService } from './runtimes.ts';
import { cpuOfTree, peakMebibytes } from './usage.ts';

/**
 * A house of many items that moves: a first run with five kills, a second one, and one after a hundredth of the items has
 * changed. Then a program that shares nothing with the command compares the two houses. `PORTICO_BENCH_ITEMS=100000`
 * chooses how many items move.
 */

const kills = 5;
const perCollection = 1_000;
/** Items of which one has more shapes, pictures, entries, relations and locks. */
const perRich = 10;
const perChange = 100;

const picture = jpegFile({ width: 1, height: 1, data: new Uint8Array(4) });
const value = (text: string, lang?: string) => ({ value: text, ...(lang && { lang }) });

/** Metadata of an item: values in languages, groups in a group, and a span of time. */
const metadataOf = (at: number) => ({
  group: ['Film'],
  timespan: [
    {
      start: '-INF',
      end: '+INF',
      field: [
        { name: 'title', value: [value(`Harbour ${at}`)] },
        { name: 'house_note', value: [value(`dusk ${at}`, 'en'), value(`skymning ${at}`, 'sv')] },
        { name: 'house_number', value: [value(String(at))] },
      ],
      group: [
        {
          name: 'Film',
          field: [{ name: 'house_number', value: [value(String(at % 7))] }],
          group: [{ name: 'Shot', field: [{ name: 'house_note', value: [value('close')] }] }],
        },
      ],
    },
    { start: '0@PAL', end: '50@PAL', field: [{ name: 'house_note', value: [value('bells')] }] },
  ],
});

const shapeOf = (file: string) => ({
  containerComponent: { format: 'mp4', file: [{ id: file }] },
  videoComponent: [{ codec: 'h264', itemTrack: 'V1', resolution: { width: 1920, height: 1080 }, file: [{ id: file }] }],
  audioComponent: [{ codec: 'aac', itemTrack: 'A1', channelCount: 2, file: [{ id: file }] }],
  mimeType: ['video/mp4'],
});

/** Fills a house, and gives the ids of its items. */
async function furnish(server: Started, media: string, items: number): Promise<readonly string[]> {
  const put = (path: string, body?: unknown) => ask(server, `PUT /API${path}`, body, '*/*');
  const post = (path: string, body?: unknown) => ask(server, `POST /API${path}`, body, '*/*');
  await put('/group/staff');
  await each(50, (at) => post('/user', { userName: `user${at}`, groupList: { group: [{ groupName: 'staff' }] } }));
  for (const [name, type] of Object.entries({ house_note: 'string', house_number: 'integer' }))
    await put(`/metadata-field/${name}`, { type });
  await put('/metadata-field/field-group/Shot', { field: [{ name: 'house_note' }] });
  await put('/metadata-field/field-group/Film', { field: [{ name: 'house_number' }], group: [{ name: 'Shot' }] });
  await put('/shape-tag/lowres', { format: 'mp4', video: { codec: 'h264' } });
  const method = [{ uri: `${pathToFileURL(media).href}/`, read: true, write: true, browse: true }];
  const place = { type: 'LOCAL', capacity: 1e12, scanInterval: -1, method };
  const storage = (await askJson(server, 'POST /API/storage', place))['id']!;
  const newFile = async (path: string) => {
    const at = `/API/storage/${storage}/file?path=${path}&state=CLOSED`;
    return (await askJson(server, `POST ${at}`, { size: 1_000_000, hash: path.padStart(40, '0').slice(-40) }))['id']!;
  };
  const ids: string[] = [];
  await each(items, async (at) => {
    const owner = at % 3 === 0 ? `&owner=user${at % 50}` : '';
    const query = `container=0&created=${new Date(1e12 + at * 60_000).toISOString()}${owner}`;
    const { id = '' } = await askJson(server, `POST /API/import/placeholder?${query}`, metadataOf(at));
    ids[at] = id;
    const code = at.toString(16).padStart(8, '0');
    await post(`/item/${id}/shape/create?tag=original&updateItemMetadata=true`, shapeOf(await newFile(code)));
    if (at % perRich !== 0) return;
    await post(`/item/${id}/shape/create?tag=lowres`, {
      binaryComponent: [{ file: [{ id: await newFile(`b${code}`) }] }],
    });
    await post(`/item/${id}/access`, { group: 'staff', permission: 'WRITE' });
    await post(`/item/${id}/access`, { user: `user${at % 50}`, permission: 'READ' });
    const uris = (await askJson(server, `PUT /API/item/${id}/thumbnailresource`))['uri'] as unknown as string[];
    for (const time of ['0@PAL', '25@PAL'])
      await fetch(`http://127.0.0.1:${server.port}${uris[0]}/${time}`, {
        method: 'PUT',
        headers: { authorization, 'content-type': 'image/jpeg' },
        body: picture,
      });
    if (at > 0) await post(`/item/${id}/relation/${ids[at - perRich]}?direction=S&kind=sequel`);
    if (at % (10 * perRich) === 0) await post(`/item/${id}/deletion-lock`, { expiryTime: '2050-01-01T00:00:00Z' });
  });
  for (let at = 0; at < items; at += perCollection) {
    const { id } = await askJson(server, `POST /API/collection?name=collection${at / perCollection}`);
    const content = ids.slice(at, at + perCollection).map((item) => ({ id: item, type: 'item' }));
    // Not in the order of their ids.
    await put(`/collection/${id}`, { content: content.toReversed() });
  }
  await post('/library', { item: ids.slice(0, 100).map((id) => ({ id })) });
  return ids;
}

interface Run {
  readonly seconds: number;
  /** Seconds of CPU time of the command. */
  readonly cpu: number;
  readonly peak: number;
}

/** Runs the command until it ends, or until so many items are in its journal: then it is killed. */
async function runUntil(command: ChildProcess, journal: string, killAt = Number.POSITIVE_INFINITY): Promise<Run> {
  const began = performance.now();
  let isOver = false;
  const ended = new Promise<number | null>((resolve) => command.once('exit', resolve));
  void ended.then(() => {
    isOver = true;
  });
  const count = itemsIn(journal);
  let [cpu, peak] = [0, 0];
  while (!isOver) {
    await Promise.race([pause(100), ended]);
    if (isOver) break;
    try {
      // A process that ends meanwhile has no memory any more.
      peak = Math.max(peak, peakMebibytes(command) || 0);
      cpu = cpuOfTree(command.pid!) / 1000;
    } catch {
      break;
    }
    if ((await count()) >= killAt) command.kill('SIGKILL');
  }
  const code = await ended;
  if (code !== 0 && killAt === Number.POSITIVE_INFINITY)
    throw new Error(`Expected the command to end well: code ${code}`);
  return { seconds: (performance.now() - began) / 1000, cpu, peak };
}

/** Counts the items in a journal that grows, without reading it again. */
function itemsIn(path: string): () => Promise<number> {
  let [offset, items] = [0, 0];
  let rest = '';
  return async () => {
    const file = await open(path).catch(() => undefined);
    if (!file) return 0;
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(1 << 20), 0, 1 << 20, offset);
      if (bytesRead === 0) break;
      offset += bytesRead;
      const lines = `${rest}${buffer.toString('latin1', 0, bytesRead)}`.split('\n');
      rest = lines.pop()!;
      items += lines.filter((line) => line.includes('"kind":"item"')).length;
    }
    await file.close();
    return items;
  };
}

interface Report {
  readonly failed: number;
  readonly kind: readonly { readonly kind: string; readonly made: number; readonly changed: number }[];
  readonly original: { readonly requests: number };
  readonly target: { readonly requests: number; readonly writes: number };
}

const reachOf =
  ({ port }: Started): Reach =>
  (path, init = {}) =>
    fetch(`http://127.0.0.1:${port}/API${path}`, { ...init, headers: { ...init.headers, authorization } });

export async function benchMigrate(
  runtime: RuntimeName,
  items = Number(process.env['PORTICO_BENCH_ITEMS'] ?? 2_000),
): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const [media, to, state] = ['media', 'to', 'state'].map((name) => join(directory, name)) as [string, string, string];
  await mkdir(media);
  const settings = {
    PORTICO_ADMIN_PASSWORD: 'bench',
    PORTICO_STORAGE_ROOTS: media,
    PORTICO_MAX_COLLECTION_MEMBERS: '100000',
  };
  const from = await startService(runtime, join(directory, 'from'), settings);
  const note = (text: string) => console.error(`${new Date().toISOString()} ${text}`);
  try {
    const ids = await furnish(from, media, items);
    note(`filled ${items} items`);
    await runUntil(startCommand(runtime, ['init', '--root', to], settings), '');
    const journal = join(state, 'journal.jsonl');
    const environment = { ...settings, PORTICO_FROM_PASSWORD: 'bench', PORTICO_LOG_LEVEL: 'error' };
    const words = ['migrate-from', `http://127.0.0.1:${from.port}`, '--root', to, '--state', state];
    const start = () =>
      startCommand(runtime, [...words, '--rate', '9999', '--lanes', '16', '--without', 'notifications'], environment);
    const reported = async () => JSON.parse(await readFile(join(state, 'report.json'), 'utf8')) as Report;

    const runs: Run[] = [];
    for (let kill = 1; kill <= kills; kill++)
      runs.push(await runUntil(start(), journal, Math.round((kill * items) / (kills + 1))));
    runs.push(await runUntil(start(), journal));
    const last = await reported();
    note('first run has ended');
    const second = await runUntil(start(), journal);
    const again = await reported();
    note('second run has ended');
    await each(Math.ceil(items / perChange), async (at) => {
      const id = ids[at * perChange]!;
      const field = [{ name: 'title', value: [value(`Harbour at night ${at}`)] }];
      await ask(from, `PUT /API/item/${id}/metadata`, { timespan: [{ start: '-INF', end: '+INF', field }] });
    });
    const third = await runUntil(start(), journal);
    const changes = await reported();
    note('third run has ended');

    const target = await startService(runtime, to, settings);
    const { differences, some, compared } = await compareHouses(reachOf(from), reachOf(target)).finally(target.stop);
    note(`compared ${JSON.stringify(compared)}`);
    for (const line of some.slice(0, 20)) console.error(line);
    const seconds = runs.reduce((sum, run) => sum + run.seconds, 0);
    const cpu = runs.reduce((sum, run) => sum + run.cpu, 0);
    const changed = changes.kind.find(({ kind }) => kind === 'item')?.changed ?? 0;
    return [
      { name: `items that move, with ${kills} kills`, perSecond: items / seconds },
      { name: 'the same for a second of CPU time of the command', perSecond: items / cpu },
      { name: 'items of the second run, which changes nothing', perSecond: items / second.seconds },
      { name: 'items of the third run, after a hundredth has changed', perSecond: items / third.seconds },
      { name: 'peak memory of the command, MiB', value: Math.max(...[...runs, second, third].map(({ peak }) => peak)) },
      { name: 'requests of the last part of the first run: to the original', value: last.original.requests },
      { name: 'requests of the last part of the first run: here', value: last.target.requests },
      { name: 'requests of the second run to the original, for an item', value: again.original.requests / items },
      { name: 'changes of the second run', ratio: again.target.writes, ceiling: 0 },
      {
        name: 'items that the third run changed, of those to change',
        ratio: changed / Math.ceil(items / perChange),
        floor: 1,
        ceiling: 1,
      },
      { name: 'entities that failed', ratio: last.failed + again.failed + changes.failed, ceiling: 0 },
      { name: 'differences between the two houses', ratio: differences, ceiling: 0 },
    ];
  } finally {
    await from.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
