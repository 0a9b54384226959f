import { expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { rule, shapeAt } from '../../support/media.ts';
import { asking, done, rowsOf, sqlIn } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { librarian, worldOf } from '../../support/world.ts';

const ask = asking(librarian);

interface RulesJson {
  readonly default?: { readonly storage?: readonly string[] };
  readonly tag?: readonly {
    readonly id?: string;
    readonly inherited?: boolean;
    readonly appliesTo: { readonly id?: string; readonly type: string };
  }[];
}

const collections = "INSERT INTO collection (id, serial, created_at) VALUES ('VX-200', 200, 0), ('VX-201', 201, 0)";
const members =
  "INSERT INTO collection_member (collection_id, member_type, member_id, position, reference) VALUES ('VX-201', 'item', 'VX-100', 0, 'r1'), ('VX-200', 'collection', 'VX-201', 0, 'r2')";
const libraries =
  "INSERT INTO library (id, serial, created_at, update_mode, auto_refresh, used_at) VALUES ('VX*300', 300, 0, 'MERGE', 0, 0)";
const places = ['item/VX-100', 'collection/VX-200', 'library/VX*300'] as const;

it.each(places)('rules of %s are set, told, replaced and removed', async (place) => {
  const world = await worldOf('placement');
  await sqlIn(world, collections);
  await sqlIn(world, libraries);
  const at = (tag = '') => `${place}/storage-rule${tag}`;
  await rule(world, { storage: ['VX-1'] }, at());
  await rule(world, { storage: ['VX-2'], precedence: 'HIGH' }, at('/original'));
  const [type, id] = place.split('/');
  const told = await done<RulesJson>(world, ask(`GET /API/${at()}`, undefined, admin));
  expect(told.default?.storage).toEqual(['VX-1']);
  expect(told.tag).toMatchObject([{ id: 'original', appliesTo: { id, type: type!.toUpperCase() } }]);
  await rule(world, { storage: ['VX-3'] }, at('/original'));
  expect(await done(world, ask(`GET /API/${at('/original')}`, undefined, admin))).toMatchObject({ storage: ['VX-3'] });
  await done(world, ask(`DELETE /API/${at('/original')}`, undefined, admin));
  await done(world, ask(`DELETE /API/${at()}`, undefined, admin));
  expect((await world.send(ask(`DELETE /API/${at()}`, undefined, admin))).status).toBe(404);
});

it.each(places)('a rule of %s that is not there, of a caller who may not see it, or of nothing', async (place) => {
  const world = await worldOf('placement');
  await sqlIn(world, collections);
  await sqlIn(world, libraries);
  const ruler: Credentials = ['ruler', 'password of ruler'];
  await prepare(world, [newUser(ruler, ['_storage_rule_read', '_storage_rule_write'])]);
  const status = async (request: string, as = admin) =>
    (await world.send(ask(request, request.startsWith('P') ? '{}' : undefined, as))).status;
  expect(await status(`PUT /API/${place.slice(0, -1)}999/storage-rule`)).toBe(404);
  expect(await status(`PUT /API/${place}/storage-rule`, ruler)).toBe(403);
  expect(await status(`GET /API/${place}/storage-rule`, ruler)).toBe(403);
  expect((await world.send(ask(`GET /API/${place}/storage-rule/none`, undefined, admin))).status).toBe(404);
  const unknown = await world.send(ask(`PUT /API/${place}/storage-rule`, '{"storage":["VX-99"]}', admin));
  expect([unknown.status, unknown.body.includes('VX-99')]).toEqual([404, true]);
});

it('the rule in effect for a shape, and with all=true those that it overrules', async () => {
  const world = await worldOf('placement');
  await sqlIn(world, collections);
  await sqlIn(world, members);
  const { shapeId } = await shapeAt(world, 'a');
  await rule(world, { storage: ['VX-1'] });
  await rule(world, { storage: ['VX-2'] }, 'shape-tag/storage-rule/original');
  await rule(world, { storage: ['VX-2'] }, 'shape-tag/storage-rule/other');
  await rule(world, { storage: ['VX-3'] }, 'collection/VX-200/storage-rule');
  await rule(world, { storage: ['VX-3'] }, 'collection/VX-201/storage-rule/original');
  await rule(world, { storage: ['VX-3'] }, 'item/VX-100/storage-rule');
  await rule(world, { storage: ['VX-3'] }, 'item/VX-101/storage-rule');
  const path = `/API/item/VX-100/shape/${shapeId}/storage-rule`;
  const brief = async (query = '') => {
    const { tag = [] } = await done<RulesJson>(world, ask(`GET ${path}${query}`, undefined, admin));
    return tag.map(({ id = '-', inherited, appliesTo }) =>
      [appliesTo.type, appliesTo.id ?? '-', id, inherited].join(' '),
    );
  };
  expect(await brief()).toEqual(['ITEM VX-100 - ']);
  expect(await brief('?all=true')).toEqual([
    'ITEM VX-100 - ',
    'COLLECTION VX-201 original false',
    'COLLECTION VX-200 - true',
    'GENERIC - original ',
    'GENERIC - - ',
  ]);
  await rule(world, { storage: ['VX-3'], precedence: 'HIGHEST' });
  expect(await brief()).toEqual(['GENERIC - - ']);
  expect((await world.send(ask(`GET /API/item/VX-101/shape/${shapeId}/storage-rule`, undefined, admin))).status).toBe(
    404,
  );
});

it('a shape without rules has an empty list', async () => {
  const world = await worldOf('placement');
  const { shapeId } = await shapeAt(world, 'a');
  expect(await done(world, ask(`GET /API/item/VX-100/shape/${shapeId}/storage-rule`, undefined, admin))).toEqual({
    tag: [],
  });
});

it('the rules of an item go with it', async () => {
  const world = await worldOf('placement');
  await rule(world, { storage: ['VX-1'] }, 'item/VX-100/storage-rule');
  await done(world, ask('DELETE /API/item/VX-100', undefined, admin));
  expect(await rowsOf(world, 'storage_rule')).toEqual([]);
});

it('locks: nobody else changes the rules of a locked item', async () => {
  const world = await worldOf('placement');
  await rule(world, { storage: ['VX-1'] }, 'item/VX-100/storage-rule');
  const end = world.clock.now() + 60_000;
  await sqlIn(world, `INSERT INTO item_lock (item_id, user_id, user, expires_at) VALUES ('VX-100', 'u', 'u', ${end})`);
  for (const method of ['PUT', 'DELETE']) {
    const answer = await world.send(
      ask(`${method} /API/item/VX-100/storage-rule`, method === 'PUT' ? '{}' : undefined, admin),
    );
    expect([method, answer.status]).toEqual([method, 409]);
  }
});
