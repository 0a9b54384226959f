import { expect, onTestFinished } from 'vitest';
import type { Settings } from '../../../src/config/settings.ts';
import type { Entry, World } from '../../support/matrix.ts';
import { openReceiver, type Received, type Receiver } from '../../support/receiver.ts';
import { admin, type ServiceOptions } from '../../support/service.ts';

/** A service that may reach receivers on this machine. */
export const openWorld = (entry: Entry, settings: Partial<Settings> = {}, more: ServiceOptions = {}): Promise<World> =>
  entry.open({ ...more, settings: { outboundAllow: ['127.0.0.1'], ...settings } });

/** Somebody else's server, until the test ends. */
export async function receiving(): Promise<Receiver> {
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  return receiver;
}

const everything = { group: { create: '', modify: '', delete: '' } };

/** Registers a notification and gives its id. */
export async function register(world: World, http: object, trigger: object = everything): Promise<string> {
  return registerAction(world, { http: { contentType: 'application/json', ...http } }, trigger);
}

export async function registerAction(world: World, action: object, trigger: object = everything): Promise<string> {
  const { status, body } = await world.send({
    as: admin,
    request: 'POST /API/group/notification',
    headers: { accept: 'text/plain' },
    body: { action, trigger },
  });
  expect(status, body).toBe(200);
  return body.trim();
}

/** What a body tells, by key. */
export const told = ({ body }: Received): Record<string, string> =>
  Object.fromEntries(JSON.parse(body).field.map(({ key, value }: { key: string; value: string }) => [key, value]));

/** A request about a notification, which must succeed. */
export async function about(world: World, id: string, request: string): Promise<string> {
  const [method, path = ''] = request.split(' ');
  const sent = {
    as: admin,
    request: `${method} /API/group/notification/${id}${path}`,
    headers: { accept: 'application/json' },
  };
  const { status, body } = await world.send(sent);
  expect(status, `${request}: ${body}`).toBe(200);
  return body;
}

export const healthOf = async (world: World, id: string) => JSON.parse(await about(world, id, 'GET /health'));
