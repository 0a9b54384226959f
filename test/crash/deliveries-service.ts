import { createService, type Service } from '../../src/composition/service.ts';
import { readSettings } from '../../src/composition/settings.ts';
import type { Database } from '../../src/core/store/contract.ts';
import { hostPlatform } from '../../src/entry/host.ts';
import { type History, heardAs, placesOf } from '../simulation/history.ts';
import { happened } from '../support/declared.ts';
import { requestOf } from '../support/matrix.ts';
import type { Receiver } from '../support/receiver.ts';
import { admin } from '../support/service.ts';

/** Writers that commit at the same time, and lanes that are delivered at the same time. */
export const writers = 6;
export const lanes = 3;

/** A service on a database file that may call this machine, as `serve` makes one. */
export async function openFor(url: string): Promise<Service> {
  const settings = readSettings({
    PORTICO_DATABASE: url,
    PORTICO_ADMIN_PASSWORD: admin[1],
    PORTICO_SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
    PORTICO_OUTBOUND_ALLOW: '127.0.0.1',
    PORTICO_LOG_LEVEL: 'error',
    PORTICO_DELIVERY_LEASE: '3',
    PORTICO_DELIVERY_PAUSE_FIRST: '20',
    PORTICO_STOP_TIMEOUT: '1',
  });
  const service = createService(
    { ...settings, pauseAfterFailures: 100_000 },
    await hostPlatform(settings, (line) => process.stderr.write(`${line}\n`)),
  );
  await service.start();
  return service;
}

/** Registers a notification for each lane, unless they are there. */
export async function register(service: Service, address: string): Promise<void> {
  const list = { as: admin, request: 'GET /API/group/notification', headers: { accept: 'text/plain' } };
  if ((await (await service.fetch(requestOf('http://x', list))).text()).trim() !== '') return;
  for (let lane = 0; lane < lanes; lane++) {
    const http = { url: `${address}/${lane}`, contentType: 'application/json', retry: 1_000 };
    const body = { action: { http }, trigger: { group: { create: '' } } };
    const { status } = await service.fetch(
      requestOf('http://x', { as: admin, request: 'POST /API/group/notification', body }),
    );
    if (status !== 200) throw new Error(`Expected a notification to be registered: ${status}`);
  }
}

export async function happen(service: Service, group: string): Promise<void> {
  await service.store.commit({ changes: [], events: [happened('group/create', group, { group })] }, { user: 'load' });
}

/** A start, and its deliveries until nothing waits. */
export async function deliverAll(url: string): Promise<void> {
  const service = await openFor(url);
  const isWaiting = async () => (await service.store.read('SELECT 1 FROM outbox LIMIT 1')).length > 0;
  for (let next = 0; await isWaiting(); next = (await service.tick())!)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - Date.now())));
  await service.close();
}

/** Deliveries of events with these names, as the database and the receiver have them. */
export async function deliveriesIn(
  database: Database,
  { received }: Pick<Receiver, 'received'>,
  names: readonly string[],
): Promise<Pick<History, 'lanes' | 'heard'>> {
  const sql = 'SELECT sequence FROM event WHERE name IN (SELECT value FROM json_each(?))';
  const events = (await database.read(sql, [JSON.stringify(names)])).map(([sequence]) => Number(sequence));
  const notifications = await database.read('SELECT id FROM notification');
  return {
    lanes: await Promise.all(notifications.map(([id]) => placesOf((sql) => database.read(sql), String(id), events))),
    heard: received.map(({ headers }) => heardAs(String(headers['webhook-id']))),
  };
}

/** Events that were not delivered, in any lane. */
export const undelivered = ({ lanes }: Pick<History, 'lanes'>): readonly number[] =>
  lanes.flatMap(({ waiting, parked, dropped }) => [...waiting, ...parked, ...dropped]);
