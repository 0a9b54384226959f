import { it } from 'vitest';
import { id, type Kept, list, members, nobody, type Step, take } from './steps.ts';
import { group, patch, user } from './support.ts';

/** A person as the tests of Okta create one. */
const person = (userName: string, more: object = {}) =>
  user(userName, {
    name: { givenName: 'Isaac', familyName: 'Brock' },
    emails: [{ primary: true, value: `${userName.toLowerCase()}.mail`, type: 'work' }],
    displayName: 'Isaac Brock',
    locale: 'en-US',
    externalId: `ext-${userName}`,
    groups: [],
    active: true,
    ...more,
  });

/** Okta: the steps of its specification test in their order, then those of its test of changes. */
const okta: readonly Step[] = [
  {
    step: 'the first user of the list has what Okta reads',
    request: 'POST /Users',
    body: person('aaron@okta.test'),
    status: 201,
    keeps: { first: id },
  },
  {
    step: 'Test Users endpoint',
    request: 'GET /Users?count=1&startIndex=1',
    status: 200,
    answer: (kept: Kept) => ({
      ...list,
      totalResults: 3,
      startIndex: 1,
      itemsPerPage: 1,
      Resources: [
        {
          id: kept['first'],
          userName: 'aaron@okta.test',
          name: { familyName: 'Brock', givenName: 'Isaac' },
          active: true,
          emails: [{ value: 'aaron@okta.test.mail' }],
        },
      ],
    }),
  },
  {
    step: 'Get Users/{{id}}',
    request: 'GET /Users/{first}',
    status: 200,
    answer: (kept: Kept) => ({ id: kept['first'] }),
  },
  {
    step: 'Test invalid User by username',
    request: 'GET /Users?filter=userName eq "abcdefgh@okta.test"',
    status: 200,
    answer: nobody,
  },
  { step: 'Test invalid User by ID', request: 'GET /Users/010101001010101011001010101011', status: 404 },
  {
    step: "Make sure random user doesn't exist",
    request: 'GET /Users?filter=userName eq "isaac@okta.test"&startIndex=1&count=100',
    status: 200,
    answer: nobody,
  },
  {
    step: 'Create Okta user with realistic values',
    request: 'POST /Users',
    body: person('isaac@okta.test'),
    headers: { 'content-type': 'application/json', accept: 'application/scim+json; charset=utf-8' },
    status: 201,
    answer: {
      ...user('isaac@okta.test'),
      active: true,
      name: { givenName: 'Isaac', familyName: 'Brock' },
      emails: [{ value: 'isaac@okta.test.mail', type: 'work', primary: true }],
      locale: 'en-US',
    },
    events: ['user/create isaac@okta.test'],
    keeps: { user: id },
  },
  {
    step: 'Verify that user was created',
    request: 'GET /Users/{user}',
    status: 200,
    answer: { userName: 'isaac@okta.test', name: { givenName: 'Isaac', familyName: 'Brock' } },
  },
  {
    step: 'Expect failure when recreating user with same values',
    request: 'POST /Users',
    body: person('isaac@okta.test'),
    headers: { 'content-type': 'application/json', accept: 'application/scim+json; charset=utf-8' },
    status: 409,
    answer: { scimType: 'uniqueness' },
    events: [],
  },
  {
    step: 'Username Case Sensitivity Check',
    request: 'GET /Users?filter=userName eq "ISAAC@OKTA.TEST"',
    status: 200,
    answer: { totalResults: 1, Resources: [{ userName: 'isaac@okta.test' }] },
  },
  { step: 'Verify Groups endpoint', request: 'GET /Groups', status: 200, answer: { totalResults: 0, Resources: [] } },
  {
    step: 'Check status 401',
    request: 'GET /Users?filter=userName eq "ISAAC@OKTA.TEST"',
    headers: { authorization: 'non-token' },
    status: 401,
  },
  { step: 'Check status 404', request: 'GET /Users/00919288221112222', status: 404 },
  {
    step: 'Update a user by PUT',
    request: 'PUT /Users/{user}',
    body: (kept: Kept) =>
      person('isaac@okta.test', {
        id: kept['user'],
        name: { givenName: 'Another', middleName: 'Excited', familyName: 'Brock' },
        meta: { resourceType: 'User' },
      }),
    status: 200,
    answer: { name: { givenName: 'Another', middleName: 'Excited', familyName: 'Brock' }, active: true },
    events: ['user/modify isaac@okta.test metadata'],
  },
  {
    step: 'Deactivate a user by PATCH',
    request: 'PATCH /Users/{user}',
    body: patch({ op: 'replace', value: { active: false } }),
    status: 200,
    answer: { userName: 'isaac@okta.test', active: false },
    events: ['user/modify isaac@okta.test enabled'],
  },
  {
    step: 'Verify that the user was deactivated',
    request: 'GET /Users/{user}',
    status: 200,
    answer: { active: false },
  },
  {
    step: 'Reactivate a user by PUT, as custom integrations do',
    request: 'PUT /Users/{user}',
    body: person('isaac@okta.test'),
    status: 200,
    answer: { active: true },
  },
  {
    step: 'Create a group',
    request: 'POST /Groups',
    body: group('Test SCIMv2', { members: [] }),
    status: 201,
    answer: { displayName: 'Test SCIMv2', meta: { resourceType: 'Group' } },
    events: ['group/create Test SCIMv2'],
    keeps: { group: id },
  },
  {
    step: 'Retrieve groups',
    request: 'GET /Groups?startIndex=1&count=100',
    status: 200,
    answer: (kept: Kept) => ({ totalResults: 1, Resources: [{ id: kept['group'] }] }),
  },
  {
    step: 'Update the membership: one leaves who is none, one joins',
    request: 'PATCH /Groups/{group}',
    body: (kept: Kept) =>
      patch(
        { op: 'remove', path: 'members[value eq "89bb1940-b905-4575-9e7f-6f887cfb368e"]' },
        { op: 'add', path: 'members', value: [{ value: kept['user'], display: 'isaac@okta.test' }] },
      ),
    status: 204,
    events: ['group/modify Test SCIMv2 ADD isaac@okta.test'],
  },
  {
    step: 'Replace the whole membership',
    request: 'PATCH /Groups/{group}?attributes=members',
    body: (kept: Kept) =>
      patch({ op: 'replace', path: 'members', value: [{ value: kept['user'] }, { value: kept['first'] }] }),
    status: 200,
    answer: members('aaron@okta.test', 'isaac@okta.test'),
    events: ['group/modify Test SCIMv2 ADD aaron@okta.test'],
  },
  {
    step: 'Update a group name',
    request: 'PATCH /Groups/{group}',
    body: (kept: Kept) => patch({ op: 'replace', value: { id: kept['group'], displayName: 'Test SCIMv20' } }),
    status: 204,
    events: ['group/modify Test SCIMv20'],
  },
  {
    step: 'Update a group name by PUT, with its members',
    request: 'PUT /Groups/{group}',
    body: (kept: Kept) => group('Test SCIMv2.0', { id: kept['group'], members: [{ value: kept['user'] }] }),
    status: 200,
    answer: { displayName: 'Test SCIMv2.0', ...members('isaac@okta.test') },
  },
  { step: 'Delete the group', request: 'DELETE /Groups/{group}', status: 204, events: ['group/delete Test SCIMv2.0'] },
  { step: 'Retrieve the group that is gone', request: 'GET /Groups/{group}', status: 404 },
];

it('the steps of Okta’s published tests hold, one after another', () => take(okta));
