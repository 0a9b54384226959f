import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { createService, type Service } from '../../src/composition/service.ts';
import { readSettings, type Settings } from '../../src/composition/settings.ts';
import { systemClock } from '../../src/core/lib/clock.ts';
import { Secret } from '../../src/core/lib/secret.ts';
import { hostPlatform } from '../../src/entry/host.ts';
import { jpeg, mkv, mp4, png, withLie, withTracks } from '../production/checking/samples.ts';
import { storageRows } from '../support/world.ts';
import type { Row } from './row.ts';

/** Latency of requests while the service imports media that was made to hurt it. */

const headers = { authorization: `Basic ${btoa('admin:bench')}`, accept: 'application/json' };
const asks = 500;

/** The film with so many bytes of it changed: probers give up, or spin until they are killed. */
function damaged(film: Uint8Array, seed: number): Uint8Array {
  const bytes = film.slice();
  let state = seed;
  for (let at = 0; at < 12; at++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    bytes[40 + (state % (bytes.length - 40))] = state >>> 8;
  }
  return bytes;
}

/** By the name of the file, each made once more for each seed. */
async function hostile(seed: number): Promise<Readonly<Record<string, Uint8Array>>> {
  const [film, clip] = [await mkv({ seconds: 4 }), await mp4()];
  return {
    'cut.mkv': film.subarray(0, 300),
    'damaged.mkv': damaged(film, seed),
    'tracks.mp4': withTracks(clip, 10_000),
    'lies.mp4': withLie(clip, 'moov', -8, 0x7fffffff),
    'endless.mp4': withLie(withLie(clip, 'mvhd', 12, 1), 'mvhd', 16, 0xffffffff),
    'bomb.png': png(1, 1, { width: 2_000_000_000, height: 2 }),
    'cut.jpg': jpeg(9, 9).subarray(0, 22),
    'zeros.mp4': new Uint8Array(8 * 1024 * 1024),
  };
}

async function open(root: string): Promise<Service> {
  const settings: Settings = {
    ...readSettings({}),
    root,
    adminPassword: new Secret('bench'),
    logLevel: 'error',
    minFreeBytes: 0,
    probeSeconds: 2,
  };
  const service = createService(settings, await hostPlatform(settings, (line) => console.error(line)));
  await service.start();
  const uri = `${pathToFileURL(join(root, 'media')).href}/`;
  await storageRows({ service } as Parameters<typeof storageRows>[0], { uri, scanInterval: -1 });
  return service;
}

async function ask(service: Service, method: string, path: string): Promise<void> {
  const answer = await service.fetch(new Request(`http://localhost/API${path}`, { method, headers }));
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`Expected 200: ${answer.status} ${text}`);
}

/** Milliseconds of the slowest of a hundred requests. */
async function p99(service: Service): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < asks; count++) {
    const began = performance.now();
    await ask(service, 'GET', '/whoami');
    times.push(performance.now() - began);
    await systemClock.sleep(2);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(asks * 0.99)]!;
}

async function importAll(service: Service, root: string, seeds: number): Promise<number> {
  let files = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    for (const [name, bytes] of Object.entries(await hostile(seed))) {
      const path = join(root, 'media', `${seed}-${name}`);
      await writeFile(path, bytes);
      await ask(service, 'POST', `/import?uri=${encodeURIComponent(pathToFileURL(path).href)}`);
      files++;
    }
  }
  return files;
}

/** Each job has ended, and one that failed says why. */
async function judge({ store }: Service, files: number): Promise<number> {
  const rows = await store.read('SELECT status, data FROM job WHERE finished_at IS NOT NULL');
  if (rows.length !== files) throw new Error(`Expected ${files} jobs that have ended: ${rows.length}`);
  const failed = rows.filter(([status]) => status === 'FAILED_TOTAL');
  const mute = failed.filter(([, data]) => !/"errorMessage-[^"]*","Expected /.test(String(data)));
  if (mute.length > 0) throw new Error(`Expected a sentence for each failure: ${JSON.stringify(mute.slice(0, 2))}`);
  return failed.length;
}

export async function benchHostileMedia(seeds = 12): Promise<Row[]> {
  const root = await mkdtemp(join(tmpdir(), 'portico-hostile-'));
  await mkdir(join(root, 'media'));
  const service = await open(root);
  const memory = () => process.memoryUsage().rss / 1024 / 1024;
  try {
    await p99(service);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const rest = await p99(service);
    delay.disable();
    const restTurn = delay.max / 1_000_000;
    delay.reset();
    const files = await importAll(service, root, seeds);
    const before = memory();
    const working = service.work();
    delay.enable();
    const times: number[] = [];
    let max = before;
    const left = async () =>
      Number((await service.store.read('SELECT count(*) FROM job WHERE finished_at IS NULL'))[0]![0]);
    do {
      times.push(await p99(service));
      max = Math.max(max, memory());
    } while ((await left()) > 0);
    delay.disable();
    const failed = await judge(service, files);
    await service.close();
    await working;
    const turn = delay.max / 1_000_000;
    const worst = Math.max(...times);
    return [
      { name: 'p99 of whoami at rest, against beside imports of hostile media', ratio: rest / worst },
      { name: '50 ms, against p99 of whoami beside these imports', ratio: 50 / worst, floor: 1, value: worst },
      // On a busy machine it is other programs that take the turns, so it has no bound.
      { name: 'the longest turn of the loop beside them, milliseconds', value: turn },
      { name: 'the longest turn at rest, milliseconds', value: restTurn },
      {
        name: '128 MiB, against what the memory of the service grows by',
        ratio: 128 / Math.max(max - before, 1),
        floor: 1,
        value: max - before,
      },
      { name: `of ${files} such imports have failed, each with a sentence`, value: failed },
    ];
  } finally {
    await service.close();
    await rm(root, { recursive: true, force: true });
  }
}
