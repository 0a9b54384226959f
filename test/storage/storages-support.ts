import { memoryStorage } from '../../src/kit/testing/storage/memory-storage.ts';
import { newUser } from '../support/cast.ts';
import { startOfTime } from '../support/clock.ts';
import { type Answer, type Entry, openWorld, type Sent, type World } from '../support/matrix.ts';
import type { Scenario, ScenarioOptions } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';

/** Storages as several suites make and read them. */

export const json = { accept: 'application/json' };
export const xml = { accept: 'application/xml' };
export const plain = { accept: 'text/plain' };

/** By the administrator, with answers as JSON. */
export const by = (request: string, body?: Sent['body'], headers: Scenario['headers'] = json) => ({
  as: admin,
  request,
  body,
  headers,
});

export const keeper: Credentials = ['keeper', 'password of keeper'];
export const looker: Credentials = ['looker', 'password of looker'];
export const people: readonly Sent[] = [
  newUser(keeper, ['_storage_read', '_storage_write', '_storage_group_read', '_storage_group_write']),
  newUser(looker, ['_storage_read', '_storage_group_read', '_storage_rule_read']),
];

/** As the recorded client sends it: numbers and booleans are texts. */
export const recorded = {
  type: 'LOCAL',
  capacity: '1500000',
  method: [{ uri: 'memory:///srv/media1/', read: 'true', write: 'true', browse: 'true' }],
  lowWatermarkPercentage: '90',
  highWatermarkPercentage: '75',
  showImportables: 'true',
  metadata: {
    field: [
      { key: 'name', value: 'test_storage' },
      { key: 'purpose', value: 'tests' },
    ],
  },
};

export const newStorage = (document: object = recorded): Sent => by('POST /API/storage', document);

/** A storage with one method below `memory:`. */
export const storageAt = (place: string, more: object = {}): Sent =>
  newStorage({ method: [{ uri: `memory:///${place}/` }], ...more });

/** With a scheme that keeps files in memory, and one that finds faults with addresses. */
export function mediaOptions(options: ScenarioOptions = {}): ScenarioOptions {
  const memory = memoryStorage(() => startOfTime);
  const picky = {
    ...memoryStorage(() => startOfTime, 'picky'),
    defect: ({ uri }: { readonly uri: string }) =>
      uri.includes('outside') ? 'Expected a folder below one of the roots' : undefined,
    closed: ({ uri }: { readonly uri: string }) =>
      uri.includes('closed') ? 'Expected a folder that the operator lists' : undefined,
  };
  const plugin = {
    name: 'memory',
    version: '1',
    contract: 1,
    storages: {
      'test.MemoryStorage': { says: 'Files in memory.', create: () => memory },
      'test.PickyStorage': { says: 'The same, with rules.', create: () => picky },
    },
  } as const;
  return { ...options, plugins: [plugin, ...(options.plugins ?? [])] };
}

export const fetchEntry: Entry = { name: 'fetch', open: (options) => openWorld('fetch', options) };

export const openStorages = (options: ScenarioOptions = {}): Promise<World> =>
  openWorld('fetch', mediaOptions(options));

export async function jsonOf<T = Record<string, unknown>>(world: World, request: string): Promise<T> {
  const { status, body } = await world.send(by(request));
  if (status !== 200) throw new Error(`${request}: ${status} ${body}`);
  return JSON.parse(body) as T;
}

/** The answer of a request that must succeed. */
export async function done(world: World, sent: Sent): Promise<Answer> {
  const answer = await world.send(sent);
  if (answer.status >= 300) throw new Error(`${sent.request}: ${answer.status} ${answer.body}`);
  return answer;
}

/** Files of a storage by rows, with an item that uses the first `used` of them. */
export async function fileRows(
  { service }: World,
  storage: string,
  count: number,
  { size = 10, used = 0, from = 1 } = {},
): Promise<void> {
  const rows = (sql: string, args: readonly (string | number)[]) => ({
    sql: `WITH RECURSIVE n (i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 + ?2 - 1) ${sql}`,
    args: [from, ...args],
  });
  const files = rows(
    `INSERT INTO file (id, serial, storage_id, path, folder, name, extension, state, size, changed_at, timestamp, version)
      SELECT 'VX-' || i, i, ?3, 'f' || i, '', 'f' || i, '', 'CLOSED', ?4, 0, 0, 1 FROM n`,
    [count, storage, size],
  );
  const uses = rows(
    `INSERT INTO file_use (file_id, item_id, shape_id, component_id)
      SELECT 'VX-' || i, 'VX-1' || i, 'VX-2' || i, 'VX-3' || i FROM n`,
    [used],
  );
  const changes = used > 0 ? [files, uses] : [files];
  await service.store.commit({ changes, events: [] }, { user: 'test' });
}

export const missing = 'VX-1000000';
export const noSuch = { jsonPart: { notFound: { type: 'Storage', id: missing, context: null } } };

/** What is answered for `newStorage`. */
export const recordedAnswer =
  '{"id":"VX-1","state":"NONE","type":"LOCAL","capacity":1500000,"freeCapacity":1500000,' +
  '"method":[{"id":"VX-1","uri":"memory:///srv/media1/","read":true,"write":true,"browse":true,"type":"NONE"}],' +
  '"metadata":{"field":[{"key":"name","value":"test_storage"},{"key":"purpose","value":"tests"}]},' +
  '"lowWatermark":1350000,"highWatermark":1125000,"lowWatermarkPercentage":90,"highWatermarkPercentage":75,' +
  '"showImportables":true}';
