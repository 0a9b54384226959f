import { expect, it } from 'vitest';
import { notificationDocument, onCreate } from '../administration/notifications/support.ts';
import { describeMatrix, type Sent } from '../support/matrix.ts';
import { itHolds, type Scenario } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

/** Requests and answers of clients in production. Each row was found in the source or in a recording of one of them. */

const json = { accept: 'application/json' };
const xml = { 'content-type': 'application/xml' };
const by = (request: string, more: Partial<Sent> = {}) => ({ as: admin, request, ...more });
const ann: Sent = by('POST /API/user', { body: { userName: 'ann', realName: 'Ann' } });
const bob: Sent = by('POST /API/user', { body: { userName: 'bob' } });
const crew: Sent = by('PUT /API/group/crew');
const users = (...names: string[]) => ({ jsonPart: { user: names.map((userName) => ({ userName })) } });

const parameters: readonly Scenario[] = [
  ...['/user;first=1;number=1', '/API;number=1/user', '/user;number=1?first=0', '/user?first=0&number=1'].map(
    (target) => ({
      name: `clients.md 1.1 takes the parameters of ${target}`,
      ...by(`GET ${target}`, { headers: json }),
      status: 200,
      answers: { 'portico-ignored': null },
      says: users('admin'),
    }),
  ),
  ...['True', '1', 'yes', 'TRUE'].map((word) => ({
    name: `clients.md 1.5 takes "${word}" for true`,
    ...by(`GET /API/user?disabled=${word}`, { headers: json }),
    status: 200,
    says: { json: { hits: 0, user: [] } },
  })),
  ...['False', '0', 'no'].map((word) => ({
    name: `clients.md 1.5 takes "${word}" for false`,
    ...by(`GET /API/user?disabled=${word}&number=1`, { headers: json }),
    status: 200,
    says: users('admin'),
  })),
  ...['name=ann,bob', 'name=ann&name=bob', 'name=ann,&name=bob'].map((query) => ({
    name: `clients.md 1.4 takes the list ${query}`,
    ...by(`GET /API/user?${query}`, { headers: json }),
    status: 200,
    says: users('ann', 'bob'),
  })),
  {
    name: 'clients.md 1.15 answers the total without rows for number=0',
    ...by('GET /API/user?number=0', { headers: json }),
    status: 200,
    says: { json: { hits: 3, user: [] } },
  },
  {
    name: 'names a parameter that cannot be read, its value, and what is expected',
    ...by('GET /API/user?first=one', { headers: json }),
    status: 400,
    says: {
      jsonPart: {
        invalidInput: {
          context: 'parameter',
          id: 'first',
          value: 'one',
          explanation: expect.stringMatching(/^Expected a whole number/),
        },
      },
    },
  },
];

const ignored: readonly Scenario[] = [
  {
    name: 'clients.md 1.1 takes a parameter in the middle of a path, after a name',
    ...by('GET /API/user/admin;version=1;allgroups=True/groups?traverse=0', { headers: json }),
    status: 200,
    answers: { 'portico-ignored': 'version' },
    says: { jsonPart: { group: [] } },
  },
  {
    name: 'clients.md 1.12 accepts a parameter that nothing reads, and names it',
    ...by('GET /API/whoami?terse=true;x=1'),
    status: 200,
    answers: { 'portico-ignored': 'terse' },
  },
  {
    name: 'percent-encodes the names: a line end in one forges no header',
    ...by('GET /API/whoami?a%0D%0Ab=1&%C3%BC,=2'),
    status: 200,
    answers: { 'portico-ignored': 'a%0D%0Ab, %C3%BC%2C' },
  },
  {
    name: 'names ten at most',
    ...by(`GET /API/whoami?${Array.from({ length: 30 }, (_, index) => `p${index}=1`).join('&')}`),
    status: 200,
    answers: { 'portico-ignored': 'p0, p1, p2, p3, p4, p5, p6, p7, p8, p9' },
  },
  {
    name: 'names them with a refusal, too',
    ...by('GET /API/user/nobody?nmae=1'),
    status: 404,
    answers: { 'portico-ignored': 'nmae' },
  },
  {
    name: 'tells them to callers who were let in only',
    request: 'GET /API/whoami?x=1',
    status: 401,
    answers: { 'portico-ignored': null },
  },
  {
    name: 'says nothing where nothing is ignored',
    ...by('GET /API/whoami'),
    status: 200,
    answers: { 'portico-ignored': null },
  },
  {
    name: 'accepts a property that a document does not have, and names it',
    ...by('PUT /API/user/ann', { body: { userName: 'ann', favouriteColour: 'red' } }),
    status: 200,
    answers: { 'portico-ignored': 'favouriteColour' },
  },
  {
    name: 'names an element that a document does not have',
    ...by('PUT /API/user/ann', {
      headers: xml,
      body: '<UserDocument><userName>ann</userName><favouriteColour/></UserDocument>',
    }),
    status: 200,
    answers: { 'portico-ignored': 'favouriteColour' },
  },
  ...(
    [
      ['POST /API/user', { userName: 'eve', pasword: 'x' }, 'pasword', 'password'],
      ['POST /API/user', { userName: 'eve', Password: 'x' }, 'Password', 'password'],
      ['PUT /API/group/crew', { descripton: 'x' }, 'descripton', 'description'],
      ['PUT /API/group/crew', { userList: { user: [{ userName: 'ann', remov: true }] } }, 'remov', 'remove'],
      ['PUT /API/user/ann/groups', { group: [{ groupName: 'crew', removee: true }] }, 'removee', 'remove'],
      ['PUT /API/configuration/properties', { key: 'a', valeu: '1' }, 'valeu', 'value'],
      ['PUT /API/configuration/cors', { entrys: [] }, 'entrys', 'entry'],
      ['POST /API/group/notification', { ...notificationDocument(onCreate), acton: 1 }, 'acton', 'action'],
    ] as const
  ).map(([request, body, found, meant]) => ({
    name: `refuses "${found}" in ${request}, where a lost property opens something`,
    ...by(request, { body, headers: json }),
    status: 400,
    says: { contains: [found, meant] },
  })),
];

const bodies: readonly Scenario[] = [
  {
    name: 'clients.md 2.17 takes any name of the root element, in any namespace',
    ...by('PUT /API/user/ann', {
      headers: xml,
      body: '<x:resource xmlns:x="urn:x"><userName>ann</userName></x:resource>',
    }),
    status: 200,
  },
  {
    name: 'clients.md 2.18 takes elements in any order',
    ...by('PUT /API/user/ann', {
      headers: xml,
      body: '<UserDocument><realName>Ann</realName><userName>ann</userName></UserDocument>',
    }),
    status: 200,
  },
  {
    name: 'clients.md 6 takes an encoding that is called utf8',
    ...by('PUT /API/user/ann', {
      headers: xml,
      body: "<?xml version='1.0' encoding='utf8'?><UserDocument><userName>ann</userName></UserDocument>",
    }),
    status: 200,
  },
  ...['application/json; charset=utf-8', 'text/plain', 'application/octet-stream', 'application/xml'].map((type) => ({
    name: `clients.md 2.20 takes no body with the type ${type}`,
    ...by('PUT /API/group/fresh', { headers: { 'content-type': type } }),
    status: 200,
    events: [['group/create', 'fresh']] as const,
  })),
  {
    name: 'refuses a body of another type',
    ...by('PUT /API/group/fresh', { headers: { 'content-type': 'text/plain' }, body: 'x' }),
    status: 415,
  },
  {
    name: 'clients.md 2.20 takes a type on a request without a body that reads none',
    ...by('GET /API/whoami', { headers: { 'content-type': 'application/json; charset=utf-8' } }),
    status: 200,
  },
];

const answers: readonly Scenario[] = [
  {
    name: 'clients.md 3.66 takes one star for any type',
    ...by('GET /API/user?number=1', { headers: { accept: '*' } }),
    status: 200,
    answers: { 'content-type': 'application/xml; charset=UTF-8' },
  },
  {
    name: 'clients.md 3.61 says in /version what clients decide on',
    ...by('GET /API/version', { headers: json }),
    status: 200,
    says: { jsonPart: { licenseInfo: { licenseStatus: 'valid', storageNumber: { allowed: '-1' } }, systemInfo: {} } },
  },
  {
    name: 'clients.md 4.78 sets a property to a text',
    ...by('PUT /API/configuration/properties/a', { headers: { 'content-type': 'text/plain' }, body: ' 1 ' }),
    status: 204,
    events: [['configuration/modify', 'properties', { name: 'properties', key: 'a' }]],
  },
  {
    name: 'clients.md 6 takes a property back with 204',
    given: [by('PUT /API/configuration/properties/a', { body: '1' })],
    ...by('DELETE /API/configuration/properties/a'),
    status: 204,
    events: [['configuration/modify', 'properties', { name: 'properties', key: 'a' }]],
  },
  {
    name: 'clients.md 3.32 has an empty list where there is no row',
    ...by('GET /API/user?first=99', { headers: json }),
    status: 200,
    says: { json: { hits: 3, user: [] } },
  },
];

describeMatrix('production clients', (entry) => {
  itHolds(entry, [...parameters, ...ignored, ...bodies, ...answers], { given: [ann, bob, crew] });

  it('clients.md 3.60 read an audit log in which both texts of parameters are always there', async () => {
    const world = await entry.open();
    await world.send(by('PUT /API/group/crew', { body: {} }));
    const { body } = await world.send(by('GET /API/log?performCount=True&path=/group', { headers: json }));
    const log = JSON.parse(body);
    expect(log.count).toBe(1);
    expect(log.entry[0]).toMatchObject({ queryParameters: '', matrixParameters: '', username: 'admin' });
    expect(typeof (log.entry[0].contentLength ?? '')).toBe('string');
    const asXml = await world.send(by('GET /API/log?path=/group', { headers: { accept: 'application/xml' } }));
    expect(asXml.body).toMatch(/<entry timestamp="2030-/);
  });
});
