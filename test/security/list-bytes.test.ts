import { describe, expect, it } from 'vitest';
import { newNotification, onCreate } from '../administration/notifications/support.ts';
import { item } from '../support/assets.ts';
import { aroundReads } from '../support/databases.ts';
import { basic, openWorld, type World } from '../support/matrix.ts';
import { by, json, send } from '../support/requests.ts';
import { admin } from '../support/service.ts';

const long = `printf('%.*c', 90000, 'x')`;
const text = `json_object('description', ${long})`;
const three = 'WITH n (i) AS (VALUES (1), (2), (3))';
const settings = { maxPageValues: 1000 };

const run = ({ service: { store } }: World, ...statements: readonly string[]) =>
  store.commit({ changes: statements.map((sql) => ({ sql, args: [] })), events: [] }, { user: 'test' });

const jobs = (
  data: string,
) => `${three} INSERT INTO job (id, serial, type, status, priority, user, data, memo, created_at, finished_at,
    total_steps, steps_begun, attempt, failures, instance, lease_until, fence, actor, notification_data)
  SELECT 'VX-9' || i, 90 + i, 'ESSENCE_VERSION', 'FAILED_TOTAL', 2, 'admin', ${data}, '{}', i, i, 0, 0, 0, 0, '', 0, 0, '{}', '[]' FROM n`;
const tasks = `${three} INSERT INTO job_task (job_id, step, attempt, status, timestamp, description, error, said)
  SELECT 'VX-9' || i, 100, 1, 'FAILED', i, 'a', ${long}, '[]' FROM n`;
const events = `${three} INSERT INTO event (name, entity_type, entity_id, payload, user, at)
  SELECT 'item/modify', 'item', 'VX-1', json_object('text', ${long}), 'admin', i FROM n`;
const rules = `${three} INSERT INTO storage_rule (entity_type, entity_id, tag, precedence, document)
  SELECT 'ITEM', 'VX-1', 'tag' || i, 2, json_object('storage', json_array(${long})) FROM n`;
const requests = `${three} INSERT INTO scheduled_request (id, user_id, user, caller, state, date, created_at, method, uri, headers, secure, depth, lease_until, fence)
  SELECT i, (SELECT id FROM user WHERE name = 'admin'), 'admin', '', 'WAITING', 9999999999999, 1, 'GET', ${long}, '[]', 0, 0, 0, 0 FROM n`;
const searches = `${three} INSERT INTO search_history (user, kind, digest, query, at)
  SELECT 'admin', 'item', 'd' || i, json_object('text', json_array(${long})), i FROM n`;
const transfers = `${three} INSERT INTO transfer (id, owner, target, name, storage_id, method_id, path, mode, size, ranges, received, token, state, priority, rest, version, created_at, touched_at)
  SELECT 't' || i, 'admin', 'STORAGE', i || ${long}, 'VX-1', 'VX-1', 'a', '', 1, '[]', 0, '', 'TRANSFERRING', 1, '{}', 1, i, i FROM n`;
const quotas = `${three} INSERT INTO quota_rule (id, serial, description, key, item_limit, update_frequency, due)
  SELECT 'VX-' || i, i, ${long}, 'k', 1, 9999, 9999999999999 FROM n`;
const autoImports = [
  `${three} INSERT INTO storage (id, serial, type, state, capacity, auto_detect, low_watermark, high_watermark, scan_interval, show_importables, priority, rest, version, created_at)
    SELECT 'VX-9' || i, 90 + i, 'LOCAL', 'NONE', 0, 0, 0, 0, 0, 0, 'MEDIUM', '{}', 1, 0 FROM n`,
  `${three} INSERT INTO auto_import_rule (storage_id, enabled, document) SELECT 'VX-9' || i, 1, json_object('user', ${long}) FROM n`,
];
const notified = async (world: World, ...statements: readonly string[]) => {
  await send(world, newNotification(onCreate));
  await run(world, ...statements);
};

/** Counts rows of a table with a long text that leave the engine. */
function longRows({ service: { store } }: World, table: string): () => number {
  let rows = 0;
  aroundReads(store, async (sql, read) => {
    const found = await read();
    if (sql.includes(table)) rows += found.filter((row) => row.some((text) => `${text}`.length > 50_000)).length;
    return found;
  });
  return () => rows;
}

/** Lists whose entries have 90,000 bytes each: two fit, three do not. */
const lists: readonly (readonly [request: string, parameter: string, fill: (world: World) => Promise<unknown>])[] = [
  ['GET /job?metadata=true&user=false', 'number', (world) => run(world, jobs(`json_array(json_array('a', ${long}))`))],
  ['GET /job?step=true&user=false', 'number', (world) => run(world, jobs(`'[]'`), tasks)],
  ['PUT /job/search?metadata=true', 'number', (world) => run(world, jobs(`json_array(json_array('a', ${long}))`))],
  ['GET /error', 'number', (world) => run(world, jobs(`'[]'`), tasks)],
  [
    'GET /export-location',
    'number',
    (world) =>
      run(world, `${three} INSERT INTO export_location (name, document, script) SELECT 'l' || i, '{}', ${long} FROM n`),
  ],
  [
    'GET /resource/network',
    'number',
    (world) =>
      run(
        world,
        `${three} INSERT INTO resource (id, serial, type, document, created_at) SELECT 'VX-9' || i, 90 + i, 'network', ${text}, 0 FROM n`,
      ),
  ],
  ['GET /storage/auto-import', 'number', (world) => run(world, ...autoImports)],
  ['GET /storage-rule', 'number', (world) => run(world, rules)],
  [
    'GET /item/VX-1/storage-rule',
    'number',
    async (world) => {
      await send(world, item({ title: 'a' }));
      await run(world, rules);
    },
  ],
  ['GET /scheduled-request', 'number', (world) => run(world, requests)],
  ['GET /item/history', 'maxResults', (world) => run(world, searches)],
  ['GET /transfer', 'number', (world) => run(world, transfers)],
  ['GET /quota', 'number', (world) => run(world, quotas)],
  [
    'GET /configuration/properties',
    'number',
    (world) => run(world, 'DELETE FROM property', `${three} INSERT INTO property SELECT 'p' || i, ${long}, 0 FROM n`),
  ],
  [
    'GET /log?path=/long*',
    'rows',
    (world) =>
      run(
        world,
        `${three} INSERT INTO audit (at, method, path, status, count) SELECT i, 'PUT', '/long' || ${long}, 200, 1 FROM n`,
      ),
  ],
  [
    'GET /metadata-field',
    'number',
    (world) =>
      run(
        world,
        `${three} INSERT INTO metadata_field (name, type, system, sort_key, rest) SELECT 'a_' || i, 'string', 0, '', ${text} FROM n`,
      ),
  ],
  [
    'GET /group/notification/VX-1/parked',
    'number',
    (world) =>
      notified(world, events, `INSERT INTO parked SELECT 'VX-1', sequence, at, ${long}, 1 FROM event WHERE at < 4`),
  ],
  [
    'GET /group/notification/VX-1/delivery',
    'number',
    (world) =>
      notified(
        world,
        `${three} INSERT INTO attempt (notification_id, event, entity_id, number, started, ended, state, address)
          SELECT 'VX-1', 'group/create', 'VX-1', 1, i, i, 'failed', ${long} FROM n`,
      ),
  ],
  [
    'PUT /metadata-field/field-group?includeValue=true',
    'number',
    async (world) => {
      await send(world, by('PUT /API/metadata-field/field-group/wide', {}));
      await send(world, by('PUT /API/metadata-field/wide_text', { type: 'string' }));
      for (const made of ['a', 'b', 'c']) {
        const field = [{ name: 'wide_text', value: [{ value: made.repeat(90_000) }] }];
        await send(
          world,
          by('POST /API/import/placeholder?container=1', {
            timespan: [{ start: '-INF', end: '+INF', group: [{ name: 'wide', field }] }],
          }),
        );
      }
    },
  ],
];

describe('a list of long entries', () => {
  it.each(lists)('is refused: %s', async (request, parameter, fill) => {
    const body = request.startsWith('PUT') ? {} : undefined;
    const world = await openWorld('fetch', { settings });
    await fill(world);
    const page = (number: number) =>
      world.send(
        by(`${request.replace(' ', ' /API')}${request.includes('?') ? '&' : '?'}${parameter}=${number}`, body),
      );
    const [short, whole] = [await page(2), await page(3)];
    expect([short.status, short.body.slice(0, 300)]).toEqual([200, expect.anything()]);
    expect(whole.status, `${whole.body.length} bytes`).toBe(400);
    expect(whole.body).toContain('more than 1000 values (PORTICO_MAX_PAGE_VALUES)');
    expect(whole.body).toContain(`"${parameter}"`);
    expect((await page(1)).status).toBe(200);
  });

  it('is refused before its jobs are loaded', async () => {
    const world = await openWorld('fetch', { settings });
    await run(world, jobs(`json_array(json_array('a', ${long}))`));
    const loaded = longRows(world, 'job');
    const { status } = await world.send(by('GET /API/job?metadata=true&user=false'));
    expect([status, loaded()]).toEqual([400, 0]);
  });

  it.each([
    ['all', admin],
    ['what it may read', undefined],
  ])('of events is shorter, and says where it goes on, for one who sees %s', async (_sees, as) => {
    const world = await openWorld('fetch', { settings });
    const reader = ['reader', 'password of reader'] as const;
    await send(
      world,
      by('POST /API/user', {
        userName: reader[0],
        password: reader[1],
        groupList: { group: [{ groupName: '_event_read' }, { groupName: '_group_read' }] },
      }),
    );
    const oldest = Number((await world.service.store.read('SELECT max(sequence) FROM event'))[0]![0]);
    await run(world, events.replace(`'item', 'VX-1'`, `'group', 'L-1'`).replace('item/modify', 'group/modify'));
    const seen: number[] = [];
    const pages: number[] = [];
    for (let since = oldest; ; ) {
      const { status, body } = await world.send(
        by(`GET /API/event?since=${since}`, undefined, json, as ?? [...reader]),
      );
      expect(status, body.slice(0, 300)).toBe(200);
      const {
        event = [],
        until,
        newest,
      } = JSON.parse(body) as {
        event?: { sequence: number }[];
        until?: number;
        newest: number;
      };
      pages.push(event.length);
      seen.push(...event.map(({ sequence }) => sequence));
      since = until ?? seen.at(-1)!;
      if (since >= newest) break;
    }
    expect(pages).toEqual([2, 1]);
    expect(seen).toEqual([oldest + 1, oldest + 2, oldest + 3]);
  });
});

describe('a document that is a list without pages', () => {
  const get = (world: World, target: string) =>
    world.service.fetch(
      new Request(`http://portico.test/API${target}`, { headers: { authorization: basic(admin), ...json } }),
    );
  const sent = async (world: World, target: string, table: string) => {
    const loaded = longRows(world, table);
    const response = await get(world, target);
    expect([response.status, response.headers.get('content-length')]).toEqual([200, null]);
    const reader = response.body!.getReader();
    await reader.read();
    const atOnce = loaded();
    for (let part = await reader.read(); !part.done; ) part = await reader.read();
    return { atOnce, rows: loaded() };
  };

  it('loads the bulky metadata of one key as its caller reads it', async () => {
    const world = await openWorld('fetch');
    await send(world, item({ title: 'a' }));
    await run(
      world,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)
        INSERT INTO bulky_value SELECT 'item', 'VX-1', 'k', i || '', i || '', -1, -1, '', i, i, json_object('value', i || ${long}) FROM n`,
    );
    const target = '/item/VX-1/metadata/bulky/k';
    expect(await sent(world, target, 'bulky_value')).toEqual({ atOnce: 3, rows: 12 });
    const { field } = (await (await get(world, target)).json()) as { field: { start: string; value: string }[] };
    expect(field.map(({ start }) => start)).toEqual(Array.from({ length: 12 }, (_, at) => `${at + 1}`));
    expect(field[11]!.value).toHaveLength(90_002);
  });

  it('loads the metadata of the members of a collection as its caller reads it', async () => {
    const world = await openWorld('fetch');
    await send(world, by('POST /API/collection?name=all'));
    for (let made = 1; made <= 12; made++) {
      await send(world, item({ title: `${made}` }));
      await send(world, by(`PUT /API/collection/VX-1/VX-${made}?type=item`));
    }
    await run(
      world,
      `INSERT INTO key_value (entity_type, entity_id, key, position, value)
        SELECT 'collection-member', reference, 'k', 0, ${long} FROM collection_member`,
    );
    const { atOnce, rows } = await sent(world, '/collection/VX-1', 'key_value');
    expect([atOnce <= 6, rows]).toEqual([true, 12]);
    const { content, name } = (await (await get(world, '/collection/VX-1')).json()) as {
      content: { id: string }[];
      name: string;
    };
    expect([name, content.map(({ id }) => id)]).toEqual(['all', Array.from({ length: 12 }, (_, at) => `VX-${at + 1}`)]);
  });
});

/** Every list that is answered in pages, by what bounds its bytes. */
const bounds = {
  'a table of this suite': `
    GET /configuration/properties, GET /error, GET /event, GET /export-location, GET /item/:item/storage-rule, GET /job,
    GET /item/history, GET /log, GET /metadata-field, GET /quota, GET /resource/:type, GET /scheduled-request,
    GET /storage-rule, GET /storage/auto-import, GET /transfer, PUT /job/search, PUT /metadata-field/field-group,
    GET …/notification/:notification/delivery, GET …/notification/:notification/parked`,
  'the table of pages of long metadata': `
    GET /collection, GET /collection/:collection/item, GET /deletion-lock, GET /item, GET /item/:item/metadata/changes,
    GET /item/:item/relation, GET /library/:library, GET /search, GET /search/shape, PUT /item`,
  'tests of the room': `
    GET /group, GET /metadata-field/field-group, GET /secret, GET /storage, GET /storage/:storage/file, GET /storage/storage-group,
    GET /storage/storage-group/:group, GET /user, PUT /group, PUT /user`,
  'the code of another list': `
    GET /collection/:collection/item/saved/:hash, GET /collection/:collection/metadata/changes,
    GET /collection/:collection/storage-rule, GET /collection/:entity/deletion-lock, GET /collection/history,
    GET /collection/saved/:hash, GET /document/:document/changes, GET /file/:entity/deletion-lock,
    GET /group/:name/children, GET /group/:name/parents, GET /group/:name/users, GET /item/:entity/deletion-lock,
    GET /item/saved/:hash, GET /library/:entity/deletion-lock, GET /library/:library/storage-rule, GET /log/export,
    GET /metadata/changes, GET /search/file, GET /search/file/saved/:hash, GET /search/saved/:hash,
    GET /shape-tag/storage-rule, GET /storage/:storage/file/byHash, GET /storage/:storage/file/importable,
    GET /storage/:storage/importable, GET /storage/file, GET /storage/file/:entity/deletion-lock,
    GET /storage/file/byHash, GET /storage/file/importable, GET /storage/importable, GET /user/:name/allgroups,
    GET /user/:name/groups, GET /user/:name/roles, GET /APInoauth/share/:link/item, PUT /collection, PUT /collection/:collection/item,
    PUT /collection/metadata-group, PUT /item/metadata-group, PUT /search, PUT /search/file,
    PUT /search/metadata-group, PUT /search/shape, PUT /search2, PUT /search2/collection, PUT /search2/file,
    PUT /search2/item, PUT /search2/shape`,
  'short pages of entries that have bounds themselves': `GET /import/metadata-table/:table, GET /item/:item/annotation, GET /runner,
    GET /storage/:storage/fixity,
    GET /APInoauth/share/:link/item/:item/annotation`,
  'short entries: names, ids, times and words of the service': `
    GET /collection/:collection/ancestor, GET /document, GET /export-template, GET /import/settings,
    GET /item/:item/collections, GET /item/:item/library, GET /library, GET /log/transfer-log,
    GET /metadata-field/:field/access, GET /metadata-field/field-group/:group/access,
    GET /metadata-field/field-group/merged-access, GET /metadata-field/merged-access, GET /metadata/migration,
    GET /storage/fixity, GET /collection/:collection/share, GET /item/:item/share, GET /library/:library/share, GET /share,
    GET /share/:share/use, GET /shape-tag, GET /usage, GET /user/:name/access, GET /user/:name/tokens, GET …/notification, PUT /document`,
};

it('the table of lists says what bounds the bytes of each one that is answered in pages', async () => {
  const { service } = await openWorld('fetch');
  const parameters = ['number', 'rows', 'maxResults'];
  const paged = service.routes.flatMap(({ method, path, query = {}, answers }) => {
    const isList = [answers].flat().some((each) => typeof each === 'object');
    const plain = path.replaceAll('{opaque}', '').replace(/^.*\/notification/, '…/notification');
    return isList && parameters.some((name) => Object.hasOwn(query, name)) ? [`${method} ${plain}`] : [];
  });
  const known = Object.values(bounds).flatMap((routes) => routes.split(',').map((each) => each.trim()));
  const remedy = 'Remedy: in `bounds` of test/security/list-bytes.test.ts, name the list beside what bounds its bytes';
  expect([...new Set(paged)].toSorted(), remedy).toEqual(known.toSorted());
});
