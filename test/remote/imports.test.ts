import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallCount } from '../../src/core/store/contract.ts';
import { openRemoteDatabase } from '../../src/core/store/remote/remote-database.ts';
import { openBehind, type World } from '../support/matrix.ts';
import { admin } from '../support/service.ts';
import { type Sqld, sqldBinary, startSqld } from '../support/sqld.ts';

const megabyte = new Uint8Array(1_000_000).fill(65);
const binary = { 'content-type': 'application/octet-stream' };
const hosts = [
  ['a server', true],
  ['an edge', false],
] as const;

/** Calls of an import, of the work behind it, and of work that finds nothing. */
describe.skipIf(sqldBinary() === undefined).each(hosts)('calls to a remote database by %s', (_host, group) => {
  let server: Sqld;
  let world: World;
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    server = await startSqld();
    const calls = new AsyncLocalStorage<CallCount>();
    const database = openRemoteDatabase(server.url, { calls, group });
    world = await openBehind('fetch', { database }, (end) => ends.push(end));
    await send('POST /API/storage', { method: [{ uri: 'memory:///imports/' }] });
  });
  afterAll(async () => {
    for (const end of ends) await end();
    await server.stop();
  });

  /** The calls that the lines of the log tell. */
  async function callsOf(run: () => Promise<unknown>): Promise<number> {
    const from = world.lines.length;
    await run();
    return world.lines.slice(from).reduce((sum, { calls = 0 }) => sum + Number(calls), 0);
  }
  async function send(request: string, body?: object) {
    const { status, body: text } = await world.send({
      as: admin,
      request,
      headers: body === megabyte ? binary : {},
      ...(body && { body }),
    });
    expect(status, text).toBe(200);
  }
  const sendFile = () => send('POST /API/import/raw?filename=a.bin', megabyte);
  const unended = async () => (await world.service.store.read('SELECT 1 FROM job WHERE finished_at IS NULL')).length;

  it('are few for an import of 1 MB: five until the answer, and ten for its job', async () => {
    // The first ones reserve ids and keep definitions.
    for (let index = 0; index < 2; index++) {
      await sendFile();
      await world.service.tick();
    }
    expect(await callsOf(sendFile)).toBeLessThanOrEqual(5);
    expect(await unended()).toBe(1);
    expect(await callsOf(() => world.service.tick())).toBeLessThanOrEqual(10);
    expect(await unended()).toBe(0);
  });

  it('are one behind a change, and one for a tick, where nothing is due', async () => {
    await world.service.tick();
    await send('POST /API/import/placeholder?container=1');
    expect(await callsOf(() => world.service.afterAnswer(true, 10_000))).toBe(1);
    expect(await callsOf(() => world.service.tick())).toBe(1);
  });
});
