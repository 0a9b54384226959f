import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createService } from '../../src/composition/service.ts';
import { readSettings } from '../../src/composition/settings.ts';
import type { Committing, GroupWork, Share, SqlValue, Statement } from '../../src/core/store/contract.ts';
import { hostPlatform } from '../../src/entry/host.ts';
import { rawCommitter } from './commit.ts';
import { authorization, each } from './item-root.ts';

/**
 * Work of the engine with all statements of some requests, and nothing around them: those of participants and of
 * groups, too. `record ROOT FILE` sends the requests of the file to a service and writes their statements beside it;
 * `replay ROOT FILE` commits them on a copy of the root as it was before, and prints what that took.
 */

export interface Replayed {
  readonly perSecond: number;
  /** Microseconds of the processor for one commit: what neighbours on the machine do changes little of it. */
  readonly cpu: number;
}

export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

/** Commits that share one sync, like those of so many callers. */
const group = 64;

interface Taken {
  readonly statements: readonly Statement[];
  readonly share: Share | undefined;
}

type Plain = readonly (readonly [sql: string, args: readonly SqlValue[]])[];

async function record(root: string, file: string): Promise<void> {
  const requests = JSON.parse(await readFile(file, 'utf8')) as readonly Recorded[];
  const settings = readSettings({ PORTICO_ROOT: root, PORTICO_ADMIN_PASSWORD: 'bench', PORTICO_LOG_LEVEL: 'error' });
  const platform = await hostPlatform(settings, () => undefined);
  const taken: Taken[] = [];
  const write = platform.database.write.bind(platform.database);
  let isOpen = false;
  platform.database.write = async (statements, share) => {
    const outcome = await write(statements, share);
    if (isOpen && outcome.done && !statements.some(({ returns }) => returns)) taken.push({ statements, share });
    return outcome;
  };
  const service = createService(settings, platform);
  await service.start();
  const send = async ({ method, path, body }: Recorded) => {
    const headers = { authorization, 'content-type': 'application/json', accept: 'application/json' };
    const request = new Request(`http://localhost${path}`, { method, headers, ...(body !== undefined && { body }) });
    const answer = await service.fetch(request, { rawTarget: path, address: '127.0.0.1' });
    if (answer.status !== 200) throw new Error(`Expected 200: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  // The password is verified once, and with that what is new of the caller is told.
  await send({ method: 'GET', path: '/API/whoami' });
  await service.tick();
  isOpen = true;
  await each(requests.length, (at) => send(requests[at]!), group);
  isOpen = false;
  const lines: string[] = [];
  for (let at = 0; at < taken.length; at += group) lines.push(...(await linesOf(taken.slice(at, at + group))));
  await service.close();
  await writeFile(`${file}.statements`, lines.join('\n'));
}

/** The last one also has what the group needs once. */
async function linesOf(members: readonly Taken[]): Promise<readonly string[]> {
  const works = new Map<GroupWork, Committing[]>();
  for (const { share } of members) {
    for (const work of share?.works ?? []) works.set(work, [...(works.get(work) ?? []), share!.commit]);
  }
  const shared: Statement[] = [];
  for (const [work, commits] of works) shared.push(...(await work(commits)));
  return members.map(({ statements }, index) => {
    const all = index === members.length - 1 ? [...statements, ...shared] : statements;
    return JSON.stringify(all.map(({ sql, args }) => [sql, args]) satisfies Plain);
  });
}

async function replay(root: string, file: string): Promise<Replayed> {
  const lines = (await readFile(`${file}.statements`, 'utf8')).split('\n');
  const commits = lines.map((line) => (JSON.parse(line) as Plain).map(([sql, args]) => ({ sql, args })));
  const path = `${file}.db`;
  await copyFile(join(root, 'portico.db'), path);
  const raw = rawCommitter(path, 256, (id) => commits[Number(id)]!);
  const commit = (at: number) => raw.commit(String(at));
  // The first ones fill the cache.
  const warm = Math.floor(commits.length / (4 * group)) * group;
  await each(warm, commit, group);
  const count = commits.length - warm;
  const [began, before] = [performance.now(), process.cpuUsage()];
  await each(count, (at) => commit(warm + at), group);
  const [took, { user, system }] = [performance.now() - began, process.cpuUsage(before)];
  raw.close();
  return { perSecond: (count * 1000) / took, cpu: (user + system) / count };
}

const [what, root, file] = process.argv.slice(2) as [string, string, string];
if (what === 'record') await record(root, file);
console.log(JSON.stringify(what === 'record' ? 0 : await replay(root, file)));
