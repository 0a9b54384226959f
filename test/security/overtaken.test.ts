import { expect, it } from 'vitest';
import { part, upload } from '../storage/bytes/support.ts';
import { alice, newGroup, newUser } from '../support/cast.ts';
import { faultyDatabase } from '../support/databases.ts';
import type { JobSeen } from '../support/files.ts';
import type { Sent } from '../support/matrix.ts';
import { migratedDatabase } from '../support/migrated.ts';
import { by, done, sqlIn, textAt } from '../support/requests.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';
import { byToken, json, newToken } from '../support/ways.ts';
import { type Room, type RoomWorld, worldOf } from '../support/world.ts';

/** A request, and a change by somebody else between the moment in which it has read and that in which it writes. */
interface Overtaken {
  readonly title: string;
  readonly rooms?: Room;
  readonly given?: readonly Sent[];
  readonly sent: Sent | ((world: RoomWorld) => Promise<Sent>);
  /** Statements of the other. */
  readonly meanwhile: readonly string[];
  /** Words of the write that comes too late. */
  readonly before: string;
  readonly status: number;
  /** Rows that have to be as the other left them. */
  readonly tables: readonly string[];
}

const file = (
  path: string,
) => `INSERT INTO file (id, serial, storage_id, path, folder, name, extension, state, changed_at, timestamp, version)
  VALUES ('VX-900', 900, 'VX-1', '${path}', '', '${path}', '', 'CLOSED', 0, 0, 1)`;

const rows: readonly Overtaken[] = [
  {
    title: 'a stolen token asks for a token of another user while all logins of its own user end',
    given: [newUser(alice)],
    sent: async (world) => ({ ...byToken(await newToken(world, { as: admin })), request: 'GET /API/user/alice/token' }),
    meanwhile: [`UPDATE user SET revocations = revocations + 1 WHERE name = 'admin'`],
    before: 'revocations FROM user',
    status: 401,
    tables: ['token'],
  },
  {
    title: 'a login link is used twice at the same time',
    given: [newUser(alice)],
    sent: async (world) => ({
      request: 'POST /APInoauth/session',
      headers: { host: 'localhost', 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain' },
      body: await world.service.rooms.identity.makeLink('alice'),
    }),
    meanwhile: ['DELETE FROM token'],
    before: 'EXISTS (SELECT 1 FROM "token"',
    status: 401,
    tables: ['token'],
  },
  {
    title: 'bytes come to a path at which somebody registers a file',
    sent: upload('new.mov', 'of the late one'),
    meanwhile: [file('new.mov')],
    before: 'INTO "publication"',
    status: 409,
    tables: ['file', 'publication'],
  },
  {
    title: 'a field gets a type that loses the values which somebody writes',
    given: [by('PUT /API/metadata-field/x_note', { type: 'string' })],
    sent: by('PUT /API/metadata-field/x_note', { type: 'integer' }),
    meanwhile: [`UPDATE metadata_field SET used = 1 WHERE name = 'x_note'`],
    before: 'used = 0',
    status: 409,
    tables: ['metadata_field'],
  },
  {
    title: 'a passkey brings the bytes of two files at the same time',
    rooms: 'imports',
    sent: async (world) => {
      const job = await done<JobSeen>(world, by('POST /API/import/raw-passkey?filename=a.txt'));
      const passkey = job.data!.find(({ key }) => key === 'passkey')!.value;
      const headers = { 'content-type': 'application/octet-stream' };
      return { request: `POST /APInoauth/import/raw?passkey=${passkey}`, headers, body: 'bytes' };
    },
    meanwhile: [`UPDATE import_upload_key SET file_id = 'VX-900'`],
    before: 'FROM import_upload_key',
    status: 401,
    tables: ['import_upload_key', 'job'],
  },
  ...(['user', 'group'] as const).map(
    (kind): Overtaken => ({
      title: `a ${kind} that is deleted gets access to an item`,
      rooms: 'shapes',
      given: [newUser(['kim', 'password of kim']), newGroup('kim')],
      sent: by('POST /API/item/VX-1/access', { [kind]: 'kim', permission: 'READ' }),
      meanwhile: [`DELETE FROM login WHERE name = 'kim'`, `DELETE FROM "${kind}" WHERE name = 'kim'`],
      before: kind === 'user' ? 'FROM user WHERE id = ' : 'FROM "group" WHERE id = ',
      status: 404,
      tables: ['access_entry'],
    }),
  ),
  ...(['item', 'collection'] as const).map(
    (kind): Overtaken => ({
      title: `the ${kind} that is deleted keeps an external id, so that no other one gets it`,
      rooms: 'metadata',
      sent: by(`PUT /API/${kind}/VX-1/external-id/tape-7`),
      meanwhile: [`DELETE FROM ${kind} WHERE id = 'VX-1'`],
      before: `FROM "${kind}" WHERE`,
      status: 404,
      tables: ['external_id'],
    }),
  ),
];

it.each(rows.map((row) => [row.title, row] as const))('an attack: %s', async (_, row) => {
  const { rooms = 'uploads', given = [], sent, meanwhile, before, status, tables } = row;
  const database = faultyDatabase(await migratedDatabase());
  const world = await worldOf(rooms, { database });
  await prepare(world, given);
  const request = typeof sent === 'function' ? await sent(world) : sent;
  const state = async () => Promise.all(tables.map((table) => world.service.store.read(`SELECT * FROM "${table}"`)));
  let others: unknown;
  let events = 0;
  const bytes = () => ['new.mov', 'old.mov'].map((path) => textAt(world.from, path));
  const lain = bytes();
  database.beforeNextWrite(async () => {
    for (const sql of meanwhile) await sqlIn(world, sql);
    others = await state();
    events = await world.sequence();
  }, before);
  const answer = await world.send({ ...request, headers: { ...json, ...request.headers } });
  expect(others, 'the other came in between').toBeDefined();
  expect([answer.status, await state(), await world.events(events)], answer.body).toEqual([status, others, []]);
  expect(bytes()).toEqual(lain);
});

it('of two instances that take parts of an upload at the same time, neither forgets the bytes of the other', async () => {
  const database = faultyDatabase(await migratedDatabase());
  const world = await worldOf('uploads', { database });
  const send = (index: number, text: string) => world.send(part({ path: 'a.mov', id: 'a', size: 11, index }, text));
  await send(0, 'hello ');
  const other = `UPDATE transfer SET version = version + 1, ranges = '[[0,6],[9,11]]', received = 8`;
  database.beforeNextWrite(() => sqlIn(world, other), 'UPDATE "transfer" SET ranges');
  expect((await send(6, 'wor')).status).toBe(200);
  expect(await world.service.store.read('SELECT state, received FROM transfer')).toEqual([['FINISHED', 11]]);
});
