import { expect, onTestFinished } from 'vitest';
import type { Settings } from '../../../../src/composition/settings.ts';
import type { Database } from '../../../../src/core/store/contract.ts';
import { testClock } from '../../../support/clock.ts';
import { requestOf } from '../../../support/matrix.ts';
import { migratedDatabase } from '../../../support/migrated.ts';
import { admin, openService, type TestService } from '../../../support/service.ts';
import { type FakeNet, fakeNet } from '../delivery/world.ts';

/** A request by `admin`, which must succeed. */
export const ask = async (
  world: Pick<TestService, 'service'>,
  request: string,
  body?: object,
  accept = 'application/json',
) => {
  const response = await world.service.fetch(
    requestOf('http://portico.test', { as: admin, request, body, headers: { accept } }),
  );
  const text = await response.text();
  expect(response.status, `${request}: ${text}`).toBe(200);
  return accept === 'application/json' && text !== '' ? JSON.parse(text) : text.trim();
};
export const register = (world: Pick<TestService, 'service'>, url: string, more: object = {}): Promise<string> => {
  const http = { url, contentType: 'application/json', ...more };
  const trigger = { group: { create: '', modify: '', delete: '' } };
  return ask(world, 'POST /API/group/notification', { action: { http }, trigger }, 'text/plain');
};
export const groupIn = (body: string): string =>
  JSON.parse(body).field.find((each: { key: string }) => each.key === 'group').value;
export const sequenceOf = ({ headers }: FakeNet['sent'][number]) => Number(headers['webhook-id']!.split('_')[1]);

/** A service whose network and time belong to the test. */
export async function worldOf(settings: Partial<Settings> = {}) {
  const clock = testClock();
  const net = fakeNet(clock);
  const world = await openService({ clock, wire: net.wire, settings: { logLevel: 'error', ...settings } });
  onTestFinished(() => world.close());
  return { ...world, net };
}

/** The sizes that the specification names take minutes: `npm run acceptance`. */
export const inFull = (import.meta as { env?: { MODE?: string } }).env?.MODE === 'full';

/** One that outlives the services that go by it, until the test ends. */
export async function lastingDatabase(): Promise<Database> {
  const inner = await migratedDatabase();
  onTestFinished(() => inner.close());
  return {
    ...{ kind: inner.kind, grouped: inner.grouped, pending: 0, close: async () => undefined },
    figures: inner.figures,
    read: inner.read.bind(inner),
    query: inner.query.bind(inner),
    write: inner.write.bind(inner),
    guardGroups: inner.guardGroups.bind(inner),
  };
}
