import { expect, it } from 'vitest';
import type { ConfigurationPropertyListDocument } from '../../../src/types.ts';
import { newUser } from '../../support/cast.ts';
import { describeMatrix, type Sent, type World } from '../../support/matrix.ts';
import { itHolds, playScenario, prepare, type Scenario } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { json, sendWell, setProperty } from '../../support/ways.ts';

const path = '/API/configuration/properties';
const clerk: Credentials = ['clerk', 'password of clerk'];
const changed = (key: string) => ['configuration/modify', 'properties', { name: 'properties', key }] as const;
const text = { accept: 'text/plain' };
const put = (body: Sent['body'], headers: Record<string, string> = {}): Sent => ({
  as: admin,
  request: `PUT ${path}`,
  headers,
  body,
});

const rows: readonly Scenario[] = [
  {
    name: 'lists none where none was set',
    as: admin,
    request: `GET ${path}`,
    headers: json,
    status: 200,
    says: { json: { property: [] } },
  },
  {
    name: 'sets a property, and says nothing',
    ...put({ key: 'userTokenMaxInterval', value: '600' }),
    status: 200,
    answers: { 'content-length': '0' },
    says: { exact: '' },
    events: [changed('userTokenMaxInterval')],
  },
  {
    name: 'takes XML, and a slash at the end',
    ...put(
      '<ConfigurationPropertyDocument xmlns="urn:other"><key>a</key><value>1</value></ConfigurationPropertyDocument>',
      { 'content-type': 'application/xml' },
    ),
    request: `PUT ${path}/`,
    status: 200,
    events: [changed('a')],
  },
  {
    name: 'takes a number for a text',
    ...put({ key: 'userTokenMaxInterval', value: 600 }),
    status: 200,
    events: [changed('userTokenMaxInterval')],
  },
  {
    name: 'sets several at once',
    as: admin,
    request: `POST ${path}/`,
    body: {
      property: [
        { key: 'a', value: '1' },
        { key: 'b', value: '2' },
      ],
    },
    status: 200,
    events: [changed('a'), changed('b')],
  },
  {
    name: 'sets none of several when one of them will not do',
    as: admin,
    request: `POST ${path}`,
    body: {
      property: [
        { key: 'a', value: '1' },
        { key: 'userTokenMaxInterval', value: 'long' },
      ],
    },
    status: 400,
    says: { contains: ['/ConfigurationPropertyListDocument/property/value', 'userTokenMaxInterval'] },
  },
  { name: 'sets none of no property', as: admin, request: `POST ${path}`, body: {}, status: 200 },
  {
    name: 'gives one as text',
    given: [setProperty('a', '1 <2>')],
    as: admin,
    request: `GET ${path}/a`,
    headers: text,
    status: 200,
    answers: { 'content-type': 'text/plain; charset=UTF-8' },
    says: { exact: '1 <2>' },
  },
  {
    name: 'gives one as a document, with the time of its last change',
    given: [setProperty('a', '1')],
    as: admin,
    request: `GET ${path}/a/`,
    headers: json,
    status: 200,
    says: { json: { key: 'a', value: '1', lastChange: '2030-01-01T00:00:00.000+0000' } },
  },
  {
    name: 'writes that time as an attribute in XML',
    given: [setProperty('a', '1')],
    as: admin,
    request: `GET ${path}`,
    status: 200,
    says: { contains: ['<property lastChange="2030-01-01T00:00:00.000Z"><key>a</key><value>1</value></property>'] },
  },
  ...['GET', 'DELETE'].map((method) => ({
    name: `${method} of a property that was not set is 404`,
    as: admin,
    request: `${method} ${path}/userTokenMaxInterval`,
    headers: json,
    status: 404,
    says: { jsonPart: { notFound: { type: 'ConfigurationProperty', id: 'userTokenMaxInterval' } } },
  })),
  {
    name: 'takes one away',
    given: [setProperty('a', '1')],
    as: admin,
    request: `DELETE ${path}/a`,
    status: 204,
    says: { exact: '' },
    events: [changed('a')],
  },
  ...['', 'abc', '-1', '0', '1.5', '1e3', '0x10', '60 s', '9'.repeat(13)].map((value) => ({
    name: `refuses ${JSON.stringify(value)} for a number of seconds`,
    ...put({ key: 'userTokenDefaultInterval', value }, json),
    status: 400,
    says: { contains: ['Expected a whole number of at least 1', '"id":"userTokenDefaultInterval"'] },
  })),
  { name: 'refuses a known property without a value', ...put({ key: 'userTokenDefaultInterval' }), status: 400 },
  {
    name: 'takes 0 where that has a meaning',
    ...put({ key: 'userTokenRefreshInterval', value: '0' }),
    status: 200,
    events: [changed('userTokenRefreshInterval')],
  },
  ...['', '.', '..', 'a/b', 'a\\b', 'a%b', 'a;b', 'a\nb', 'a\u0000', 'x'.repeat(256)].map((key) => ({
    name: `refuses the key ${JSON.stringify(key).slice(0, 12)}, which no path could carry`,
    ...put({ key, value: '1' }, json),
    status: 400,
    says: { contains: ['/ConfigurationPropertyDocument/key'] },
  })),
  {
    name: 'refuses a document without a key',
    ...put({ value: '1' }),
    status: 400,
    says: { contains: ['/ConfigurationPropertyDocument/key'] },
  },
  {
    name: 'refuses no document',
    as: admin,
    request: `PUT ${path}`,
    status: 400,
    answers: { 'portico-error': 'body-missing' },
  },
  { name: 'refuses a value that is too long', ...put({ key: 'a', value: 'x'.repeat(65_537) }), status: 400 },
  {
    name: 'lets a caller with _configuration_read read',
    given: [setProperty('a', '1')],
    as: clerk,
    request: `GET ${path}/a`,
    headers: text,
    status: 200,
    says: { exact: '1' },
  },
  {
    name: 'does not let a caller with _configuration_read write',
    ...setProperty('a', '1'),
    as: clerk,
    status: 403,
    answers: { 'portico-error': 'role-missing' },
  },
];

const keysOf = async (world: World, query = ''): Promise<readonly string[]> => {
  const { body } = await sendWell(world, { as: admin, request: `GET ${path}?${query}`, headers: json });
  return ((JSON.parse(body) as ConfigurationPropertyListDocument).property ?? []).map(({ key }) => key);
};

describeMatrix('configuration properties', (entry) => {
  itHolds(entry, rows, { given: [newUser(clerk, ['_configuration_read'])] });

  it('keeps what it does not know for the caller who set it, exactly', async () => {
    const world = await entry.open();
    for (const [key, value] of [
      ['ldapAuthentication', 'true'],
      ['__proto__', 'x'],
      ['constructor', ''],
      ['a key of ours, \u00fc', ' \u{1f511} \n two lines '],
    ]) {
      await prepare(world, [setProperty(key!, value!)]);
      const request = `GET ${path}/${encodeURIComponent(key!)}`;
      expect((await sendWell(world, { as: admin, request, headers: text })).body).toBe(value);
    }
    expect(await keysOf(world)).toHaveLength(4);
  });

  it('replaces a value, and with it the time of its last change', async () => {
    const world = await entry.open();
    await prepare(world, [setProperty('a', '1')]);
    await world.clock.advance(1_000);
    await prepare(world, [setProperty('a', '2')]);
    await playScenario(world, {
      name: '',
      as: admin,
      request: `GET ${path}`,
      headers: json,
      status: 200,
      says: { json: { property: [{ key: 'a', value: '2', lastChange: '2030-01-01T00:00:01.000+0000' }] } },
    });
  });

  it('lists them by key, and by page', async () => {
    const world = await entry.open();
    const property = ['c', 'a', 'e', 'b', 'd'].map((key) => ({ key, value: '1' }));
    await prepare(world, [{ as: admin, request: `POST ${path}`, body: { property } }]);
    expect(await keysOf(world)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await keysOf(world, 'first=2&number=2')).toEqual(['b', 'c']);
    expect(await keysOf(world, 'first=5&number=2')).toEqual(['e']);
    expect(await keysOf(world, 'number=0')).toEqual([]);
    expect((await world.send({ as: admin, request: `GET ${path}?first=-1` })).status).toBe(400);
  });

  it('takes as many in one document as a list may have entries', async () => {
    const world = await entry.open();
    const property = Array.from({ length: 1001 }, (_, i) => ({ key: `p${i}`, value: '1' }));
    const sent = { as: admin, request: `POST ${path}` };
    const refused = await world.send({ ...sent, body: { property } });
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('property[1001]')]);
    expect((await world.send({ ...sent, body: { property: property.slice(1) } })).status).toBe(200);
  });

  it('keeps ten thousand at most', async () => {
    const world = await entry.open({ settings: { maxDocumentEntries: 20_000, maxDocumentElements: 100_000 } });
    const fill = `INSERT INTO property SELECT 'p' || value, '1', 1 FROM json_each(?)`;
    const numbers = JSON.stringify(Array.from({ length: 10_000 }, (_, i) => i));
    await world.service.store.commit({ changes: [{ sql: fill, args: [numbers] }], events: [] }, { user: 'test' });
    const full = { status: 403, answers: { 'portico-error': 'not-allowed' }, says: { contains: ['10000'] } };
    await playScenario(world, { name: '', ...setProperty('one more', '1'), ...full });
    await prepare(world, [setProperty('p1', '2')]);
    const property = Array.from({ length: 10_001 }, (_, i) => ({ key: `p${i % 10}`, value: '1' }));
    await playScenario(world, { name: '', as: admin, request: `POST ${path}`, body: { property }, ...full });
  });
});
