import { expect, it } from 'vitest';
import type { MetadataDocumentValue } from '../../../src/assets/metadata/documents.ts';
import { newUser } from '../../support/cast.ts';
import { openWorld } from '../../support/matrix.ts';
import type { Credentials } from '../../support/service.ts';
import { givenTo } from '../../support/world.ts';
import {
  by,
  documentIn,
  entityRows,
  field,
  getItem,
  openMetadata,
  putItem,
  sendWell,
  textsOf,
  untimed,
} from './support.ts';

type Sets = { readonly changeSet: readonly { readonly id: string; readonly metadata: MetadataDocumentValue }[] };
const log = '/item/VX-1/metadata/changes';

it('the log lists what each change set said, with the uuids that it met', async () => {
  const world = await openMetadata();
  const first = await putItem(world, untimed(field('title', 'a'), field('x_note', 'n')));
  await putItem(world, untimed(field('title', 'a', 'b'), { name: 'x_note' }));
  const { changeSet } = await documentIn<Sets>(world, by(`GET ${log}`));
  expect(changeSet.map(({ id }) => id)).toEqual(['VX-1', 'VX-2']);
  const [title] = first.timespan![0]!.field!;
  const [second] = changeSet[1]!.metadata.timespan!;
  expect(second!.field).toMatchObject([
    {
      name: 'title',
      uuid: title!.uuid,
      user: 'admin',
      change: 'VX-2',
      value: [
        { value: 'a', uuid: title!.value![0]!.uuid },
        { value: 'b', change: 'VX-2' },
      ],
    },
    { name: 'x_note' },
  ]);
  const page = await documentIn<Sets>(world, by(`GET ${log}?first=2&number=1&field=title`));
  expect(page.changeSet).toMatchObject([{ id: 'VX-2', metadata: { timespan: [{ field: [{ name: 'title' }] }] } }]);
  expect((await documentIn<Sets>(world, by(`GET ${log}?change=VX-1`))).changeSet).toHaveLength(1);
  expect((await documentIn<Sets>(world, by(`GET ${log}/VX-1`))).changeSet).toMatchObject([{ id: 'VX-1' }]);
  expect((await world.send(by(`GET ${log}/VX-9`))).status).toBe(404);
  expect((await world.send(by('GET /collection/VX-1/metadata/changes/VX-1'))).status).toBe(404);
});

it('undoing a change set makes the metadata from the others, as one event', async () => {
  const world = await openMetadata();
  await putItem(world, untimed(field('title', 'a')));
  await putItem(world, untimed(field('title', 'b'), field('x_note', 'n')));
  await putItem(world, untimed(field('x_one', '1')));
  const { sequence } = (await world.events()).at(-1)!;
  const answer = await documentIn(world, by(`DELETE ${log}/VX-2`));
  expect(textsOf(answer)).toEqual({ title: ['a'], x_one: ['1'] });
  expect(await world.events(sequence)).toMatchObject([
    {
      name: 'metadata/modify',
      payload: {
        changeSetId: 'VX-2',
        changes: [
          { field: 'title', values: ['a'] },
          { field: 'x_note', values: [] },
        ],
      },
    },
  ]);
  expect((await world.send(by(`DELETE ${log}/VX-2`))).status).toBe(404);
  await putItem(world, untimed(field('x_two', '2')));
  expect((await documentIn<Sets>(world, by(`GET ${log}`))).changeSet.map(({ id }) => id)).toEqual([
    'VX-1',
    'VX-3',
    'VX-4',
  ]);
});

it('a change set is replaced, as if it had always been so', async () => {
  const world = await openMetadata();
  await putItem(world, untimed(field('title', 'a')));
  await putItem(world, untimed(field('x_note', 'n')));
  const answer = await documentIn(world, by(`PUT ${log}/VX-1`, untimed(field('title', 'A'), field('x_note', 'old'))));
  expect(textsOf(answer)).toEqual({ title: ['A'], x_note: ['n'] });
  const sets = {
    changeSet: [
      { id: 'VX-1', metadata: untimed(field('title', 'z')) },
      { id: 'VX-2', metadata: untimed(field('x_note', 'y')) },
    ],
  };
  const { changeSet } = await documentIn<Sets>(world, by(`PUT ${log}`, sets));
  expect(changeSet.map(({ metadata }) => textsOf(metadata))).toEqual([{ title: ['z'] }, { x_note: ['y'] }]);
  expect(textsOf(await getItem(world, '?includeTransientMetadata=false'))).toEqual({ title: ['z'], x_note: ['y'] });
  const wrong = await world.send(by(`PUT ${log}/VX-1`, untimed(field('x_number', 'many'))));
  expect([wrong.status, textsOf(await getItem(world, '?field=title'))]).toEqual([400, { title: ['z'] }]);
});

it('trim takes out what changes nothing, and an emptied change set disappears', async () => {
  const world = await openMetadata();
  await putItem(world, untimed(field('title', 'a')));
  await putItem(world, untimed(field('title', 'b')));
  await putItem(world, untimed(field('title', 'b'), field('x_note', 'n')));
  const { sequence } = (await world.events()).at(-1)!;
  const before = await getItem(world);
  const trimmed = await documentIn<Sets>(world, by(`PUT ${log}/VX-3/trim`));
  expect(textsOf(trimmed.changeSet[2]!.metadata)).toEqual({ x_note: ['n'] });
  await sendWell(world, by(`PUT ${log}/VX-1`, untimed(field('title', 'b'))));
  const all = await documentIn<Sets>(world, by(`PUT ${log}/trim`));
  expect(all.changeSet.map(({ id }) => id)).toEqual(['VX-1', 'VX-3']);
  expect(textsOf(await getItem(world))).toMatchObject({ title: ['b'], x_note: ['n'] });
  expect(before.timespan).toHaveLength(1);
  expect(await world.events(sequence)).toEqual([]);
});

it('a change set of the service stays one when it is trimmed, and its fields stay', async () => {
  const world = await openWorld('fetch');
  await sendWell(world, givenTo('metadata')[0]!);
  const { id } = await documentIn<{ readonly id: string }>(world, by('POST /collection?name=c'));
  const path = `/collection/${id}/metadata`;
  await sendWell(world, by(`PUT ${path}`, untimed(field('x_note', 'n'))));
  const { changeSet } = await documentIn<Sets>(world, by(`PUT ${path}/changes/trim`));
  const [first, second] = changeSet.map((set) => set.id);
  expect((await world.send(by(`DELETE ${path}/changes/${first}`))).status).toBe(400);
  expect((await documentIn<Sets>(world, by(`PUT ${path}/changes/trim`))).changeSet).toHaveLength(2);
  await sendWell(world, by(`DELETE ${path}/changes/${second}`));
  expect(textsOf(await documentIn(world, by(`GET ${path}`)))).toMatchObject({ title: ['c'], collectionId: [id] });
});

it('two change sets are compared, each part with its mode', async () => {
  const world = await openMetadata();
  await putItem(world, { timespan: [{ field: [field('title', 'a', 'b'), field('x_note', 'n')] }] });
  await putItem(world, {
    timespan: [{ field: [field('title', 'b', 'c'), { name: 'x_note' }], group: [{ name: 'Segment' }] }],
  });
  const compared = await documentIn(world, by(`GET ${log}/VX-2/compareTo/VX-1`));
  expect(compared.timespan).toMatchObject([
    {
      field: [
        {
          name: 'title',
          value: [
            { value: 'a', mode: 'remove' },
            { value: 'c', mode: 'add' },
          ],
        },
        { name: 'x_note', mode: 'remove' },
      ],
      group: [{ name: 'Segment', mode: 'add' }],
    },
  ]);
  expect(await documentIn(world, by(`GET ${log}/VX-2/compareTo/previous`))).toEqual(compared);
  expect((await documentIn(world, by(`GET ${log}/VX-1/compareTo/previous`))).timespan).toMatchObject([
    {
      field: [
        { name: 'title', mode: 'add' },
        { name: 'x_note', mode: 'add' },
      ],
    },
  ]);
  expect((await world.send(by(`GET ${log}/VX-2/compareTo/VX-7`))).status).toBe(404);
});

it('the log shows what the caller may see of the item, whatever other items have the ids of its change sets', async () => {
  const world = await openMetadata();
  const ann: Credentials = ['ann', 'p'];
  await sendWell(world, newUser(ann, ['_metadata_read']));
  for (const text of ['a', 'b', 'c']) await putItem(world, untimed(field('title', text), field('x_note', text)));
  const closed = { metadata: { field: 'x_note' } };
  await sendWell(world, by('POST /item/VX-1/access', { user: 'ann', permission: 'READ' }));
  await sendWell(world, by('POST /item/VX-1/access', { user: 'ann', permission: 'NONE', operation: closed }));
  // The change set VX-3 is no business of this item.
  await entityRows(world, 3);
  await sendWell(world, by('POST /item/VX-3/access', { user: 'ann', permission: 'READ' }));
  const seen = async (path: string) => JSON.stringify(await documentIn(world, by(`GET ${path}`, undefined, ann)));
  for (const path of [log, `${log}/VX-3`, `${log}/VX-3/compareTo/previous`, `${log}/VX-3/compareTo/VX-1`]) {
    const text = await seen(path);
    expect([path, text.includes('title'), text.includes('x_note')]).toEqual([path, true, false]);
  }
  expect(await seen(log)).toContain('"value":"b"');
});
