import { hash } from 'node:crypto';
import type { World } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';
import { storageRows } from '../../support/world.ts';
import { fileOf } from './files.ts';
import type { Rule } from './rule.ts';
import { shapeRowsOf } from './shapes.ts';

const numberOf = (who: string): number => Number(fileOf(who).slice(3));
/** A storage that takes files, a file that nobody uses, and a placeholder. */
const ownOf = (who: string): string => `VX-${numberOf(who) + 3_000_000}`;
const waitingOf = (who: string): string => `VX-${numberOf(who) + 100_000}`;
const keyOf = (who: string): string => `key of ${who}`;

export async function importRowsOf(world: World, who: string, caller = ''): Promise<void> {
  await shapeRowsOf(world, who, caller);
  const id = ownOf(who);
  await storageRows(world, { id, uri: `memory:///imports-${id}/` });
  const key = hash('sha256', keyOf(who), 'base64url');
  const changes = [
    {
      sql: `INSERT INTO file (id, serial, storage_id, path, folder, name, extension, state, changed_at, timestamp, version)
        VALUES (?1, ?2, ?1, ?1 || '.mov', '', ?1 || '.mov', 'mov', 'CLOSED', 0, 0, 1)`,
      args: [id, numberOf(who) + 3_000_000],
    },
    {
      sql: `INSERT INTO component (id, shape_id, kind, position, expected, document)
        VALUES (?1, ?2, 'container', 0, 1, '{}')`,
      args: [id, waitingOf(who)],
    },
    {
      sql: `INSERT INTO import_upload_key (hash, job_id, user, expires, place) VALUES (?1, ?2, 'admin', 9e15, ?3)`,
      args: [
        key,
        id,
        JSON.stringify({
          storageId: id,
          tags: [],
          job: { jobId: id, status: 'READY', type: 'RAW_IMPORT', priority: 'MEDIUM' },
        }),
      ],
    },
  ];
  await world.service.store.commit({ changes, events: [] }, { user: 'test' });
}

type Row = readonly [route: string, target: (who: string) => string, body?: string | object];

const placeholder = '/import/placeholder/:item';
const waiting = (who: string) => `/import/placeholder/${fileOf(who)}`;
const shape = '/item/:item/shape';
const shapeAt = (who: string) => `/item/${fileOf(who)}/shape`;
const from = 'uri=memory:///nowhere/a.mov';
const sidecar = '<MetadataDocument/>';
const videos = { video: ['memory:///nowhere/a.mov'] };

const rows: readonly Row[] = [
  ['POST /import', () => `/import?${from}`],
  ['POST /import/raw', (who) => `/import/raw?storageId=${ownOf(who)}`, 'bytes'],
  ['POST /import/raw-passkey', () => '/import/raw-passkey'],
  [`POST ${placeholder}`, (who) => `${waiting(who)}?shapeId=${waitingOf(who)}`, videos],
  [`POST ${placeholder}/:component`, (who) => `${waiting(who)}/video?${from}`],
  [`POST ${placeholder}/:component/raw`, (who) => `${waiting(who)}/video/raw?storageId=${ownOf(who)}`, 'bytes'],
  [`POST ${placeholder}/:component/raw-passkey`, (who) => `${waiting(who)}/video/raw-passkey`],
  [`POST ${placeholder}/raw-passkey`, (who) => `${waiting(who)}/raw-passkey`],
  [`POST ${placeholder}/:component/adopt/:file`, (who) => `${waiting(who)}/video/adopt/${ownOf(who)}`],
  ['POST /import/sidecar/:item', (who) => `/import/sidecar/${fileOf(who)}?sidecar=memory:///nowhere/a.xml`],
  ['POST /import/sidecar/:item/raw', (who) => `/import/sidecar/${fileOf(who)}/raw?fileExtension=xml`, sidecar],
  [`POST ${shape}`, (who) => `${shapeAt(who)}?${from}`],
  [`POST ${shape}/raw`, (who) => `${shapeAt(who)}/raw?storageId=${ownOf(who)}`, 'bytes'],
  [`POST ${shape}/essence`, (who) => `${shapeAt(who)}/essence?${from}`],
  [`POST ${shape}/essence/raw`, (who) => `${shapeAt(who)}/essence/raw?storageId=${ownOf(who)}`, 'bytes'],
  [`POST ${shape}/:shape/component`, (who) => `${shapeAt(who)}/${fileOf(who)}/component?${from}`],
  ['POST /storage/:storage/import', (who) => `/storage/${ownOf(who)}/import?path=${ownOf(who)}.mov`],
  ['POST /file/:file/import', (who) => `/file/${ownOf(who)}/import`],
];

const keyed: readonly Row[] = [
  ['POST /APInoauth/import/raw', (who) => `/import/raw?passkey=${encodeURIComponent(keyOf(who))}`, 'bytes'],
  [
    'POST /APInoauth/import/placeholder/:item/:component/raw',
    (who) => `/import/placeholder/VX-1/video/raw?passkey=${encodeURIComponent(keyOf(who))}`,
    'bytes',
  ],
];

const ruleOf =
  (needs: Rule['needs'], root: string) =>
  ([route, target, body]: Row): Rule => ({
    route,
    needs,
    rows: importRowsOf,
    request: (who) => ({
      request: `${route.slice(0, route.indexOf(' '))} ${root}${target(who)}`,
      ...(body !== undefined && { body }),
      ...(body === 'bytes' && { headers: { 'content-type': 'application/octet-stream' } }),
    }),
  });

const emptyProject = '<xmeml><sequence id="one"><rate><timebase>25</timebase></rate></sequence></xmeml>';
/** Routes that read the file of an editing program at once. */
const projects: readonly Row[] = [
  ['POST /collection/project/inspect', (who) => `/collection/project/inspect?${projectOf(who)}`],
  ['POST /import/project/sequence', (who) => `/import/project/sequence?${projectOf(who)}`],
];
const projectOf = (who: string) => `uri=memory:///imports-${ownOf(who)}/cut.xml`;
const withProject = (rule: Rule): Rule => ({
  ...rule,
  async rows(world, who, caller) {
    await importRowsOf(world, who, caller);
    const { status } = await world.send({
      as: admin,
      request: `POST /API/storage/${ownOf(who)}/file/data?path=cut.xml`,
      headers: { 'content-type': 'application/octet-stream' },
      body: emptyProject,
    });
    if (status !== 200) throw new Error(`Expected to keep a project: ${status}`);
  },
});

/** A table of a user, whose import has ended without a row. */
const tableOf = (who: string): string => `VX-${numberOf(who) + 4_000_000}`;
const tableRows: NonNullable<Rule['rows']> = async (world, who, caller = 'admin') => {
  const [id, serial] = [tableOf(who), numberOf(who) + 4_000_000];
  const changes = [
    {
      sql: `INSERT INTO job (id, serial, type, status, priority, user, data, memo, created_at, finished_at, total_steps,
          steps_begun, attempt, failures, instance, lease_until, fence, actor, notification_data)
        VALUES (?1, ?2, 'METADATA_TABLE_IMPORT', 'FINISHED', 2, ?3, '[]', '{}', 0, 1, 2, 2, 0, 0, '', 0, 0, '{}', '[]')`,
      args: [id, serial, caller || 'admin'],
    },
    { sql: 'INSERT INTO metadata_table (id, dry_run, job_id) VALUES (?1, 0, ?1)', args: [id] },
  ];
  await world.service.store.commit({ changes, events: [] }, { user: 'test' });
};
const table = '/import/metadata-table';
const csv = 'itemId,title\nVX-1,a\n';
const tables: readonly Rule[] = [
  ...[`${table}/preview`, table].map((path) => ruleOf('_metadata_write', '/API')([`POST ${path}`, () => path, csv])),
  {
    ...ruleOf('any caller', '/API')([`GET ${table}/:table`, (who) => `${table}/${tableOf(who)}`]),
    rows: tableRows,
  },
  {
    ...ruleOf('_metadata_write', '/API')([`PUT ${table}/:table/undo`, (who) => `${table}/${tableOf(who)}/undo`]),
    rows: tableRows,
  },
];

export const importRules: readonly Rule[] = [
  ...tables,
  ...projects.map(ruleOf('_import', '/API')).map(withProject),
  withProject({
    ...ruleOf('_import', '/API')(['POST /import/project', (who) => `/import/project?${projectOf(who)}`]),
    also: '_collection_write',
  }),
  ...rows.map(ruleOf('_import', '/API')),
  ...keyed.map(ruleOf('nothing', '/APInoauth')),
];
