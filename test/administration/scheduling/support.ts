import type { Sent, World } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';
import { maker, type RoomWorld, untilClosed, type WorldOptions, worldOf } from '../../support/world.ts';

const minute = 60_000;

/** A service with two people who make collections. The test closes it. */
export const openScheduling = (options: WorldOptions = {}): Promise<RoomWorld> =>
  worldOf('schedules', options, untilClosed);

export const at = (world: World, minutes: number): string =>
  new Date(world.clock.now() + minutes * minute).toISOString();

/** A request that is to be carried out in so many minutes. */
export const later = (world: World, sent: Sent, minutes = 10): Sent => ({
  as: maker,
  ...sent,
  headers: { accept: 'application/json', ...sent.headers, schedule: at(world, minutes) },
});

export const newCollection = (name: string): Sent => ({ request: `POST /API/collection?name=${name}` });

export interface Told {
  readonly id: number;
  readonly user: string;
  readonly state: string;
  readonly executed?: string;
  readonly request: { readonly uri: string; readonly method: string; readonly body?: string };
  readonly response?: { readonly statusCode: number; readonly hasBody: boolean; readonly contentType?: string };
}

/** Schedules it, which must succeed. */
export async function scheduled(world: World, sent: Sent, minutes?: number): Promise<Told> {
  const { status, body } = await world.send(later(world, sent, minutes));
  if (status !== 202) throw new Error(`${sent.request}: ${status} ${body}`);
  return JSON.parse(body) as Told;
}

export async function see<T = Told>(world: World, path: string | number, as = maker): Promise<T> {
  const request = `GET /API/scheduled-request${path === '' ? '' : `/${path}`}`;
  const { status, body } = await world.send({ as, request, headers: { accept: 'application/json' } });
  if (status !== 200) throw new Error(`${request}: ${status} ${body}`);
  return JSON.parse(body) as T;
}

/** Lets so many minutes pass, and the work go on. */
export async function pass(world: World, minutes = 10): Promise<void> {
  await world.clock.advance(minutes * minute);
  await world.service.tick();
}

/** Outcome of a request once its time has come: state, status, and the code of the refusal. */
export async function outcome(world: World, sent: Sent, between?: () => Promise<unknown>): Promise<readonly unknown[]> {
  const { id } = await scheduled(world, sent);
  await between?.();
  await pass(world);
  const sql = 'SELECT state, status, response FROM scheduled_request WHERE id = ?';
  const [[state, status, response] = []] = await world.service.store.read(sql, [id]);
  return [state, status, new TextDecoder().decode((response ?? new Uint8Array()) as Uint8Array)];
}

export async function collectionNames(world: World): Promise<readonly string[]> {
  const request = 'GET /API/collection?number=1000';
  const { body } = await world.send({ as: admin, request, headers: { accept: 'application/json' } });
  const { collection = [] } = JSON.parse(body) as { collection?: readonly { name: string }[] };
  return collection.map(({ name }) => name).toSorted();
}
