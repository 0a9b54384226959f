import { expect, it } from 'vitest';
import { alice, newGroup, newUser, people } from '../support/cast.ts';
import { describeMatrix, type Sent } from '../support/matrix.ts';
import { itHolds, prepare, type Scenario } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';

const asJson = { headers: { accept: 'application/json' } };
const clerk: Credentials = ['clerk', 'p'];
const ask = (query: string) => `GET /API/security/explain?${query}`;
const item: Sent = { as: admin, request: 'POST /API/import/placeholder?container=1' };

/** A role, so that the path of an item is not refused before its entity. */
const given: readonly Sent[] = [
  ...people,
  newUser(clerk, ['_item_read', '_item_write']),
  newGroup('desk'),
  { as: admin, request: 'PUT /API/group/_user_read/group/desk' },
];

const refused = { status: 403, answers: { 'portico-error': 'role-missing' } };

const rows: readonly Scenario[] = [
  { name: 'a user asks about another one', as: alice, request: ask('user=admin'), ...refused },
  {
    name: 'a user asks about another one with a request',
    as: alice,
    request: ask('user=admin&target=/user'),
    ...refused,
  },
  { name: 'a user asks who exists', as: alice, request: ask('user=nobody-of-that-name'), ...refused },
  {
    name: 'a user asks about the configuration, by a request of nobody',
    as: alice,
    request: ask('target=/user'),
    ...refused,
  },
  { name: 'a user asks about another one by an empty name', as: alice, request: ask('user='), ...refused },
  { name: 'a user asks by the own name in another case', as: alice, request: ask('user=Alice'), ...refused },
  {
    name: 'a user who acts for another asks about a third one',
    given: [newUser(['actor', 'p'], ['_runas'])],
    as: ['actor', 'p'],
    headers: { runas: 'alice' },
    request: ask('user=admin'),
    ...refused,
  },
  {
    name: 'a user reads the configuration by asking about the own requests',
    as: alice,
    request: ask('user=alice&target=/user/bob'),
    ...asJson,
    status: 200,
    says: {
      contains: ['"granted":true', '"missing":[{"what":"role","name":"_user_read"'],
      lacks: ['pattern', 'line', 'file', 'step', 'known', 'silent', 'serviceRealm', 'desk'],
    },
  },
  {
    name: 'a user without the role finds out which items exist',
    given: [item],
    as: alice,
    request: ask('user=alice&target=/item/VX-1'),
    ...asJson,
    status: 200,
    says: { contains: ['"what":"role","name":"_item_read"'], lacks: ['"entity"', '"kind"', 'admin'] },
  },
  {
    name: 'a user reads the owner and the entries of an item that is closed',
    given: [item],
    as: clerk,
    request: ask('user=clerk&target=/item/VX-1'),
    ...asJson,
    status: 200,
    says: {
      contains: ['"level":[{"kind":"item","id":"VX-1","level":"READ","granted":false}]'],
      lacks: ['owner', 'admin', '"entry"', '"permission":"'],
    },
  },
  {
    name: 'a user who may read an item, but no access, reads its entries',
    given: [
      item,
      {
        as: admin,
        request: 'POST /API/item/VX-1/access',
        headers: { 'content-type': 'application/json' },
        body: '{"permission":"READ","user":"clerk"}',
      },
    ],
    as: clerk,
    request: ask('user=clerk&target=/item/VX-1&method=DELETE'),
    ...asJson,
    status: 200,
    says: { contains: ['"granted":false', '"what":"level"'], lacks: ['owner', 'admin', '"entry"'] },
  },
];

describeMatrix('explanations of users', (entry) => {
  itHolds(entry, rows, { given });

  it('a user names two users, of whom one reader takes the first and another the last', async () => {
    const world = await entry.open();
    await prepare(world, given);
    for (const query of ['user=alice&user=clerk', 'user=clerk&user=alice', 'user=alice;user=clerk']) {
      const { status, body } = await world.send({ as: alice, request: ask(query), ...asJson });
      expect([query, status === 200 ? JSON.parse(body).user : 'alice']).toEqual([query, 'alice']);
      expect(body).not.toContain('_item_read');
    }
  });

  it('a user reads of items that are closed and of others that do not exist what the request itself would say', async () => {
    const world = await entry.open();
    await prepare(world, [...given, item]);
    for (const path of ['/item/VX-1', '/item/VX-9']) {
      const { status } = await world.send({ as: clerk, request: `GET /API${path}` });
      const { body } = await world.send({ as: clerk, request: ask(`user=clerk&target=${path}`), ...asJson });
      expect(JSON.parse(body).entity.status).toBe(status);
    }
  });
});
