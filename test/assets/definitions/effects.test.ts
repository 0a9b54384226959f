import { beforeEach, describe, expect, it } from 'vitest';
import type { MetadataField } from '../../../src/assets/metadata/documents.ts';
import type { World } from '../../support/matrix.ts';
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
} from '../metadata/support.ts';

/** Effects of definitions on metadata and searches. */
describe('the definition of a field', () => {
  let world: World;
  beforeEach(async () => {
    world = await openMetadata();
  });

  const define = (name: string, document: object) => sendWell(world, by(`PUT /metadata-field/${name}`, document));
  const found = async (search: object) => {
    const { item = [] } = await documentIn<{ item?: { id: string }[] }>(world, by('PUT /item', search));
    return item.map(({ id }) => id);
  };
  const named = (name: string, value: string) => ({ field: [{ name, value: [{ value }] }] });
  const text = (value: string) => ({ text: [{ value }] });
  const refused = async (request: string, body: object) => {
    const { status, body: says } = await world.send(by(request, body));
    return [status, Object.values(JSON.parse(says) as Record<string, object | null>).find((kind) => kind !== null)];
  };

  it('says whether values are found, by a text, and how much they count', async () => {
    await define('x_out', { type: 'string', index: 'noindex' });
    await define('x_up', { type: 'string', index: 'extend' });
    await define('x_own', { type: 'string', fullText: false });
    await putItem(world, untimed(field('x_out', 'reef'), field('x_up', 'sail'), field('x_own', 'tide')));
    expect([await found(named('x_out', 'reef')), await found(text('reef'))]).toEqual([[], []]);
    expect([await found(named('x_up', 'sail')), await found(text('sail'))]).toEqual([['VX-1'], ['VX-1']]);
    expect([await found(named('x_own', 'tide')), await found(text('tide'))]).toEqual([['VX-1'], []]);
  });

  it('boost makes values of the field count more for relevance', async () => {
    await entityRows(world, 2);
    for (const [at, name] of ['x_one', 'x_two'].entries())
      await sendWell(world, by(`PUT /item/VX-${at + 1}/metadata`, untimed(field(name, 'reef'))));
    const either = {
      operator: [{ operation: 'OR', field: ['x_one', 'x_two'].map((name) => named(name, 'reef').field[0]) }],
      sort: [{ field: '_relevance', order: 'descending' }],
    };
    await define('x_one', { boost: 50 });
    const first = await found(either);
    await define('x_one', { boost: 1 });
    await define('x_two', { boost: 50 });
    expect([first.length, await found(either)]).toEqual([2, first.toReversed()]);
    // A caller has as many boosts as without those of definitions.
    const weighed = { name: 'x_one', value: [{ value: 'reef', boost: 100 }] };
    const many = Array.from({ length: 32 }, () => named('x_two', 'reef').field[0]);
    const asked = { ...either, operator: [{ operation: 'OR', field: [...many, weighed] }] };
    expect(await found(asked)).toHaveLength(2);
  });

  it('an enumeration is advice, and other values are taken', async () => {
    await define('x_note', { type: 'string', values: { field: [{ key: 'a', value: 'A' }] } });
    expect(textsOf(await putItem(world, untimed(field('x_note', 'other'))))).toEqual({ x_note: ['other'] });
  });

  it('limits what values may be, and the first that is none is told', async () => {
    await define('x_code', { type: 'string', stringRestriction: { minLength: 2, maxLength: 3, pattern: '[a-z]+' } });
    const put = (...fields: readonly MetadataField[]) => refused('PUT /item/VX-1/metadata', untimed(...fields));
    const wrong = (id: string, value: string) => [
      400,
      { context: 'metadata', id, value, explanation: expect.stringContaining('Expected') },
    ];
    expect(await put(field('x_number', 'many'))).toMatchObject(wrong('x_number', 'many'));
    expect(await put(field('x_number', '0'))).toMatchObject(wrong('x_number', '0'));
    expect(await put(field('x_code', 'abc1'))).toMatchObject(wrong('x_code', 'abc1'));
    expect(await put(field('x_code', 'ab1'))).toMatchObject(wrong('x_code', 'ab1'));
    expect(await put(field('x_code', 'abc'), field('x_number', '0', 'few'))).toMatchObject(wrong('x_number', '0'));
    expect((await world.send(by('GET /item/VX-1/metadata/changes'))).body).not.toContain('VX-1');
  });

  it('goes from searches with its values, and its name may be defined again', async () => {
    await putItem(world, untimed(field('title', 'Harbour'), field('x_note', 'reef')));
    expect(await found(text('reef'))).toEqual(['VX-1']);
    await sendWell(world, by('DELETE /metadata-field/x_note'));
    expect(await found(named('x_note', 'reef'))).toEqual([]);
    for (let round = 0; round < 4; round++) {
      await world.service.tick(1000);
      await world.clock.advance(3000);
    }
    expect([await found(text('reef')), await found(text('harbour'))]).toEqual([[], ['VX-1']]);
    expect(await refused('PUT /item/VX-1/metadata', untimed(field('x_note', 'new')))).toMatchObject([404, {}]);
    await define('x_note', { type: 'integer' });
    expect(textsOf(await putItem(world, untimed(field('x_note', '7'))))).toEqual({ title: ['Harbour'], x_note: ['7'] });
    expect(await found(named('x_note', '7'))).toEqual(['VX-1']);
  });

  it('a deleted group stays readable where it is, and takes no changes', async () => {
    const segment = { name: 'Segment', field: [field('seg_title', 'Kick-off')] };
    const { uuid } = (await putItem(world, { timespan: [{ group: [segment] }] })).timespan![0]!.group![0]!;
    await sendWell(world, by('DELETE /metadata-field/field-group/Segment'));
    expect((await getItem(world)).timespan![0]!.group).toMatchObject([{ ...segment, uuid }]);
    for (const given of [segment, { ...segment, mode: 'add' }, { ...segment, uuid }]) {
      expect(await refused('PUT /item/VX-1/metadata', { timespan: [{ group: [given] }] })).toMatchObject([
        404,
        { type: 'metadata-field-group', id: 'Segment' },
      ]);
    }
  });

  it('the limits of a schema describe, and refuse nothing', async () => {
    await sendWell(world, by('PUT /metadata-field/field-group/Film/title'));
    const group = await documentIn<{ field: object[] }>(world, by('GET /metadata-field/field-group/Film'));
    expect(group.field).toMatchObject([{ name: 'title', schema: { min: 0, max: -1 } }]);
    const one = { min: 1, max: 1, name: 'title' };
    await sendWell(world, by('PUT /metadata-field/field-group/Film', { field: [{ name: 'title', schema: one }] }));
    for (const fields of [[], [field('title', 'a', 'b')]]) {
      await putItem(world, { timespan: [{ group: [{ name: 'Film', mode: 'add', field: fields }] }] });
    }
    expect((await getItem(world)).timespan![0]!.group).toHaveLength(2);
  });
});
