import { newUser } from '../../support/cast.ts';
import { ended, type JobSeen } from '../../support/files.ts';
import type { Entry, Sent } from '../../support/matrix.ts';
import { ask, done, sqlIn, textAt } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { openExports, urisOf } from '../../support/transfers.ts';
import type { RoomWorld } from '../../support/world.ts';

export interface Problem {
  readonly row: number;
  readonly column?: string;
  readonly value?: string;
  readonly expected: string;
}

export interface Table {
  readonly id: string;
  readonly jobId: string;
  readonly status: string;
  readonly rows: number;
  readonly differing: number;
  readonly changed: number;
  readonly problems: number;
  readonly problem?: readonly Problem[];
  readonly undo?: {
    readonly status: string;
    readonly undone: number;
    readonly problems: number;
    readonly problem?: readonly Problem[];
  };
}

/** Somebody who may write metadata where access entries permit it. */
export const writer: Credentials = ['writer', 'password of writer'];

/** The longest names of a field and of a group. */
export const [longField, longGroup] = [`x_${'a'.repeat(253)}`, 'g'.repeat(128)];

const fields: readonly (readonly [name: string, document: object])[] = [
  ['x_note', { type: 'string' }],
  ['x_place', { type: 'string-exact' }],
  ['x_count', { type: 'integer', integerRestriction: { minInclusive: 1, maxInclusive: 100 } }],
  ['x_when', { type: 'date' }],
  ['x_fine', { type: 'boolean' }],
  ['x_rate', { type: 'float' }],
  ['x_at', { type: 'timeCode' }],
  ['x_code', { type: 'string', stringRestriction: { maxLength: 3, pattern: '[A-Z]+' } }],
  [longField, { type: 'string' }],
];

/** Fields and groups, and the items VX-1 to VX-3, the first of which has the external id "tape_1". */
export async function openTables(...open: readonly Entry['open'][]): Promise<RoomWorld> {
  const world = await openExports({}, {}, ...open);
  const roles = ['_metadata_read', '_metadata_write', '_metadata_lock_write', '_item_read'];
  await prepare(world, [
    newUser(writer, roles),
    ...fields.map(([name, document]) => ask(`PUT /API/metadata-field/${name}`, document)),
    ...['x_event', 'x_crew', longGroup].map((name) => ask(`PUT /API/metadata-field/field-group/${name}`)),
    ...[1, 2, 3].map(() => ask('POST /API/import/placeholder')),
  ]);
  await sqlIn(world, "INSERT INTO external_id (entity_type, external_id, entity_id) VALUES ('item', 'tape_1', 'VX-1')");
  return world;
}

const path = '/API/import/metadata-table';
const bytes = { accept: 'application/json', 'content-type': 'text/csv' };

export const tableOf = (body: Sent['body'], query = '', as = admin) => ({
  as,
  headers: bytes,
  request: `POST ${path}?${query}`,
  body,
});

export const seen = (world: RoomWorld, id: string, as = admin): Promise<Table> =>
  done<Table>(world, ask(`GET ${path}/${id}`, undefined, as));

export const idIn = ({ data = [] }: JobSeen): string => data.find(({ key }) => key === 'tableId')!.value;

/** An import, when its job has ended. */
export async function imported(world: RoomWorld, table: string, query = '', as = admin): Promise<Table> {
  const { jobId } = await done<JobSeen>(world, tableOf(table, query, as));
  return seen(world, idIn(await ended(world, jobId)));
}

export async function takenBack(world: RoomWorld, id: string, as = admin): Promise<Table> {
  const { jobId } = await done<JobSeen>(world, ask(`PUT ${path}/${id}/undo`, undefined, as));
  await ended(world, jobId);
  return seen(world, id);
}

let lists = 0;

/** All items as a list of CSV has them. */
export async function listed(world: RoomWorld, field: string): Promise<string> {
  const name = `list-${lists++}.csv`;
  const query = new URLSearchParams({ destinationUri: `memory:///out/${name}`, field });
  const { jobId } = await done<JobSeen>(world, ask(`POST /API/item/list?${query}`));
  const job = await ended(world, jobId);
  const uri = urisOf(job)[0];
  if (uri === undefined) throw new Error(`Expected a list: ${JSON.stringify(job)}`);
  return textAt(world.to, name)!;
}

export const write = (world: RoomWorld, item: string, timespan: readonly object[], as = admin) =>
  done(world, ask(`PUT /API/item/${item}/metadata`, { timespan }, as));

export const generic = (field: readonly object[], group: readonly object[] = []) => ({
  ...{ start: '-INF', end: '+INF' },
  field,
  group,
});

export const valued = (name: string, ...values: readonly string[]) => ({
  name,
  value: values.map((value) => ({ value })),
});

export const metadataEvents = async (world: RoomWorld, since: number) =>
  (await world.events(since)).filter(({ name }) => name === 'metadata/modify').map(({ entity }) => entity);
