import type { Statement } from '../../../src/core/store/contract.ts';
import type { Sent, World } from '../../support/matrix.ts';
import { get, type Rule } from './rule.ts';

/** Ids that no serial reaches, one for each caller. */
const numbers = new Map<string, number>();

function numberOf(who: string): number {
  const number = numbers.get(who) ?? 900_000 + 2 * numbers.size;
  numbers.set(who, number);
  return number;
}

/** The storage of a caller and its method, which have the same id. */
export const storageOf = (who: string): string => `VX-${numberOf(who)}`;
const groupOf = (who: string): string => `group-of-${who}`;
const tagOf = (who: string): string => `tag-of-${who}`;

const inserts: readonly string[] = [
  ...[0, 1].flatMap((more) => [
    `INSERT INTO storage (id, serial, type, state, capacity, auto_detect, low_watermark, high_watermark, scan_interval,
        show_importables, priority, rest, version, created_at)
      VALUES ('VX-' || (?1 + ${more}), ?1 + ${more}, 'LOCAL', 'NONE', 1000, 0, 100, 100, 60, 1, 'MEDIUM', '{}', 1, 0)`,
    `INSERT INTO storage_method (id, serial, storage_id, uri, read, write, browse, bandwidth, type, version)
      VALUES ('VX-' || (?1 + ${more}), ?1 + ${more}, 'VX-' || (?1 + ${more}), 'ftp://host/in/', 1, 1, 1, 0, '', 1)`,
  ]),
  `INSERT INTO storage_group (name, created_at) VALUES ('group-of-' || ?2, 0)`,
  `INSERT INTO storage_group_member (group_name, storage_id) VALUES ('group-of-' || ?2, 'VX-' || ?1)`,
  `INSERT INTO fixity_storage (storage_id, days, bytes_per_second, lease_until, fence) VALUES ('VX-' || ?1, 9, 1, 0, 0)`,
  `INSERT INTO auto_import_rule (storage_id, enabled, document) VALUES ('VX-' || ?1, 1, '{}')`,
  `INSERT INTO external_id (entity_type, external_id, entity_id) VALUES ('storage', 'storage-of-' || ?2, 'VX-' || ?1)`,
  `INSERT INTO storage_rule (entity_type, entity_id, tag, precedence, document)
    VALUES ('GENERIC', '', 'tag-of-' || ?2, 2, '{}')`,
  `INSERT INTO storage_rule (entity_type, entity_id, tag, precedence, document) VALUES ('GENERIC', '', '', 2, '{}')
    ON CONFLICT DO NOTHING`,
  ...['storage', 'storage-method', 'storage-group'].map(
    (owner) =>
      `INSERT INTO key_value (entity_type, entity_id, key, position, value)
        VALUES ('${owner}', ${owner === 'storage-group' ? `'group-of-' || ?2` : `'VX-' || ?1`}, 'a/b', 0, 'c')`,
  ),
];

/** Everything that the requests below expect to be there. */
export async function storageRowsOf({ service }: World, who: string): Promise<void> {
  const args = [numberOf(who), who];
  const changes = inserts.map((sql): Statement => ({ sql, args: sql.includes('?2') ? args : args.slice(0, 1) }));
  await service.store.commit({ changes: changes.map(fewer), events: [] }, { user: 'test' });
}

/** The database counts the values that a statement does not use. */
function fewer({ sql, args }: Statement): Statement {
  return sql.includes('?1') || sql.includes('?2') ? { sql, args } : { sql, args: [] };
}

type Asked = (who: string) => Pick<Sent, 'request' | 'body'>;

const row = (route: string, needs: Rule['needs'], request: Asked): Rule => ({
  route,
  needs,
  rows: storageRowsOf,
  request,
});

/** The path of a route with the storage, method, group and tag of the caller. */
const at =
  (route: string, query = '', body?: Sent['body']): Asked =>
  (who) => {
    const [method, path] = route.split(' ') as [string, string];
    const filled = path
      .replace(':storage', storageOf(who))
      .replace(':method', storageOf(who))
      .replace(':group', groupOf(who))
      .replace(':tag', tagOf(who))
      .replace(':externalId', `storage-of-${who}`)
      .replace(':type', 'ARCHIVE')
      .replace(':key{.+}', 'a/b');
    return { request: `${method} /API${filled}${query}`, body };
  };

const reads = [
  '',
  '/status',
  '/freespace',
  '/usedspace',
  '/method',
  '/method/:method',
  '/auto-import',
  '/export',
  '/external-id',
];
const metadata = { field: [{ key: 'k', value: 'v' }] };
const keyValues = (path: string, read: Rule['needs'], write: Rule['needs']): readonly Rule[] => [
  row(`GET ${path}/metadata`, read, at(`GET ${path}/metadata`)),
  row(`PUT ${path}/metadata`, write, at(`PUT ${path}/metadata`, '', metadata)),
  row(`DELETE ${path}/metadata`, write, at(`DELETE ${path}/metadata`)),
  row(`GET ${path}/metadata/:key{.+}`, read, at(`GET ${path}/metadata/:key{.+}`)),
  row(`PUT ${path}/metadata/:key{.+}`, write, at(`PUT ${path}/metadata/:key{.+}`, '', 'v')),
  row(`DELETE ${path}/metadata/:key{.+}`, write, at(`DELETE ${path}/metadata/:key{.+}`)),
];

const one = '/storage/:storage';
const group = '/storage/storage-group';
const writes: readonly (readonly [route: string, query?: string, body?: Sent['body']])[] = [
  ['POST /storage', '', {}],
  [`PUT ${one}`, '', { capacity: 2000 }],
  [`DELETE ${one}`],
  [`PUT ${one}/type/:type`],
  ['POST /storage/rescan'],
  [`POST ${one}/rescan`],
  [`PUT ${one}/evacuate`],
  [`DELETE ${one}/evacuate`],
  [`PUT ${one}/method`, '?url=ftp://host/new/'],
  [`DELETE ${one}/method`, '?url=ftp://host/in/'],
  [`PUT ${one}/method/:method`, '?url=ftp://host/new/'],
  [`DELETE ${one}/method/:method`],
  ['POST /storage/import', '?path=ftp://host/in/', {}],
  [`PUT ${one}/auto-import`, '', {}],
  [`DELETE ${one}/auto-import`],
  [`PUT ${one}/auto-import/enable`],
  [`PUT ${one}/auto-import/disable`],
  [`PUT ${one}/fixity`, '', { days: 30 }],
  [`DELETE ${one}/fixity`],
  [`DELETE ${one}/external-id`],
  [`PUT ${one}/external-id/:externalId`],
  [`DELETE ${one}/external-id/:externalId`],
  [`DELETE ${one}/:externalId`],
];
const groupWrites = [
  `PUT ${group}/:group`,
  `DELETE ${group}/:group`,
  `PUT ${group}/:group/:storage`,
  `DELETE ${group}/:group/:storage`,
];
const rules = '/shape-tag/storage-rule';

/** Storages and their rules. */
export const storageRules: readonly Rule[] = [
  { route: 'GET /storage', needs: '_storage_read', request: get('/API/storage') },
  { route: 'GET /storage/auto-import', needs: '_storage_read', request: get('/API/storage/auto-import') },
  ...reads.map((path) => row(`GET ${one}${path}`, '_storage_read', at(`GET ${one}${path}`))),
  { route: 'GET /storage/fixity', needs: '_storage_read', request: get('/API/storage/fixity') },
  row(`GET ${one}/fixity`, '_file_read', at(`GET ${one}/fixity`)),
  ...writes.map(([route, query, body]) => row(route, '_storage_write', at(route, query, body))),
  { route: `GET ${group}`, needs: '_storage_group_read', request: get(`/API${group}`) },
  row(`GET ${group}/:group`, '_storage_group_read', at(`GET ${group}/:group`)),
  ...groupWrites.map((route) => row(route, '_storage_group_write', at(route))),
  ...keyValues(one, '_storage_read', '_storage_write'),
  ...keyValues(`${one}/method/:method`, '_storage_read', '_storage_write'),
  ...keyValues(`${group}/:group`, '_storage_group_read', '_storage_group_write'),
  { route: 'GET /storage-rule', needs: '_storage_rule_read', request: get('/API/storage-rule') },
  row(`GET ${rules}`, '_storage_rule_read', at(`GET ${rules}`)),
  row(`PUT ${rules}`, '_storage_rule_write', at(`PUT ${rules}`, '', {})),
  row(`DELETE ${rules}`, '_storage_rule_write', at(`DELETE ${rules}`)),
  row(`GET ${rules}/:tag`, '_storage_rule_read', at(`GET ${rules}/:tag`)),
  row(`PUT ${rules}/:tag`, '_storage_rule_write', at(`PUT ${rules}/:tag`, '', {})),
  row(`POST ${rules}/:tag`, '_storage_rule_write', at(`POST ${rules}/:tag`, '', {})),
  row(`DELETE ${rules}/:tag`, '_storage_rule_write', at(`DELETE ${rules}/:tag`)),
  row('GET /import/storage', '_import', at('GET /import/storage')),
];
