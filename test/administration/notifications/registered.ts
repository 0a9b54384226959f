import type { Sent, World } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';

const hook = { url: 'http://hooks.example/in', contentType: 'application/json' };

/** A document as clients send it: JSON, events as empty texts. */
export function notificationDocument(trigger: object | undefined, http: object = {}): object {
  const action = { http: { ...hook, ...http } };
  return trigger === undefined ? { action } : { action, trigger };
}

export const onCreate = { group: { create: '' } };
export const onModify = { group: { modify: '' } };

/** Registers one, which gets the next id: VX-1, VX-2. */
export function newNotification(trigger: object | undefined, http: object = {}, path = '/group'): Sent {
  return {
    as: admin,
    request: `POST /API${path}/notification`,
    body: notificationDocument(trigger, http),
  };
}

/** What waits, as `notification event entity`, in the order of each notification. */
export async function waiting(world: Pick<World, 'service'>): Promise<string[]> {
  const rows = await world.service.store.read(
    `SELECT notification_id, name, entity_id FROM outbox JOIN event USING (sequence) ORDER BY sequence, notification_id`,
  );
  return rows.map((row) => row.join(' '));
}

/** The same of what was given up, with the reason. */
export async function parkedRows(world: Pick<World, 'service'>): Promise<string[]> {
  const rows = await world.service.store.read(
    `SELECT notification_id, name, entity_id, reason FROM parked JOIN event USING (sequence) ORDER BY sequence, notification_id`,
  );
  return rows.map((row) => row.join(' '));
}

/** Lanes that somebody would look at. */
export async function readyLanes(world: Pick<World, 'service'>): Promise<string[]> {
  const rows = await world.service.store.read('SELECT name FROM lane WHERE ready IS NOT NULL ORDER BY name');
  return rows.map(([name]) => String(name));
}
