import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { keyedDigest } from '../../src/entry/crypto.ts';
import { logOutput } from '../../src/entry/output.ts';
import { startServer } from '../../src/entry/start-server.ts';
import { testSettings } from '../support/service.ts';
import { temporaryDirectory } from '../support/store.ts';

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it('serves metrics without credentials on a port of their own, and nowhere else', async () => {
  const metricsPort = await freePort();
  const running = await startServer({ ...testSettings, port: 0, metricsPort, logLevel: 'error' }, () => undefined);
  onTestFinished(() => running.stop());
  const scraped = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  expect([scraped.status, await scraped.text()]).toEqual([
    200,
    expect.stringContaining('# TYPE portico_requests_total counter'),
  ]);
  expect(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()).toMatch(
    /^portico_loop_delay_seconds [\d.e-]+$/m,
  );
  const health = await fetch(`http://127.0.0.1:${metricsPort}/healthcheck`);
  expect([health.status, await health.json()]).toEqual([
    200,
    expect.objectContaining({ database: { healthy: true }, ldap: expect.objectContaining({ healthy: true }) }),
  ]);
  expect((await fetch(`${running.address}/metrics`)).status).toBe(401);
  expect((await fetch(`${running.address}/healthcheck`)).status).not.toBe(200);
});

it('does not start when its port is taken, and leaves nothing open', async () => {
  const running = await startServer({ ...testSettings, port: 0, logLevel: 'error' }, () => undefined);
  onTestFinished(() => running.stop());
  const port = Number(new URL(running.address).port);
  const again = (ports: { port: number; metricsPort?: number }) =>
    startServer({ ...testSettings, ...ports, logLevel: 'error' }, () => undefined);
  const taken = (flag: string) => `Expected a free port in ${flag}: http://127.0.0.1:${port} is in use (EADDRINUSE)`;
  await expect(again({ port })).rejects.toThrow(taken('--port'));
  await expect(again({ port: 0, metricsPort: port })).rejects.toThrow(taken('--metrics-port'));
});

it('makes ready behind its start what the first search would wait for', async () => {
  const running = await startServer({ ...testSettings, port: 0, logLevel: 'error' }, () => undefined);
  onTestFinished(() => running.stop());
  await running.warmed;
  expect([...running.service.warm()]).toEqual([]);
});

it('stops within its time although statements run that would go on for hours', async () => {
  const directory = await temporaryDirectory();
  const settings = { ...testSettings, root: directory.path, database: '', stopTimeout: 1, querySeconds: 3600 };
  const running = await startServer({ ...settings, port: 0, logLevel: 'error' }, () => undefined);
  onTestFinished(directory.remove);
  const endless = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000000)
    SELECT count(*) FROM n`;
  const { store } = running.service;
  const asked = ['ann', 'ann', 'bob', 'bob', 'carl'].map(async (account) => store.query(account, endless));
  const ends = Promise.allSettled(asked);
  await running.stop();
  expect((await ends).map(({ status }) => status)).toEqual(asked.map(() => 'rejected'));
});

it('writes log lines together, and all of them when it is told to flush', () => {
  const writes: string[] = [];
  const output = logOutput({ write: (text) => writes.push(text) });
  output.print('one');
  output.print('two');
  expect(writes).toEqual([]);
  output.flush();
  output.flush();
  expect(writes).toEqual(['one\ntwo\n']);
  output.print('x'.repeat(70_000));
  expect(writes).toHaveLength(2);
});

it('digests under a key that no other process has', () => {
  const [one, two] = [keyedDigest(), keyedDigest()];
  expect(one('text')).toBe(one('text'));
  expect(one('text')).not.toBe(one('texT'));
  expect(one('text')).not.toBe(two('text'));
});
