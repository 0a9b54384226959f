import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { readSettings, type Settings } from '../../src/composition/settings.ts';
import { Secret } from '../../src/core/lib/secret.ts';
import { startServer } from '../../src/entry/start-server.ts';
import { isSettledWithin } from '../support/clock.ts';
import { basic } from '../support/matrix.ts';
import { openReceiver } from '../support/receiver.ts';
import { admin } from '../support/service.ts';
import { temporaryDirectory } from '../support/store.ts';

async function running(more: Partial<Settings>, root?: string) {
  const directory = root === undefined ? await temporaryDirectory() : undefined;
  if (directory) onTestFinished(() => directory.remove());
  const server = await startServer(
    {
      ...readSettings({}),
      ...{ root: root ?? directory!.path, port: 0, adminPassword: new Secret(admin[1]), logLevel: 'error' },
      ...{ outboundAllow: ['127.0.0.1'], passwordConcurrency: 1, stopTimeout: 1 },
      ...more,
    },
    () => undefined,
  );
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= server.stop());
  onTestFinished(stop);
  const headers = { authorization: basic(admin), 'content-type': 'application/json', accept: 'text/plain' };
  const call = async (method: string, path: string, body?: object) => {
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(`${server.address}/API${path}`, init);
    expect(response.status, await response.clone().text()).toBe(200);
    return response.text();
  };
  const register = (url: string) =>
    call('POST', '/group/notification', { action: { http: { url } }, trigger: { group: { create: '' } } });
  return { ...server, stop, call, register, root: directory?.path ?? root! };
}

async function receiving() {
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  return receiver;
}

it('a server delivers what it commits at once, without waiting for the next look', async () => {
  const server = await running({ deliveryPoll: 600_000 });
  const receiver = await receiving();
  await server.register(receiver.address);
  await pause(50);
  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    await server.call('PUT', `/group/${name}`);
    await receiver.until(index + 1);
  }
  expect(receiver.received.map(({ body }) => /group=\[(\w)]/.exec(body)![1])).toEqual(['a', 'b', 'c']);
});

it('one that does not deliver leaves it to another one', async () => {
  const callers = await running({ deliver: false });
  const receiver = await receiving();
  await callers.register(receiver.address);
  await callers.call('PUT', '/group/a');
  await pause(300);
  expect(receiver.received).toEqual([]);
  await callers.stop();
  await running({ deliveryPoll: 50 }, callers.root);
  await receiver.until(1);
});

it('a server that stops gives back what it holds, also while a receiver hangs', async () => {
  const first = await running({ deliveryLease: 3600, deliveryTimeout: 3600 });
  const receiver = await receiving();
  receiver.script({ after: new Promise(() => undefined) });
  await first.register(receiver.address);
  await first.call('PUT', '/group/a');
  await receiver.until(1);
  // Far below the time that an attempt may take.
  expect(await isSettledWithin(200, first.stop())).toBe(true);
  // The lease would have lasted for an hour.
  await running({ deliveryPoll: 50 }, first.root);
  await receiver.until(2);
  expect(receiver.received[1]!.headers['webhook-id']).toBe(receiver.received[0]!.headers['webhook-id']);
});
