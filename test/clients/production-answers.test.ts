import { expect, it } from 'vitest';
import { newNotification, notificationDocument, onCreate } from '../administration/notifications/support.ts';
import { newGroup, newUser } from '../support/cast.ts';
import { describeMatrix, type Sent, type World } from '../support/matrix.ts';
import { itHolds, prepare, type Scenario } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

/** Parts of answers that clients in production read, or refuse to read: clients.md 3, 4 and 6. */

const json = { accept: 'application/json' };
const by = (request: string, more: Partial<Sent> = {}) => ({ as: admin, request, headers: json, ...more });
const cast = [newGroup('crew'), newUser(['ann', 'p'], [], { metadata: { field: [{ key: 'k', value: '' }] } })];
const vendor = 'http://xml.vidispine.com/schema/vidispine';

const emptyLists: readonly Scenario[] = (
  [
    ['GET /API/user?name=nobody', { hits: 0, user: [] }],
    ['GET /API/group/crew/users', { hits: 0, user: [] }],
    ['GET /API/group/crew/children', { hits: 0, group: [] }],
    ['GET /API/user/ann/groups', { hits: 0, group: [] }],
    ['GET /API/user/ann/key', { hits: 0, key: [] }],
    ['GET /API/group/crew/metadata', { field: [] }],
    ['GET /API/group/notification', { hits: 0, uri: [] }],
    ['GET /API/configuration/properties', { property: [] }],
    ['GET /API/log?path=/nowhere', { entry: [] }],
  ] as const
).map(([request, list]) => ({
  name: `clients.md 3.32 has an empty list: ${request}`,
  ...by(request),
  status: 200,
  says: { json: list },
}));

const order: readonly Scenario[] = [
  {
    name: 'clients.md 3.33 has attributes after elements in JSON: a user',
    given: [by('DELETE /API/user/ann')],
    ...by('GET /API/user/ann'),
    status: 200,
    says: { contains: ['"metadata":{"field":[{"key":"k","value":""}]},"origin":"VX","disabled":true}'] },
  },
  {
    name: 'clients.md 3.33 has attributes after elements in JSON: a property',
    given: [by('PUT /API/configuration/properties', { body: { key: 'a', value: '1' } })],
    ...by('GET /API/configuration/properties/a'),
    status: 200,
    says: { exact: '{"key":"a","value":"1","lastChange":"2030-01-01T00:00:00.000+0000"}' },
  },
  {
    name: 'clients.md 3.56 writes UTC as Z in XML',
    given: [by('PUT /API/configuration/properties', { body: { key: 'a', value: '1' } })],
    ...by('GET /API/configuration/properties/a', { headers: {} }),
    status: 200,
    says: { contains: ['lastChange="2030-01-01T00:00:00.000Z"'] },
  },
];

const text = { accept: 'text/plain' };
/** Header of every request by axios and Angular. */
const angular = { accept: 'application/json, text/plain, */*' };
const xmlOnly = { accept: 'application/xml' };
const faults: readonly Scenario[] = [
  {
    name: 'clients.md 3.45 begins a text with the phrase that clients know: 404',
    ...by('GET /API/group/nobody', { headers: text }),
    status: 404,
    says: { exact: '404 A resource could not be found\r\nType: Group\r\nID: nobody\r\n' },
  },
  {
    name: 'clients.md 3.45 begins a text with the phrase that clients know: 400',
    ...by('GET /API/group?first=x', { headers: text }),
    status: 400,
    says: { contains: ['400 An invalid parameter was entered\r\nContext: parameter\r\nID: first\r\nReason: '] },
  },
  {
    name: 'clients.md 3.47 says the context, id, explanation and value of a conflict',
    ...by('PUT /API/user/ann'),
    status: 409,
    says: {
      jsonPart: {
        conflict: {
          context: 'User',
          id: 'ann',
          explanation: 'Expected a name that no user has, and no alias of one',
          value: null,
        },
        notFound: null,
      },
      lacks: ['"type"'],
    },
  },
  {
    name: 'clients.md 3.47 says the same in XML',
    ...by('PUT /API/user/ann', { headers: xmlOnly }),
    status: 409,
    says: { contains: ['<conflict><context>User</context><id>ann</id><explanation>Expected'] },
  },
];

const forms: readonly Scenario[] = [
  ...(
    [
      ['GET /API/version', 200],
      ['GET /API/user', 200],
      ['GET /API/metadata-field/field-group', 200],
      ['PUT /API/search', 200],
      ['GET /API/item/VX-1/uri', 404],
      ['GET /API/user?first=x', 400],
      ['GET /APInoauth/selftest', 200],
      ['GET /API/nowhere', 404],
    ] as const
  ).map(([request, status]) => ({
    name: `gives JSON to axios and Angular, which name it before all types: ${request}`,
    ...by(request, { headers: angular }),
    status,
    answers: { 'content-type': 'application/json' },
    says: { contains: ['{"'] },
  })),
  {
    name: 'gives JSON to axios and Angular, also with a demand for a login',
    ...by('GET /API/user', { headers: angular, as: ['ann', 'wrong'] }),
    status: 401,
    answers: { 'content-type': 'application/json' },
    says: { contains: ['"notAuthorized":{'] },
  },
  {
    name: 'gives text to axios and Angular where there is nothing else',
    ...by('GET /API/whoami', { headers: angular }),
    status: 200,
    answers: { 'content-type': 'text/plain; charset=UTF-8' },
    says: { exact: 'admin' },
  },
  {
    name: 'gives XML to a caller who takes everything',
    ...by('GET /API/user/ann', { headers: { accept: '*/*' } }),
    status: 200,
    answers: { 'content-type': 'application/xml; charset=UTF-8' },
  },
  {
    name: 'clients.md 3.63 answers XML to a caller who says nothing',
    ...by('GET /API/user/ann', { headers: {} }),
    status: 200,
    answers: { 'content-type': 'application/xml; charset=UTF-8' },
  },
  ...(
    [
      ['PUT /API/group/new', [['group/create', 'new']]],
      ['PUT /API/user/ann/enable', []],
      ['DELETE /API/group/crew', [['group/delete', 'crew']]],
      ['PUT /API/user/ann/alias/a', [['user/modify', 'ann']]],
    ] as const
  ).map(([request, events]) => ({
    name: `clients.md 3.64 gives 200 without a body a type and a length: ${request}`,
    ...by(request),
    status: 200,
    answers: { 'content-type': 'application/json', 'content-length': '0' },
    says: { exact: '' },
    events,
  })),
  {
    name: 'clients.md 3.64 names no charset of JSON',
    ...by('GET /API/user/ann'),
    status: 200,
    answers: { 'content-type': 'application/json' },
  },
  {
    name: 'clients.md 3.64 gives 204 neither',
    ...by('PUT /API/configuration/properties/a', { body: '1' }),
    status: 204,
    answers: { 'content-type': null, 'content-length': null },
    events: [['configuration/modify', 'properties']],
  },
  ...['GET /API/user', 'GET /API/version', 'GET /API/whoami', 'GET /API/log'].map((request) => ({
    name: `clients.md 3.66 takes one star: ${request}`,
    ...by(request, { headers: { accept: '*' } }),
    status: 200,
  })),
  {
    name: 'clients.md 4.77 deletes all notifications of a resource',
    given: [newNotification(onCreate), newNotification(onCreate)],
    ...by('DELETE /API/group/notification'),
    status: 200,
    says: { exact: '' },
  },
  {
    name: 'clients.md 4.84 answers the plain id of a new notification',
    ...by('POST /API/group/notification', { body: notificationDocument(onCreate) }),
    status: 200,
    says: { json: { uri: ['VX-1'] } },
  },
  {
    name: 'clients.md 4.84 lists whole addresses that end with the id',
    given: [newNotification(onCreate)],
    ...by('GET /API/group/notification'),
    status: 200,
    says: { json: { hits: 1, uri: [expect.stringMatching(/^http:\/\/.*\/API\/group\/notification\/VX-1$/)] } },
  },
];

const read = async (world: World, request: string) => JSON.parse((await world.send(by(request))).body);

describeMatrix('answers to production clients', (entry) => {
  itHolds(entry, [...emptyLists, ...order, ...faults, ...forms], { given: cast });

  it('clients.md 3.59 have every property that a client requires', async () => {
    const world = await entry.open();
    await world.send({ request: 'GET /API/whoami' });
    await world.clock.advance(1_000);
    await prepare(world, [...cast, newNotification(onCreate, { contentType: undefined })]);
    await prepare(world, [by('PUT /API/configuration/properties', { body: { key: 'a' } })]);

    const { entry: entries } = await read(world, 'GET /API/log');
    const required = ['username', 'timestamp', 'matrixParameters', 'queryParameters', 'path', 'method'];
    for (const each of entries) {
      for (const name of required) expect([name, typeof each[name]]).toEqual([name, 'string']);
    }
    expect(entries.some((each: { username: string }) => each.username === '')).toBe(true);

    const { action, trigger } = await read(world, 'GET /API/group/notification/VX-1');
    expect([action.http.url, action.http.timeout, action.http.synchronous, trigger]).toEqual([
      'http://hooks.example/in',
      '0',
      false,
      onCreate,
    ]);

    const { component } = await read(world, 'GET /API/version');
    for (const each of component) expect([typeof each.name, typeof each.version]).toEqual(['string', 'string']);
    expect(component[0].name).toBe('API');

    const { property } = await read(world, 'GET /API/configuration/properties');
    expect(property).toEqual([{ key: 'a', value: '', lastChange: expect.any(String) }]);
    expect(await read(world, 'GET /API/user/ann/metadata')).toEqual({ field: [{ key: 'k', value: '' }] });

    for (const query of ['', '?hard=true&jobmetadata=reason%3D']) {
      const job = await read(world, `DELETE /API/user/ann${query}`);
      for (const name of ['jobId', 'status', 'type', 'priority']) expect(job[name]).toMatch(/./);
      for (const pair of job.data ?? []) expect(pair).toEqual({ key: 'reason', value: '' });
    }
  });

  it('clients.md 3.60 have the properties of an entry of the log in their order', async () => {
    const world = await entry.open();
    const headers = { ...json, 'content-length': '2' };
    await prepare(world, [by('PUT /API/group/crew;clear=false', { body: {}, headers })]);
    const { body } = await world.send(by('GET /API/log?path=/group'));
    expect(body).toMatch(
      /^\{"entry":\[\{"username":"admin","method":"PUT","path":"\/group\/crew","queryParameters":"","matrixParameters":"clear=false",/,
    );
    expect(body).toMatch(/"contentLength":"2",.*"timestamp":"2030-01-01T00:00:00.000\+0000"\}\]\}$/);
  });

  it('clients.md 3.61 have the license of the version in its order, numbers as texts', async () => {
    const world = await entry.open();
    const { body } = await world.send(by('GET /API/version'));
    const current = { storage: 0, user: 1, item: 0, transcoder: 0 };
    const counts = Object.entries(current).map(([name, n]) => `"${name}Number":{"allowed":"-1","current":"${n}"}`);
    expect(body).toContain(`"licenseInfo":{${counts.join(',')},"licenseStatus":"valid",`);
  });

  it('clients.md 4.76 have attributes of a self-test in their order, and the words that open the set-up', async () => {
    const world = await entry.open();
    const whole = (headers: Record<string, string>) => world.send({ request: 'GET /APInoauth/selftest', headers });
    const { body } = await whole({ accept: 'application/xml' });
    expect(body).toMatch(
      /<SelfTestDocument xmlns="[^"]*" name="selftest" status="ok" took="\d+"><test name="database"/,
    );
    expect(JSON.parse((await whole(json)).body).test[0]).toMatchObject({ status: 'ok', took: expect.any(String) });
    const lost = `DELETE FROM "group" WHERE name = '_export'`;
    await world.service.store.commit({ changes: [{ sql: lost, args: [] }], events: [] }, { user: 'test' });
    const { status, test } = JSON.parse((await whole(json)).body);
    const database = test.find((each: { name: string }) => each.name === 'database');
    expect(status).toBe('warning');
    expect(database.test[0].message[0]).toContain('did APIInit run?');
  });

  it('clients.md 6 have the namespace of the setting, in every XML answer', async () => {
    const world = await entry.open({ settings: { schemaNamespace: vendor } });
    await prepare(world, cast);
    // Schemas describe documents, and are none.
    const schemas = ['/application.wadl', '/schema.xsd', '/metadata-field/terse-schema'];
    const simple = world.service.routes.filter(({ method, path, produces }) => {
      const isXml = produces.includes('application/xml') && !schemas.includes(path);
      return method === 'GET' && isXml && !path.includes(':');
    });
    expect(simple.length).toBeGreaterThan(10);
    for (const path of [...simple.map((each) => each.path), '/user/ann', '/group/crew', '/user/nobody', '/nowhere']) {
      const { body } = await world.send(by(`GET /API${path}`, { headers: xmlOnly }));
      const [, namespace] = /^<\?xml[^>]*\?><\w+ xmlns="([^"]*)"/.exec(body) ?? [];
      expect([path, namespace]).toEqual([path, vendor]);
    }
    const other = await world.send(
      by('PUT /API/user/ann', {
        headers: { ...xmlOnly, 'content-type': 'application/xml' },
        body: '<UserDocument xmlns="urn:other"><userName>ann</userName></UserDocument>',
      }),
    );
    expect([other.status, other.body.includes(`<UserDocument xmlns="${vendor}">`)]).toEqual([200, true]);
  });
});
