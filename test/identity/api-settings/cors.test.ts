import { expect, it } from 'vitest';
import { people, reader } from '../../support/cast.ts';
import { describeMatrix, openWorld, type Sent } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { itHolds, prepare, type Scenario } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';

const page = 'https://admin.example.com';
const acceptJson = { accept: 'application/json' };

const put = (entry: object | readonly object[]): Sent => ({
  as: admin,
  request: 'PUT /API/configuration/cors',
  body: { entry: Array.isArray(entry) ? entry : [entry] },
});

const entry = {
  request: [{ origin: [page], pathRegex: ['/API/.*'], method: ['GET,PUT'] }],
  response: {
    allowOrigin: page,
    allowMethods: ['OPTIONS,GET,PUT'],
    allowHeaders: ['accept,runas'],
    allowOtherHeader: [{ key: 'x-more', value: 'yes' }],
    allowMaxAge: 60,
  },
};

const whoami = (origin: string, more: Partial<Sent> = {}) => ({
  as: admin,
  request: 'GET /API/whoami',
  headers: { origin },
  ...more,
});
const preflight = (origin: string, method = 'PUT') => ({
  request: 'OPTIONS /API/user',
  headers: { origin, 'access-control-request-method': method },
});
const denied = { 'access-control-allow-origin': null };
const changed = [['configuration/modify', 'cors', { name: 'cors' }]] as const;

const configured: readonly Scenario[] = [
  {
    name: 'is an empty document at first',
    as: admin,
    request: 'GET /API/configuration/cors',
    headers: acceptJson,
    status: 200,
    says: { json: {} },
  },
  {
    name: 'keeps what is put, and gives it back',
    given: [put(entry)],
    as: admin,
    request: 'GET /API/configuration/cors/',
    headers: acceptJson,
    status: 200,
    says: { json: { entry: [entry] } },
  },
  { name: 'is a change that is told', ...put(entry), status: 200, says: { exact: '' }, events: changed },
  {
    name: 'lets the page of an entry read answers',
    given: [put(entry)],
    ...whoami(page),
    status: 200,
    answers: { 'access-control-allow-origin': page, vary: 'Origin', 'x-more': 'yes' },
  },
  {
    name: 'lets it read refusals, too',
    given: [put(entry)],
    ...whoami(page, { as: ['admin', 'wrong'] }),
    status: 401,
    answers: { 'access-control-allow-origin': page },
  },
  {
    name: 'answers its preflight',
    given: [put(entry)],
    ...preflight(page),
    status: 204,
    answers: {
      'access-control-allow-origin': page,
      'access-control-allow-methods': 'OPTIONS,GET,PUT',
      'access-control-allow-headers': 'accept,runas',
      'access-control-max-age': '60',
    },
  },
  {
    name: 'says nothing to another page',
    given: [put(entry)],
    ...whoami('https://evil.example'),
    status: 401,
    answers: denied,
  },
  {
    name: 'says nothing for a method that the entry leaves out',
    given: [put(entry)],
    ...preflight(page, 'DELETE'),
    status: 204,
    answers: denied,
  },
  {
    name: 'takes the first entry that fits',
    given: [put([{ request: [{ originRegex: ['https://.*'] }], response: { allowOrigin: '*' } }, entry])],
    ...whoami(page),
    status: 200,
    answers: { 'access-control-allow-origin': '*', 'x-more': null },
  },
  {
    name: 'needs every header that the condition names',
    given: [put({ request: [{ headerRegex: [{ key: 'x-app', value: 'desk-.*' }] }], response: { allowOrigin: '*' } })],
    ...whoami(page),
    status: 401,
    answers: denied,
  },
  {
    name: 'fits by header',
    given: [put({ request: [{ headerRegex: [{ key: 'x-app', value: 'desk-.*' }] }], response: { allowOrigin: '*' } })],
    ...whoami(page, { headers: { origin: page, 'x-app': 'desk-1' } }),
    status: 200,
    answers: { 'access-control-allow-origin': '*' },
  },
  {
    name: 'is gone with an empty document',
    given: [put(entry), put([])],
    ...whoami(page),
    status: 401,
    answers: denied,
  },
];

const response = { allowOrigin: page };
const refused: readonly Scenario[] = [
  ...(
    [
      ['a pattern that is none', { request: [{ originRegex: ['('] }], response }],
      ['a pattern that would look back', { request: [{ pathRegex: ['(a)\\1'] }], response }],
      ['an origin that would split the header', { response: { allowOrigin: `${page}\r\nx: y` } }],
      ['an origin with a path', { response: { allowOrigin: `${page}/x` } }],
      [
        'a header of the service',
        { response: { ...response, allowOtherHeader: [{ key: 'Set-Cookie', value: 'a=b' }] } },
      ],
      ['a header with a line end', { response: { ...response, allowOtherHeader: [{ key: 'x', value: 'a\r\nb: c' }] } }],
      ['a method that is no word', { response: { ...response, allowMethods: ['GET\r\nx: y'] } }],
      ['an entry without a response', { request: [{ origin: [page] }] }],
      ['a response without an origin', { response: {} }],
    ] as const
  ).map(([what, wrong]) => ({ name: `refuses ${what}, and changes nothing`, ...put(wrong), status: 400 })),
  {
    name: 'refuses 1,000 regular expressions, which would hold the loop while they are compiled',
    ...put({ ...entry, request: Array.from({ length: 10 }, () => ({ originRegex: Array(100).fill('a.*') })) }),
    status: 400,
    says: { contains: ['Expected at most 20 regular expressions'] },
  },
  { name: 'refuses a body that is none', as: admin, request: 'PUT /API/configuration/cors', status: 400 },
  { name: 'is for administrators to change', ...put(entry), as: reader, status: 403 },
  { name: 'is read by its role', as: reader, request: 'GET /API/configuration/cors', status: 403 },
];

describeMatrix('/configuration/cors', (entryPoint) => {
  itHolds(entryPoint, configured);
  itHolds(entryPoint, refused, { given: people });

  it('leaves the setting where no entry fits', async () => {
    const world = await entryPoint.open({ settings: { corsOrigins: ['https://set.example'] } });
    await prepare(world, [put(entry)]);
    const answer = await world.send(whoami('https://set.example'));
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://set.example');
  });
});

it('counts at once on another instance of the same database', async () => {
  const database = await migratedDatabase();
  const shared = {
    ...database,
    close: async () => undefined,
    read: database.read.bind(database),
    write: database.write.bind(database),
    guardGroups: database.guardGroups.bind(database),
  };
  const open = () => openWorld('fetch', { database: { ...shared, pending: 0, kind: 'memory', grouped: true } });
  const [one, other] = [await open(), await open()];
  const allowed = async () => (await other.send(whoami(page))).headers.get('access-control-allow-origin');
  expect(await allowed()).toBeNull();
  await prepare(one, [put(entry)]);
  expect(await allowed()).toBe(page);
});
