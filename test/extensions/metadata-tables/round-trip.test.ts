import { expect, it } from 'vitest';
import type { RoomWorld } from '../../support/world.ts';
import {
  generic,
  imported,
  listed,
  longField,
  longGroup,
  metadataEvents,
  openTables,
  takenBack,
  valued,
  write,
} from './support.ts';

const columns = [
  ...['title', 'x_note:Note', 'x_place', 'x_count', 'x_when', 'x_fine', 'x_rate', 'x_code'],
  ...['x_event/x_place:Venue', 'x_event/x_crew/x_note', 'created', `${longGroup}/${longField}`],
].join(',');
const timed = 'start,end,x_note,x_at';

/** Metadata whose texts break what reads tables carelessly. */
async function fill(world: RoomWorld): Promise<void> {
  const crew = { name: 'x_crew', field: [valued('x_note', 'Ann', 'Ben; Cat')] };
  const long = { name: longGroup, field: [valued(longField, 'of the longest names')] };
  const event = { name: 'x_event', field: [valued('x_place', 'Pier, "north"')], group: [crew] };
  await write(world, 'VX-1', [
    generic(
      [
        valued('title', '=HYPERLINK("http://x")', "'=1+1", "'tis"),
        valued('x_note', 'one; two', 'C:\\', 'a\r\nb', 'ends;', '; begins'),
        valued('x_count', '7', '8'),
      ],
      [event, long],
    ),
    { start: '25@PAL', end: '50@PAL', field: [valued('x_note', 'first'), valued('x_at', '1.5')] },
    { start: '50@PAL', end: '+INF', field: [valued('x_note', '-2', '+3', '-cmd')] },
  ]);
  await write(world, 'VX-2', [
    generic([
      ...[valued('title', 'Ünïcödé 漢字 🎬'), valued('x_place', ' blanks ', '\ttab'), valued('x_when', '2030-01-31')],
      ...[valued('x_fine', 'true', 'false'), valued('x_rate', '-1.5'), valued('x_code', 'ABC')],
    ]),
  ]);
}

const cleared = (world: RoomWorld, item: string) =>
  write(world, item, [generic([]), { start: '25@PAL', end: '50@PAL' }, { start: '50@PAL', end: '+INF' }]);

it.each([
  ['fields, groups and computed values', columns, 'title,x_note:Note,x_event/x_place:Venue'],
  ['a row for each timespan', timed, ''],
])('a list of items with %s comes back as it went out', async (_what, fields, named) => {
  const world = await openTables();
  await fill(world);
  const list = await listed(world, fields);
  const before = await world.sequence();
  const same = await imported(world, list, `field=${named}`);
  expect([same.status, same.rows > 2, same.differing, same.problem ?? []]).toEqual(['FINISHED', true, 0, []]);
  expect(await metadataEvents(world, before)).toEqual([]);

  for (const item of ['VX-1', 'VX-2']) await cleared(world, item);
  expect(await listed(world, fields)).not.toBe(list);
  const table = await imported(world, list, `field=${named}`);
  expect([table.status, table.changed, table.problem ?? []]).toEqual(['FINISHED', table.differing, []]);
  expect(await listed(world, fields)).toBe(list);
  const empty = await takenBack(world, table.id);
  expect([empty.undo!.status, empty.undo!.undone]).toEqual(['FINISHED', table.changed]);
  expect(await listed(world, 'title,x_note')).toContain('VX-1,,');
});
