import { beforeEach, describe, expect, it } from 'vitest';
import type { MetadataDocumentValue, MetadataListValue } from '../../../src/assets/metadata/documents.ts';
import { openWorld, type World } from '../../support/matrix.ts';
import { givenTo } from '../../support/world.ts';
import { by, documentIn, sendWell } from './support.ts';

const untimed = (...fields: readonly object[]) => ({ timespan: [{ field: fields }] });
const text = (name: string, ...values: readonly string[]) => ({ name, value: values.map((value) => ({ value })) });

/** Items VX-1 and VX-2; VX-1 is in collection VX-1, which is in collection VX-2. */
describe('metadata that items inherit from collections', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld('fetch');
    const given = [
      ...givenTo('metadata'),
      by('POST /import/placeholder'),
      by('POST /collection'),
      by('PUT /metadata-field/x_event', { type: 'string', inheritance: 'true' }),
      by('PUT /metadata-field/field-group/Venue', { inheritance: 'true', field: [{ name: 'x_one' }] }),
      by('POST /import/placeholder'),
      by('POST /collection'),
      by('PUT /collection/VX-1/VX-1'),
      by('PUT /collection/VX-2/VX-1?type=collection'),
    ];
    for (const sent of given) await sendWell(world, sent);
  });

  const put = (path: string, body: object) => documentIn(world, by(`PUT /${path}/metadata`, body));
  const read = async (query = '', item = 'VX-1') =>
    (await documentIn<MetadataListValue>(world, by(`GET /item/${item}/metadata${query}`))).item![0]!.metadata!;
  const fieldsIn = ({ timespan = [] }: MetadataDocumentValue, name = 'x_event') =>
    timespan.flatMap((span) =>
      (span.field ?? [])
        .filter((field) => field.name === name)
        .map((field) => [`${span.start} ${span.end}`, field.value?.map(({ value }) => value), field.inheritance]),
    );
  const everywhere = '-INF +INF';

  it('a field of a collection appears on its items, as the instance of the collection', async () => {
    const stored = (await put('collection/VX-1', untimed(text('x_event', 'Regatta')))) as MetadataDocumentValue;
    const instance = stored.timespan![0]!.field!.find(({ name }) => name === 'x_event')!;
    const shown = (await read('?field=x_event')).timespan![0]!.field![0];
    expect(shown).toEqual({ ...instance, inheritance: 'Collection/VX-1' });
    expect(fieldsIn(await read('', 'VX-2'))).toEqual([]);
  });

  it('other fields of the collection do not appear', async () => {
    await put('collection/VX-1', untimed(text('x_note', 'n'), text('title', 'Harbour')));
    expect(fieldsIn(await read(), 'x_note')).toEqual([]);
  });

  it('a group of a collection appears with all that is in it', async () => {
    await put('collection/VX-1', { timespan: [{ group: [{ name: 'Venue', field: [text('x_one', 'Pier 3')] }] }] });
    const [group] = (await read()).timespan![0]!.group!;
    expect(group).toMatchObject({
      name: 'Venue',
      inheritance: 'Collection/VX-1',
      field: [{ name: 'x_one', value: [{ value: 'Pier 3' }], inheritance: 'Collection/VX-1' }],
    });
  });

  it('a value of the item hides it, and the removal of that shows it again', async () => {
    await put('collection/VX-1', untimed(text('x_event', 'Regatta')));
    await put('item/VX-1', untimed(text('x_event', 'Own')));
    expect(fieldsIn(await read())).toEqual([[everywhere, ['Own'], undefined]]);
    await put('collection/VX-1', untimed(text('x_event', 'Later')));
    expect(fieldsIn(await read())).toEqual([[everywhere, ['Own'], undefined]]);
    await put('item/VX-1', untimed({ name: 'x_event' }));
    expect(fieldsIn(await read())).toEqual([[everywhere, ['Later'], 'Collection/VX-1']]);
  });

  it('all collections above show theirs, the nearest first', async () => {
    await put('collection/VX-2', untimed(text('x_event', 'Season')));
    await put('collection/VX-1', untimed(text('x_event', 'Regatta')));
    expect(fieldsIn(await read())).toEqual([
      [everywhere, ['Regatta'], 'Collection/VX-1'],
      [everywhere, ['Season'], 'Collection/VX-2'],
    ]);
  });

  it('a membership that ends takes what was inherited with it', async () => {
    await put('collection/VX-2', untimed(text('x_event', 'Season')));
    expect(fieldsIn(await read())).toHaveLength(1);
    await sendWell(world, by('DELETE /collection/VX-2/VX-1?type=collection'));
    expect(fieldsIn(await read())).toEqual([]);
  });

  it('a definition that begins to inherit shows what was there before', async () => {
    await put('collection/VX-1', untimed(text('x_note', 'n')));
    await sendWell(world, by('PUT /metadata-field/x_note', { type: 'string', inheritance: 'true' }));
    expect(fieldsIn(await read(), 'x_note')).toEqual([[everywhere, ['n'], 'Collection/VX-1']]);
    await put('collection/VX-1', untimed({ name: 'x_note' }));
    expect(fieldsIn(await read(), 'x_note')).toEqual([]);
  });

  it('an undone change of a collection is undone on its items', async () => {
    const { revision } = (await put('collection/VX-1', untimed(text('x_event', 'Regatta')))) as MetadataDocumentValue;
    await sendWell(world, by(`DELETE /collection/VX-1/metadata/changes/${revision!.split(',').at(-1)}`));
    expect(fieldsIn(await read())).toEqual([]);
  });

  it('a PUT of what was read writes nothing inherited, and a collection fires nothing for items', async () => {
    await put('collection/VX-1', untimed(text('x_event', 'Regatta')));
    const shown = await read();
    const before = (await world.events()).at(-1)!.sequence;
    const answer = (await put('item/VX-1', shown)) as MetadataListValue;
    expect(fieldsIn(answer.item![0]!.metadata!)).toEqual([[everywhere, ['Regatta'], 'Collection/VX-1']]);
    await put('collection/VX-1', untimed(text('x_event', 'Later')));
    expect((await world.events(before)).map(({ name }) => name)).toEqual(['collection/metadata/modify']);
  });

  it('the short form of an item and of a list have what is inherited', async () => {
    await put('collection/VX-1', untimed(text('x_event', 'Regatta')));
    for (const request of [
      'GET /item/VX-1?content=metadata&field=x_event',
      'GET /item?content=metadata&field=x_event',
    ]) {
      expect(await sendWell(world, by(request))).toContain('"value":"Regatta"');
    }
  });

  it('a state of former days shows no collection of today', async () => {
    await put('collection/VX-1', untimed(text('x_event', 'Regatta')));
    const { item } = (await put('item/VX-1', untimed(text('title', 'a')))) as MetadataListValue;
    expect(fieldsIn(await read(`?revision=${item![0]!.metadata!.revision}`))).toEqual([]);
  });

  describe('timed metadata', () => {
    const timed = { timespan: [{ start: '90000@PAL', end: '90250@PAL', field: [text('x_event', 'Start')] }] };
    const start = () => put('item/VX-1', untimed(text('startTimeCode', '90000@PAL')));

    it('of a collection keeps its times', async () => {
      await start();
      await put('collection/VX-1', timed);
      expect(fieldsIn(await read())).toEqual([['90000@PAL 90250@PAL', ['Start'], 'Collection/VX-1']]);
    });

    it('of a collection with absolute times begins where the item begins', async () => {
      await start();
      await put('collection/VX-1', timed);
      const { absoluteTime } = await documentIn<{ absoluteTime?: boolean }>(
        world,
        by('PUT /collection/VX-1', { absoluteTime: true }),
      );
      expect(absoluteTime).toBe(true);
      expect(fieldsIn(await read())).toEqual([['0@PAL 250@PAL', ['Start'], 'Collection/VX-1']]);
      expect(fieldsIn(await read('?starttc=true'))).toEqual([['90000@PAL 90250@PAL', ['Start'], 'Collection/VX-1']]);
      await sendWell(world, by('PUT /collection/VX-1', { absoluteTime: false }));
      expect(fieldsIn(await read())).toEqual([['90000@PAL 90250@PAL', ['Start'], 'Collection/VX-1']]);
    });

    it('a collection is made with absolute times', async () => {
      const made = await documentIn(world, by('POST /collection', { absoluteTime: true }));
      expect(made).toMatchObject({ absoluteTime: true });
    });
  });
});
