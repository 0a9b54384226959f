import { type FilesWorld, openFiles, registered } from '../../storage/files-support.ts';
import { newUser } from '../../support/cast.ts';
import type { Answer, Entry, Sent, World } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials, type ServiceOptions } from '../../support/service.ts';

export const shaper: Credentials = ['shaper', 'password of shaper'];
export const stranger: Credentials = ['stranger', 'password of stranger'];

/** The items VX-1 and VX-2 of `shaper`, who may write shapes, and another user with the same roles. */
export async function openShapes(entry: Entry, options: ServiceOptions = {}): Promise<FilesWorld> {
  const world = await openFiles(entry, options);
  const roles = ['_item_shape_write', '_item_shape_read', '_shape_tag_write', '_shape_tag_read'];
  await prepare(world, [newUser(shaper, roles), newUser(stranger, roles), ask('PUT /API/shape-tag/lowres', {})]);
  await itemRows(world, 'VX-1', 'VX-2');
  return world;
}

export async function itemRows({ service: { store } }: Pick<World, 'service'>, ...ids: readonly string[]) {
  const changes = ids.flatMap((id) => [
    {
      sql: 'INSERT INTO item (id, serial, created_at) VALUES (?1, ?2, 0)',
      args: [id, Number(id.slice(3))],
    },
    {
      sql: `INSERT INTO access_entry (entity_type, entity_id, id, entity_serial, user_id, permission, priority, applies_to)
        SELECT 'item', ?1, 'O-' || ?1, ?2, user.id, 'OWNER', 0, '["all"]' FROM user WHERE name = 'shaper'`,
      args: [id, Number(id.slice(3))],
    },
  ]);
  await store.commit({ changes, events: [] }, { user: 'test' });
}

/** A request of the owner of the items, answered in JSON. */
export const ask = (request: string, body?: Sent['body'], as: Credentials = admin): Sent => ({
  as,
  headers: { accept: 'application/json' },
  request,
  ...(body !== undefined && { body }),
});

export const jsonOf = <T = Record<string, unknown>>(answer: Answer): T => JSON.parse(answer.body) as T;

/** Sends, and gives the JSON of what must be a success. */
export async function told<T = Record<string, unknown>>(
  world: World,
  request: string,
  body?: Sent['body'],
): Promise<T> {
  const answer = await world.send(ask(request, body));
  if (answer.status >= 300) throw new Error(`${request}: ${answer.status} ${answer.body}`);
  return answer.body === '' ? ({} as T) : jsonOf<T>(answer);
}

export interface ShapeJson {
  readonly id: string;
  readonly essenceVersion: number;
  readonly tag: readonly string[];
  readonly mimeType?: readonly string[];
  readonly created?: string;
  readonly containerComponent?: ComponentJson;
  readonly videoComponent?: readonly ComponentJson[];
  readonly audioComponent?: readonly ComponentJson[];
  readonly binaryComponent?: readonly ComponentJson[];
  readonly metadata?: { readonly field: readonly { readonly key: string; readonly value: string }[] };
}

export interface ComponentJson {
  readonly id: string;
  readonly file?: readonly { readonly id: string; readonly uri?: readonly string[]; readonly size?: number }[];
  readonly itemTrack?: string;
  readonly codec?: string;
  readonly format?: string;
  readonly metadata?: readonly { readonly key: string; readonly value: string }[];
}

/** Makes a shape by its document. */
export const made = (world: World, document: object = {}, query = '', item = 'VX-1'): Promise<ShapeJson> =>
  told<ShapeJson>(world, `POST /API/item/${item}/shape/create${query}`, document);

export const shapeOf = (world: World, id: string, query = '', item = 'VX-1'): Promise<ShapeJson> =>
  told<ShapeJson>(world, `GET /API/item/${item}/shape/${id}${query}`);

export const uris = async (world: World, request: string): Promise<readonly string[]> =>
  (await told<{ uri?: readonly string[] }>(world, request)).uri ?? [];

export const files = (count: number): readonly Sent[] =>
  registered(...Array.from({ length: count }, (_, at) => `f${at + 1}.mov`));

export const stateOf = async (world: World, file: string): Promise<string> =>
  (await told<{ state: string }>(world, `GET /API/file/${file}`)).state;
