import { expect, it } from 'vitest';
import { newUser } from '../support/cast.ts';
import { openWorld, type Sent, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { assetRowsOf, numberOf } from './roles/assets.ts';

const ann: Credentials = ['ann', 'p'];

/** Somebody who owns an item, a library with it, and a collection. */
async function openFor(who: string): Promise<World> {
  const world = await openWorld('fetch');
  await prepare(world, [newUser(ann, ['_library_write', '_library_read', '_metadata_write', '_collection_write'])]);
  await assetRowsOf(world, who, ann[0]);
  return world;
}

/** The owner keeps that level on what it owned. */
const leave = (world: World, type: string, permission: string): Promise<void> =>
  run(world, 'UPDATE access_entry SET permission = ? WHERE entity_type = ?', permission, type);

async function run(world: World, sql: string, ...args: readonly string[]): Promise<void> {
  await world.service.store.commit({ changes: [{ sql, args }], events: [] }, { user: 'test' });
}

/** Orders a job. Gives what waits for its end. */
async function jobFrom(world: World, sent: Sent): Promise<() => Promise<string>> {
  const { status, body } = await world.send({ as: ann, headers: { accept: 'application/json' }, ...sent });
  expect(status, body).toBe(200);
  return async () => {
    for (let passed = 0; passed < 100; passed++) {
      await world.service.tick();
      const [row] = await world.service.store.read('SELECT status FROM job');
      if (/^(FINISHED|FAILED)/.test(String(row![0]))) return String(row![0]);
      await world.clock.advance(5_000);
    }
    throw new Error('Expected the job to end');
  };
}

async function count(world: World, sql: string): Promise<number> {
  return Number((await world.service.store.read(sql))[0]![0]);
}

/** Rights in groups come from their definitions alone: the item itself has to be asked for. */
const groupAlone = { timespan: [{ start: '-INF', end: '+INF', group: [{ name: 'Shot' }] }] };
const value = { timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: 'a' }] }] }] };

it.each([
  ['a value', 'READ', 0],
  ['a value', 'WRITE', 1],
  ['a group', 'READ', 0],
  ['a group', 'WRITE', 1],
] as const)('a job writes %s into items of a library only with WRITE: %s', async (what, level, changed) => {
  const who = `job-${what}-${level}`;
  const world = await openFor(who);
  await prepare(world, [{ as: admin, request: 'PUT /API/metadata-field/field-group/Shot' }]);
  const body = { item: [{ id: `VX-${numberOf(who)}` }] };
  const made = await world.send({ as: ann, request: 'POST /API/library', headers: { accept: 'text/plain' }, body });
  await leave(world, 'item', level);
  const request = `PUT /API/library/${made.body.trim()}/item-metadata`;
  const end = await jobFrom(world, { request, body: what === 'a group' ? groupAlone : value });
  expect(await end()).toMatch(/^FINISHED/);
  expect(await count(world, `SELECT count(*) FROM metadata_change_set WHERE owner_type = 'item'`)).toBe(changed);
});

it.each([
  ['WRITE', 1],
  ['ALL', 0],
] as const)('a job deletes libraries only while its user has ALL: %s', async (level, left) => {
  const world = await openFor(`delete-${level}`);
  const request = `DELETE /API/library/VX*${numberOf(`delete-${level}`)}?async=true`;
  const end = await jobFrom(world, { request });
  await leave(world, 'library', level);
  await end();
  expect(await count(world, 'SELECT count(*) FROM library')).toBe(left);
});

it('a member passes on no rights that its adder lacks', async () => {
  const world = await openFor('adder');
  const [collection, item] = [`VX-${numberOf('adder')}`, `VX-${numberOf('adder') + 1}`];
  await leave(world, 'item', 'READ');
  const added = await world.send({ as: ann, request: `PUT /API/collection/${collection}/${item}` });
  // Nothing but the collection could give a right now.
  await run(world, `DELETE FROM access_entry WHERE entity_type = 'item'`);
  await run(world, `UPDATE access_entry SET reach = 43 WHERE entity_type = 'collection'`);
  const written = await world.send({ as: ann, request: `PUT /API/item/${item}/metadata`, body: value });
  expect([added.status, written.status]).toEqual([200, 403]);
});

it('the items of a library become members as far as their adder may read them', async () => {
  const world = await openFor('library');
  const number = numberOf('library');
  await leave(world, 'item', 'NONE');
  await run(world, 'DELETE FROM collection_member');
  const request = `PUT /API/collection/VX-${number}/VX*${number}?type=library&addItems=true`;
  expect((await world.send({ as: ann, request })).status).toBe(200);
  expect(await count(world, 'SELECT count(*) FROM collection_member')).toBe(0);
  await leave(world, 'item', 'READ');
  await world.send({ as: ann, request });
  expect(await count(world, 'SELECT count(*) FROM collection_member')).toBe(1);
});
