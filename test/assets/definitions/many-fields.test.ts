import { expect, it } from 'vitest';
import { fieldPath, namespace, newField } from '../../support/assets.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { by, jsonOf, send } from '../../support/requests.ts';

describeMatrix('many metadata fields', (entry) => {
  it('the list is in the order of dictionaries, without hits', async () => {
    const world = await entry.open();
    for (const name of ['field_two', 'original_mimetype', 'Zebra_a']) await send(world, newField(name));
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
    await send(world, newField('x_a', { type: 'string', values: { field: choices } }));
    const keys = async (query: string) =>
      (
        (await jsonOf<{ field?: { key: string }[] }>(world, `GET ${fieldPath('x_a', `/values?${query}`)}`)).field ?? []
      ).map(({ key }) => key);
    expect(await keys('')).toEqual(['de', 'dk', 'en']);
    expect(await keys('key-exact=en')).toEqual(['en']);
    expect(await keys('key-start=d')).toEqual(['de', 'dk']);
    expect(await keys('key-regex=.[en]')).toEqual(['de', 'en']);
    expect(await keys('value-exact=DK!')).toEqual(['dk']);
    expect(await keys('value-start=D&hits=1')).toEqual(['de']);
    expect(await keys('value-regex=.*')).toHaveLength(3);
    expect(await keys('value-regex=D')).toEqual([]);
    expect((await world.send(by(`GET ${fieldPath('x_a', '/values?key-regex=(')}`))).status).toBe(400);
  });

  it('a field that is defined again has nothing of the old one', async () => {
    const world = await entry.open();
    await send(world, namespace);
    await send(
      world,
      newField('x_a', { type: 'integer', defaultValue: '1', externalId: ['old'], values: { field: [{ key: 'a' }] } }),
    );
    await send(world, by(`PUT ${fieldPath('x_a', '/metadata/k')}`, 'v'));
    await send(world, by(`POST ${fieldPath('x_a', '/access')}`, { user: 'admin', permission: 'READ' }));
    await send(world, by(`DELETE ${fieldPath('x_a')}`));
    await send(world, newField('x_a'));
    const query = '?data=all&includeValues=true';
    expect(await jsonOf(world, `GET ${fieldPath('x_a', query)}`)).toEqual({
      name: 'x_a',
      type: 'string',
      values: {},
      origin: 'VX',
    });
    expect(await jsonOf(world, `GET ${fieldPath('x_a', '/access')}`)).toEqual({ access: [] });
    expect((await world.send(by(`GET ${fieldPath('old')}`))).status).toBe(404);
  });

  it('two that change one field at the same time both succeed, and nothing is lost', async () => {
    const world = await entry.open();
    await Promise.all(
      [newField('x_a'), newField('x_a'), newField('x_a', { type: 'string', defaultValue: 'd' })].map((sent) =>
        send(world, sent),
      ),
    );
    await Promise.all(
      [newField('x_a', { inheritance: 'true' }), newField('x_a', { sortable: true })].map((sent) => send(world, sent)),
    );
    expect(await jsonOf(world, `GET ${fieldPath('x_a')}`)).toMatchObject({
      defaultValue: 'd',
      sortable: true,
      inheritance: 'true',
    });
  });
});
