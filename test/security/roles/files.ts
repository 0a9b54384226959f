import type { World } from '../../support/matrix.ts';
import type { Rule } from './rule.ts';

/** Numbers that no serial reaches, one for each caller. */
const numbers = new Map<string, number>();

function numberOf(who: string): number {
  const number = numbers.get(who) ?? 800_000 + numbers.size;
  numbers.set(who, number);
  return number;
}

/** The file of a caller, and the storage that it is on, have the same id. */
export const fileOf = (who: string): string => `VX-${numberOf(who)}`;

const inserts: readonly string[] = [
  `INSERT INTO storage (id, serial, type, state, capacity, auto_detect, low_watermark, high_watermark, scan_interval,
      show_importables, priority, rest, version, created_at)
    VALUES ('VX-' || ?1, ?1, 'LOCAL', 'NONE', 1000, 0, 100, 100, 60, 1, 'MEDIUM', '{}', 1, 0)`,
  `INSERT INTO storage_method (id, serial, storage_id, uri, read, write, browse, bandwidth, type, version)
    VALUES ('VX-' || ?1, ?1, 'VX-' || ?1, 'ftp://host/in-' || ?1 || '/', 1, 1, 1, 0, '', 1)`,
  `INSERT INTO file (id, serial, storage_id, path, folder, name, extension, state, changed_at, timestamp, version)
    VALUES ('VX-' || ?1, ?1, 'VX-' || ?1, 'a.mov', '', 'a.mov', 'mov', 'CLOSED', 0, 0, 1)`,
  `INSERT INTO fixity_file (file_id, storage_id, serial, state, due) VALUES ('VX-' || ?1, 'VX-' || ?1, ?1, 'waiting', 0)`,
  `INSERT INTO external_id (entity_type, external_id, entity_id) VALUES ('file', 'file-of-' || ?1, 'VX-' || ?1)`,
  `INSERT INTO key_value (entity_type, entity_id, key, position, value) VALUES ('file', 'VX-' || ?1, 'color', 0, 'red')`,
];

/** A storage with a file, its metadata and an external id of it. */
export async function fileRowsOf({ service: { store } }: World, who: string): Promise<void> {
  const changes = inserts.map((sql) => ({ sql, args: [numberOf(who)] }));
  await store.commit({ changes, events: [] }, { user: 'test' });
}

type Row = readonly [route: string, request: (file: string) => string, body?: string | object];

const file = '/file/:file';
const metadata = { field: [{ key: 'color', value: 'blue' }] };

const reads: readonly Row[] = [
  ['GET /storage/file', () => '/storage/file'],
  ['GET /storage/:storage/file', (id) => `/storage/${id}/file`],
  ['GET /storage/file/byHash', () => '/storage/file/byHash'],
  ['GET /storage/:storage/file/byHash', (id) => `/storage/${id}/file/byHash`],
  [
    'GET /storage/file/byURI',
    (id) => `/storage/file/byURI;uri=${encodeURIComponent(`ftp://host/in-${id.slice(3)}/a.mov`)}`,
  ],
  ['GET /storage/:storage/file/byURI', (id) => `/storage/${id}/file/byURI;path=a.mov`],
  ['GET /storage/importable', () => '/storage/importable'],
  ['GET /storage/:storage/importable', (id) => `/storage/${id}/importable`],
  ['GET /storage/file/importable', () => '/storage/file/importable'],
  ['GET /storage/:storage/file/importable', (id) => `/storage/${id}/file/importable`],
  ['GET /search/file', () => '/search/file'],
  ['PUT /search/file', () => '/search/file', {}],
  [`GET ${file}`, (id) => `/file/${id}`],
  [`GET ${file}/shape`, (id) => `/file/${id}/shape`],
  [`GET ${file}/item`, (id) => `/file/${id}/item`],
  [`GET ${file}/metadata`, (id) => `/file/${id}/metadata`],
  [`GET ${file}/metadata/:key{.+}`, (id) => `/file/${id}/metadata/color`],
  [`GET ${file}/fixity`, (id) => `/file/${id}/fixity`],
  [`GET ${file}/external-id`, (id) => `/file/${id}/external-id`],
];

const writes: readonly Row[] = [
  ['POST /storage/file', (id) => `/storage/file?uri=${encodeURIComponent(`ftp://host/in-${id.slice(3)}/b.mov`)}`, {}],
  ['POST /storage/:storage/file', (id) => `/storage/${id}/file?path=c.mov`, {}],
  [`PUT ${file}/state/:state`, (id) => `/file/${id}/state/OPEN`],
  [`PUT ${file}/hash/:hash`, (id) => `/file/${id}/hash/${'ab'.repeat(20)}`],
  [`POST ${file}/storage/:target`, (id) => `/file/${id}/storage/${id}?filename=d.mov`],
  [`POST ${file}/fixity`, (id) => `/file/${id}/fixity`],
  [`DELETE ${file}`, (id) => `/file/${id}`],
  [`DELETE ${file}/entity`, (id) => `/file/${id}/entity`],
  [`PUT ${file}/abandon`, (id) => `/file/${id}/abandon`],
  [`PUT ${file}/re-index`, (id) => `/file/${id}/re-index`],
  [`POST ${file}/path`, (id) => `/file/${id}/path?path=b.mov`],
  [`PUT ${file}/metadata`, (id) => `/file/${id}/metadata`, metadata],
  [`DELETE ${file}/metadata`, (id) => `/file/${id}/metadata`],
  [`PUT ${file}/metadata/:key{.+}`, (id) => `/file/${id}/metadata/color`, 'blue'],
  [`DELETE ${file}/metadata/:key{.+}`, (id) => `/file/${id}/metadata/color`],
  [`PUT ${file}/external-id/:externalId`, (id) => `/file/${id}/external-id/other-of-${id}-x`],
  [`DELETE ${file}/external-id`, (id) => `/file/${id}/external-id`],
  [`DELETE ${file}/external-id/:externalId`, (id) => `/file/${id}/external-id/file-of-${id.slice(3)}`],
];

const ruleOf =
  (needs: Rule['needs']) =>
  ([route, target, body]: Row): Rule => ({
    route,
    needs,
    rows: fileRowsOf,
    request: (who) => ({
      request: `${route.slice(0, route.indexOf(' '))} /API${target(fileOf(who))}`,
      ...(body !== undefined && { body }),
    }),
  });

export const fileRules: readonly Rule[] = [...reads.map(ruleOf('_file_read')), ...writes.map(ruleOf('_file_write'))];
