import type { MetadataDocumentValue, MetadataListValue } from '../../../src/assets/metadata/documents.ts';
import { openWorld, type Sent, type World } from '../../support/matrix.ts';
import type { ScenarioOptions } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';

export const json = { accept: 'application/json' };

export const by = (request: string, body?: Sent['body'], as: Credentials = admin) => ({
  as,
  request: `${request.split(' ')[0]} /API${request.split(' ')[1]}`,
  body,
  headers: json,
});

/** Fields and groups that the tests use. */
export const definitions: readonly Sent[] = [
  ...['x_note', 'x_one', 'x_two', 'seg_title', 'seg_note'].map((name) =>
    by(`PUT /metadata-field/${name}`, { type: 'string' }),
  ),
  by('PUT /metadata-field/x_number', { type: 'integer', integerRestriction: { minInclusive: 1 } }),
  by('PUT /metadata-field/x_time', { type: 'timeCode', defaultValue: '25@PAL' }),
  ...['Segment', 'Show', 'Film'].map((name) => by(`PUT /metadata-field/field-group/${name}`)),
];

/** A service with an item VX-1 and a collection VX-1. */
export async function openMetadata(entry: 'fetch' | 'socket' = 'fetch', options: ScenarioOptions = {}): Promise<World> {
  const world = await openWorld(entry, options);
  await fillMetadata(world);
  return world;
}

export async function fillMetadata(world: World): Promise<void> {
  await entityRows(world, 1);
  for (const sent of definitions) await sendWell(world, sent);
}

export async function entityRows({ service }: World, serial: number): Promise<void> {
  const row = (table: string) => ({
    sql: `INSERT INTO ${table} (id, serial, created_at) VALUES (?, ?, 0)`,
    args: [`VX-${serial}`, serial],
  });
  await service.store.commit({ changes: [row('item'), row('collection')], events: [] }, { user: 'test' });
}

export async function sendWell(world: World, sent: Sent): Promise<string> {
  const answer = await world.send(sent);
  if (answer.status >= 300) throw new Error(`${sent.request}: ${answer.status} ${answer.body}`);
  return answer.body;
}

export const documentIn = async <T = MetadataDocumentValue>(world: World, sent: Sent): Promise<T> =>
  JSON.parse(await sendWell(world, sent)) as T;

/** Of the item VX-1. */
export async function putItem(
  world: World,
  body: object,
  query = '',
  as?: Credentials,
): Promise<MetadataDocumentValue> {
  const { item } = await documentIn<MetadataListValue>(world, by(`PUT /item/VX-1/metadata${query}`, body, as));
  return item![0]!.metadata!;
}

export async function getItem(world: World, query = ''): Promise<MetadataDocumentValue> {
  const { item } = await documentIn<MetadataListValue>(world, by(`GET /item/VX-1/metadata${query}`));
  return item![0]!.metadata!;
}
