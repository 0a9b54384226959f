import { expect, it } from 'vitest';
import { failAtPoints, patience, stopAtPoints } from '../../simulation/points.ts';
import type { Point, ProcessModel } from '../../simulation/process.ts';
import { actUntil } from '../../simulation/victim.ts';
import { testClock } from '../../support/clock.ts';
import { outliving } from '../../support/databases.ts';
import { requestOf } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { admin, openService, type TestService } from '../../support/service.ts';

const items = Array.from({ length: 60 }, (_, at) => `VX-${at + 1}`);
const table = `itemId,title\n${items.map((id) => `${id},new title of ${id}\n`).join('')}`;

async function send({ service }: TestService, request: string, body?: string): Promise<string> {
  const headers = { accept: 'application/json', ...(body !== undefined && { 'content-type': 'text/csv' }) };
  const answer = await service.fetch(
    requestOf('http://portico.test', { as: admin, request, headers, ...(body !== undefined && { body }) }),
  );
  return answer.text();
}

async function stage() {
  const clock = testClock();
  const database = await migratedDatabase();
  const rows = items.map((id, at) => ({
    sql: 'INSERT INTO item (id, serial, created_at) VALUES (?, ?, 0)',
    args: [id, at + 1],
  }));
  await database.write(rows);
  const read = (sql: string) => database.read(sql);

  /** A client that hears nothing looks whether its job is there, and asks again where it is not. */
  async function act(opened: TestService): Promise<void> {
    const jobs = async () => (await read('SELECT type FROM job')).map(([type]) => type);
    if (!(await jobs()).includes('METADATA_TABLE_IMPORT')) await send(opened, 'POST /API/import/metadata-table', table);
    await work(opened);
    const [id] = (await read('SELECT id FROM metadata_table WHERE job_id IS NOT NULL'))[0]!;
    if (!(await jobs()).includes('METADATA_TABLE_UNDO')) {
      await send(opened, `PUT /API/import/metadata-table/${id}/undo`);
    }
    await work(opened);
  }

  async function work({ service }: TestService): Promise<void> {
    for (let round = 0; round < 4; round++) {
      await service.tick();
      await clock.advance(20_000);
    }
  }

  /** Each item got its title once, and lost it once. Nothing is left that nobody needs. */
  async function check(opened: TestService): Promise<void> {
    await clock.advance(3_700_000);
    await work(opened);
    expect(await read('SELECT type, status FROM job ORDER BY type')).toEqual([
      ['METADATA_TABLE_IMPORT', 'FINISHED'],
      ['METADATA_TABLE_UNDO', 'FINISHED'],
    ]);
    const changes = await read('SELECT owner_id, count(*) FROM metadata_change_set GROUP BY 1 ORDER BY 1');
    expect(changes).toEqual(items.toSorted().map((id) => [id, 2]));
    const events = await read("SELECT count(*) FROM event WHERE name = 'metadata/modify'");
    expect(events).toEqual([[2 * items.length]]);
    expect(await read("SELECT count(*) FROM metadata_state WHERE doc LIKE '%new title%'")).toEqual([[0]]);
    expect(await read('SELECT rows, differing, changed, undone, problems, due FROM metadata_table')).toEqual([
      [60, 60, 60, 60, 0, null],
    ]);
    expect(await read('SELECT * FROM metadata_table_part')).toEqual([]);
  }

  return { clock, database, act, check };
}

async function play(point?: Point): Promise<ProcessModel> {
  const { clock, database, act, check } = await stage();
  const outside = outliving(database);
  const shared = { clock, settings: { logLevel: 'error' as const } };
  try {
    const { process, next } = await actUntil(point, { outside, shared }, act);
    await clock.advance(3_700_000);
    const after = await next(() => openService({ ...shared, database: outside }));
    await act(after);
    await check(after);
    await after.service.close();
    return process;
  } finally {
    await database.close();
  }
}

it(
  'an import of a table and its undo: the process may stop at any call; each row is written once, and taken back once',
  async () => {
    const { calls } = await play();
    await stopAtPoints(1, calls, play);
  },
  patience,
);

it(
  'an import of a table and its undo: any call may fail; each row is written once, and taken back once',
  async () => {
    const { calls } = await play();
    await failAtPoints(1, calls, play);
  },
  patience,
);
