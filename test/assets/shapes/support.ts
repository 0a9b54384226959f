import { registered } from '../../support/files.ts';
import type { Sent, World } from '../../support/matrix.ts';
import { ask, bodyOf, send } from '../../support/requests.ts';

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

/** Sends, and gives the JSON of what must be a success. */
export async function told<T = Record<string, unknown>>(
  world: World,
  request: string,
  body?: Sent['body'],
): Promise<T> {
  const answer = await send(world, ask(request, body));
  return answer.body === '' ? ({} as T) : bodyOf<T>(answer);
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
