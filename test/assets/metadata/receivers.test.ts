import { expect, it } from 'vitest';
import { describeMatrix } from '../../support/matrix.ts';
import { openWorld, receiving, register, told } from '../../support/receiver.ts';
import { fill } from '../../support/world.ts';
import { by, putItem, sendWell } from './support.ts';

/** Change sets that a receiver hears of: filters against real commits, and not against events that a test makes. */

type Filter = readonly [name: string, modify: Readonly<Record<string, string>>];

const filters: readonly Filter[] = [
  ['any', {}],
  ['field', { field: 'title' }],
  ['fields', { field: 'x_one,x_two' }],
  ['wildcard', { field: 'seg_*' }],
  ['generic', { interval: 'generic' }],
  ['interval', { interval: '2-4' }],
  ['track', { track: 'A2-4' }],
  ['language', { language: 'en*' }],
  ['together', { field: 'x_*', track: 'A*', interval: '50@PAL-125@PAL', language: 'en_US' }],
];

const field = (name: string, more: object = {}, value: object = {}) => ({
  name,
  ...more,
  value: [{ value: 'a', ...value }],
});
const timed = { start: '50@PAL', end: '125@PAL' };

const changes: readonly (readonly [what: string, timespan: object, hears: readonly string[]])[] = [
  ['a field of the item', { field: [field('title')] }, ['any', 'field', 'generic']],
  ['one of several', { field: [field('x_two')] }, ['any', 'fields', 'generic']],
  [
    'a timed field in a group',
    { ...timed, group: [{ name: 'Segment', field: [field('seg_note')] }] },
    ['any', 'wildcard', 'interval'],
  ],
  ['a later time', { start: '4', end: '5', field: [field('x_note')] }, ['any']],
  ['a track', { field: [field('x_note', { track: 'A3' })] }, ['any', 'generic', 'track']],
  ['a language', { field: [field('x_note', {}, { lang: 'en_GB' })] }, ['any', 'generic', 'language']],
  [
    'all at once',
    { ...timed, field: [field('x_note', { track: 'A1' }, { lang: 'en_US' })] },
    ['any', 'interval', 'language', 'together'],
  ],
  [
    'all, but in two fields',
    { ...timed, field: [field('x_note', { track: 'A5' }), field('title', {}, { lang: 'en_US' })] },
    ['any', 'field', 'interval', 'language'],
  ],
  ['a removal', { field: [{ name: 'title' }] }, ['any', 'field', 'generic']],
];

describeMatrix('receivers of metadata/modify', (entry) => {
  it('hear of the change sets that their filters name, and of no others', async () => {
    const world = await openWorld(entry);
    await fill(world, 'metadata');
    const receiver = await receiving();
    for (const [name, modify] of filters) {
      await register(world, { url: `${receiver.address}/${name}` }, { metadata: { modify } }, '/item');
    }
    const changeSets = new Set<string>();
    for (const [what, timespan, hears] of changes) {
      const before = receiver.received.length;
      const { revision = '' } = await putItem(world, { timespan: [timespan] });
      await world.service.tick();
      const heard = receiver.received.slice(before);
      expect(heard.map(({ target }) => target.slice(1)).sort(), what).toEqual([...hears].sort());
      for (const each of heard) {
        const { itemId, changeSetId, userName } = told(each);
        expect([itemId, userName], what).toEqual(['VX-1', 'admin']);
        changeSets.add(changeSetId!);
        if (what !== 'a removal') expect(revision.split(','), what).toContain(changeSetId);
      }
    }
    expect(changeSets.size).toBe(changes.length);
    // A PUT that changes nothing is heard by nobody.
    const before = receiver.received.length;
    await putItem(world, { timespan: [{ field: [field('x_two')] }] });
    await world.service.tick();
    expect(receiver.received).toHaveLength(before);
  });

  it('hear of fields of collections by wildcards, too', async () => {
    const world = await openWorld(entry);
    await fill(world, 'metadata');
    const receiver = await receiving();
    const trigger = { collection: { metadata: { modify: { field: 'x_*' } } } };
    await register(world, { url: `${receiver.address}/x` }, trigger, '/collection');
    for (const name of ['title', 'x_note']) {
      await sendWell(world, by('PUT /collection/VX-1/metadata', { timespan: [{ field: [field(name)] }] }));
      await world.service.tick();
    }
    expect(receiver.received.map(told)).toMatchObject([{ collectionId: 'VX-1', x_note: 'a' }]);
  });
});
