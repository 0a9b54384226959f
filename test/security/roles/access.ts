import type { World } from '../../support/matrix.ts';
import { assetRowsOf, numberOf, rowsFor } from './assets.ts';
import type { Rule } from './rule.ts';

/** Entries on the item, the collection and the library of a caller, a group, and what imports of the caller do. */
const inserts: readonly string[] = [
  ...['item', 'collection', 'library'].map(
    (type) =>
      `INSERT INTO access_entry (entity_type, entity_id, id, entity_serial, user_id, permission, priority, applies_to)
        SELECT '${type}', 'VX${type === 'library' ? '*' : '-'}' || ?1, 'A-' || ?1, ?1, user.id, 'READ', 0, '["self"]' FROM user WHERE name = ?2`,
  ),
  `INSERT INTO "group" (id, name, role, version, created_at) SELECT 'G-' || ?1, 'group-' || ?1, 0, 1, 0`,
  `INSERT INTO import_access (user_id, group_id, permission)
    SELECT id, 'G-' || ?1, 'READ' FROM (SELECT id FROM user UNION ALL SELECT '')`,
  `INSERT INTO import_settings (id, serial, user_id, document)
    SELECT 'VX-' || ?1, ?1, user.id, '{"access":[]}' FROM user WHERE name = ?2`,
  `INSERT INTO external_id (entity_type, external_id, entity_id) VALUES ('import-settings', 'tape_' || ?1, 'VX-' || ?1)`,
];

async function accessRowsOf(world: World, who: string, caller = 'admin'): Promise<void> {
  await assetRowsOf(world, who, caller);
  const number = numberOf(who);
  const changes = inserts.map((sql) => ({ sql, args: sql.includes('?2') ? [number, caller] : [number] }));
  await world.service.store.commit({ changes, events: [] }, { user: 'test' });
}

const entry = { permission: 'READ', user: 'admin' };
const rows = (needs: Rule['needs'], asked: Parameters<typeof rowsFor>[1]): readonly Rule[] =>
  rowsFor(needs, asked).map((rule) => ({ ...rule, rows: accessRowsOf }));

const callers = new Map<string, string>();
/** About the caller, who may ask without the role for users. The viewer of the matrix of rights has all roles, and asks about another user. */
const aboutCaller = (rule: Rule): Rule => ({
  ...rule,
  rows(world, who, caller = 'admin') {
    callers.set(who, caller === 'viewer' ? 'admin' : caller);
    return accessRowsOf(world, who, caller);
  },
  request(who) {
    const { request } = rule.request(who);
    return { request: `${request}?user=${callers.get(who)}` };
  },
});

export const accessRules: readonly Rule[] = [
  ...['/item/:item', '/collection/:collection', '/library/:library'].flatMap((at) => [
    ...rows('_accesscontrol_read', [
      [`GET ${at}/access`],
      [`GET ${at}/access/:access`],
      [`GET ${at}/merged-access`],
      [`GET ${at}/merged-access/group`],
    ]),
    ...rows('_accesscontrol_read', [[`GET ${at}/access/explain`]]).map(aboutCaller),
    ...rows('_accesscontrol_write', [
      [`POST ${at}/access`, '', entry],
      [`DELETE ${at}/access/:access`],
      [`POST ${at}/access/bulk`, '', { access: [entry] }],
      [`DELETE ${at}/access/bulk`, '', { access: [] }],
      [`PUT ${at}/access/owner/:user`],
    ]),
  ]),
  ...rows('_administrator', [
    ['POST /item/access', '', entry],
    ['DELETE /item/access'],
    ['PUT /import/access/default/group/:group', '?permission=READ'],
    ['DELETE /import/access/default/group/:group'],
  ]),
  ...rows('_accesscontrol_read', [
    ['GET /item/:item/access/graph'],
    ['GET /collection/:collection/access/graph'],
    ['GET /item/:item/access/graph/dot'],
    ['GET /collection/:collection/access/graph/dot'],
    ['GET /library/:library/access/graph'],
    ['GET /library/:library/access/graph/dot'],
  ]),
  ...rows('_import', [
    ['PUT /import/access/group/:group', '?permission=READ'],
    ['DELETE /import/access/group/:group'],
    ['GET /import/settings/:profile'],
    ['POST /import/settings', '', {}],
    ['PUT /import/settings/:profile', '', {}],
    ['DELETE /import/settings/:profile'],
    ['GET /import/settings/:profile/external-id'],
    ['DELETE /import/settings/:profile/external-id'],
    ['PUT /import/settings/:profile/external-id/:externalId'],
    ['DELETE /import/settings/:profile/external-id/:externalId'],
  ]),
];
