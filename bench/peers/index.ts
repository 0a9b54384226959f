import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from '../../test/bench/row.ts';
import { calm, cpuOfTree } from '../../test/bench/usage.ts';
import { bare } from './bare.ts';
import { ask, load } from './client.ts';
import { directus } from './directus.ts';
import { type Figures, tableOf, writePage } from './page.ts';
import type { Column, Peer, Place, Task } from './peer.ts';
import { pocketbase } from './pocketbase.ts';
import { portico } from './portico.ts';
import { shiro } from './shiro.ts';
import { freePort, type Server, start } from './tree.ts';
import { tusd } from './tusd.ts';
import { hitsAmong } from './values.ts';
import { type WorkName, works } from './work.ts';

/**
 * `npm run bench:peers`: CPU time of whole process trees for the same work, in turns, against a bare handler.
 * A peer that cannot be had here is left out with a line.
 */
const { values: given } = parseArgs({
  options: {
    items: { type: 'string', default: '20000' },
    turns: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});
const items = Number(given.items);
const turns = Number(given.turns);
const seconds = Number(given.seconds);
const connections = 8;
const downloads = fileURLToPath(new URL('node_modules/.peers', import.meta.url));
const say = (line: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);

interface Running {
  readonly peer: Peer;
  readonly place: Place;
  readonly columns: readonly Column[];
  server: Server;
}

/** Starts and fills a peer. Nothing where it cannot be had. */
async function begin(peer: Peer, folder: string): Promise<Running | undefined> {
  const place = { folder: join(folder, peer.name.replaceAll(/\W/g, '-')), port: await freePort(), downloads };
  await mkdir(place.folder);
  let server: Server | undefined;
  try {
    say(`${peer.name}: fetch and start`);
    await peer.get?.(downloads);
    await peer.create?.(place);
    server = await start(peer, place);
    say(`${peer.name}: ${items} items`);
    return { peer, place, columns: await peer.fill(place, items), server };
  } catch (error) {
    say(`${peer.name} is left out: ${(error as Error).message.slice(0, 600)}`);
    await server?.kill();
    return undefined;
  }
}

/** All servers find as many items, or they do not do the same. */
async function checkHits({ place, columns }: Running): Promise<void> {
  for (const { name, tasks } of columns) {
    if (typeof tasks.search !== 'function') continue;
    const text = JSON.stringify(await ask(place.port, tasks.search(7)));
    const hits = Number(/"(?:hits|totalItems|filter_count)":(\d+)/.exec(text)?.[1]);
    if (hits !== hitsAmong(items)) say(`${name} finds ${hits} items, and ${hitsAmong(items)} were expected`);
  }
}

let serial = 0;

/** CPU time of one turn: microseconds for a request, or seconds for a gigabyte. */
async function spend({ server, place }: Running, task: Task, bytes: number | undefined, turn: number): Promise<number> {
  await calm(server);
  const before = cpuOfTree(server.pid);
  let answers = 1;
  if (typeof task === 'function') {
    // The first turn warms up: compilers need longer than one.
    const end = performance.now() + seconds * (turn === 0 ? 3000 : 1000);
    const goesOn = () => performance.now() < end;
    serial += 100_000;
    answers = await load({ port: place.port, connections, next: task, goesOn }, serial);
  } else {
    await task.transfer(turn);
  }
  const cpu = cpuOfTree(server.pid) - before;
  return bytes === undefined ? (cpu * 1000) / answers : (cpu * 1e6) / (answers * bytes);
}

/** Kills a server amid creates, and looks for all that it acknowledged. */
async function kill(running: Running): Promise<string> {
  const { peer, place, columns } = running;
  const { tasks, item } = columns[0]!;
  if (typeof tasks.create !== 'function' || !item) return '-';
  const acknowledged: string[] = [];
  const onAnswer = (text: string) => acknowledged.push(/"id":\s*"?([\w-]+)/.exec(text)![1]!);
  const creates = load({ port: place.port, connections, next: tasks.create, goesOn: () => true, onAnswer }, serial);
  await Promise.all([creates.catch(() => {}), pause(1000 + Math.random() * 500).then(() => running.server.kill())]);
  running.server = await start(peer, place);
  let lost = 0;
  for (const id of acknowledged) await ask(place.port, item(id)).catch(() => lost++);
  return `${lost} of ${acknowledged.length}`;
}

/** Commit of the build: the tree may change during the run. */
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const folder = await mkdtemp(join(tmpdir(), 'portico-peers-'));
await mkdir(downloads, { recursive: true });
const running: Running[] = [];
try {
  for (const peer of [bare, portico, pocketbase, directus, shiro, tusd]) {
    if (peer !== bare && !peer.name.toLowerCase().includes(given.only.toLowerCase())) continue;
    const one = await begin(peer, folder);
    if (one) running.push(one);
  }
  for (const one of running) await checkHits(one);
  const figures: Figures = new Map();
  for (const [work, { title, bytes }] of works) {
    say(title);
    const spent = new Map<string, number[]>();
    for (let turn = 0; turn <= turns; turn++) {
      for (const one of running) {
        for (const { name, tasks } of one.columns) {
          const task = tasks[work as WorkName];
          if (!task) continue;
          const cpu = await spend(one, task, bytes, turn);
          if (turn > 0) spent.set(name, [...(spent.get(name) ?? []), cpu]);
        }
      }
    }
    figures.set(work, new Map([...spent].map(([name, all]) => [name, median(all)])));
  }
  say('kill -9');
  const lost = new Map<string, string>();
  for (const one of running) lost.set(one.columns[0]!.name, await kill(one));
  const columns = running.flatMap((one) => one.columns.map(({ name }) => name));
  const [day] = new Date().toISOString().split('T');
  const machine = `${cpus().length} cores (${cpus()[0]!.model.trim()}), Node ${process.versions.node}`;
  const says = `Measured ${day} at ${commit}, with ${items} items, ${connections} connections, on ${machine}. The load of the machine was ${loadavg()[1]!.toFixed(1)}.`;
  const table = `${says}\n\n${tableOf(columns, figures, lost)}`;
  console.log(table);
  if (given.write) await writePage(table);
} finally {
  await Promise.all(running.map(({ server }) => server.kill()));
  await rm(folder, { recursive: true, force: true });
}
