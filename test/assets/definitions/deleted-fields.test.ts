import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { MetadataDocumentValue, MetadataListValue } from '../../../src/assets/metadata/documents.ts';
import { openRemoteDatabase } from '../../../src/core/store/remote/remote-database.ts';
import { testClock } from '../../support/clock.ts';
import { faultyDatabase } from '../../support/databases.ts';
import { describeMatrix, openWorld, type World } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { sqldBinary, startSqld } from '../../support/sqld.ts';
import { fill } from '../../support/world.ts';
import {
  by,
  documentIn,
  field,
  getItem,
  openMetadata,
  putItem,
  sendWell,
  textsOf,
  untimed,
} from '../metadata/support.ts';

const log = '/item/VX-1/metadata/changes';
const define = (world: World, name: string, type = 'string') =>
  sendWell(world, by(`PUT /metadata-field/${name}`, { type }));
const remove = (world: World, name: string) => sendWell(world, by(`DELETE /metadata-field/${name}`));
const own = (document: MetadataDocumentValue) =>
  Object.fromEntries(Object.entries(textsOf(document)).filter(([name]) => !name.startsWith('__')));
const bodyOf = (world: World, request: string) => sendWell(world, by(request));

async function work(world: World): Promise<void> {
  for (let round = 0; round < 4; round++) {
    await world.service.tick(1000);
    await world.clock.advance(3000);
  }
}

async function hits(world: World, search: object, list = 'item'): Promise<number> {
  return (await documentIn<{ hits: number }>(world, by(`PUT /${list}`, search))).hits;
}
const word = (value: string) => ({ text: [{ value }] });
const named = (name: string, value: string) => ({ field: [{ name, value: [{ value }] }] });

/** The number of deletions that are told. */
async function told({ service }: World): Promise<readonly unknown[]> {
  return (await service.store.read('SELECT name FROM metadata_gone ORDER BY id', [], 'all')).map(([name]) => name);
}

/** In what is not timed, alone in a timespan, and in groups of two levels. */
const everywhere: MetadataDocumentValue = {
  timespan: [
    {
      field: [field('title', 'Harbour'), field('x_note', 'secret-a')],
      group: [
        {
          name: 'Segment',
          field: [field('seg_title', 'Kick-off'), field('x_note', 'secret-b')],
          group: [{ name: 'Show', field: [field('x_note', 'secret-c')] }],
        },
      ],
    },
    { start: '1', end: '2', field: [field('x_note', 'secret-d')] },
    { start: '3', end: '4', field: [field('x_note', 'secret-e'), field('x_one', 'kept')] },
  ],
};

describeMatrix('a field that is deleted', (entry) => {
  it('answers show none of its values, wherever they are', async () => {
    const world = await openMetadata(entry.name);
    await putItem(world, everywhere);
    for (const [path, name] of [
      ['/collection/VX-1/metadata', 'secret-f'],
      ['/metadata', 'secret-g'],
      ['/document/paper', 'secret-h'],
    ] as const) {
      await sendWell(world, by(`PUT ${path}`, untimed(field('title', 'Quay'), field('x_note', name))));
    }
    const answers = [
      '/item/VX-1/metadata',
      '/item/VX-1/metadata?includeTransientMetadata=false',
      '/item/VX-1/metadata?terse=true',
      '/item/VX-1/metadata?field=x_note',
      '/item/VX-1/metadata?interval=1-2',
      '/item/VX-1/metadata?revision=VX-1',
      '/item/VX-1?content=metadata',
      '/item?content=metadata',
      '/collection/VX-1/metadata',
      '/collection?content=metadata',
      '/metadata',
      '/document/paper',
      '/collection/VX-1/metadata/changes',
      log,
      `${log}/VX-1`,
      `${log}/VX-1/compareTo/previous`,
      '/item/VX-1/metadata/graph/dot?groupBy=none',
    ];
    const shown = async () => {
      const bodies: Record<string, boolean> = {};
      for (const path of answers) {
        const { status, body } = await world.send({
          ...by(`GET ${path}`),
          headers: path.includes('dot') ? {} : by('GET /').headers,
        });
        expect(status, `${path}: ${body}`).toBe(200);
        bodies[path] = body.includes('secret');
      }
      return bodies;
    };
    const all = (is: boolean) => Object.fromEntries(answers.map((path) => [path, is]));
    expect(await shown()).toEqual(all(true));
    await remove(world, 'x_note');
    expect(await shown()).toEqual(all(false));
    const { timespan = [] } = await getItem(world);
    expect(timespan.map(({ start, field: fields = [] }) => [start, fields.length > 0])).toEqual([
      ['-INF', true],
      ['3', true],
    ]);
    expect(timespan[0]!.group).toMatchObject([
      { name: 'Segment', field: [{ name: 'seg_title' }], group: [{ name: 'Show' }] },
    ]);
    const xml = await world.send({ ...by('GET /item/VX-1/metadata'), headers: { accept: 'application/xml' } });
    expect([xml.body.includes('Harbour'), xml.body.includes('secret')]).toEqual([true, false]);
    expect(await told(world)).toEqual(['x_note']);
  });
});

describe('a field that is deleted', () => {
  let world: World;
  beforeEach(async () => {
    world = await openMetadata();
  });

  it('entries of the field are not found by uuid, by reads or changes', async () => {
    const { timespan = [] } = await putItem(world, untimed(field('x_note', 'secret'), field('title', 'a')));
    const of = (name: string) => timespan[0]!.field!.find((each) => each.name === name)!;
    const uuids = [of('x_note').uuid!, of('x_note').value![0]!.uuid!];
    await remove(world, 'x_note');
    for (const uuid of uuids) {
      expect((await world.send(by(`GET /metadata/${uuid}`))).status).toBe(404);
      expect((await world.send(by(`DELETE /metadata/${uuid}`))).status).toBe(404);
    }
    await define(world, 'x_note', 'integer');
    for (const uuid of uuids) expect((await world.send(by(`GET /metadata/${uuid}`))).status).toBe(404);
    expect(await bodyOf(world, `GET /metadata/${of('title').uuid}`)).toContain('"a"');
  });

  it('references to its values show nothing', async () => {
    const global = await documentIn(world, by('PUT /metadata', untimed(field('x_note', 'secret'))));
    const uuid = global.timespan![0]!.field![0]!.uuid!;
    await putItem(world, untimed({ name: 'x_one', reference: uuid }));
    expect(await bodyOf(world, 'GET /item/VX-1/metadata')).toContain('secret');
    await remove(world, 'x_note');
    expect(await bodyOf(world, 'GET /item/VX-1/metadata')).not.toContain('secret');
  });

  it('items inherit none of its values from collections', async () => {
    await sendWell(world, by('PUT /metadata-field/x_note', { type: 'string', inheritance: 'true' }));
    await sendWell(world, by('PUT /collection/VX-1/metadata', untimed(field('x_note', 'secret'))));
    await sendWell(world, by('PUT /collection/VX-1/VX-1'));
    expect(textsOf(await getItem(world))).toMatchObject({ x_note: ['secret'] });
    await remove(world, 'x_note');
    expect(await bodyOf(world, 'GET /item/VX-1/metadata')).not.toContain('secret');
    await sendWell(world, by('PUT /metadata-field/x_note', { type: 'string', inheritance: 'true' }));
    expect(await bodyOf(world, 'GET /item/VX-1/metadata')).not.toContain('secret');
  });

  it('a new field of its name, with another type, has no old values', async () => {
    await putItem(world, everywhere);
    await sendWell(world, by('PUT /collection/VX-1/metadata', untimed(field('x_note', 'secret-f'))));
    expect([await hits(world, named('x_note', 'secret-a')), await hits(world, word('secret'))]).toEqual([1, 1]);
    await remove(world, 'x_note');
    await work(world);
    await define(world, 'x_note', 'string');
    await sendWell(world, by('PUT /reindex/item'));
    await sendWell(world, by('PUT /reindex/collection'));
    await work(world);
    await sendWell(world, by('PUT /item/VX-1/re-index'));
    const found = async () => [
      await hits(world, named('x_note', 'secret-a')),
      await hits(world, named('x_note', 'secret-d')),
      await hits(world, word('secret')),
      await hits(world, { ...word('secret'), intervals: 'all' }),
      await hits(world, word('secret'), 'collection'),
      await hits(world, word('harbour')),
    ];
    expect(await found()).toEqual([0, 0, 0, 0, 0, 1]);
    await sendWell(world, by('PUT /collection/VX-1/VX-1'));
    await work(world);
    expect(await found()).toEqual([0, 0, 0, 0, 0, 1]);
    await remove(world, 'x_note');
    await define(world, 'x_note', 'integer');
    expect(own(await putItem(world, untimed(field('x_note', '7'))))).toEqual({ title: ['Harbour'], x_note: ['7'] });
    expect(await hits(world, named('x_note', '7'))).toBe(1);
    expect(await bodyOf(world, 'GET /item/VX-1/metadata')).not.toContain('secret');
    // Nobody used it between the two deletions.
    expect(await told(world)).toEqual(['x_note']);
  });

  it('highlights and searches of values that are read show none of them', async () => {
    await putItem(world, untimed(field('title', 'reef'), field('x_note', 'reef secret')));
    await remove(world, 'x_note');
    await define(world, 'x_note');
    const answer = await sendWell(
      world,
      by('PUT /item', { ...word('reef'), highlight: { field: ['x_note', 'title'], matchingOnly: false } }),
    );
    expect([answer.includes('<em>reef</em>') || answer.includes('reef'), answer.includes('secret')]).toEqual([
      true,
      false,
    ]);
  });

  it('values are added to none of the old ones', async () => {
    await putItem(world, untimed(field('x_note', 'old')));
    await remove(world, 'x_note');
    await define(world, 'x_note');
    const added = { ...field('x_note', 'new'), mode: 'add' as const };
    expect(own(await putItem(world, untimed(added)))).toEqual({ x_note: ['new'] });
    expect(own(await getItem(world))).toEqual({ x_note: ['new'] });
  });

  it('undo, revisions and comparisons bring no old value back', async () => {
    await putItem(world, untimed(field('title', 'a'), field('x_note', 'old')));
    await putItem(world, untimed(field('title', 'b')));
    await remove(world, 'x_note');
    await define(world, 'x_note');
    await putItem(world, untimed(field('x_note', 'new')));
    await putItem(world, untimed(field('x_note', 'newer')));
    const { sequence } = (await world.events()).at(-1)!;
    expect(own(await documentIn(world, by(`DELETE ${log}/VX-2`)))).toEqual({ title: ['a'], x_note: ['newer'] });
    expect(own(await documentIn(world, by(`DELETE ${log}/VX-4`)))).toEqual({ title: ['a'], x_note: ['new'] });
    expect(own(await documentIn(world, by(`DELETE ${log}/VX-3`)))).toEqual({ title: ['a'] });
    const events = await world.events(sequence);
    expect(events.map(({ payload }) => payload['changes'])).toMatchObject([
      [{ field: 'title', values: ['a'] }],
      [{ field: 'x_note', values: ['new'] }],
      [{ field: 'x_note', values: [] }],
    ]);
    await putItem(world, untimed(field('x_note', 'last')));
    for (const path of [`${log}/VX-5/compareTo/VX-1`, '/item/VX-1/metadata?revision=VX-1', log]) {
      expect((await bodyOf(world, `GET ${path}`)).includes('"old"'), path).toBe(false);
    }
    await sendWell(world, by(`PUT ${log}/trim`));
    expect(own(await documentIn(world, by(`DELETE ${log}/VX-1`)))).toEqual({ x_note: ['last'] });
  });

  it('change sets keep its values, and nobody sees them', async () => {
    await putItem(world, untimed(field('title', 'a'), field('x_note', 'old')));
    await putItem(world, untimed(field('title', 'b')));
    const kept = async () =>
      (
        await world.service.store.read(
          `SELECT delta FROM metadata_change_set WHERE owner_type <> 'gone' ORDER BY serial`,
          [],
          'all',
        )
      ).map(([delta]) => String(delta).includes('"old"'));
    await remove(world, 'x_note');
    await sendWell(world, by(`DELETE ${log}/VX-2`));
    await sendWell(world, by(`PUT ${log}/trim`));
    expect(await kept()).toEqual([true]);
    expect(await bodyOf(world, `GET ${log}`)).not.toContain('old');
  });

  it('a change set of before takes no values of the field of today', async () => {
    await putItem(world, untimed(field('title', 'a'), field('x_note', 'old')));
    await remove(world, 'x_note');
    await define(world, 'x_note');
    const { status, body } = await world.send(
      by(`PUT ${log}/VX-1`, untimed(field('title', 'z'), field('x_note', 'y'))),
    );
    expect([status, JSON.parse(body)]).toMatchObject([
      400,
      { invalidInput: { context: 'metadata', id: 'x_note', explanation: expect.stringContaining('VX-1') } },
    ]);
    const set = await documentIn<{ changeSet: { metadata: MetadataDocumentValue }[] }>(world, by(`GET ${log}/VX-1`));
    expect(textsOf(set.changeSet[0]!.metadata)).toEqual({ title: ['a'] });
    expect(own(await documentIn(world, by(`PUT ${log}/VX-1`, untimed(field('title', 'z')))))).toEqual({ title: ['z'] });
    await putItem(world, untimed(field('x_note', 'new')));
    expect(own(await documentIn(world, by(`PUT ${log}/VX-2`, untimed(field('x_note', 'newer')))))).toEqual({
      title: ['z'],
      x_note: ['newer'],
    });
  });

  it('a field that metadata never used leaves nothing behind', async () => {
    await putItem(world, untimed(field('title', 'a')));
    await remove(world, 'x_note');
    expect(await told(world)).toEqual([]);
    await define(world, 'x_note');
    expect(own(await putItem(world, untimed(field('x_note', 'first'))))).toEqual({ title: ['a'], x_note: ['first'] });
  });

  it('entities that come later have values of the field of today', async () => {
    await putItem(world, untimed(field('x_note', 'old')));
    await remove(world, 'x_note');
    await define(world, 'x_note');
    const global = await documentIn(world, by('PUT /metadata', untimed(field('x_note', 'new'))));
    expect(own(global)).toEqual({ x_note: ['new'] });
    expect(own(await documentIn(world, by('GET /metadata')))).toEqual({ x_note: ['new'] });
    expect(own(await documentIn(world, by('DELETE /metadata/changes/VX-2')))).toEqual({});
  });

  it('values that a migration of the schema is still renaming go, too', async () => {
    await putItem(world, untimed(field('title', 'a'), field('x_note', 'secret')));
    await sendWell(
      world,
      by('POST /metadata/migration', { rename: [{ from: { field: { name: 'x_note' } }, to: 'x_remark' }] }),
    );
    await remove(world, 'x_remark');
    expect((await told(world)).toSorted()).toEqual(['x_note', 'x_remark']);
    expect(await bodyOf(world, 'GET /item/VX-1/metadata')).not.toContain('secret');
    await work(world);
    await define(world, 'x_remark');
    await define(world, 'x_note');
    expect(await bodyOf(world, 'GET /item/VX-1/metadata')).not.toContain('secret');
    expect(own(await putItem(world, untimed(field('x_note', 'n'), field('x_remark', 'r'))))).toEqual({
      title: ['a'],
      x_note: ['n'],
      x_remark: ['r'],
    });
  });

  it('a renamed field takes the name of a deleted one, and has its own values alone', async () => {
    await putItem(world, untimed(field('x_one', 'secret'), field('x_note', 'kept')));
    await putItem(world, untimed(field('title', 'a')));
    await remove(world, 'x_one');
    await sendWell(
      world,
      by('POST /metadata/migration', { rename: [{ from: { field: { name: 'x_note' } }, to: 'x_one' }] }),
    );
    await work(world);
    expect(own(await getItem(world))).toEqual({ title: ['a'], x_one: ['kept'] });
    expect(own(await documentIn(world, by(`DELETE ${log}/VX-2`)))).toEqual({ x_one: ['kept'] });
    await remove(world, 'x_one');
    await define(world, 'x_one');
    await putItem(world, untimed(field('title', 'b')));
    expect(own(await documentIn(world, by(`DELETE ${log}/VX-4`)))).toEqual({});
  });
});

it('a change that read before the deletion is decided again behind it', async () => {
  const database = faultyDatabase(await migratedDatabase());
  const world = await openMetadata('fetch', { database });
  await putItem(world, untimed(field('x_note', 'old')));
  database.beforeNextWrite(() => remove(world, 'x_note'));
  const late = await world.send(by('PUT /item/VX-1/metadata', untimed(field('title', 'a'), field('x_note', 'late'))));
  expect(late.status).toBe(404);
  await define(world, 'x_note');
  await putItem(world, untimed(field('x_note', 'old')));
  database.beforeNextWrite(async () => {
    await remove(world, 'x_note');
    await define(world, 'x_note', 'integer');
  });
  expect(own(await putItem(world, untimed(field('title', 'a'))))).toEqual({ title: ['a'] });
  expect(own(await getItem(world))).toEqual({ title: ['a'] });
  await work(world);
  expect(await hits(world, word('old'))).toBe(0);
});

// The package `sqld` has no binary for some machines.
it.skipIf(sqldBinary() === undefined)(
  'two instances on one database hide the same, also of a change that was on its way',
  async () => {
    const server = await startSqld();
    onTestFinished(() => server.stop());
    const clock = testClock();
    const instance = async () => {
      const database = faultyDatabase(openRemoteDatabase(server.url));
      return { world: await openWorld('fetch', { clock, database }), database };
    };
    const [one, other] = [await instance(), await instance()];
    await fill(one.world, 'metadata');
    const read = async ({ world }: typeof one) =>
      own((await documentIn<MetadataListValue>(world, by('GET /item/VX-1/metadata'))).item![0]!.metadata!);
    for (const [here, there] of [
      [one, other],
      [other, one],
    ] as const) {
      await putItem(here.world, untimed(field('title', 'a'), field('x_note', 'old')));
      expect([await read(here), await read(there)]).toEqual(Array(2).fill({ title: ['a'], x_note: ['old'] }));
      here.database.beforeNextWrite(async () => {
        await remove(there.world, 'x_note');
        await define(there.world, 'x_note');
      });
      await putItem(here.world, untimed(field('title', 'b')));
      expect([await read(here), await read(there)]).toEqual(Array(2).fill({ title: ['b'] }));
      await putItem(there.world, untimed(field('x_note', 'new')));
      expect([await read(here), await read(there)]).toEqual(Array(2).fill({ title: ['b'], x_note: ['new'] }));
    }
  },
);
