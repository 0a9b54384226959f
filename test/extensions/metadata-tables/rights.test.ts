import { expect, it } from 'vitest';
import { refusalOf } from '../../../src/core/store/faults.ts';
import { newUser } from '../../support/cast.ts';
import { faultyDatabase } from '../../support/databases.ts';
import { ended, type JobSeen } from '../../support/files.ts';
import { openWorld } from '../../support/matrix.ts';
import { ask, bodyOf, done } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { sent, start } from '../../support/transfers.ts';
import type { RoomWorld } from '../../support/world.ts';
import {
  generic,
  idIn,
  imported,
  listed,
  metadataEvents,
  openTables,
  seen,
  tableOf,
  takenBack,
  valued,
  write,
  writer,
} from './support.ts';

const gives = (world: RoomWorld, item: string, permission: string, more: object = {}) =>
  done(world, ask(`POST /API/item/${item}/access`, { permission, user: writer[0], ...more }));

/** The writer may change VX-1, and read VX-2. All titles are a secret. */
async function opened(): Promise<RoomWorld> {
  const world = await openTables();
  for (const id of ['VX-1', 'VX-2', 'VX-3']) {
    await write(world, id, [generic([valued('title', 'secret'), valued('x_place', 'secret')])]);
  }
  await gives(world, 'VX-1', 'WRITE');
  await gives(world, 'VX-2', 'READ');
  return world;
}

const sentences = ({ problem = [] }: Awaited<ReturnType<typeof seen>>) =>
  problem.map(({ row, column = '', expected }) => `${row} ${column}: ${expected}`);

it('a table reaches no item on which its user has no WRITE entry, and tells nothing of it', async () => {
  const world = await opened();
  const before = await world.sequence();
  for (const dryRun of ['true', 'false']) {
    const table = await imported(world, 'itemId,title\nVX-1,a\nVX-2,b\nVX-3,c\n', `dryRun=${dryRun}`, writer);
    const denied = 'itemId: Expected an access entry that gives WRITE for METADATA on the item';
    expect(sentences(table)).toEqual([`3 ${denied}`, `4 ${denied}`]);
    expect(JSON.stringify(table)).not.toContain('secret');
  }
  expect(await metadataEvents(world, before)).toEqual([]);
});

it('a table writes no field that is closed to its user, guesses none, and is told no value of it', async () => {
  const world = await opened();
  await gives(world, 'VX-1', 'NONE', { operation: { metadata: { field: 'x_place' } }, priority: 2 });
  await done(world, ask('POST /API/metadata-field/title/access', { user: writer[0], permission: 'NONE' }));
  const before = await world.sequence();
  const same = await imported(world, 'itemId,x_place,title\nVX-1,secret,secret\n', '', writer);
  const other = await imported(world, 'itemId,x_place,title\nVX-1,guess,guess\n', '', writer);
  expect(sentences(other)).toEqual([
    '1 title: Expected the name of a field, or an ignored column',
    '2 x_place: Expected the right WRITE in "x_place"',
  ]);
  expect(sentences(same)).toEqual(sentences(other));
  const preview = {
    ...tableOf('itemId,titl\nVX-1,a\n', '', writer),
    request: 'POST /API/import/metadata-table/preview',
  };
  expect((await world.send(preview)).body).not.toMatch(/"title"|"string"/);
  expect(await metadataEvents(world, before)).toEqual([]);
});

it('a field that its user may read alone is compared, and not written', async () => {
  const world = await opened();
  await done(world, ask('POST /API/metadata-field/x_place/access', { user: writer[0], permission: 'READ' }));
  const same = await imported(world, 'itemId,x_place,x_note\nVX-1,secret,a\n', '', writer);
  expect([same.status, same.changed]).toEqual(['FINISHED', 1]);
  const other = await imported(world, 'itemId,x_place,x_note\nVX-1,other,b\n', '', writer);
  expect([other.status, ...sentences(other)]).toEqual([
    'FAILED_TOTAL',
    '2 x_place: Expected the right WRITE in "x_place"',
  ]);
});

it('a file name finds no item that its user may not read, not even among others', async () => {
  const world = await opened();
  const ids: string[] = [];
  for (const name of ['one.txt', 'one.txt', 'two.txt']) {
    const job = await ended(
      world,
      (await start(world, sent(`POST /API/import/raw?filename=${name}`, 'a', {}, admin))).jobId,
    );
    ids.push(job.data!.find(({ key }) => key === 'itemId')!.value);
  }
  await gives(world, ids[0]!, 'WRITE');
  const table = 'File,x_note\none.txt,a\n';
  const own = await imported(world, table, 'key=filename', writer);
  expect([own.status, own.changed]).toEqual(['FINISHED', 1]);
  const hidden = await imported(world, 'File,x_note\ntwo.txt,a\nTWO.txt,b\n*,c\n', 'key=filename', writer);
  expect(new Set(sentences(hidden).map((line) => line.slice(2)))).toEqual(
    new Set(['File: Expected the file name of an item that you may read']),
  );
  const both = await imported(world, table, 'key=filename');
  expect(sentences(both)).toEqual(['2 File: Expected a file name that one item has: several have it']);
});

/** Does something right behind the commit by which the last row was checked. */
function behindCheck({ service: { store } }: RoomWorld, act: () => Promise<unknown>): void {
  const { commit } = store;
  let isDone = false;
  Object.assign(store, {
    async commit(...given: Parameters<typeof commit>) {
      const rows = await commit.apply(store, given);
      if (isDone || !given[0].changes.some(({ sql }) => sql.includes('checked_to'))) return rows;
      isDone = true;
      await act();
      return rows;
    },
  });
}

it.each<[how: string, act: (world: RoomWorld) => Promise<unknown>, status: string, changed: number]>([
  ['its entry on an item', (world) => gives(world, 'VX-1', 'NONE', { priority: 9 }), 'FINISHED_WARNING', 1],
  [
    'WRITE on an item that it may still read',
    (world) => gives(world, 'VX-1', 'READ', { priority: 9 }),
    'FINISHED_WARNING',
    1,
  ],
  [
    'its right in a field',
    (world) => done(world, ask('POST /API/metadata-field/x_note/access', { user: writer[0], permission: 'READ' })),
    'FINISHED_WARNING',
    0,
  ],
  ['its role', (world) => done(world, ask(`DELETE /API/group/_metadata_write/user/${writer[0]}`)), 'FAILED_TOTAL', 0],
  ['its account', (world) => done(world, ask(`DELETE /API/user/${writer[0]}`)), 'FAILED_TOTAL', 0],
])('a user who loses %s behind the check writes nothing by it', async (_how, act, status, changed) => {
  const world = await opened();
  await gives(world, 'VX-3', 'WRITE');
  const { jobId } = await done<JobSeen>(world, tableOf('itemId,x_note\nVX-1,a\nVX-3,b\n', '', writer));
  behindCheck(world, () => act(world));
  const job = await ended(world, jobId);
  const table = await seen(world, idIn(job));
  expect([table.status, table.changed]).toEqual([status, changed]);
  expect(await listed(world, 'x_note')).toContain('VX-1,\r\n');
});

it('nobody but its user and administrators see a table, and take it back', async () => {
  const world = await opened();
  const thief: Credentials = ['thief', 'password of thief'];
  await prepare(world, [
    newUser(thief, ['_metadata_read', '_metadata_write', '_item_read', '_job_read', '_job_write']),
  ]);
  const { id } = await imported(world, 'itemId,x_note\nVX-1,a\n', '', writer);
  for (const request of [`GET /API/import/metadata-table/${id}`, `PUT /API/import/metadata-table/${id}/undo`]) {
    const answer = await world.send(ask(request, undefined, thief));
    expect([answer.status, answer.headers.get('portico-error')]).toEqual([404, 'no-such-entity']);
  }
  expect((await seen(world, id, admin)).changed).toBe(1);
  expect((await takenBack(world, id, admin)).undo!.undone).toBe(1);
});

it('an undo reaches no item that its user may not write any more, and tells no value that came since', async () => {
  const world = await opened();
  await gives(world, 'VX-3', 'WRITE');
  const { id } = await imported(world, 'itemId,x_note,x_place\nVX-1,a,b\nVX-3,a,b\n', '', writer);
  await write(world, 'VX-3', [generic([valued('x_place', 'confidential')])]);
  await gives(world, 'VX-1', 'READ', { priority: 9 });
  const { undo } = await takenBack(world, id, writer);
  expect([undo!.undone, undo!.problems, JSON.stringify(undo).includes('confidential')]).toEqual([1, 2, false]);
  expect(undo!.problem!.map(({ expected }) => expected).toSorted()).toEqual([
    'Expected an access entry that gives WRITE for METADATA on the item',
    'Expected the value of the import: it was changed since',
  ]);
  expect((await listed(world, 'x_note,x_place')).split('\r\n').slice(1, -1)).toEqual([
    'VX-1,a,b',
    'VX-2,,secret',
    'VX-3,,confidential',
  ]);
  // Another undo by somebody with the right takes the rest back.
  const rest = await takenBack(world, id);
  expect([rest.undo!.undone, rest.undo!.problems]).toEqual([2, 0]);
});

it('a flood of tables ends at the limit of its user, and others go on', async () => {
  const world = await opened();
  const table = 'itemId,x_note\nVX-1,a\n';
  const answers: string[] = [];
  for (let count = 0; count < 11; count++) {
    const { status, headers } = await world.send(tableOf(table, 'holdJob=true', writer));
    answers.push(`${status} ${headers.get('portico-error') ?? ''}`);
  }
  expect(new Set(answers.slice(0, 10))).toEqual(new Set(['200 ']));
  expect(answers[10]).toBe('403 not-allowed');
  expect((await world.send(tableOf(table))).status).toBe(200);
});

it.each([
  ['maxTableBytes', 30, 413, 'body-too-large'],
  ['maxTableRows', 2, 400, 'bad-value'],
])('a table beyond %s is refused, and changes nothing', async (setting, max, status, error) => {
  const world = await openTables((options = {}) => openWorld('fetch', { ...options, settings: { [setting]: max } }));
  const before = await world.sequence();
  const { status: seen, headers } = await world.send(tableOf('itemId,title\nVX-1,a\nVX-2,b\nVX-3,c\n'));
  expect([seen, headers.get('portico-error')]).toEqual([status, error]);
  expect(await metadataEvents(world, before)).toEqual([]);
});

it('a table changes no group or field by words that no name has', async () => {
  const world = await opened();
  const heads = ['__proto__', 'constructor', 'x_event/__proto__', 'toString', '/x_note', 'x_event//x_note'];
  const answer = await world.send(tableOf(`itemId,${heads.join(',')}\nVX-1${',a'.repeat(heads.length)}\n`));
  const job = await ended(world, bodyOf<JobSeen>(answer).jobId);
  const { status, problem, changed } = await seen(world, idIn(job));
  expect([status, changed]).toEqual(['FAILED_TOTAL', 0]);
  expect(problem!.map(({ row, column }) => `${row} ${column}`)).toEqual([
    ...heads.slice(1).map((head) => `1 ${head}`),
    '2 __proto__',
  ]);
});

it('a database that is busy for a moment is no problem of a row', async () => {
  let database: ReturnType<typeof faultyDatabase> | undefined;
  const world = await openTables((options = {}) => {
    database = faultyDatabase(options.database!);
    return openWorld('fetch', { ...options, database });
  });
  database!.beforeNextRead('external_id', () => Promise.reject(refusalOf('busy', 'The database is locked')));
  const { problems, changed } = await imported(world, 'itemId,title\ntape_1,New\n');
  expect([problems, changed]).toEqual([0, 1]);
});
