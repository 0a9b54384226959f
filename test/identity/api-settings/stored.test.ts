import { describe, expect, it } from 'vitest';
import { openWorld, type Sent, type World } from '../../support/matrix.ts';
import { itHolds, type Scenario } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';

const json = { accept: 'application/json' };
const to = (request: string, body?: Sent['body']): Sent => ({ as: admin, request, body, headers: json });

const samples: readonly (readonly [name: string, document: object, shown?: object])[] = [
  ['ftp-pool', { pool: { minSize: 0, maxSize: -1, evictionInterval: 30_000, minIdleTime: 60_000 } }],
  ['indexing', { solrPath: 'http://solr', commitInterval: 5, fieldDefault: [{ name: 'title', fullText: true }] }],
  ['metrics', { statsd: { host: 'stats', port: 8125, prefix: 'vs', tags: true } }],
  ['path-alias', { alias: ['v(name)=metadata.timespan.field[name=$name$].value', 'title=metadata.title'] }],
  ['logreport', { path: '/var/log', expiryTime: 1.5, clientCertificate: ['AA'] }],
  ['purging', { auditTrail: { age: 30 }, job: { age: 7, compress: false } }],
  [
    'bulkymetadata',
    { uri: 'file:///bulky/', storageDisabled: true },
    { status: { metadataInDatabase: true, metadataOnStorage: false, storageStatus: 'OFFLINE' } },
  ],
];

const refused: readonly (readonly [title: string, name: string, document: object, part: string])[] = [
  [
    'an archive that nobody would write',
    'purging',
    { job: { age: 1, uri: 'file:///old/' } },
    'deleted and not written',
  ],
  ['an age of nothing', 'purging', { auditTrail: { age: 0 } }, 'Expected days from 1 to 36500'],
  ['an alias without a path', 'path-alias', { alias: ['title'] }, 'NAME=PATH'],
];

const rows: readonly Scenario[] = [
  ...samples.map(
    ([name, document, shown]): Scenario => ({
      name: `keeps what is put into ${name}`,
      given: [to(`PUT /API/configuration/${name}`, document)],
      ...to(`GET /API/configuration/${name}`),
      status: 200,
      says: { json: { ...document, ...shown } },
    }),
  ),
  {
    name: 'tells of a change',
    ...to('PUT /API/configuration/indexing', { commitInterval: 1 }),
    status: 200,
    says: { exact: '' },
    events: [['configuration/modify', 'indexing', { name: 'indexing' }]],
  },
  {
    name: 'names all that is configured',
    ...to('GET /API/configuration'),
    status: 200,
    says: { contains: ['"purging"', '"path-alias"', '"cors"', '"bulkymetadata"', '"job-pool"', '"job-priority"'] },
  },
  {
    name: 'leaves a category of purging that is absent, and removes an empty one',
    given: [
      to('PUT /API/configuration/purging', { auditTrail: { age: 30 }, changeLog: { age: 3 } }),
      to('PUT /API/configuration/purging', { job: { age: 7 }, changeLog: {} }),
    ],
    ...to('GET /API/configuration/purging'),
    status: 200,
    says: { json: { auditTrail: { age: 30 }, job: { age: 7 } } },
  },
  {
    name: 'removes what was put',
    given: [to('PUT /API/configuration/purging', { job: { age: 7 } }), to('DELETE /API/configuration/purging')],
    ...to('GET /API/configuration/purging'),
    status: 200,
    says: { json: {} },
  },
  {
    name: 'keeps no private key of a client',
    given: [to('PUT /API/configuration/logreport', { path: '/log', clientKey: 'a secret' })],
    ...to('GET /API/configuration/logreport'),
    status: 200,
    says: { json: { path: '/log' } },
  },
  ...refused.map(
    ([title, name, document, part]): Scenario => ({
      name: `refuses ${title}`,
      ...to(`PUT /API/configuration/${name}`, document),
      status: 400,
      says: { contains: [part] },
    }),
  ),
];

describe('Configuration that is one document each', () => {
  itHolds({ name: 'fetch', open: (options) => openWorld('fetch', options) }, rows);
});

const day = 86_400_000;
const commit = (world: World, sql: string) =>
  world.service.store.commit({ changes: [{ sql, args: [] }], events: [] }, { user: 'test' });
const countOf = async (world: World, table: string) =>
  Number((await world.service.store.read(`SELECT count(*) FROM ${table}`))[0]![0]);

it('purging deletes jobs that ended longer ago than their age, and entries of the audit log', async () => {
  const world = await openWorld('fetch');
  const now = world.clock.now();
  const job = (serial: number, finished: string) =>
    commit(
      world,
      `INSERT INTO job (id, serial, type, status, priority, data, memo, created_at, finished_at, total_steps, steps_begun,
        attempt, failures, due, instance, lease_until, fence, actor, notification_data)
        VALUES ('VX-9${serial}', 9${serial}, 'COPY_FILE', 'FINISHED', 3, '[]', '{}', 0, ${finished}, 0, 0, 0, 0, NULL, '',
        0, 0, '{}', '[]')`,
    );
  await job(1, String(now - 8 * day));
  await job(2, String(now - 6 * day));
  await job(3, 'NULL');
  await commit(world, `INSERT INTO job_datum (job_id, key, value) VALUES ('VX-91', 'a', 'b')`);
  await world.service.tick();
  expect(await countOf(world, 'job')).toBe(3);
  await world.send(to('PUT /API/configuration/purging', { job: { age: 7 }, auditTrail: { age: 1 } }));
  const audited = await countOf(world, 'audit');
  await world.clock.advance(120_000);
  await world.service.tick();
  expect((await world.service.store.read('SELECT id FROM job ORDER BY serial')).flat()).toEqual(['VX-92', 'VX-93']);
  expect(await countOf(world, 'job_datum')).toBe(0);
  expect(await countOf(world, 'audit')).toBe(audited);
  await world.clock.advance(2 * day);
  await world.service.tick();
  expect(await countOf(world, 'audit')).toBeLessThan(audited);
});
