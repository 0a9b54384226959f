import { expect, it } from 'vitest';
import { pagesByCursor } from '../support/cursors.ts';
import { register, registered } from '../support/files.ts';
import { describeMatrix } from '../support/matrix.ts';
import { asking, bodyOf } from '../support/requests.ts';
import { playScenario, prepare, type Scenario } from '../support/scenario.ts';
import { librarian, type RoomWorld, worldOf } from '../support/world.ts';

const ask = asking(librarian);

const hash = 'ab'.repeat(20);

describeMatrix('the search of files', (entry) => {
  const open = async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, [
      ...registered('in/Holiday.mov', 'in/holiday-2.MXF', 'out/work.mov'),
      register('work.mov', { state: 'OPEN' }, 'VX-2'),
      ask(`PUT /API/file/VX-2/hash/${hash}`),
    ]);
    return world;
  };
  const ids = async (world: RoomWorld, document: object | undefined, query = '') => {
    const answer = await world.send(ask(`PUT /API/search/file${query}`, document));
    expect(answer.status, answer.body).toBe(200);
    const { hits, file } = bodyOf(answer) as { hits: number; file: { id: string }[] };
    return [hits, ...file.map(({ id }) => id)];
  };
  const field = (name: string, ...value: string[]) => ({
    field: [{ name, value: value.map((each) => ({ value: each })) }],
  });

  it('finds by text and by each field that rows have', async () => {
    const world = await open();
    expect(await ids(world, undefined)).toEqual([4, 'VX-1', 'VX-2', 'VX-3', 'VX-4']);
    expect(await ids(world, {})).toEqual([4, 'VX-1', 'VX-2', 'VX-3', 'VX-4']);
    expect(await ids(world, { text: [{ value: 'HOLIDAY' }] })).toEqual([2, 'VX-1', 'VX-2']);
    expect(await ids(world, { text: ['holi', 'mxf'] })).toEqual([1, 'VX-2']);
    expect(await ids(world, field('filename', 'work.mov'))).toEqual([2, 'VX-3', 'VX-4']);
    expect(await ids(world, field('filename', 'work*', 'Holi*'))).toEqual([3, 'VX-1', 'VX-3', 'VX-4']);
    expect(await ids(world, field('path', 'work.mov', 'in/*2*'))).toEqual([2, 'VX-2', 'VX-4']);
    expect(await ids(world, field('extension', 'MXF'))).toEqual([1, 'VX-2']);
    expect(await ids(world, field('state', 'open'))).toEqual([1, 'VX-4']);
    expect(await ids(world, field('storage', 'VX-2'))).toEqual([1, 'VX-4']);
    expect(await ids(world, field('fileId', 'VX-3', 'VX-1'))).toEqual([2, 'VX-1', 'VX-3']);
    expect(await ids(world, field('hash', hash.toUpperCase()))).toEqual([1, 'VX-2']);
    expect(await ids(world, field('hash'))).toEqual([1, 'VX-2']);
    expect(await ids(world, field('color', 'red'))).toEqual([0]);
  });

  it('has pages that count from 1, and an order', async () => {
    const world = await open();
    expect(await ids(world, undefined, '?first=2&number=2')).toEqual([4, 'VX-2', 'VX-3']);
    expect(await ids(world, undefined, '?first=0&number=1')).toEqual([4, 'VX-1']);
    expect(await ids(world, { sort: [{ field: 'fileId', order: 'descending' }] }, '?number=1')).toEqual([4, 'VX-4']);
    const answer = await world.send(ask('GET /API/search/file?count=false&number=1'));
    expect(bodyOf(answer)).not.toHaveProperty('hits');
    const text = await world.send({ ...ask('GET /API/search/file'), headers: { accept: 'text/plain' } });
    expect(text.body).toBe('VX-1\r\nVX-2\r\nVX-3\r\nVX-4\r\n');
  });

  it('finds by operators, ranges, key-value metadata and several orders', async () => {
    const world = await open();
    await prepare(world, [ask('PUT /API/file/VX-3/metadata', { field: [{ key: 'colour', value: 'red' }] })]);
    const [mov, open_] = [field('extension', 'MOV').field[0], field('state', 'open').field[0]];
    expect(await ids(world, { operator: [{ operation: 'OR', field: [open_], text: ['HOLIDAY-2'] }] })).toEqual([
      2,
      'VX-2',
      'VX-4',
    ]);
    expect(await ids(world, { field: [mov], operator: [{ operation: 'NOT', field: [open_] }] })).toEqual([
      2,
      'VX-1',
      'VX-3',
    ]);
    // A field without a value is none of those that have it.
    expect(await ids(world, { operator: [{ operation: 'NOT', ...field('hash') }] })).toEqual([
      3,
      'VX-1',
      'VX-3',
      'VX-4',
    ]);
    expect(await ids(world, { operator: [{ operation: 'NOT', ...field('hash', hash) }] })).toEqual([
      3,
      'VX-1',
      'VX-3',
      'VX-4',
    ]);
    expect(await ids(world, { field: [...field('path', 'in/*').field, ...field('path', '*2*').field] })).toEqual([
      1,
      'VX-2',
    ]);
    expect(await ids(world, field('colour', 'red'))).toEqual([1, 'VX-3']);
    expect(await ids(world, field('file.colour', 'r*'))).toEqual([1, 'VX-3']);
    expect(
      await ids(world, { filter: [{ operation: 'OR', field: [field('fileId', 'VX-2').field[0], open_] }] }),
    ).toEqual([2, 'VX-2', 'VX-4']);
    const range = [{ value: [{ value: 'in/I' }, { value: '' }] }];
    expect(await ids(world, { field: [{ name: 'path', range }] })).toEqual([3, 'VX-2', 'VX-3', 'VX-4']);
    const sort = [{ field: 'filename' }, { field: 'fileId', order: 'descending' }];
    expect(await ids(world, { sort })).toEqual([4, 'VX-1', 'VX-2', 'VX-4', 'VX-3']);
  });

  it('goes by a cursor', async () => {
    const world = await open();
    for (const number of [3, 2]) {
      const pages = await pagesByCursor(async (cursor) => {
        const path = `/API/search/file?number=${number}&cursor=${encodeURIComponent(cursor)}`;
        const { file = [], nextCursor } = bodyOf<{ nextCursor: string; file?: { id: string }[] }>(
          await world.send(ask(`GET ${path}`)),
        );
        return { entries: file.map(({ id }) => id), next: nextCursor };
      });
      const ids = ['VX-1', 'VX-2', 'VX-3', 'VX-4'];
      expect(pages.map(({ entries }) => entries)).toEqual([ids.slice(0, number), ids.slice(number)]);
    }
  });

  it('reads XML, by the name of the search of items, too', async () => {
    const world = await open();
    for (const root of ['FileSearchDocument', 'ItemSearchDocument']) {
      const body = `<${root}><field><name>filename</name><value>work.mov</value><value>nothing</value></field></${root}>`;
      const answer = await world.send({
        ...ask('PUT /API/search/file', body),
        headers: { accept: 'text/plain', 'content-type': 'application/xml' },
      });
      expect([answer.status, answer.body]).toEqual([200, 'VX-3\r\nVX-4\r\n']);
    }
  });

  const refused: readonly Scenario[] = [
    { ...ask('PUT /API/search/file', field('state', 'SHUT')), name: 'refuses a state that nobody knows', status: 400 },
    {
      ...ask('PUT /API/search/file', { sort: [{ field: 'path', order: 'sideways' }] }),
      name: 'refuses an order that nobody knows',
      status: 400,
    },
    {
      ...ask('PUT /API/search/file', { operator: [{ operation: 'NOT', text: ['x'.repeat(300)] }] }),
      name: 'refuses a text in an operator that is too long',
      status: 400,
    },
    {
      ...ask('PUT /API/search/file', { text: ['x'.repeat(300)] }),
      name: 'refuses a text that is too long',
      status: 400,
    },
    {
      ...ask('PUT /API/search/file', field('storage', 'VX-9')),
      name: 'answers 404 for a storage that is not there',
      status: 404,
    },
    { ...ask('PUT /API/search/file'), as: undefined, name: 'tells nobody without credentials', status: 401 },
  ];
  for (const row of refused) {
    it(row.name, async () => {
      await playScenario(await worldOf('files', {}, entry.open), row);
    });
  }
});
