import { expect, it } from 'vitest';
import type { Database } from '../../../src/core/store/contract.ts';
import { by, entityRows, field, untimed } from '../../assets/metadata/support.ts';
import { failAtPoints, patience, stopAtPoints } from '../../simulation/points.ts';
import type { CallKind, Point, ProcessModel } from '../../simulation/process.ts';
import { actUntil } from '../../simulation/victim.ts';
import { type TestClock, testClock } from '../../support/clock.ts';
import { outliving } from '../../support/databases.ts';
import { requestOf, type Sent } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { openService, type TestService } from '../../support/service.ts';
import { givenTo } from '../../support/world.ts';

/** Items whose metadata the migration changes, and those between them that it leaves alone. */
const [concerned, others] = [[1, 2, 3, 104, 105], Array.from({ length: 100 }, (_, at) => at + 4)];
const path = '/metadata/migration';
const migration = {
  rename: [{ from: { field: { name: 'x_note' } }, to: 'x_remark' }],
  delete: [{ target: { field: { name: 'x_one' } } }],
};
const settings = { logLevel: 'error' as const };

interface Stage {
  readonly clock: TestClock;
  readonly database: Database;
}

async function send({ service }: TestService, sent: Sent): Promise<string> {
  const answer = await service.fetch(requestOf('http://portico.test', sent));
  const text = await answer.text();
  if (answer.status >= 300) throw new Error(`${sent.request}: ${answer.status} ${text}`);
  return text;
}

/** Two slices of items, a collection, and a library whose query names the field. */
async function prepared(): Promise<Stage> {
  const clock = testClock();
  const database = await migratedDatabase();
  const before = await openService({ clock, settings, database: outliving(database) });
  for (const serial of concerned)
    await entityRows({ service: before.service } as Parameters<typeof entityRows>[0], serial);
  for (const sent of givenTo('metadata')) await send(before, sent);
  for (const serial of concerned) {
    const values = untimed(field('x_note', `note ${serial}`), field('x_one', 'one'), field('title', `title ${serial}`));
    await send(before, by(`PUT /item/VX-${serial}/metadata`, values));
  }
  await send(before, by('PUT /collection/VX-1/metadata', untimed(field('x_note', 'note of a collection'))));
  await send(before, by('PUT /item?result=library&autoRefresh=true', { field: [{ name: 'x_note' }] }));
  const rows = others.flatMap((serial) => [
    { sql: 'INSERT INTO item (id, serial, created_at) VALUES (?, ?, 0)', args: [`VX-${serial}`, serial] },
    {
      sql: `INSERT INTO metadata_state (owner_type, owner_id, version, newest, changed_at, doc)
        SELECT 'item', ?, 1, 1, 0, replace(replace(doc, 'x_note', 'x_two'), 'x_one', 'seg_note')
        FROM metadata_state WHERE owner_type = 'item' AND owner_id = 'VX-1'`,
      args: [`VX-${serial}`],
    },
  ]);
  await before.service.store.commit({ changes: rows, events: [] }, { user: 'test' });
  await database.write([{ sql: 'DELETE FROM event', args: [] }]);
  await before.service.close();
  return { clock, database };
}

const count = async ({ database }: Stage, sql: string): Promise<number> => Number((await database.read(sql))[0]![0]);

/** A client that heard no answer looks first whether the migration is there. */
async function ask(stage: Stage, opened: TestService): Promise<void> {
  if ((await count(stage, 'SELECT count(*) FROM schema_migration')) > 0) return;
  await send(opened, { ...by(`POST ${path}`, migration), headers: { accept: 'text/plain' } });
}

async function work({ clock }: Stage, { service }: TestService): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await clock.advance(2_000);
    await service.tick();
  }
}

const changeSets = `SELECT count(*) FROM metadata_change_set WHERE owner_type || ' ' || owner_id`;

/** At each moment: an entity has the old name or the new one, and all else that it had. */
async function checkWhole(stage: Stage): Promise<void> {
  for (const serial of concerned) {
    const [[doc] = []] = await stage.database.read(
      `SELECT doc FROM metadata_state WHERE owner_type = 'item' AND owner_id = ?`,
      [`VX-${serial}`],
    );
    const has = (text: string) => String(doc).includes(text);
    expect([has('"x_note"') !== has('"x_remark"'), has(`"note ${serial}"`), has(`"title ${serial}"`)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(has('"x_one"'), 'one commit changes all of an entity').toBe(has('"x_note"'));
  }
}

async function checkEnd(stage: Stage, opened: TestService): Promise<void> {
  await checkWhole(stage);
  const { database } = stage;
  expect(await database.read('SELECT done, remaining FROM schema_migration')).toEqual([[1, 0]]);
  expect(
    await count(stage, `SELECT count(*) FROM metadata_state WHERE instr(doc, '"x_note"') + instr(doc, '"x_one"') > 0`),
  ).toBe(0);
  expect(await count(stage, `SELECT count(*) FROM metadata_state WHERE instr(doc, '"x_two"') > 0`)).toBe(others.length);
  // Each has its first change set and that of the migration.
  for (const owner of [...concerned.map((serial) => `item VX-${serial}`), 'collection VX-1']) {
    expect(await count(stage, `${changeSets} = '${owner}'`), owner).toBe(2);
  }
  expect(await count(stage, `SELECT count(*) FROM metadata_change_set`)).toBe(2 * (concerned.length + 1));
  const told = await database.read(
    `SELECT entity_type, entity_id FROM event WHERE name LIKE '%metadata/modify' ORDER BY entity_type, entity_id`,
  );
  expect(told.map((row) => row.join(' '))).toEqual(
    ['collection VX-1', ...concerned.map((serial) => `item VX-${serial}`)].sort(),
  );
  expect(String((await database.read('SELECT query FROM library_query'))[0]![0])).toContain('x_remark');
  const found = await send(opened, by('PUT /item', { field: [{ name: 'x_remark', value: [{ value: 'note' }] }] }));
  expect(JSON.parse(found)).toMatchObject({ hits: concerned.length });
  const names = await database.read(`SELECT name FROM metadata_field WHERE name IN ('x_note', 'x_remark', 'x_one')`);
  expect(names).toEqual([['x_remark']]);
}

async function play(point?: Point): Promise<{ readonly process: ProcessModel; readonly calls: readonly CallKind[] }> {
  const stage = await prepared();
  const { clock, database } = stage;
  try {
    const outside = outliving(database);
    const { process, next } = await actUntil(point, { outside, shared: { clock, settings } }, async (victim) => {
      await ask(stage, victim);
      await work(stage, victim);
    });
    const calls = [...process.calls];
    await checkWhole(stage);
    const after = await next(() => openService({ clock, settings, isOnlyServer: true, database: outside }));
    await ask(stage, after);
    await work(stage, after);
    await checkEnd(stage, after);
    await after.service.close();
    return { process, calls };
  } finally {
    await database.close();
  }
}

it(
  'the process may stop at any call of a migration of the schema: the next one goes on, changes no entity twice and loses nothing',
  async () => {
    const { calls } = await play();
    expect(calls.filter((kind) => kind === 'write').length).toBeGreaterThan(concerned.length + 4);
    await stopAtPoints(0, calls, async (stop) => (await play(stop)).process, 3);
  },
  patience,
);

it(
  'any call of a migration of the schema may fail: the same process goes on, changes no entity twice and loses nothing',
  async () => {
    const { calls } = await play();
    await failAtPoints(0, calls, async (fail) => (await play(fail)).process);
  },
  patience,
);
