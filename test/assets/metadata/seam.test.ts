import { expect, it } from 'vitest';
import { metadataOf, storedView, terseOf, wholeView } from '../../../src/assets/metadata/read.ts';
import { forgetMetadata, prepareMetadata, systemChange } from '../../../src/assets/metadata/write.ts';
import { openWorld } from '../../support/matrix.ts';
import { testSettings as settings } from '../../support/service.ts';

it('several change sets of one commit are one state, and an event each', async () => {
  const { service, clock } = await openWorld('fetch');
  const { store } = service;
  const owner = { kind: 'item', id: 'VX-7' } as const;
  const document = { timespan: [{ field: [{ name: 'title', value: [{ value: 'Harbour' }] }] }] };
  const prepared = await prepareMetadata({ store, clock, settings }, owner, [
    { by: 'ann', document },
    systemChange({ itemId: 'VX-7', mediaType: 'none' }),
    systemChange({ shapeTag: ['original', 'lowres'] }),
  ]);
  expect(prepared.events.map(({ name, payload }) => [name, payload])).toMatchObject([
    ['metadata/modify', { itemId: 'VX-7', changes: [{ field: 'title', values: ['Harbour'] }] }],
    ['metadata/modify', { changes: [{ field: 'itemId' }, { field: 'mediaType', values: ['none'] }] }],
    ['metadata/modify', { changes: [{ field: 'shapeTag', values: ['original', 'lowres'] }] }],
  ]);
  await store.commit(prepared, { user: 'ann' });
  const found = (await metadataOf(store, [owner], wholeView)).get('VX-7')!;
  expect(Object.fromEntries(terseOf(found))).toMatchObject({
    title: [{ start: '-INF', end: '+INF', value: 'Harbour' }],
    shapeTag: [{ value: 'original' }, { value: 'lowres' }],
    __metadata_last_modified: [{ uuid: '' }],
  });
  await store.commit({ changes: forgetMetadata(owner), events: [] }, { user: 'ann' });
  expect((await metadataOf(store, [owner], storedView)).get('VX-7')).toEqual({
    timespan: [{ field: [], group: [], start: '-INF', end: '+INF' }],
  });
});

it('a change that another one overtook is refused, so that its caller decides again', async () => {
  const { service, clock } = await openWorld('fetch');
  const { store } = service;
  const owner = { kind: 'item', id: 'VX-7' } as const;
  const prepare = (text: string) => prepareMetadata({ store, clock, settings }, owner, [systemChange({ title: text })]);
  const [first, second] = [await prepare('a'), await prepare('b')];
  await store.commit(first, { user: 'ann' });
  await expect(store.commit(second, { user: 'ann' })).rejects.toMatchObject({ code: 'changed-meanwhile' });
});
