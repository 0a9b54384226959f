import { expect, it, onTestFinished } from 'vitest';
import { runCli, type Served, serveCli } from '../support/cli.ts';
import { basic } from '../support/matrix.ts';
import { openRaw, sendRaw } from '../support/raw.ts';
import { openReceiver } from '../support/receiver.ts';
import { admin } from '../support/service.ts';
import { temporaryDirectory } from '../support/store.ts';

const patience = 120_000;
const free = 4;
const json = ['Content-Type: application/json', 'Accept: application/json, */*;q=0.1'];

async function serving(processes: number, environment: Readonly<Record<string, string>> = {}): Promise<Served> {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory.remove());
  const served = await serveCli({
    root: directory.path,
    environment: { PORTICO_PROCESSES: String(processes), PORTICO_ADMIN_PASSWORD: admin[1], ...environment },
  });
  await served.logged('"event":"listening"');
  return served;
}

/** A connection of its own, which goes to the next process. */
const ask = ({ port }: Served, method: string, path: string, body?: object, password = admin[1]) =>
  sendRaw(port, {
    method,
    target: `/API${path}`,
    headers: [`Authorization: ${basic([admin[0], password])}`, ...json],
    body: body ? JSON.stringify(body) : '',
  });

const pidsOf = (served: Served): number[] =>
  served
    .err()
    .split('\n')
    .filter((line) => line.includes('"process-serves"'))
    .map((line) => (JSON.parse(line) as { pid: number }).pid);

/** Samples of a metric, by process and further labels. */
async function samplesOf(served: Served, metric: string): Promise<Record<string, number>> {
  const { body } = await ask(served, 'GET', '/metrics');
  const found = body.matchAll(new RegExp(`^${metric}\\{process="(\\d)"(?:,(.*))?\\} (\\S+)$`, 'gm'));
  return Object.fromEntries(
    [...found].map(([, process, labels, value]) => [[process, labels].join(' ').trim(), Number(value)]),
  );
}

it(
  'two processes serve as one: work is done once and at once, guesses count together, metrics tell all',
  async () => {
    const receiver = await openReceiver();
    onTestFinished(() => receiver.close());
    const served = await serving(2, {
      PORTICO_OUTBOUND_ALLOW: '127.0.0.1',
      PORTICO_DELIVERY_POLL: '600000',
      PORTICO_LOGIN_FREE_FAILURES: String(free),
    });
    expect(new Set(pidsOf(served)).size).toBe(2);

    const notification = { action: { http: { url: receiver.address } }, trigger: { group: { create: '' } } };
    expect((await ask(served, 'POST', '/group/notification', notification)).status).toBe(200);
    const names = Array.from({ length: 8 }, (_, index) => `group-${index}`);
    for (const name of names) expect((await ask(served, 'PUT', `/group/${name}`)).status).toBe(200);
    await receiver.until(names.length);
    const told = receiver.received.map(({ body }) => /group=\[([\w-]+)]/.exec(body)![1]);
    expect(told.toSorted()).toEqual(names);
    expect(await samplesOf(served, 'portico_work_done')).toMatchObject({ '0 kind="deliveries"': names.length });

    const requests = await samplesOf(served, 'portico_login_failures');
    expect(Object.keys(requests)).toEqual(['0', '1', '2']);

    served.child.kill('SIGHUP');
    await expect.poll(() => served.err().split('"security-reloaded"').length - 1, { timeout: patience }).toBe(3);

    const seen: number[] = [];
    for (let guess = 0; guess < 4 * free; guess++)
      seen.push((await ask(served, 'GET', '/whoami', undefined, `guess ${guess}`)).status);
    expect([401, 429].map((status) => seen.filter((each) => each === status).length)).toEqual([free, 3 * free]);

    served.child.kill('SIGTERM');
    const { code, err } = await served.finished;
    expect([code, err.split('"event":"stopping"').length - 1]).toEqual([0, 3]);
    for (const line of err.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('event');
  },
  patience,
);

it(
  'kill -9 of a process ends its requests and no other, and another takes its place',
  async () => {
    const served = await serving(2);
    const body = JSON.stringify({ userName: 'bob', password: 'password of bob' });
    const open = Array.from({ length: 4 }, () => {
      const connection = openRaw(served.port);
      const headers = ['Host: x', `Authorization: ${basic(admin)}`, ...json, `Content-Length: ${body.length}`];
      connection.write(`POST /API/user HTTP/1.1\r\n${[...headers, 'Expect: 100-continue'].join('\r\n')}\r\n\r\n`);
      return connection;
    });
    await Promise.all(open.map((connection) => connection.received('100 Continue')));
    process.kill(pidsOf(served)[0]!, 'SIGKILL');
    await served.logged('"event":"process-ended"');
    for (const connection of open) connection.write(body);
    const answers = await Promise.all(open.map(({ ended }) => ended.catch(() => 'cut')));
    const statuses = answers.map((text) => /HTTP\/1.1 (200|409)/.exec(text)?.[1] ?? 'cut');
    const answered = statuses.filter((status) => status !== 'cut');
    expect([answered.length > 0, answered.length < open.length]).toEqual([true, true]);
    expect(answered.toSorted()).toEqual(['200', ...Array(answered.length - 1).fill('409')]);
    await expect.poll(() => pidsOf(served).length, { timeout: patience }).toBe(3);
    for (let time = 0; time < 4; time++) expect((await ask(served, 'GET', '/whoami')).status).toBe(200);
    expect(Object.keys(await samplesOf(served, 'portico_login_failures'))).toEqual(['0', '1', '2']);

    served.child.kill('SIGKILL');
    await served.finished;
    await expect.poll(() => pidsOf(served).filter(isAlive), { timeout: patience }).toEqual([]);
  },
  patience,
);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('several processes need a database that they can share, and a port', async () => {
  const { path: root, remove } = await temporaryDirectory();
  onTestFinished(remove);
  const refused = await runCli(['serve', '--processes', '2', '--database', 'memory:'], { root });
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('Expected one process') });
  const busy = await serveCli({ root });
  const second = await runCli(['serve', '--processes', '2', '--port', String(busy.port)], { root });
  expect(second).toMatchObject({ code: 1, err: expect.stringContaining('A process ended before it served') });
});
