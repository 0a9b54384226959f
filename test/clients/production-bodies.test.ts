import { newGroup, newUser } from '../support/cast.ts';
import { describeMatrix, type Sent } from '../support/matrix.ts';
import { itHolds, type Scenario } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

/** Bodies as clients in production send them: clients.md 2, 4.74. */

const json = { accept: 'application/json' };
const xml = { accept: 'application/json', 'content-type': 'application/xml' };
const vendor = 'http://xml.vidispine.com/schema/vidispine';
const by = (request: string, more: Partial<Sent> = {}) => ({ as: admin, request, headers: json, ...more });
const http = '<http><url>http://hooks.example/in</url></http>';
const echo = (body: string, headers: Record<string, string> = xml) => ({
  request: 'PUT /APInoauth/debug/echo',
  body,
  headers,
});

const roots: readonly Scenario[] = (
  [
    ['PUT /API/group/crew', '<description>x</description>', [['group/modify', 'crew']]],
    ['POST /API/user', '<userName>eve</userName>', [['user/create', 'eve']]],
    ['PUT /API/user', '<field><name>username</name><value>ann</value></field>', []],
    ['PUT /API/configuration/properties', '<key>a</key><value>1</value>', [['configuration/modify', 'properties']]],
    ['PUT /API/user/ann/groups', '<group><groupName>crew</groupName></group>', [['group/modify', 'crew']]],
    ['POST /API/group/notification', `<action>${http}</action><trigger><group><create/></group></trigger>`, []],
  ] as const
).map(([request, inside, events]) => ({
  name: `clients.md 2.17 takes another root element: ${request}`,
  ...by(request, { headers: xml, body: `<tag>${inside}</tag>` }),
  status: 200,
  events,
}));

const emptyBodies: readonly Scenario[] = (
  [
    ['DELETE /API/group/crew', [['group/delete', 'crew']]],
    ['GET /API/group/crew', []],
    ['PUT /API/user/ann/enable', []],
    ['POST /API/user/ann/key', [['user/modify', 'ann']]],
  ] as const
).flatMap(([request, events]) =>
  ['application/json; charset=utf-8', 'application/xml'].map((type) => ({
    name: `clients.md 2.20 takes the type ${type} without a body: ${request}`,
    ...by(request, { headers: { ...json, 'content-type': type } }),
    status: 200,
    events,
  })),
);

const forms: readonly Scenario[] = [
  {
    name: 'clients.md 2.18 takes the trigger in front of the action',
    ...by('POST /API/group/notification', {
      headers: xml,
      body: `<NotificationDocument><trigger><group><create/></group></trigger><action>${http}</action></NotificationDocument>`,
    }),
    status: 200,
    says: { json: { uri: ['VX-1'] } },
  },
  {
    name: 'clients.md 2.19 takes a root with a prefix, children without a namespace, and comments between them',
    ...by('POST /API/group/notification', {
      headers: xml,
      body: `<ns0:NotificationDocument xmlns:ns0="${vendor}"><!-- what --><action>${http}</action><!-- when --><trigger><group><create/></group></trigger></ns0:NotificationDocument>`,
    }),
    status: 200,
    says: { json: { uri: ['VX-1'] } },
  },
  ...emptyBodies,
  {
    name: 'clients.md 2.20 takes a body without a type',
    ...by('PUT /API/group/crew', { body: '<GroupDocument><description>x</description></GroupDocument>' }),
    status: 200,
    events: [['group/modify', 'crew']],
  },
  {
    name: 'clients.md 2.21 takes {} as if there were no body',
    ...by('PUT /API/group/crew', { body: {} }),
    status: 200,
    events: [],
  },
  {
    name: 'clients.md 2.23 takes a number for a text, and answers the text',
    given: [by('PUT /API/configuration/properties', { body: { key: 'a', value: 123 } })],
    ...by('GET /API/configuration/properties/a'),
    status: 200,
    says: { jsonPart: { key: 'a', value: '123' } },
  },
  {
    name: 'clients.md 2.23 takes texts for booleans and numbers, and answers their kind',
    given: [
      by('POST /API/group/notification', {
        body: {
          action: { http: { url: 'http://hooks.example/in', retry: '3', synchronous: 'true', timeout: 10 } },
          trigger: { group: { create: '' } },
        },
      }),
    ],
    ...by('GET /API/group/notification/VX-1'),
    status: 200,
    says: { jsonPart: { action: { http: { retry: 3, synchronous: true, timeout: '10' } } } },
  },
  {
    name: 'clients.md 2.24 takes the mode of a value',
    given: [
      by('PUT /API/user/ann/metadata', {
        headers: xml,
        body: '<SimpleMetadataDocument><field><key>k</key><value mode="add">b</value></field></SimpleMetadataDocument>',
      }),
    ],
    ...by('GET /API/user/ann/metadata'),
    status: 200,
    says: { contains: ['"a"', '"b"'] },
  },
];

const echoes: readonly Scenario[] = [
  {
    name: 'clients.md 4.74 answers XML as JSON, without credentials',
    ...echo(
      `<?xml version='1.0' encoding='utf8'?><!-- x --><v:GroupDocument xmlns:v="${vendor}"><role>0</role><groupName>a</groupName></v:GroupDocument>`,
    ),
    status: 200,
    says: { exact: '{"groupName":"a","role":false}' },
  },
  {
    name: 'clients.md 4.74 answers XML as XML',
    ...echo('<UserSearchDocument><field><name>a</name><value>b</value></field></UserSearchDocument>', {}),
    status: 200,
    says: { contains: ['xmlns="urn:portico:schema"', '<name>a</name><value>b</value>'] },
  },
  {
    name: 'clients.md 4.74 does not repeat a password',
    ...echo('<UserDocument><userName>a</userName><password>canary</password></UserDocument>'),
    status: 200,
    says: { exact: '{"userName":"a"}' },
  },
  {
    name: 'clients.md 4.74 refuses a document that nobody described, and names it',
    ...echo('<SomethingDocument/>'),
    status: 400,
    says: { contains: ['Expected an XML document with the name', '"SomethingDocument"'] },
  },
  ...[
    '',
    ' ',
    '{"userName":"a"}',
    '<UserDocument',
    '<!DOCTYPE a [<!ENTITY b "c">]><UserDocument>&b;</UserDocument>',
  ].map((body) => ({ name: `clients.md 4.74 refuses ${JSON.stringify(body)}`, ...echo(body), status: 400 })),
  { name: 'clients.md 4.74 refuses what is not well formed', ...echo('<URIListDocument><uri>'), status: 400 },
  { name: 'clients.md 4.74 refuses JSON', ...echo('{}', { 'content-type': 'application/json' }), status: 415 },
  {
    name: 'clients.md 4.74 refuses more than 64 KiB',
    ...echo(`<URIListDocument><uri>${'x'.repeat(65_536)}</uri></URIListDocument>`),
    status: 413,
  },
];

describeMatrix('bodies of production clients', (entry) => {
  const value = { field: [{ key: 'k', value: 'a' }] };
  itHolds(entry, [...roots, ...forms], { given: [newGroup('crew'), newUser(['ann', 'p'], [], { metadata: value })] });
  itHolds(entry, echoes);
});
