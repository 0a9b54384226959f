import { requestBytes } from '../bench/load.ts';
import { byClosed, closedToMallory } from './closed.ts';
import type { Candidate, Flood, Given, Search } from './flood.ts';
import { linked, linkedRows } from './linked.ts';

const networkOf = (serial: number) => `10.${(serial >> 16) & 255}.${(serial >> 8) & 255}.${serial & 255}`;
const basic = (user: string, password: string) => `Basic ${btoa(`${user}:${password}`)}`;
const json = { 'content-type': 'application/json', accept: 'application/json' };
const origin = '203.0.113.9';
const asMallory = (token: string) => ({ authorization: `token ${token}`, 'x-forwarded-for': origin });
const put = (token: string, target: string, body: unknown) =>
  requestBytes('PUT', target, { ...asMallory(token), ...json }, JSON.stringify(body));

const login = (user: string, serial: number, from: string) =>
  requestBytes('GET', '/API/whoami', { authorization: basic(user, `junk ${serial}`), 'x-forwarded-for': from });

const path = (serial: number) =>
  requestBytes('GET', `/API/${(serial * 2654435761) >>> 0}/x${serial}`, { 'x-forwarded-for': networkOf(serial) });

/** Sizes from the largest that the defaults take down to what any limit leaves. */
const sizes = [1_000_000, 250_000, 60_000, 15_000, 4_000, 1_000];
const lengths = [255, 127, 63, 31];
const counts = [100, 50, 25, 10, 5, 1];

const pattern = (length: number) => `*${'a'.repeat(length - 3)}b*`;

function search(token: string, kind: 'user' | 'group', field: string, length: number, count: number): Buffer {
  const fields = Array.from({ length: count }, () => ({ name: field, value: pattern(length) }));
  return put(token, `/API/${kind}`, { operator: [{ operation: 'OR', field: fields }] });
}

const searchOf = ({ token, accepted }: Given, kind: 'user' | 'group') => {
  const [length = 31, count = 1] = (accepted[`search ${kind}`] ?? '').split(' ').map(Number);
  return search(token, kind, kind === 'user' ? 'note' : 'description', length, count);
};

const keys = (count: number, keyOf: (index: number) => string) => ({
  field: Array.from({ length: count }, (_, index) => ({ key: keyOf(index), value: 'x' })),
});

const unknown = (count: number) => ({
  childGroupList: { group: Array.from({ length: count }, (_, index) => ({ groupName: `g${index}` })) },
});

const uploads = (token: string): readonly Buffer[] => [
  put(
    token,
    '/API/user/mallory/metadata',
    keys(19_000, (index) => `k${index}`),
  ),
  put(token, '/API/group/mallories', unknown(30_000)),
  requestBytes(
    'PUT',
    '/API/group/mallories',
    { ...asMallory(token), 'content-type': 'application/xml' },
    `<GroupDocument><nothing>${'<a/>'.repeat(90_000)}</nothing></GroupDocument>`,
  ),
  put(token, '/API/group/mallories', { nothing: 'a'.repeat(1_000_000) }),
];

const deep = Array.from({ length: 120 }, () => 'a').join('/');
const wildcards = (repeated: number) => `/API/user/mallory/metadata/${Array(repeated).fill('*/**').join('/')}`;

const manyHeaders = (token: string) => {
  const small = Object.fromEntries(Array.from({ length: 1_100 }, (_, index) => [`h${index}`, '1']));
  return requestBytes('GET', '/API/whatismyipaddress', { ...small, ...asMallory(token) });
};

/** A type of jobs with some steps: an honest caller starts jobs of it, too. */
export const jobType = {
  path: '/API/task-definition/jobtype/STEPS?id=20000',
  document: { task: Array.from({ length: 8 }, (_, index) => ({ step: index + 1, script: 'job.log("a step")' })) },
  start: '/API/job?type=STEPS',
};

/** A type whose jobs keep a place for a while. */
const busyType = [
  'POST',
  '/API/task-definition/jobtype/BUSY?id=21000',
  { task: Array.from({ length: 8 }, (_, index) => ({ step: index + 1, script: 'for (var i = 0; i < 2e6; i++);' })) },
] as const;
const waitingUrgent = 24;

/** As many bytes as the metadata of one item takes that is sent in a document of the default size. */
const wide = 'a'.repeat(900_000);
const title = { timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: wide }] }] }] };
const items = 250;
const copies = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${items - 1})`;
const copiesOfItem = [
  `${copies} INSERT INTO metadata_state (owner_type, owner_id, version, newest, changed_at, doc, epoch)
    SELECT owner_type, 'VX-' || (100000 + i), version, newest, changed_at, doc, epoch
      FROM n CROSS JOIN metadata_state WHERE owner_type = 'item'`,
  `${copies} INSERT INTO item (id, serial, created_at)
    SELECT 'VX-' || (100000 + i), 100000 + i, created_at FROM n CROSS JOIN item`,
  `${copies} INSERT INTO access_entry (entity_type, entity_id, id, entity_serial, user_id, permission, priority, applies_to)
    SELECT entity_type, 'VX-' || (100000 + i), id || '-' || i, 100000 + i, user_id, permission, priority, applies_to
      FROM n CROSS JOIN access_entry WHERE entity_type = 'item'`,
];
/** The subtitles of a long film on each item: 20,000 timespans. */
const subtitles = [
  `UPDATE metadata_state SET doc = json_object('c', json_array(json_array('VX-1', 'mallory', 0)), 's', (
      WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 19999)
      SELECT json_group_array(json_array(json_array((i * 1500) || '@1000', (i * 1500 + 1400) || '@1000'),
        json_array(json_array('stl_text', 2 * i, json_array('line ' || i))))) FROM n))
    WHERE owner_type = 'item'`,
];
const page = (token: string, number: number) =>
  requestBytes('GET', `/API/item?content=metadata&number=${number}`, {
    ...asMallory(token),
    accept: json.accept,
    connection: 'close',
  });
const searchByClosed = (serial: number, { token }: Given): Buffer => {
  const [kind, name, value] = byClosed[serial % byClosed.length]!;
  return put(token, `/API/${kind}`, { field: [{ name, value: [{ value }] }], sort: [{ field: name }] });
};

const harbour = {
  timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: 'harbour' }] }] }],
};
/** Seconds until a stop has ended whatever runs. */
export const stopTimeout = 5;
const stopping = { PORTICO_STOP_TIMEOUT: String(stopTimeout) };
const harbourMade = (token: string): Candidate => ({
  name: 'item',
  as: 'made',
  bytes: requestBytes('POST', '/API/import/placeholder', { ...asMallory(token), ...json }, JSON.stringify(harbour)),
});

/** A library of each account, which asks the worst linked search whenever its items are read. */
const librariesOf = (tokens: readonly string[]): readonly Candidate[] =>
  tokens.flatMap((token, index) => [
    {
      name: `library ${index}`,
      as: 'made',
      bytes: requestBytes('POST', '/API/library', { ...asMallory(token), ...json }, '{}'),
    },
    {
      name: `query ${index}`,
      as: 'set',
      bytes: put(token, `/API/library/VX*${index + 1}/settings`, { autoRefresh: true, query: linked }),
    },
  ]);

const libraryList = (serial: number, { tokens, folder }: Given): Buffer => {
  const index = serial % tokens.length;
  const target = `/API/library/VX*${index + 1}/list?destinationUri=${encodeURIComponent(folder)}`;
  return requestBytes('POST', target, { ...asMallory(tokens[index]!), ...json });
};
const plainSearch: Search = { path: '/API/item', document: { text: [{ value: 'harbour' }] } };

export const floods: readonly Flood[] = [
  {
    name: 'logins-one-network',
    connections: 120,
    seconds: 5,
    newcomers: 2,
    // With the ten seconds of the default the queue of hashes would have to be longer than the flood.
    settings: { PORTICO_REALM_TIMEOUT: '4000' },
    next: (serial) => login(`nobody${serial}`, serial, origin),
  },
  {
    name: 'logins-many-networks',
    connections: 40,
    seconds: 8,
    newcomers: 2,
    // Two free failures instead of thirty: the pauses of a long attack begin within seconds.
    settings: { PORTICO_LOGIN_FREE_FAILURES: '2' },
    next: (serial, { accounts }) => login(accounts[serial % accounts.length]!, serial, networkOf(serial)),
  },
  { name: 'paths', connections: 32, seconds: 3, newcomers: 1, next: path },
  {
    name: 'searches',
    connections: 4,
    seconds: 2,
    newcomers: 1,
    prepare: (token) => [
      ...sizes.map((size) => ({
        name: 'metadata',
        as: String(size),
        bytes: put(token, '/API/user/mallory/metadata', { field: [{ key: 'note', value: 'a'.repeat(size) }] }),
      })),
      ...sizes.map((size) => ({
        name: 'description',
        as: String(size),
        bytes: put(token, '/API/group/mallories', { description: 'a'.repeat(size) }),
      })),
      ...(['user', 'group'] as const).flatMap((kind) =>
        lengths.flatMap((length) =>
          counts.map((count) => ({
            name: `search ${kind}`,
            as: `${length} ${count}`,
            bytes: search(token, kind, kind === 'user' ? 'note' : 'description', length, count),
          })),
        ),
      ),
    ],
    different: 2,
    next: (serial, given) => searchOf(given, serial % 2 === 0 ? 'user' : 'group'),
    worst: (given) => [searchOf(given, 'user'), searchOf(given, 'group')],
  },
  {
    name: 'uploads',
    connections: 4,
    seconds: 2,
    newcomers: 1,
    different: 4,
    next: (serial, { token }) => {
      const all = uploads(token);
      return all[serial % all.length]!;
    },
    worst: ({ token }) => uploads(token),
  },
  {
    name: 'pages',
    connections: 8,
    seconds: 8,
    newcomers: 1,
    // Eighty times the default, which refuses these pages: each is as long as 250 items.
    settings: { PORTICO_MAX_PAGE_VALUES: '2000000' },
    heap: 256,
    prepare: (token) => [
      {
        name: 'item',
        as: 'made',
        bytes: requestBytes('POST', '/API/import/placeholder', { ...asMallory(token), ...json }, JSON.stringify(title)),
      },
    ],
    rows: copiesOfItem,
    different: 1,
    long: true,
    next: (_, { token }) => page(token, items),
    worst: ({ token }) => [page(token, 4)],
  },
  {
    name: 'slow-senders',
    connections: 200,
    seconds: 2,
    newcomers: 1,
    held: {
      begin: (_, { token }) => {
        const text = put(token, '/API/group/mallories', { nothing: 'a'.repeat(1_000) }).toString();
        return Buffer.from(text.slice(0, text.indexOf('\r\n\r\n') + 5));
      },
      drip: ' ',
    },
  },
  {
    name: 'headers',
    connections: 8,
    seconds: 2,
    newcomers: 1,
    different: 1,
    next: (_, { token }) => manyHeaders(token),
    worst: ({ token }) => [manyHeaders(token)],
    hides: (body) => body.trim() !== origin,
  },
  {
    name: 'event-streams',
    connections: 300,
    seconds: 2,
    newcomers: 1,
    streams: true,
    held: {
      begin: (_, { token }) =>
        requestBytes('GET', '/API/event', { ...asMallory(token), accept: 'text/event-stream', 'last-event-id': '0' }),
    },
  },
  {
    name: 'wildcards',
    connections: 4,
    seconds: 2,
    newcomers: 1,
    prepare: (token) => [
      {
        name: 'keys',
        as: '900',
        bytes: put(
          token,
          '/API/user/mallory/metadata',
          keys(900, (index) => `${deep}/${index}`),
        ),
      },
      ...[1_500, 700, 300, 100, 30, 10, 3, 1].map((repeated) => ({
        name: 'wildcards',
        as: String(repeated),
        bytes: requestBytes('GET', wildcards(repeated), { ...asMallory(token), ...json }),
      })),
    ],
    different: 1,
    next: (_, { token, accepted }) =>
      requestBytes('GET', wildcards(Number(accepted['wildcards'] ?? 1)), { ...asMallory(token), ...json }),
    worst: ({ token, accepted }) => [
      requestBytes('GET', wildcards(Number(accepted['wildcards'] ?? 1)), { ...asMallory(token), ...json }),
    ],
  },
  {
    name: 'jobs',
    connections: 8,
    seconds: 6,
    newcomers: 1,
    settings: { PORTICO_MAX_WAITING_JOBS: '600' },
    different: 1,
    next: (_, { token }) => requestBytes('POST', jobType.start, { ...asMallory(token), ...json }),
    jobs: () => jobType.start,
  },
  {
    name: 'urgent-jobs',
    connections: 4,
    seconds: 10,
    newcomers: 1,
    settings: { PORTICO_MAX_WAITING_JOBS: String(waitingUrgent) },
    byAdmin: (folder) => [
      busyType,
      ['POST', '/API/storage', { type: 'LOCAL', method: [{ uri: `${folder}media/`, read: true, write: true }] }],
    ],
    different: 1,
    next: (_, { token }) =>
      requestBytes('POST', '/API/job?type=BUSY&priority=HIGHEST', { ...asMallory(token), ...json }),
    jobs: (folder) => `/API/import?uri=${encodeURIComponent(`${folder}harbour.txt`)}`,
  },
  {
    name: 'long-documents',
    // Each document in work takes about 100 MB: `docs/security/limits.md` says so.
    connections: 2,
    seconds: 6,
    newcomers: 1,
    prepare: (token) => [harbourMade(token)],
    rows: subtitles,
    different: 1,
    next: (_, { token }) => page(token, 1),
    worst: ({ token }) => [page(token, 1)],
  },
  {
    name: 'closed-members',
    connections: 4,
    seconds: 3,
    newcomers: 1,
    byAdmin: () => closedToMallory,
    different: byClosed.length,
    next: searchByClosed,
    worst: (given) => byClosed.map((_, serial) => searchByClosed(serial, given)),
    tells: (body) => !/"hits":0\b/.test(body),
  },
  {
    name: 'linked-searches',
    connections: 16,
    seconds: 12,
    newcomers: 1,
    attackers: 4,
    settings: stopping,
    prepare: (token) => [harbourMade(token)],
    rows: linkedRows,
    different: 4,
    next: (serial, { tokens }) => put(tokens[serial % tokens.length]!, '/API/item?number=100', linked),
    search: plainSearch,
    stops: true,
  },
  {
    name: 'library-jobs',
    connections: 4,
    seconds: 12,
    newcomers: 1,
    attackers: 4,
    settings: { ...stopping, PORTICO_MAX_WAITING_JOBS: '10' },
    prepare: (token, tokens) => [harbourMade(token), ...librariesOf(tokens)],
    rows: linkedRows,
    different: 4,
    next: libraryList,
    search: plainSearch,
    jobs: () => jobType.start,
    stops: true,
  },
];
