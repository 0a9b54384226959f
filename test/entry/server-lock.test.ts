import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ServerLock } from '../../src/entry/native/server-lock.ts';
import { runCli, serveCli } from '../support/cli.ts';
import { basic } from '../support/matrix.ts';
import { receiving } from '../support/receiver.ts';
import { admin } from '../support/service.ts';
import { temporaryDirectory } from '../support/store.ts';

async function directory(): Promise<string> {
  const made = await temporaryDirectory();
  onTestFinished(() => made.remove());
  return made.path;
}

it('the first server on a database is alone, a second one is not, and neither is one that comes while another runs', async () => {
  const path = join(await directory(), 'portico.db');
  const [first, second, third] = [new ServerLock(path), new ServerLock(path), new ServerLock(path)];
  expect([first.take(), second.take()]).toEqual([true, false]);
  // The second one may hold leases: the first one's end does not make the third one alone.
  first.release();
  expect(third.take()).toBe(false);
  second.release();
  third.release();
  expect(first.take()).toBe(true);
  first.release();
  expect(statSync(`${path}-servers`).mode & 0o777).toBe(0o600);
});

/** Seconds, far more than a test may take. */
const lease = 3600;

async function serve(root: string) {
  const environment = {
    PORTICO_ADMIN_PASSWORD: admin[1],
    PORTICO_OUTBOUND_ALLOW: '127.0.0.1',
    PORTICO_DELIVERY_LEASE: String(lease),
  };
  const served = await serveCli({ root, environment });
  const headers = { authorization: basic(admin), 'content-type': 'application/json', accept: 'text/plain' };
  const call = async (method: string, path: string, body?: object): Promise<void> => {
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(`http://127.0.0.1:${served.port}${path}`, init);
    expect(response.status, await response.text()).toBe(200);
  };
  const kill = async () => {
    served.child.kill('SIGKILL');
    await served.finished;
  };
  return { ...served, call, kill };
}

const takenBack = ({ err }: { err(): string }) => err().includes('leases-taken-back');

it('a server that is killed during an attempt delivers after its restart without waiting for the lease', async () => {
  const root = await directory();
  const one = await serve(root);
  const receiver = await receiving();
  receiver.script({ after: new Promise(() => undefined) });
  await one.call('POST', '/API/group/notification', {
    action: { http: { url: `${receiver.address}/a`, contentType: 'application/json' } },
    trigger: { group: { create: '' } },
  });
  await one.call('PUT', '/API/group/first');
  await receiver.until(1);
  await one.kill();
  const two = await serve(root);
  // A delivery that waited for the lease would come after the end of the test.
  await receiver.until(2);
  await two.logged('leases-taken-back');
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids[0]).toBe(ids[1]);
});

it('a server that starts beside another one, and a command, take nothing back of what that one delivers', async () => {
  const root = await directory();
  const one = await serve(root);
  const receiver = await receiving();
  let answer = () => {};
  receiver.script({ after: new Promise<void>((resolve) => (answer = resolve)) });
  await one.call('POST', '/API/group/notification', {
    action: { http: { url: `${receiver.address}/a`, contentType: 'application/json' } },
    trigger: { group: { create: '' } },
  });
  await one.call('PUT', '/API/group/first');
  await receiver.until(1);
  const two = await serve(root);
  const listed = await runCli(['work'], { root });
  expect(listed.out).toMatch(/^deliveries +1 +1 +20/m);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(takenBack(two)).toBe(false);
  expect(receiver.received).toHaveLength(1);
  answer();
});
