import { describe, expect, it } from 'vitest';
import { loadFields } from '../../../src/assets/definitions/known.ts';
import { prepareMetadata } from '../../../src/assets/metadata/write.ts';
import { fieldPath, newField } from '../../support/assets.ts';
import { openWorld, type World } from '../../support/matrix.ts';
import { by, send } from '../../support/requests.ts';
import { testSettings } from '../../support/service.ts';

const actor = { user: 'admin' };

const prepared = ({ service, clock }: World, value: string, name = 'x_a') =>
  prepareMetadata({ store: service.store, clock, settings: testSettings }, { kind: 'global', id: '' }, [
    { by: 'admin', document: { timespan: [{ field: [{ name, value: [{ value }] }] }] } },
  ]);

const use = async (world: World, value: string) => world.service.store.commit(await prepared(world, value), actor);

async function openWith(type: string, more: object = {}): Promise<World> {
  const world = await openWorld('fetch');
  await send(world, newField('x_a', { type, ...more }));
  return world;
}

describe('the type of a field that metadata has used', () => {
  it('changes inside of its family, and keeps the limits of its values', async () => {
    const world = await openWith('integer', { integerRestriction: { minInclusive: 1 } });
    await use(world, '5');
    expect(await send(world, newField('x_a', { type: 'float' }))).toMatchObject({
      body: '{"name":"x_a","type":"float","floatRestriction":{"minInclusive":1},"origin":"VX"}',
    });
    await send(world, newField('x_a', { type: 'float-noindex' }));
  });

  it('does not change to one that would lose values, until it is defined again', async () => {
    const world = await openWith('string');
    await use(world, 'five');
    const answer = await world.send(newField('x_a', { type: 'integer' }));
    expect(answer.headers.get('portico-error')).toBe('field-used');
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
      409,
      { conflict: { context: 'metadata-field', id: 'x_a', value: 'integer' } },
    ]);
    await send(world, by(`DELETE ${fieldPath('x_a')}`));
    await send(world, newField('x_a', { type: 'integer' }));
    await send(world, newField('x_a', { type: 'date' }));
  });

  it('does not change between the check of a value and its commit', async () => {
    const world = await openWith('string');
    const work = await prepared(world, 'five');
    await send(world, newField('x_a', { type: 'integer' }));
    await expect(world.service.store.commit(work, actor)).rejects.toMatchObject({ code: 'changed-meanwhile' });
    await expect(prepared(world, 'five')).rejects.toMatchObject({ detail: { id: 'x_a', value: 'five' } });
  });

  it('is told once: two that use it first do so together, and later ones write nothing about it', async () => {
    const world = await openWith('string');
    await send(world, newField('x_b'));
    const { store } = world.service;
    const first = await prepared(world, '1');
    const other = await prepareMetadata(
      { store, clock: world.clock, settings: testSettings },
      { kind: 'item', id: 'VX-1' },
      [{ by: 'admin', document: { timespan: [{ field: [{ name: 'x_a', value: [{ value: '2' }] }] }] } }],
    );
    await Promise.all([store.commit(first, actor), store.commit(other, actor)]);
    expect((await loadFields(store, ['x_a', 'x_b'])).get('x_a')).toMatchObject({ used: true });
    expect((await loadFields(store, ['x_b'])).get('x_b')).toMatchObject({ used: false });
    const writes = (sql: string) => sql.includes('metadata_field');
    expect(first.changes.some(({ sql }) => writes(sql))).toBe(true);
    expect((await prepared(world, '3')).changes.some(({ sql }) => writes(sql))).toBe(false);
  });
});
