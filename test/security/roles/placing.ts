import type { World } from '../../support/matrix.ts';
import { fileOf } from './files.ts';
import type { Rule } from './rule.ts';
import { shapeOf, shapeRowsOf, tagOf } from './shapes.ts';

const numberOf = (who: string): number => Number(fileOf(who).slice(3));

const inserts: readonly string[] = [
  `INSERT INTO collection (id, serial, created_at) VALUES ('VX-' || ?1, ?1, 0)`,
  `INSERT INTO access_entry (entity_type, entity_id, id, entity_serial, user_id, permission, priority, applies_to)
    SELECT 'collection', 'VX-' || ?1, 'O-' || ?1, ?1, user.id, 'OWNER', 0, '["all"]' FROM user WHERE name = ?2`,
  ...['ITEM', 'COLLECTION'].map(
    (type) => `INSERT INTO storage_rule (entity_type, entity_id, tag, precedence, document)
      VALUES ('${type}', 'VX-' || ?1, '', 2, '{}'), ('${type}', 'VX-' || ?1, 'tag-' || ?1, 2, '{}')`,
  ),
];

/** An item with a shape, and a collection of the caller, with a rule each for all files and for one tag. */
async function placedRowsOf(world: World, who: string, caller = ''): Promise<void> {
  await shapeRowsOf(world, who, caller);
  const changes = inserts.map((sql) => ({ sql, args: sql.includes('?2') ? [numberOf(who), caller] : [numberOf(who)] }));
  await world.service.store.commit({ changes, events: [] }, { user: 'test' });
}

const rule = (needs: Rule['needs'], route: string, target: (who: string) => string): Rule => ({
  route,
  needs,
  rows: placedRowsOf,
  request: (who) => ({
    request: `${route.slice(0, route.indexOf(' '))} /API${target(who)}`,
    ...(/^P/.test(route) && { body: {} }),
  }),
});

const placeRules = (path: string, at: (who: string) => string): readonly Rule[] => {
  const [all, one] = [`${path}/storage-rule`, `${path}/storage-rule/:tag`];
  const allAt = (who: string) => `${at(who)}/storage-rule`;
  const oneAt = (who: string) => `${allAt(who)}/${tagOf(who)}`;
  return [
    rule('_storage_rule_read', `GET ${all}`, allAt),
    rule('_storage_rule_read', `GET ${one}`, oneAt),
    ...['PUT', 'DELETE'].map((method) => rule('_storage_rule_write', `${method} ${all}`, allAt)),
    ...['PUT', 'POST', 'DELETE'].map((method) => rule('_storage_rule_write', `${method} ${one}`, oneAt)),
  ];
};

export const placingRules: readonly Rule[] = [
  ...placeRules('/item/:item', (who) => `/item/${fileOf(who)}`),
  ...placeRules('/collection/:collection', (who) => `/collection/${fileOf(who)}`),
  rule('_storage_rule_read', 'GET /item/:item/shape/:shape/storage-rule', (who) => `${shapeOf(who)}/storage-rule`),
];
