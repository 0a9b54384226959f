import type { World } from '../../support/matrix.ts';
import { fileOf } from './files.ts';
import type { Rule } from './rule.ts';
import { shapeOf, shapeRowsOf, tagOf } from './shapes.ts';

const numberOf = (who: string): number => Number(fileOf(who).slice(3));

const inserts: readonly string[] = [
  `INSERT INTO collection (id, serial, created_at) VALUES ('VX-' || ?1, ?1, 0)`,
  `INSERT INTO access_entry (entity_type, entity_id, id, entity_serial, user_id, permission, priority, applies_to)
    SELECT 'collection', 'VX-' || ?1, 'O-' || ?1, ?1, user.id, 'OWNER', 0, '["all"]' FROM user WHERE name = ?2`,
  `INSERT INTO library (id, serial, created_at, update_mode, auto_refresh, used_at)
    VALUES ('VX*' || ?1, ?1, 0, 'MERGE', 0, 0)`,
  `INSERT INTO access_entry (entity_type, entity_id, id, entity_serial, user_id, permission, priority, applies_to)
    SELECT 'library', 'VX*' || ?1, 'O-' || ?1, ?1, user.id, 'OWNER', 0, '["all"]' FROM user WHERE name = ?2`,
  ...(['ITEM', 'COLLECTION', 'LIBRARY', 'SHAPE'] as const).map((type) => {
    const id = `'VX${type === 'LIBRARY' ? '*' : '-'}' || ?1`;
    return `INSERT INTO storage_rule (entity_type, entity_id, tag, precedence, document)
      VALUES ('${type}', ${id}, '', 2, '{}'), ('${type}', ${id}, 'tag-' || ?1, 2, '{}')`;
  }),
  "INSERT INTO shape_filename (shape_id, storage_id, filename) VALUES ('VX-' || ?1, 'VX-' || ?1, 'a-' || ?1)",
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
    ...(/^P/.test(route) && !route.includes('/filename') && { body: {} }),
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
  ...placeRules('/library/:library', (who) => `/library/VX*${numberOf(who)}`),
  ...(['GET', 'PUT', 'DELETE'] as const).map((method) =>
    rule(
      method === 'GET' ? '_storage_rule_read' : '_storage_rule_write',
      `${method} /item/:item/shape/:shape/storage-rule`,
      (who) => `${shapeOf(who)}/storage-rule`,
    ),
  ),
  rule('_storage_rule_read', 'GET /item/:item/shape/:shape/filename', (who) => `${shapeOf(who)}/filename`),
  ...(['PUT', 'DELETE'] as const).map((method) =>
    rule('_storage_rule_write', `${method} /item/:item/shape/:shape/filename/:storage`, (who) => {
      const number = numberOf(who);
      return `${shapeOf(who)}/filename/VX-${number}?filename=a-${number}`;
    }),
  ),
];
