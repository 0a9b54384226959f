import { expect, it } from 'vitest';
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
    expect([made.headers.get('location'), status]).toEqual([expect.stringMatching(/^\/API\//), 200]);
  });
});
