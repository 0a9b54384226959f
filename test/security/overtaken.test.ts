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

/** A removal of something that somebody else removes first. */
interface Removal {
  readonly what: string;
  readonly table: string;
  readonly rooms: Room;
  readonly given?: readonly Sent[];
  readonly sent: string;
  /** The other has removed it, so that the removal has nothing to do. */
  readonly status?: 200;
}

const notification = {
  action: { http: { url: 'https://receiver.example/in', contentType: 'application/json' } },
  trigger: { group: { create: '' } },
};
const oneKey = { field: [{ key: 'city', value: 'Rome' }] };
const lock = { expiryTime: '2099-01-01T00:00:00Z' };
const template = { item: [{ shape: [{ componentfile: [{}] }] }] };

const removals: readonly Removal[] = [
  { what: 'a member of a group', table: 'group_user', rooms: 'access', sent: 'group/crew/user/ben', status: 200 },
  { what: 'a group in a group', table: 'group_group', rooms: 'access', sent: 'group/staff/group/crew', status: 200 },
  {
    ...{ what: 'an access entry', table: 'access_entry', rooms: 'shapes', sent: 'item/VX-1/access/VX-1' },
    given: [by('POST /API/item/VX-1/access', { user: 'stranger', permission: 'READ' })],
  },
  {
    ...{ what: 'a group of new items', table: 'import_access', rooms: 'access', sent: 'import/access/group/staff' },
    given: [by('PUT /API/import/access/group/staff?permission=WRITE')],
  },
  {
    ...{ what: 'a profile of imports', table: 'import_settings', rooms: 'access', sent: 'import/settings/VX-1' },
    given: [by('POST /API/import/settings', { access: [] })],
  },
  {
    ...{ what: 'a quota rule', table: 'quota_rule', rooms: 'access', sent: 'quota/VX-1' },
    given: [by('POST /API/quota', { user: 'ben', resource: [{ name: 'item', limit: 1 }] })],
  },
  {
    ...{ what: 'a deletion lock', table: 'deletion_lock', rooms: 'shapes', sent: 'item/VX-1/deletion-lock/VX-1' },
    given: [by('POST /API/item/VX-1/deletion-lock', lock)],
  },
  {
    ...{ what: 'a share', table: 'share', rooms: 'shapes', sent: 'share/VX-1' },
    given: [by('POST /API/item/VX-1/share', {})],
  },
  {
    ...{ what: 'a relation', table: 'item_relation', rooms: 'shapes', sent: 'relation/VX-1' },
    given: [by('POST /API/item/VX-1/relation/VX-2?direction=U')],
  },
  {
    ...{ what: 'an annotation', table: 'annotation', rooms: 'shapes', sent: 'item/VX-1/annotation/VX-1' },
    given: [by('POST /API/item/VX-1/annotation', { text: 'a' })],
  },
  {
    ...{ what: 'a library', table: 'library', rooms: 'shapes', sent: 'library/VX*1' },
    given: [by('POST /API/library', { item: [] })],
  },
  {
    ...{ what: 'a runner', table: 'runner', rooms: 'shapes', sent: 'runner/VX-1' },
    given: [by('POST /API/runner', { name: 'oslo', version: '1' })],
  },
  {
    ...{ what: 'a request that waits', table: 'scheduled_request', rooms: 'schedules', sent: 'scheduled-request/1' },
    given: [by('GET /API/whoami', undefined, { schedule: '2031-01-01T00:00:00Z' })],
  },
  {
    ...{ what: 'a place of exports', table: 'export_location', rooms: 'exports', sent: 'export-location/web' },
    given: [by('PUT /API/export-location/web', { uri: 'memory:///out/place/' })],
  },
  {
    ...{ what: 'a template of exports', table: 'export_template', rooms: 'exports', sent: 'export-template/web' },
    given: [by('PUT /API/export-template/web', template)],
  },
  {
    ...{ what: 'a document of metadata', table: 'metadata_document', rooms: 'metadata', sent: 'document/rights' },
    given: [by('PUT /API/document/rights', { timespan: [] })],
  },
];

/** Rows that others make meanwhile, as many as there may be. `columns`: their values in SQL, of the row `i`. */
interface Crowd extends Pick<Overtaken, 'rooms' | 'sent'> {
  readonly what: string;
  readonly status?: 403;
  readonly table: string;
  readonly max: number;
  readonly columns: Readonly<Record<string, string>>;
}

const ids = { id: `'VX-' || (900 + i)`, serial: '900 + i' };
const byAdmin = `(SELECT id FROM user WHERE name = 'admin')`;

const crowds: readonly Crowd[] = [
  {
    ...{ what: 'secrets', table: 'secret', max: 20_000, columns: { alias: `'s' || i`, created_at: '0' } },
    sent: by('PUT /API/secret/archive'),
  },
  {
    ...{ what: 'namespaces', table: 'external_id_namespace', max: 100 },
    columns: { name: `'n' || i`, pattern: `'x'`, priority: 'i' },
    sent: by('PUT /API/external-id/reels', { pattern: 'R[0-9]+' }),
  },
  {
    ...{ what: 'runners', table: 'runner', max: 1_000, status: 403 },
    columns: {
      ...{ ...ids, user_id: byAdmin, name: `'r' || i`, version: `'1'` },
      ...{ labels: `'[]'`, offers: `'[]'`, created_at: '0', seen_at: '0' },
    },
    sent: by('POST /API/runner', { name: 'oslo', version: '1' }),
  },
  {
    ...{ what: 'shares', table: 'share', max: 10_000, rooms: 'shapes' },
    columns: {
      ...{ ...ids, user_id: byAdmin, caller: `'{}'`, target_type: `'item'`, target_id: `'VX-1'`, digest: 'i' },
      ...{ asks_name: '0', look: '1', play: `'[]'`, download: `'[]'`, created_at: '0' },
    },
    sent: by('POST /API/item/VX-1/share', {}),
  },
  {
    ...{ what: 'groups of new items', table: 'import_access', max: 50, rooms: 'access' },
    columns: { user_id: byAdmin, group_id: 'i', permission: `'READ'` },
    sent: by('PUT /API/import/access/group/staff?permission=WRITE'),
  },
  {
    ...{ what: 'pairs of keys and values', table: 'key_value', max: 1_000 },
    columns: { entity_type: `'user'`, entity_id: byAdmin, key: 'i', position: 'i', value: `''` },
    sent: by('PUT /API/user/admin/metadata', oneKey),
  },
  {
    ...{ what: 'grants for a field', table: 'metadata_field_access', max: 200, rooms: 'metadata' },
    columns: { ...ids, kind: `'field'`, name: `'x_note'`, level: '1' },
    sent: by('POST /API/metadata-field/x_note/access', { user: 'admin', permission: 'READ' }),
  },
];

const rows: readonly Overtaken[] = [
  {
    title: 'a stolen token asks for a token of another user while all logins of its own user end',
    given: [newUser(alice)],
    sent: async (world) => ({ ...byToken(await newToken(world, { as: admin })), request: 'GET /API/user/alice/token' }),
    meanwhile: [`UPDATE user SET revocations = revocations + 1 WHERE name = 'admin'`],
    before: 'INTO "token"',
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
    before: 'INTO "token"',
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
    before: 'UPDATE "metadata_field"',
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
    before: 'UPDATE "import_upload_key"',
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
      before: 'INTO "access_entry"',
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
      before: 'INTO "external_id"',
      status: 404,
      tables: ['external_id'],
    }),
  ),
  ...removals.map(
    ({ what, table, sent, status = 404, ...row }): Overtaken => ({
      ...{ ...row, title: `${what} that somebody else removes first is removed once more`, tables: [table], status },
      sent: by(`DELETE /API/${sent}`),
      meanwhile: [`DELETE FROM "${table}"`],
      before: `DELETE FROM "${table}"`,
    }),
  ),
  ...(['user', 'group'] as const).map(
    (kind): Overtaken => ({
      title: `a ${kind} that is deleted gets metadata, which a later one of its name would have`,
      given: [kind === 'user' ? newUser(['kim', 'password of kim']) : newGroup('kim')],
      sent: by(`PUT /API/${kind}/kim/metadata`, oneKey),
      meanwhile: [`DELETE FROM login WHERE name = 'kim'`, `DELETE FROM "${kind}" WHERE name = 'kim'`],
      before: 'INTO "key_value"',
      status: 404,
      tables: ['key_value'],
    }),
  ),
  {
    title: 'a method that is deleted gets metadata',
    sent: by('PUT /API/storage/VX-1/method/VX-1/metadata', oneKey),
    meanwhile: ['DELETE FROM storage_method'],
    before: 'INTO "key_value"',
    status: 404,
    tables: ['key_value'],
  },
  ...(['item', 'collection', 'library'] as const).map(
    (kind): Overtaken => ({
      title: `the ${kind} that is deleted gets into a collection`,
      rooms: 'shapes',
      given: [by('POST /API/collection'), by('POST /API/collection'), by('POST /API/library', { item: [] })],
      sent: by(`PUT /API/collection/VX-1/${{ item: 'VX-1', collection: 'VX-2', library: 'VX*1' }[kind]}?type=${kind}`),
      meanwhile: [`DELETE FROM ${kind} WHERE id <> 'VX-1' OR '${kind}' = 'item'`],
      before: 'INTO "collection_member"',
      status: 404,
      tables: ['collection_member'],
    }),
  ),
  ...(['storage', 'storage-group'] as const).map(
    (kind): Overtaken => ({
      title: `the ${kind} that is deleted gets files by a rule`,
      rooms: 'shapes',
      given: [by('PUT /API/storage/storage-group/g')],
      sent: by(
        'PUT /API/shape-tag/storage-rule/lowres',
        kind === 'storage' ? { storageCount: 1, storage: ['VX-2'] } : { storageCount: 1, group: ['g'] },
      ),
      meanwhile: [
        kind === 'storage' ? `UPDATE storage SET deleted_at = 1 WHERE id = 'VX-2'` : 'DELETE FROM storage_group',
      ],
      before: 'INTO "storage_rule"',
      status: 404,
      tables: ['storage_rule'],
    }),
  ),
  ...crowds.map(
    ({ what, table, max, columns, status = 400, ...row }): Overtaken => ({
      ...row,
      title: `requests at the same time make more ${what} than there may be`,
      meanwhile: [
        `WITH RECURSIVE more (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM more WHERE i < ${max})
          INSERT INTO ${table} (${Object.keys(columns)}) SELECT ${Object.values(columns)} FROM more`,
      ],
      before: `INTO "${table}"`,
      status,
      tables: [table],
    }),
  ),
  {
    title: 'a second factor that somebody else removes first is removed once more',
    sent: async (world) => {
      await sqlIn(
        world,
        `INSERT INTO second_factor (id, user_id, kind, name, key, counter, created_at)
          SELECT 'f', id, 'TOTP', 'phone', 'x', 0, 0 FROM user WHERE name = 'admin'`,
      );
      return by('DELETE /API/user/admin/second-factor/f');
    },
    meanwhile: ['DELETE FROM second_factor'],
    before: 'DELETE FROM "second_factor"',
    status: 404,
    tables: ['second_factor'],
  },
  {
    title: 'requests at the same time give an item more access entries than each request may read',
    rooms: 'shapes',
    given: [newUser(['kim', 'password of kim'])],
    sent: by('POST /API/item/VX-1/access', { user: 'kim', permission: 'READ' }),
    meanwhile: [
      `WITH RECURSIVE more (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM more WHERE i < 200)
        INSERT INTO access_entry (entity_type, entity_id, id, entity_serial, group_id, permission, grantor_id, priority,
          applies_to, reach, rooted)
        SELECT entity_type, entity_id, 'VX-9' || i, entity_serial, (SELECT id FROM "group" LIMIT 1), 'READ', grantor_id, i,
          applies_to, reach, rooted FROM access_entry CROSS JOIN more WHERE entity_id = 'VX-1'`,
    ],
    before: 'INTO "access_entry"',
    status: 400,
    tables: ['access_entry'],
  },
  {
    title: 'a notification that is deleted is deleted once more',
    given: [by('POST /API/group/notification', notification)],
    sent: by('DELETE /API/group/notification/VX-1'),
    meanwhile: ['UPDATE notification SET deleted_at = 1'],
    before: 'UPDATE "notification"',
    status: 404,
    tables: ['notification'],
  },
  {
    title: 'a notification gets two secrets of one number at the same time',
    given: [by('POST /API/group/notification', notification)],
    sent: by('POST /API/group/notification/VX-1/secret'),
    meanwhile: [
      `INSERT INTO signing_secret (notification_id, number, sealed, public_key, created_at) VALUES ('VX-1', 1, 'x', 'x', 0)`,
    ],
    before: 'INTO "signing_secret"',
    status: 409,
    tables: ['signing_secret'],
  },
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
