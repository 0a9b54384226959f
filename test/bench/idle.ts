import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createService } from '../../src/composition/service.ts';
import { readSettings } from '../../src/composition/settings.ts';
import type { Database } from '../../src/core/store/contract.ts';
import { hostPlatform } from '../../src/entry/host.ts';
import { startSqld } from '../support/sqld.ts';
import type { Row } from './row.ts';
import { cpuOfTree } from './usage.ts';

/** Work of a server without requests: calls to its database, and CPU time of all its threads. */

const ceiling = 2;

/** Counts the calls to a database from now on. */
function countCalls(database: Database): { count: number } {
  const calls = { count: 0 };
  const { read, query, write } = database;
  const counted = Object.entries({ read, query, write }).map(([name, call]) => [
    name,
    (...given: never[]) => {
      calls.count++;
      return Reflect.apply(call, database, given);
    },
  ]);
  Object.assign(database, Object.fromEntries(counted));
  return calls;
}

async function measure(
  where: string,
  environment: Record<string, string>,
  seconds: number,
  server?: number,
): Promise<Row[]> {
  const settings = readSettings({ ...environment, PORTICO_ADMIN_PASSWORD: 'bench', PORTICO_LOG_LEVEL: 'warn' });
  const platform = await hostPlatform(settings, (line) => console.error(line));
  const calls = countCalls(platform.database);
  const service = createService(settings, platform);
  await service.start();
  const working = service.work();
  await pause(5_000);
  calls.count = 0;
  const [before, began] = [process.cpuUsage(), performance.now()];
  const ofServer = server === undefined ? 0 : cpuOfTree(server);
  await pause(seconds * 1_000);
  const took = performance.now() - began;
  const used = process.cpuUsage(before);
  const other = server === undefined ? 0 : cpuOfTree(server) - ofServer;
  const asked = calls.count;
  await service.close();
  await working;
  return [
    { name: `calls to ${where} in a second, by an idle server`, ratio: (asked * 1_000) / took, ceiling },
    { name: `CPU time of an idle server on ${where}, percent`, value: (used.user + used.system) / 10 / took },
    ...(server === undefined
      ? []
      : [{ name: `CPU time of ${where}, percent`, ratio: (other * 100) / took, ceiling: 1 }]),
  ];
}

export async function benchIdle(seconds = 20): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-idle-'));
  const server = await startSqld();
  try {
    const root = { PORTICO_ROOT: directory };
    return [
      ...(await measure('a database in a file', root, seconds)),
      ...(await measure('a libsql-server', { ...root, PORTICO_DATABASE: server.url }, seconds, server.pid)),
    ];
  } finally {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
