import { expect, it } from 'vitest';
import { deleteDelivery, park } from '../../../src/administration/notifications/outbox-sql.ts';
import { createReplays } from '../../../src/administration/notifications/replay/replays.ts';
import { newGroup } from '../../support/cast.ts';
import { startOfTime } from '../../support/clock.ts';
import { triggers } from '../../support/declared.ts';
import { describeMatrix, type Entry, type Sent, type World } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { nobody } from '../../support/store.ts';
import { newNotification, onCreate, parkedRows, waiting } from './support.ts';

const base = '/API/group/notification/VX-1';
const ask = (request: string): Sent => ({ as: admin, request, headers: { accept: 'application/json' } });
const hour = 3_600_000;

/** Four groups, an hour from one to the next, of whose creation everybody was told. */
async function withHistory(entry: Entry): Promise<World> {
  const world = await entry.open();
  await prepare(world, [newNotification(onCreate), newNotification(onCreate)]);
  for (const name of ['one', 'two', 'three', 'four']) {
    await prepare(world, [newGroup(name), newGroup(name, { description: 'x' })]);
    await world.clock.advance(hour);
  }
  await world.service.store.commit({ changes: [{ sql: 'DELETE FROM outbox', args: [] }], events: [] }, nobody);
  return world;
}

async function replay(world: World, query: string): Promise<Record<string, unknown>> {
  const { status, body } = await world.send(ask(`POST ${base}/replay?${query}`));
  expect(status, body).toBe(200);
  return JSON.parse(body) as Record<string, unknown>;
}
const workOn = ({ service: { store, log }, clock }: World) =>
  createReplays({ store, clock, log, triggers, actor: nobody }).work();
const since = (hours: number): string => `since=${new Date(startOfTime + hours * hour).toISOString()}`;

/** Many events without the API, which would take long. */
async function happenOften(world: World, count: number): Promise<void> {
  const sql = `INSERT INTO event (name, entity_type, entity_id, payload, user, at)
    WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ?1) SELECT 'group/create', 'group', 'g' || x, '{"group":"g"}', 'u', ?2 FROM n`;
  await world.service.store.commit({ changes: [{ sql, args: [count, world.clock.now()] }], events: [] }, nobody);
}

describeMatrix('replay', (entry) => {
  it('sends again what it matches since a time, to that notification alone', async () => {
    const world = await withHistory(entry);
    const done = await replay(world, since(1));
    expect(done).toMatchObject({
      state: 'done',
      dryRun: false,
      found: 3,
      user: 'admin',
      since: '2030-01-01T01:00:00.000+0000',
    });
    expect(await waiting(world)).toEqual([
      'VX-1 group/create two',
      'VX-1 group/create three',
      'VX-1 group/create four',
    ]);
  });

  it('counts the same in a dry run, and sends nothing', async () => {
    const world = await withHistory(entry);
    expect(await replay(world, `${since(1)}&dryRun=true`)).toMatchObject({ state: 'done', dryRun: true, found: 3 });
    expect(await waiting(world)).toEqual([]);
    const { body } = await world.send(ask(`GET ${base}/replay`));
    expect(JSON.parse(body)).toMatchObject({ state: 'done', dryRun: true, found: 3 });
    const ago = (world.clock.now() - startOfTime - hour) / 60_000;
    expect(await replay(world, `since=${ago}m&dryRun=true`)).toMatchObject({ state: 'done', found: 3 });
  });

  it('takes what was given up only, where that is asked for', async () => {
    const world = await withHistory(entry);
    await prepare(world, [newGroup('five'), newGroup('six')]);
    const rows = await world.service.store.read(`SELECT sequence FROM outbox WHERE notification_id = 'VX-1'`);
    for (const [sequence] of rows) {
      const row = { notificationId: 'VX-1', sequence: Number(sequence) };
      const parked = park({ ...row, attempts: 2, reason: 'blocked', now: 1, max: 9 });
      await world.service.store.commit({ changes: parked, events: [] }, nobody);
    }
    expect(await replay(world, 'only=parked')).toMatchObject({ state: 'done', parked: true, found: 2 });
    expect(await parkedRows(world)).toEqual([]);
    expect((await waiting(world)).filter((row) => row.startsWith('VX-1'))).toEqual([
      'VX-1 group/create five',
      'VX-1 group/create six',
    ]);
  });

  it('is done in pieces, which go on where they were, in the hands of any instance', async () => {
    const world = await withHistory(entry);
    await happenOften(world, 1200);
    const begun = await replay(world, since(0));
    expect(begun).toMatchObject({ state: 'running', scanned: 500 });
    const again = await world.send(ask(`POST ${base}/replay?${since(0)}`));
    expect([again.status, again.headers.get('portico-error')]).toEqual([409, 'already-exists']);
    for (let turn = 0; turn < 9; turn++) {
      await Promise.all([workOn(world), workOn(world)]);
      await world.service.store.commit({ changes: [{ sql: 'DELETE FROM outbox', args: [] }], events: [] }, nobody);
    }
    const { body } = await world.send(ask(`GET ${base}/replay`));
    expect(JSON.parse(body)).toMatchObject({ state: 'done', found: 1204 });
  });

  it('adds no more while much of it waits, so that what happens now is not held up for long', async () => {
    const world = await withHistory(entry);
    await happenOften(world, 3000);
    await replay(world, since(0));
    for (let turn = 0; turn < 9; turn++) expect(await workOn(world)).toBeLessThanOrEqual(1000);
    const count = (await waiting(world)).length;
    expect([count >= 1000, count < 1500]).toEqual([true, true]);
  });

  it('can be stopped', async () => {
    const world = await withHistory(entry);
    await happenOften(world, 1200);
    await replay(world, `${since(0)}&dryRun=true`);
    await prepare(world, [ask(`DELETE ${base}/replay`)]);
    await workOn(world);
    const { body } = await world.send(ask(`GET ${base}/replay`));
    expect(JSON.parse(body)).toMatchObject({ state: 'done', scanned: 500 });
  });

  it('leaves alone what waits anyway', async () => {
    const world = await withHistory(entry);
    await prepare(world, [newGroup('five')]);
    await replay(world, since(4));
    const rows = await world.service.store.read(`SELECT sequence, earlier FROM outbox WHERE notification_id = 'VX-1'`);
    expect(rows).toHaveLength(1);
    await world.service.store.commit(
      { changes: [deleteDelivery({ notificationId: 'VX-1', sequence: Number(rows[0]![0]) })], events: [] },
      nobody,
    );
    expect((await waiting(world)).filter((row) => row.startsWith('VX-1'))).toEqual([]);
  });

  it('is about one entity where the notification is', async () => {
    const world = await withHistory(entry);
    await prepare(world, [newNotification(onCreate, {}, '/group/two')]);
    const { body } = await world.send(ask(`POST /API/group/two/notification/VX-3/replay?${since(0)}`));
    expect(JSON.parse(body)).toMatchObject({ found: 1 });
    expect(await waiting(world)).toEqual(['VX-3 group/create two']);
  });

  it('finds nothing where nothing happened, and wants a time', async () => {
    const world = await withHistory(entry);
    expect(await replay(world, since(100))).toMatchObject({ state: 'done', found: 0 });
    for (const query of ['', 'since=yesterday', 'since=6y', `${since(0)}&only=failed`]) {
      expect([query, (await world.send(ask(`POST ${base}/replay?${query}`))).status]).toEqual([query, 400]);
    }
  });
});
