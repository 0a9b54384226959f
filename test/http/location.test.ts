import { expect, it } from 'vitest';
import { locationOf } from '../../src/http/address.ts';
import { describeMatrix, type Sent } from '../support/matrix.ts';
import { admin } from '../support/service.ts';

const notification = {
  action: {
    http: { url: 'http://127.0.0.1/', synchronous: false, retry: 1, contentType: 'application/json', timeout: 5 },
  },
  trigger: { group: { create: '' } },
};

const creations: readonly (readonly [string, Omit<Sent, 'as'>])[] = [
  ['a user', { request: 'POST /API/user', body: { userName: 'ann of the desk' } }],
  ['a user without a document', { request: 'PUT /API/user/bob' }],
  ['an access key', { request: 'POST /API/user/admin/key' }],
  ['a notification', { request: 'POST /API/group/notification/', body: notification }],
  ['a storage', { request: 'POST /API/storage', body: { capacity: '1000', type: 'LOCAL' } }],
];

describeMatrix('the answer to what makes something', (entry) => {
  it.each(creations)('says where %s is', async (_what, sent) => {
    const world = await entry.open({ settings: { outboundAllow: ['127.0.0.1'] } });
    const made = await world.send({ as: admin, ...sent });
    expect(made.status, made.body).toBe(200);
    const { status } = await world.send({ as: admin, request: `GET ${made.headers.get('location')}` });
    const whole = entry.name === 'fetch' ? /^http:\/\/portico\.test\/API\// : /^http:\/\/127\.0\.0\.1:\d+\/API\//;
    expect([made.headers.get('location'), status]).toEqual([expect.stringMatching(whole), 200]);
  });
});

const served = { root: '/API', authority: undefined, secure: false };
const asked = (host: string, url = 'http://10.0.0.1:8080/API/item') =>
  ({ url, headers: new Headers({ host }) }) as Request;

it.each([
  ['the host of the request', { request: asked('assets.example:81') }, 'http://assets.example:81/API/item/VX-1'],
  ['TLS of a proxy', { request: asked('assets.example'), secure: true }, 'https://assets.example/API/item/VX-1'],
  [
    'the authority of an absolute target',
    { request: asked('assets.example'), authority: 'media.example' },
    'http://media.example/API/item/VX-1',
  ],
  ['no prefix', { request: asked('assets.example'), root: '' }, 'http://assets.example/item/VX-1'],
  ['no usable host', { request: asked('a b') }, '/API/item/VX-1'],
  ['no host', { request: { url: 'http:', headers: new Headers() } as Request }, '/API/item/VX-1'],
  ['no usable target', { request: asked('assets.example', '/API/item') }, '/API/item/VX-1'],
])('a Location header has %s', (_what, call, expected) => {
  expect(locationOf({ ...served, ...call }, '/item/VX-1')).toBe(expected);
});
