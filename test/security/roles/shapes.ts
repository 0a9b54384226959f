import type { World } from '../../support/matrix.ts';
import { fileOf, fileRowsOf } from './files.ts';
import type { Rule } from './rule.ts';

const numberOf = (who: string): number => Number(fileOf(who).slice(3));
/** The placeholder of a caller, and the component that it expects. */
const otherOf = (who: string): string => `VX-${numberOf(who) + 100_000}`;
export const tagOf = (who: string): string => `tag-${numberOf(who)}`;

const inserts: readonly string[] = [
  `INSERT INTO item (id, serial, created_at) VALUES ('VX-' || ?1, ?1, 0)`,
  `INSERT INTO access_entry (entity_type, entity_id, id, entity_serial, user_id, permission, priority, applies_to)
    SELECT 'item', 'VX-' || ?1, 'O-' || ?1, ?1, user.id, 'OWNER', 0, '["all"]' FROM user WHERE name = ?2`,
  `INSERT INTO shape (id, serial, item_id, essence_version, placeholder, mime_types, created_at, version)
    VALUES ('VX-' || ?1, ?1, 'VX-' || ?1, 0, 0, '["video/mp4"]', 0, 1),
      ('VX-' || (?1 + 100000), ?1 + 100000, 'VX-' || ?1, 0, 1, '[]', 0, 1)`,
  `INSERT INTO component (id, shape_id, kind, position, expected, document)
    VALUES ('VX-' || ?1, 'VX-' || ?1, 'video', 0, 0, '{}'),
      ('VX-' || (?1 + 100000), 'VX-' || (?1 + 100000), 'video', 0, 1, '{}')`,
  `INSERT INTO shape_tag (name, form, document) VALUES ('tag-' || ?1, 'json', '{}')`,
  `INSERT INTO shape_tagged (shape_id, tag, item_id, essence_version, position)
    VALUES ('VX-' || ?1, 'tag-' || ?1, 'VX-' || ?1, 0, 0)`,
  `INSERT INTO file_use (file_id, item_id, shape_id, component_id)
    VALUES ('VX-' || ?1, 'VX-' || ?1, 'VX-' || ?1, 'VX-' || ?1)`,
  `INSERT INTO key_value (entity_type, entity_id, key, position, value)
    VALUES ('shape', 'VX-' || ?1, 'color', 0, 'red'), ('component', 'VX-' || ?1, 'color', 0, 'red'),
      ('shape-tag', 'tag-' || ?1, 'color', 0, 'red')`,
  `INSERT INTO usage_term (entity_type, entity_id, item_id, usable_until, user_id, user, modified_at)
    VALUES ('shape', 'VX-' || ?1, 'VX-' || ?1, 2200000000000, '', '', 0)`,
  `INSERT INTO external_id (entity_type, external_id, entity_id) VALUES ('shape', 'shape-of-' || ?1, 'VX-' || ?1)`,
];

/** An item of the caller with a shape, whose component has a file, and a placeholder. */
export async function shapeRowsOf(world: World, who: string, caller = ''): Promise<void> {
  await fileRowsOf(world, who);
  const changes = inserts.map((sql) => ({ sql, args: sql.includes('?2') ? [numberOf(who), caller] : [numberOf(who)] }));
  await world.service.store.commit({ changes, events: [] }, { user: 'test' });
}

type Row = readonly [route: string, request: (who: string) => string, body?: string | object];

const all = '/item/:item/shape';
const one = `${all}/:shape`;
const part = `${one}/component/:component`;
const itemOf = (who: string) => `/item/${fileOf(who)}/shape`;
export const shapeOf = (who: string) => `${itemOf(who)}/${fileOf(who)}`;
const waitingOf = (who: string) => `${itemOf(who)}/${otherOf(who)}`;
const partOf = (who: string) => `${shapeOf(who)}/component/${fileOf(who)}`;
const metadata = { field: [{ key: 'color', value: 'blue' }] };

const keyValueReads = (path: string, at: (who: string) => string): readonly Row[] => [
  [`GET ${path}/metadata`, (who) => `${at(who)}/metadata`],
  [`GET ${path}/metadata/:key{.+}`, (who) => `${at(who)}/metadata/color`],
];
const keyValueWrites = (path: string, at: (who: string) => string): readonly Row[] => [
  [`PUT ${path}/metadata`, (who) => `${at(who)}/metadata`, metadata],
  [`DELETE ${path}/metadata`, (who) => `${at(who)}/metadata`],
  [`PUT ${path}/metadata/:key{.+}`, (who) => `${at(who)}/metadata/color`, 'blue'],
  [`DELETE ${path}/metadata/:key{.+}`, (who) => `${at(who)}/metadata/color`],
];

const reads: readonly Row[] = [
  [`GET ${all}`, itemOf],
  [`GET ${one}`, shapeOf],
  [`GET ${one}/file`, (who) => `${shapeOf(who)}/file`],
  [`GET ${one}/usage`, (who) => `${shapeOf(who)}/usage`],
  [`GET ${one}/tag`, (who) => `${shapeOf(who)}/tag`],
  [`GET ${one}/mime`, (who) => `${shapeOf(who)}/mime`],
  [`GET ${one}/component`, (who) => `${shapeOf(who)}/component`],
  [`GET ${part}`, partOf],
  [`GET ${one}/graph`, (who) => `${shapeOf(who)}/graph`],
  [`GET ${one}/graph/dot`, (who) => `${shapeOf(who)}/graph/dot`],
  [`GET ${all}/version`, (who) => `${itemOf(who)}/version`],
  [`GET ${all}/version/:version`, (who) => `${itemOf(who)}/version/0`],
  ...keyValueReads(one, shapeOf),
  [`GET ${one}/external-id`, (who) => `${shapeOf(who)}/external-id`],
  ...keyValueReads(part, partOf),
];

const transfer = (word: string): readonly Row[] => {
  const path = `POST ${part}/${word}/item/:toItem/shape/:toShape`;
  const to = (who: string) => `${partOf(who)}/${word}${waitingOf(who)}`;
  return [
    [path, to],
    [`${path}/component/:toComponent`, (who) => `${to(who)}/component/${otherOf(who)}`],
  ];
};

const writes: readonly Row[] = [
  [`DELETE ${all}`, itemOf],
  [`POST ${all}/create`, (who) => `${itemOf(who)}/create`, {}],
  [`DELETE ${one}`, shapeOf],
  [`PUT ${one}/tag/:tag`, (who) => `${shapeOf(who)}/tag/original`],
  [`DELETE ${one}/tag/:tag`, (who) => `${shapeOf(who)}/tag/${tagOf(who)}`],
  [`PUT ${one}/mime/:mime{.+}`, (who) => `${shapeOf(who)}/mime/audio/ogg`],
  [`DELETE ${one}/mime/:mime{.+}`, (who) => `${shapeOf(who)}/mime/video/mp4`],
  [`POST ${all}/placeholder`, (who) => `${itemOf(who)}/placeholder?video=1`],
  [`PUT ${one}/placeholder`, (who) => `${waitingOf(who)}/placeholder?audio=1`],
  [`POST ${one}/component/placeholder`, (who) => `${shapeOf(who)}/component/placeholder?type=audio`],
  [`DELETE ${part}`, partOf],
  [
    `PUT ${part}/file/:file`,
    (who) => `${waitingOf(who)}/component/${otherOf(who)}/file/${fileOf(who)}?allowReimport=true`,
  ],
  [`DELETE ${part}/file/:file`, (who) => `${partOf(who)}/file/${fileOf(who)}`],
  ...transfer('copy'),
  ...transfer('move'),
  [`DELETE ${all}/version/:version`, (who) => `${itemOf(who)}/version/0`],
  [`POST ${all}/version`, (who) => `${itemOf(who)}/version`],
  [`POST ${all}/version/:version`, (who) => `${itemOf(who)}/version/0`],
  [`POST ${one}/update`, (who) => `${shapeOf(who)}/update`],
  [`POST ${one}/version`, (who) => `${shapeOf(who)}/version`],
  [`PUT ${one}/version/:version`, (who) => `${shapeOf(who)}/version/7`],
  ...keyValueWrites(one, shapeOf),
  [`DELETE ${one}/external-id`, (who) => `${shapeOf(who)}/external-id`],
  [`PUT ${one}/external-id/:externalId`, (who) => `${shapeOf(who)}/external-id/another_${numberOf(who)}`],
  [`DELETE ${one}/external-id/:externalId`, (who) => `${shapeOf(who)}/external-id/shape-of-${numberOf(who)}`],
  ...keyValueWrites(part, partOf),
];

const usageAt = (who: string) => `${shapeOf(who)}/usage`;
const usageWrites: readonly Row[] = [
  [`PUT ${one}/usage`, usageAt, { usableUntil: '2040-01-01T00:00:00Z' }],
  [`DELETE ${one}/usage`, usageAt],
];

const tag = '/shape-tag/:tag';
const tagAt = (who: string) => `/shape-tag/${tagOf(who)}`;
const tagReads: readonly Row[] = [[`GET ${tag}`, tagAt], ...keyValueReads(tag, tagAt)];
const tagWrites: readonly Row[] = [[`PUT ${tag}`, tagAt, {}], [`DELETE ${tag}`, tagAt], ...keyValueWrites(tag, tagAt)];

const ruleOf =
  (needs: Rule['needs']) =>
  ([route, target, body]: Row): Rule => ({
    route,
    needs,
    rows: shapeRowsOf,
    request: (who) => ({
      request: `${route.slice(0, route.indexOf(' '))} /API${target(who)}`,
      ...(body !== undefined && { body }),
    }),
  });

export const shapeRules: readonly Rule[] = [
  ...reads.map(ruleOf('_item_shape_read')),
  ...writes.map(ruleOf('_item_shape_write')),
  ...usageWrites.map(ruleOf('_usage_write')),
  ...tagReads.map(ruleOf('_shape_tag_read')),
  ...tagWrites.map(ruleOf('_shape_tag_write')),
];
