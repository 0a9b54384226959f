import { expect, it } from 'vitest';
import { countIds, listIds } from '../../../src/administration/notifications/registration/store.ts';
import type { SqlValue } from '../../../src/core/store/contract.ts';
import { newGroup } from '../../support/cast.ts';
import { describeMatrix, openWorld } from '../../support/matrix.ts';
import { itHolds, prepare, type Scenario } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { newNotification, notificationDocument, onCreate, onModify, waiting, withBean } from './support.ts';

const json = { accept: 'application/json' };
const text = { accept: 'text/plain' };
const at = (resource: string, rest = ''): string => `/API${resource}/notification${rest}`;
const get = (target: string, headers: Record<string, string> = json) => ({
  as: admin,
  request: `GET ${target}`,
  headers,
});
const post = (target: string, body: object | string, headers: Record<string, string> = json) => ({
  as: admin,
  request: `POST ${target}`,
  headers,
  body,
});

const created: readonly Scenario[] = [
  {
    name: 'answers a creation with the bare id in a URIListDocument',
    ...post(at('/group'), notificationDocument(onCreate)),
    status: 200,
    says: { json: { uri: ['VX-1'] } },
  },
  {
    name: 'answers it as XML, and as text, where that is asked for',
    given: [newNotification(onCreate)],
    ...post(at('/group'), notificationDocument(onCreate), text),
    status: 200,
    answers: { 'content-type': 'text/plain; charset=UTF-8' },
    says: { exact: 'VX-2' },
  },
  {
    name: 'takes XML with any prefix, any order of elements and a trailing slash',
    ...post(
      `${at('/group')}/`,
      `<n:NotificationDocument xmlns:n="urn:any"><n:trigger><n:group><n:delete/></n:group></n:trigger><n:action>
       <n:http synchronous="false" group="desk"><n:timeout>10</n:timeout><n:url>http://receiver.example:8080/in?x=1</n:url><n:method>PUT</n:method><n:retry>3</n:retry></n:http>
       </n:action></n:NotificationDocument>`,
      { accept: 'application/xml', 'content-type': 'application/xml' },
    ),
    status: 200,
    says: { contains: ['<uri>VX-1</uri>', 'URIListDocument'] },
  },
  {
    name: 'creates a placeholder that has an action only',
    ...post('/API/notification', notificationDocument(undefined)),
    status: 200,
    says: { json: { uri: ['VX-1'] } },
  },
  {
    name: 'refuses a document without a trigger',
    ...post(at('/group'), notificationDocument(undefined)),
    status: 400,
    says: { contains: ['/NotificationDocument', 'trigger'] },
  },
  {
    name: 'refuses two triggers, naming both',
    ...post(at('/group'), notificationDocument({ ...onCreate, job: { stop: '' } })),
    status: 400,
    says: { contains: ['NotificationDocument/trigger', 'exactly one of', 'group', 'job'] },
  },
  {
    name: 'refuses two actions, naming both',
    ...post(at('/group'), {
      action: { http: { url: 'http://a.example' }, ejb: { bean: 'b', method: 'm' } },
      trigger: onCreate,
    }),
    status: 400,
    says: { contains: ['NotificationDocument/action', 'exactly one of', 'http', 'ejb'] },
  },
  {
    name: 'refuses a document without an action',
    ...post(at('/group'), { trigger: onCreate }),
    status: 400,
    says: { contains: ['NotificationDocument/action'] },
  },
  {
    name: 'refuses a trigger of another resource, and says where it belongs',
    ...post(at('/group'), notificationDocument({ job: { stop: '' } })),
    status: 400,
    says: { contains: ['/job/notification', 'NotificationDocument/trigger'] },
  },
  {
    name: 'takes triggers of documents at documents',
    ...post(at('/document'), notificationDocument({ document: { create: '' } })),
    status: 200,
  },
  {
    name: 'takes triggers of deletion locks at deletion locks',
    ...post(at('/deletion-lock'), notificationDocument({ deletionLock: { effective: '', expire: '' } })),
    status: 200,
  },
  {
    name: 'takes triggers of logins at sessions',
    ...post(at('/session'), notificationDocument({ login: { new: '' } })),
    status: 200,
  },
  {
    name: 'takes triggers of shares at shares',
    ...post(at('/share'), notificationDocument({ share: { use: '', upload: '' } })),
    status: 200,
  },
  {
    name: 'refuses an action that no plugin brings, and names the kind',
    ...post(at('/group'), { action: { jms: { queue: 'q', queueFactory: 'f' } }, trigger: onCreate }),
    status: 400,
    says: { contains: ['NotificationDocument/action/jms', '\\"actions\\"'] },
  },
  {
    name: 'refuses an in-process action that no plugin brings, and says where it would have to be',
    ...post(at('/group'), { action: { ejb: { bean: 'c', method: 'm' } }, trigger: onCreate }),
    status: 400,
    says: { contains: ['NotificationDocument/action/ejb/bean', '\\"actions\\"', '\\"c\\"'] },
  },
  {
    name: 'takes the in-process action',
    ...post(at('/group'), {
      action: { ejb: { bean: 'b', method: 'm', data: [{ key: 'k', value: 'v' }] } },
      trigger: onCreate,
    }),
    status: 200,
  },
  ...(
    [
      ['url', 'ftp://a.example/x'],
      ['url', 'hooks/in'],
      ['url', `http://a.example/${'x'.repeat(5000)}`],
      ['timeout', '-1'],
      ['timeout', 'soon'],
      ['retry', -1],
      ['retry', 1001],
      ['contentType', 'image/png'],
      ['method', 'DELETE'],
      ['group', 'a\nb'],
    ] as const
  ).map(
    ([field, value]): Scenario => ({
      name: `refuses ${field} ${JSON.stringify(value).slice(0, 30)}`,
      ...post(at('/group'), notificationDocument(onCreate, { [field]: value })),
      status: 400,
      answers: { 'portico-error': /^bad-/ },
      says: { contains: [`NotificationDocument/action/http/${field}`] },
    }),
  ),
  {
    name: 'takes numbers and booleans as texts, and does not mind unknown properties',
    ...post(
      at('/group'),
      notificationDocument(onCreate, { retry: '3', synchronous: 'false', timeout: 'none', colour: 'red' }),
    ),
    status: 200,
  },
  { name: 'refuses a body that is missing', as: admin, request: `POST ${at('/group')}`, status: 400 },
  {
    name: 'refuses one notification more than there may be',
    given: [newNotification(onCreate), newNotification(onCreate)],
    ...post(at('/group'), notificationDocument(onCreate)),
    status: 403,
    says: { contains: ['at most 2 notifications'] },
  },
];

const three = [newNotification(onCreate), newNotification(onModify), newNotification(onCreate, {}, '/group/crew')];

const listed: readonly Scenario[] = [
  {
    name: 'lists those of one entity apart from the others',
    given: three,
    ...get(at('/group/crew'), text),
    status: 200,
    says: { contains: ['/API/group/crew/notification/VX-3'], lacks: ['VX-1', 'VX-2', '\n'] },
  },
  {
    name: 'lists one a line as text',
    given: three,
    ...get(at('/group'), text),
    status: 200,
    says: { contains: ['/API/group/notification/VX-1\r\nhttp'] },
  },
  {
    name: 'lists page by page',
    given: three,
    ...get(`${at('/group')};first=2;number=1`, text),
    status: 200,
    says: { contains: ['VX-2'], lacks: ['VX-1'] },
  },
  {
    name: 'says how many there are at this place, whatever the page',
    given: three,
    ...get(`${at('/group')};first=2;number=1`),
    status: 200,
    says: { contains: ['{"hits":2,"uri":["http', '/VX-2"]}'] },
  },
  {
    name: 'says so in XML, before the addresses',
    given: three,
    ...get(`${at('/group/crew')};number=0`, { accept: 'application/xml' }),
    status: 200,
    says: { contains: ['><hits>1</hits></URIListDocument>'] },
  },
  {
    name: 'counts no deleted ones',
    given: [...three, { as: admin, request: `DELETE ${at('/group', '/VX-1')}` }],
    ...get(at('/group')),
    status: 200,
    says: { jsonPart: { hits: 1 } },
  },
  {
    name: 'lists nothing where nothing is',
    ...get(at('/item')),
    status: 200,
    says: { json: { hits: 0, uri: [] } },
  },
  { name: 'lists files under both of their paths', ...get(at('/file')), status: 200 },
  { name: 'knows no notifications of a group that is not there', ...get(at('/group/nobody')), status: 404 },
  { name: 'knows no entity of what does not exist yet', ...get(at('/item/VX-1')), status: 404 },
  {
    name: 'creates none for a group that is not there',
    ...post(at('/group/nobody'), notificationDocument(onCreate)),
    status: 404,
    says: { contains: ['Group', 'nobody'] },
  },
];

const sent = notificationDocument(
  { group: { create: '', delete: '' } },
  { retry: '3', group: 'desk', synchronous: 'false', timeout: '10', method: 'POST' },
);
const asRead = {
  action: {
    http: {
      synchronous: false,
      group: 'desk',
      retry: 3,
      contentType: 'application/json',
      url: 'http://hooks.example/in',
      method: 'POST',
      timeout: '10',
    },
  },
  trigger: { group: { create: '', delete: '' } },
};
const one = { as: admin, request: `POST ${at('/group')}`, body: sent };

const read: readonly Scenario[] = [
  {
    name: 'reads a notification as it was stored',
    given: [one],
    ...get(at('/group', '/VX-1')),
    status: 200,
    says: { json: asRead },
  },
  {
    name: 'reads it as XML, in the order that clients know',
    given: [one],
    ...get(at('/group', '/VX-1/'), { accept: 'application/xml' }),
    status: 200,
    says: {
      contains: [
        '<http synchronous="false" group="desk"><retry>3</retry><contentType>application/json</contentType><url>http://hooks.example/in</url><method>POST</method><timeout>10</timeout></http>',
        '<trigger><group><create></create><delete></delete></group></trigger>',
      ],
    },
  },
  { name: 'does not know it at another resource', given: [one], ...get(at('/job', '/VX-1')), status: 404 },
  {
    name: 'does not know it at one entity',
    given: [one, newGroup('crew')],
    ...get(at('/group/crew', '/VX-1')),
    status: 404,
  },
  { name: 'does not know it among placeholders', given: [one], ...get('/API/notification/VX-1'), status: 404 },
  {
    name: 'does not know what was never there',
    ...get(at('/group', '/VX-9')),
    status: 404,
    says: { contains: ['Notification', 'VX-9'] },
  },
  {
    name: 'changes it as a whole and answers what is stored',
    given: [one],
    as: admin,
    request: `PUT ${at('/group', '/VX-1')}`,
    headers: json,
    body: notificationDocument(onModify),
    status: 200,
    says: {
      json: {
        action: {
          http: { contentType: 'application/json', url: 'http://hooks.example/in', timeout: '0', synchronous: false },
        },
        trigger: onModify,
      },
    },
  },
  {
    name: 'refuses a change to what cannot be',
    given: [one],
    as: admin,
    request: `PUT ${at('/group', '/VX-1')}`,
    body: notificationDocument({}),
    status: 400,
  },
  {
    name: 'does not change what is not there',
    as: admin,
    request: `PUT ${at('/group', '/VX-1')}`,
    body: sent,
    status: 404,
  },
  {
    name: 'deletes it',
    given: [one],
    as: admin,
    request: `DELETE ${at('/group', '/VX-1')}`,
    status: 200,
    says: { exact: '' },
  },
  {
    name: 'answers 404 to a deletion of what is missing',
    as: admin,
    request: `DELETE ${at('/group', '/VX-1')}`,
    status: 404,
  },
];

describeMatrix('registering notifications', (entry) => {
  itHolds(entry, created, { settings: { maxNotifications: 2 }, security: withBean('b') });
  itHolds(entry, listed, { given: [newGroup('crew')] });
  itHolds(entry, read);

  it('tells addresses on the host that the caller used, below the same path, and they lead back', async () => {
    const world = await entry.open();
    await prepare(world, three.slice(0, 2));
    const host = entry.name === 'fetch' ? { host: 'mam.example:8443' } : {};
    const origin = entry.name === 'fetch' ? /^http:\/\/mam\.example:8443\// : /^http:\/\/127\.0\.0\.1:\d+\//;
    for (const root of ['/API', '']) {
      const { body } = await world.send(get(`${root}/group/notification/`, { ...json, ...host }));
      const { uri } = JSON.parse(body) as { uri: string[] };
      expect(uri.map((each) => new URL(each).pathname)).toEqual([
        `${root}/group/notification/VX-1`,
        `${root}/group/notification/VX-2`,
      ]);
      for (const each of uri) expect(each).toMatch(origin);
      for (const each of uri) expect((await world.send(get(new URL(each).pathname))).status).toBe(200);
    }
  });

  it('deletes all of one place, and nothing else', async () => {
    const world = await entry.open();
    await prepare(world, [newGroup('crew'), ...three, newNotification({ job: { stop: '' } }, {}, '/job')]);
    expect((await world.send({ as: admin, request: `DELETE ${at('/group')}/` })).status).toBe(200);
    expect((await world.send(get(at('/group')))).body).toBe('{"hits":0,"uri":[]}');
    expect((await world.send(get(at('/group/crew'), text))).body).toContain('VX-3');
    expect((await world.send(get(at('/job'), text))).body).toContain('VX-4');
    await prepare(world, [newGroup('other')]);
    expect(await waiting(world)).toEqual([]);
  });
});

it('a list is read from the index of its place, and its count is kept', async () => {
  const { service } = await openWorld('fetch');
  const plans: string[] = [];
  const read = async (text: string, args?: readonly SqlValue[]) => {
    plans.push(...(await service.store.read(`EXPLAIN QUERY PLAN ${text}`, args)).map((row) => String(row.at(-1))));
    return [];
  };
  const place = { resource: '/group', entity: '' };
  await listIds({ read }, { ...place, limit: 10, offset: 0 });
  await countIds({ read }, place);
  expect(plans).toEqual([
    'SEARCH notification USING INDEX notification_place (resource=? AND entity=?)',
    'SEARCH counter USING PRIMARY KEY (name=?)',
  ]);
});

it('the count of a place follows what is created, deleted, waits to be told, and ends with its entity', async () => {
  const world = await openWorld('fetch');
  const { store } = world.service;
  const hits = async (resource: string, entity = '') => (await countIds(store, { resource, entity }))[0]?.hits ?? 0;
  await prepare(world, [
    newGroup('crew'),
    newNotification(onCreate),
    newNotification(onCreate),
    newNotification({ group: { delete: '' } }, {}, '/group/crew'),
  ]);
  expect([await hits('/group'), await hits('/group', 'crew')]).toEqual([2, 1]);
  await prepare(world, [newGroup('other'), { as: admin, request: 'DELETE /API/group/notification/VX-1' }]);
  // A deleted notification stays until it has told what waits.
  expect(await store.read(`SELECT count(*) FROM notification WHERE resource = '/group' AND entity = ''`)).toEqual([
    [2],
  ]);
  expect(await hits('/group')).toBe(1);
  await prepare(world, [{ as: admin, request: 'DELETE /API/group/crew' }]);
  await store.commit({ changes: [{ sql: 'DELETE FROM outbox', args: [] }], events: [] }, { user: 'test' });
  expect([await hits('/group'), await hits('/group', 'crew')]).toEqual([1, 0]);
  expect(await store.read(`SELECT name, value FROM counter WHERE name LIKE 'notifications %'`)).toEqual([
    ['notifications /group ', 1],
  ]);
});
