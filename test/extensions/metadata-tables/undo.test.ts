import { expect, it } from 'vitest';
import { ended, type JobSeen } from '../../support/files.ts';
import { ask, done, rowsOf, sqlIn } from '../../support/requests.ts';
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
} from './support.ts';

const columns = 'title,x_note,x_count,x_event/x_place,x_event/x_crew/x_note';
const head = `itemId,${columns}\n`;

async function opened(): Promise<RoomWorld> {
  const world = await openTables();
  const event = { name: 'x_event', field: [valued('x_place', 'Pier')] };
  await write(world, 'VX-1', [generic([valued('title', 'One'), valued('x_note', 'a', 'b')], [event])]);
  await write(world, 'VX-2', [generic([valued('title', 'Two'), valued('x_count', '2')])]);
  return world;
}

const table = `${head}VX-1,Uno,b; c,7,Quay,Ann\nVX-2,,Duo,3,Hall,\nVX-3,Tres,,,,Ben\n`;

it('an undo gives each item its values and groups back, once, by change sets of its own', async () => {
  const world = await opened();
  const before = await listed(world, columns);
  const { id, changed } = await imported(world, table);
  expect(changed).toBe(3);
  const after = await listed(world, columns);
  expect(after.split('\r\n').slice(1, 4)).toEqual([
    'VX-1,Uno,"b; c",7,Quay,Ann',
    'VX-2,Two,Duo,3,Hall,',
    'VX-3,Tres,,,,Ben',
  ]);
  const since = await world.sequence();
  const { undo } = await takenBack(world, id);
  expect([undo!.status, undo!.undone, undo!.problems]).toEqual(['FINISHED', 3, 0]);
  expect(await listed(world, columns)).toBe(before);
  expect((await metadataEvents(world, since)).toSorted()).toEqual(['VX-1', 'VX-2', 'VX-3']);
  const groups = JSON.stringify(await done(world, ask('GET /API/item/VX-3/metadata')));
  expect(groups).not.toContain('x_event');

  const again = await world.sequence();
  expect((await takenBack(world, id)).undo!.undone).toBe(3);
  expect(await metadataEvents(world, again)).toEqual([]);
});

it('an undo leaves what somebody changed since, and says so', async () => {
  const world = await opened();
  const { id } = await imported(world, table);
  await write(world, 'VX-1', [generic([valued('title', 'Later')])]);
  await write(world, 'VX-3', [generic([], [{ name: 'x_event', field: [valued('x_place', 'Shore')] }])]);
  await done(world, ask('DELETE /API/item/VX-2'));
  const { undo } = await takenBack(world, id);
  expect([undo!.status, undo!.undone, undo!.problems]).toEqual(['FINISHED_WARNING', 2, 3]);
  expect(undo!.problem!.toSorted((one, other) => one.row - other.row)).toEqual([
    { row: 2, column: 'title', expected: 'Expected the value of the import: it was changed since' },
    { row: 3, value: 'VX-2', expected: 'Expected the item to be there: VX-2' },
    { row: 4, column: 'x_event', expected: 'Expected the value of the import: it was changed since' },
  ]);
  expect((await listed(world, columns)).split('\r\n').slice(1, 3)).toEqual([
    'VX-1,Later,"a; b",,Pier,',
    'VX-3,,,,Shore,Ben',
  ]);
});

it('an import is taken back when it has ended, and a dry run is none', async () => {
  const world = await opened();
  const undo = async (id: string) => {
    const { status, headers } = await world.send(ask(`PUT /API/import/metadata-table/${id}/undo`));
    return `${status} ${headers.get('portico-error')}`;
  };
  const { id } = await imported(world, table, 'dryRun=true');
  expect(await undo(id)).toBe('409 job-state');
  const held = await done<JobSeen>(world, tableOf(table, 'holdJob=true'));
  expect(await undo(idIn(held))).toBe('409 job-state');
  await done(world, ask(`PUT /API/job/${held.jobId}?status=READY`));
  await ended(world, held.jobId);
  const back = await done<JobSeen>(world, ask(`PUT /API/import/metadata-table/${idIn(held)}/undo?holdJob=true`));
  expect(await undo(idIn(held))).toBe('409 job-state');
  await done(world, ask(`DELETE /API/job/${back.jobId}`));
  await world.service.tick();
  expect((await takenBack(world, idIn(held))).undo!.undone).toBe(3);
});

it('a dry run says what would change, and changes nothing', async () => {
  const world = await opened();
  const [list, before] = [await listed(world, columns), await world.sequence()];
  const dry = await imported(world, table, 'dryRun=true');
  expect([dry.status, dry.rows, dry.differing, dry.changed, dry.problems]).toEqual(['FINISHED', 3, 3, 0, 0]);
  const names = (await world.events(before)).map(({ name }) => name);
  expect(names.filter((name) => !name.startsWith('job/'))).toEqual([]);
  expect(await listed(world, columns)).toBe(list);
});

it('the rows of a table go when its job ends, and all of it goes with its job', async () => {
  const world = await opened();
  const { id, jobId } = await imported(world, table);
  const settle = async () => {
    for (let round = 0; round < 5; round++) {
      await world.service.tick();
      await world.clock.advance(20_000);
    }
  };
  await settle();
  expect(await rowsOf(world, 'metadata_table_part')).toEqual([]);
  expect((await rowsOf(world, 'metadata_table_row')).length).toBe(3);
  expect((await seen(world, id)).changed).toBe(3);
  await done(world, ask(`DELETE /API/job?id=${jobId}`));
  await settle();
  for (const name of ['table', 'table_row', 'table_problem'])
    expect(await rowsOf(world, `metadata_${name}`)).toEqual([]);
});

it('an upload that breaks off leaves nothing, and one that stops leaves nothing after an hour', async () => {
  const world = await opened();
  const rows = Array.from({ length: 30_000 }, (_, at) => `VX-${at},${'x'.repeat(50)}\n`).join('');
  const broken = await world.send(tableOf(`itemId,title\n${rows}VX-1,"a`));
  expect(broken.status).toBe(400);
  expect((await rowsOf(world, 'metadata_table_part')).length).toBeGreaterThan(20);
  const hour = world.clock.now() + 3_600_000;
  await sqlIn(world, "INSERT INTO metadata_table (id, user, dry_run, due) VALUES ('VX-900', 'admin', 0, ?)", hour);
  await sqlIn(world, "INSERT INTO metadata_table_part (table_id, position, rows) VALUES ('VX-900', 0, '[]')");
  const settle = async () => {
    for (let round = 0; round < 50; round++) {
      await world.service.tick();
      await world.clock.advance(10_000);
    }
  };
  await settle();
  expect((await rowsOf(world, 'metadata_table_part')).map((row) => row['table_id'])).toEqual(['VX-900']);
  await world.clock.advance(3_600_000);
  await settle();
  expect(await rowsOf(world, 'metadata_table_part')).toEqual([]);
  expect(await rowsOf(world, 'metadata_table')).toEqual([]);
});
