import { newUser } from '../../support/cast.ts';
import { type Answer, openWorld, type Sent, type World } from '../../support/matrix.ts';
import type { Scenario, ScenarioOptions } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';

/** Items and collections as several suites make and read them. */

export const json = { accept: 'application/json' };
export const xml = { accept: 'application/xml' };
export const plain = { accept: 'text/plain' };

/** By the administrator, with answers as JSON. */
export const by = (request: string, body?: Sent['body'], headers: Scenario['headers'] = json, as = admin) => ({
  as,
  request,
  body,
  headers,
});

export const owner: Credentials = ['owner', 'password of owner'];
export const stranger: Credentials = ['stranger', 'password of stranger'];
const roles = [
  '_collection_read',
  '_collection_write',
  '_import',
  '_item_read',
  '_item_search',
  '_item_write',
  '_library_read',
  '_library_write',
  '_metadata_field_write',
  '_metadata_read',
  '_metadata_write',
  '_item_shape_read',
  '_item_shape_write',
  '_deletion_lock_read',
  '_deletion_lock_write',
];
/** Both may use every route; each sees what it made. */
export const people: readonly Sent[] = [newUser(owner, roles), newUser(stranger, roles)];

export const newItem = (query = '', as = admin): Sent =>
  by(`POST /API/import/placeholder${query}`, undefined, json, as);
export const newCollection = (query = '', as = admin): Sent => by(`POST /API/collection${query}`, undefined, json, as);
export const join = (collection: string, member: string, type = 'item'): Sent =>
  by(`PUT /API/collection/${collection}/${member}?type=${type}`);

export const openAssets = (options: ScenarioOptions = {}): Promise<World> => openWorld('fetch', options);

export async function send(world: World, sent: Sent): Promise<Answer> {
  const answer = await world.send(sent);
  if (answer.status >= 300) throw new Error(`${sent.request}: ${answer.status} ${answer.body}`);
  return answer;
}

export async function jsonOf<T = Record<string, unknown>>(world: World, request: string, as = admin): Promise<T> {
  return JSON.parse((await send(world, by(request, undefined, json, as))).body) as T;
}
