import { expect, it } from 'vitest';
import { describeMatrix } from '../../support/matrix.ts';
import { by, done, field, jsonOf, namespace, newField } from './support.ts';

describeMatrix('many metadata fields', (entry) => {
  it('the list is in the order of dictionaries, without hits', async () => {
    const world = await entry.open();
    for (const name of ['field_two', 'original_mimetype', 'Zebra_a']) await done(world, newField(name));
    const { field: fields, ...rest } = await jsonOf<{ field: { name: string }[] }>(world, 'GET /API/metadata-field');
    const names = fields.map(({ name }) => name);
    expect(rest).toEqual({});
    const at = (name: string) => names.indexOf(name);
    expect(at('field_two')).toBeLessThan(at('fieldValidationError'));
    expect(at('originalHeight')).toBeLessThan(at('original_mimetype'));
    expect(at('original_mimetype')).toBeLessThan(at('originalUri'));
    expect(names.at(-1)).toBe('Zebra_a');
    expect(fields.find(({ name }) => name === 'created')).toEqual({
      name: 'created',
      type: 'date',
      origin: 'VX',
      system: 'true',
    });
    expect(fields.find(({ name }) => name === 'title')).toEqual({ name: 'title', type: 'string', origin: 'VX' });
  });

  it('an enumeration is searched by keys and values', async () => {
    const world = await entry.open();
    const choices = ['de', 'dk', 'en'].map((key) => ({ key, value: `${key.toUpperCase()}!` }));
    await done(world, newField('x_a', { type: 'string', values: { field: choices } }));
    const keys = async (query: string) =>
      ((await jsonOf<{ field?: { key: string }[] }>(world, `GET ${field('x_a', `/values?${query}`)}`)).field ?? []).map(
        ({ key }) => key,
      );
    expect(await keys('')).toEqual(['de', 'dk', 'en']);
    expect(await keys('key-exact=en')).toEqual(['en']);
    expect(await keys('key-start=d')).toEqual(['de', 'dk']);
    expect(await keys('key-regex=.[en]')).toEqual(['de', 'en']);
    expect(await keys('value-exact=DK!')).toEqual(['dk']);
    expect(await keys('value-start=D&hits=1')).toEqual(['de']);
    expect(await keys('value-regex=.*')).toHaveLength(3);
    expect(await keys('value-regex=D')).toEqual([]);
    expect((await world.send(by(`GET ${field('x_a', '/values?key-regex=(')}`))).status).toBe(400);
  });

  it('a field that is defined again has nothing of the old one', async () => {
    const world = await entry.open();
    await done(world, namespace);
    await done(
      world,
      newField('x_a', { type: 'integer', defaultValue: '1', externalId: ['old'], values: { field: [{ key: 'a' }] } }),
    );
    await done(world, by(`PUT ${field('x_a', '/metadata/k')}`, 'v'));
    await done(world, by(`POST ${field('x_a', '/access')}`, { user: 'admin', permission: 'READ' }));
    await done(world, by(`DELETE ${field('x_a')}`));
    await done(world, newField('x_a'));
    const query = '?data=all&includeValues=true';
    expect(await jsonOf(world, `GET ${field('x_a', query)}`)).toEqual({
      name: 'x_a',
      type: 'string',
      values: {},
      origin: 'VX',
    });
    expect(await jsonOf(world, `GET ${field('x_a', '/access')}`)).toEqual({ access: [] });
    expect((await world.send(by(`GET ${field('old')}`))).status).toBe(404);
  });

  it('two that change one field at the same time both succeed, and nothing is lost', async () => {
    const world = await entry.open();
    await Promise.all(
      [newField('x_a'), newField('x_a'), newField('x_a', { type: 'string', defaultValue: 'd' })].map((sent) =>
        done(world, sent),
      ),
    );
    await Promise.all(
      [newField('x_a', { inheritance: 'true' }), newField('x_a', { sortable: true })].map((sent) => done(world, sent)),
    );
    expect(await jsonOf(world, `GET ${field('x_a')}`)).toMatchObject({
      defaultValue: 'd',
      sortable: true,
      inheritance: 'true',
    });
  });
});
