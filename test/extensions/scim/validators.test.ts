import { expect, it } from 'vitest';
import { type Kept, type Step, take } from './steps.ts';
import { group, patch, type Read, user } from './support.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const list = { schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'] };
const nobody = { ...list, totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] };
const id = (json: Read): string => json.id;
const members = (...names: readonly string[]) => ({ members: names.map((display) => ({ display })) });

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

/** Entra ID: the requests of its provisioning service, and the direct tests of its validation template. */
const entra: readonly Step[] = [
  {
    step: 'Test Connection',
    request: `GET /Users?filter=userName eq "${crypto.randomUUID()}"`,
    status: 200,
    answer: nobody,
  },
  {
    step: 'Schema discoverability',
    request: 'GET /Schemas',
    status: 200,
    answer: {
      ...list,
      totalResults: 3,
      Resources: [
        { id: 'urn:ietf:params:scim:schemas:core:2.0:User' },
        { id: enterprise },
        { id: 'urn:ietf:params:scim:schemas:core:2.0:Group' },
      ],
    },
  },
  {
    step: 'Create User',
    request: 'POST /Users',
    body: {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
      externalId: '0a21f0f2',
      userName: 'Test_User_ab',
      active: true,
      emails: [{ primary: true, type: 'work', value: 'fd@testuser.com' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      roles: [],
    },
    status: 201,
    answer: {
      externalId: '0a21f0f2',
      userName: 'Test_User_ab',
      active: true,
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      emails: [{ value: 'fd@testuser.com', type: 'work', primary: true }],
      meta: { created: expect.any(String), lastModified: expect.any(String) },
    },
    keeps: { user: id },
  },
  { step: 'Get User', request: 'GET /Users/{user}', status: 200, answer: { userName: 'Test_User_ab' } },
  { step: 'Get User: not found', request: 'GET /Users/5171a35d82074e068ce2', status: 404 },
  {
    step: 'Get User by query',
    request: 'GET /Users?filter=userName eq "Test_User_ab"',
    status: 200,
    answer: { totalResults: 1, startIndex: 1, Resources: [{ externalId: '0a21f0f2' }] },
  },
  {
    step: 'Get User by query: externalId and a mail of a type',
    request: 'GET /Users?filter=externalId eq "0a21f0f2" and emails[type eq "work"].value eq "FD@testuser.com"',
    status: 200,
    answer: { totalResults: 1, Resources: [{ userName: 'Test_User_ab' }] },
  },
  {
    step: 'Get User by query: a mail of another type',
    request: 'GET /Users?filter=externalId eq "0a21f0f2" and emails[type eq "home"].value eq "fd@testuser.com"',
    status: 200,
    answer: nobody,
  },
  {
    step: 'Get User by query: zero results',
    request: 'GET /Users?filter=userName eq "non-existent user"',
    status: 200,
    answer: nobody,
  },
  {
    step: 'Update User: multi-valued properties',
    request: 'PATCH /Users/{user}',
    body: patch(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
    ),
    status: 200,
    answer: {
      emails: [{ value: 'updatedEmail@microsoft.com', type: 'work', primary: true }],
      name: { familyName: 'updatedFamilyName', givenName: 'givenName' },
    },
  },
  {
    step: 'Update User: paths as names of one value',
    request: 'PATCH /Users/{user}',
    body: patch({
      op: 'replace',
      value: {
        'name.givenName': 'Oswaldo',
        'emails[primary eq "True"].value': 'primary@microsoft.com',
        'addresses[type eq "work"].locality': 'Uppsala',
        [`${enterprise}:department`]: 'Sound',
      },
    }),
    status: 200,
    answer: {
      name: { givenName: 'Oswaldo' },
      emails: [{ value: 'primary@microsoft.com', type: 'work' }],
      addresses: [{ type: 'work', locality: 'Uppsala' }],
      [enterprise]: { department: 'Sound' },
    },
  },
  {
    step: 'Update User: values as lists, objects and the extension as a whole',
    request: 'PATCH /Users/{user}',
    body: patch(
      { op: 'Add', path: 'phoneNumbers', value: [{ type: 'mobile', value: '55555555555' }] },
      { op: 'Add', path: 'addresses', value: { type: 'home', country: 'SE' } },
      { op: 'Add', path: 'title', value: ['Editor'] },
      { op: 'Add', path: enterprise, value: { costCenter: '7' } },
    ),
    status: 200,
    answer: {
      phoneNumbers: [{ type: 'mobile', value: '55555555555' }],
      addresses: [{ type: 'work' }, { type: 'home', country: 'SE' }],
      title: 'Editor',
      [enterprise]: { department: 'Sound', costCenter: '7' },
    },
  },
  {
    step: 'Update User: single-valued properties',
    request: 'PATCH /Users/{user}',
    body: patch({ op: 'Replace', path: 'userName', value: '5b@testuser.com' }),
    status: 200,
    answer: { userName: '5b@testuser.com' },
    events: ['user/modify 5b@testuser.com name'],
  },
  {
    step: 'Null update: empty texts',
    request: 'PATCH /Users/{user}',
    body: patch(
      { op: 'Replace', path: 'title', value: '' },
      { op: 'Replace', path: 'phoneNumbers[type eq "mobile"].value', value: '' },
      { op: 'Replace', path: `${enterprise}:department`, value: '' },
    ),
    status: 200,
    without: ['title', 'phoneNumbers', [enterprise, 'department']],
  },
  {
    step: 'Null update: null',
    request: 'PATCH /Users/{user}',
    body: patch(
      { op: 'Replace', path: 'title', value: null },
      { op: 'Replace', path: 'name.givenName', value: null },
      { op: 'Remove', path: 'addresses', value: null },
    ),
    status: 200,
    without: ['title', ['name', 'givenName'], 'addresses'],
  },
  ...['manager-1', 'manager-2'].map(
    (value, at): Step => ({
      step: `Update Manager: ${value}`,
      request: 'PATCH /Users/{user}',
      body: patch({ op: at === 0 ? 'Add' : 'Replace', path: `${enterprise}:manager`, value }),
      status: 200,
      answer: { [enterprise]: { manager: { value } } },
    }),
  ),
  {
    step: 'Update Manager: none',
    request: 'PATCH /Users/{user}',
    body: patch({ op: 'Replace', path: `${enterprise}:manager`, value: '' }),
    status: 200,
    without: [[enterprise, 'manager']],
  },
  {
    step: 'Disable User',
    request: 'PATCH /Users/{user}',
    body: patch({ op: 'Replace', path: 'active', value: 'False' }),
    status: 200,
    answer: { active: false },
    events: ['user/modify 5b@testuser.com enabled'],
  },
  {
    step: 'A disabled user is in the answer to a query, and no value lets it in',
    request: 'PATCH /Users/{user}',
    body: patch({ op: 'Replace', path: 'active', value: null }),
    status: 200,
    answer: { active: false },
    events: [],
  },
  {
    step: 'Get disabled User by query',
    request: 'GET /Users?filter=userName eq "5b@testuser.com"',
    status: 200,
    answer: { totalResults: 1, Resources: [{ active: false }] },
  },
  {
    step: 'Restore User',
    request: 'PATCH /Users/{user}',
    body: patch({ op: 'Add', path: 'active', value: 'True' }),
    status: 200,
    answer: { active: true },
  },
  ...Array.from(
    { length: 9 },
    (_, at): Step => ({
      step: `Pagination: user ${at}`,
      request: 'POST /Users',
      body: user(`page-${at}`),
      status: 201,
    }),
  ),
  ...[1, 6, 11].map(
    (startIndex): Step => ({
      step: `Pagination: from ${startIndex}`,
      request: `GET /Users?startIndex=${startIndex}&count=5`,
      status: 200,
      answer: { totalResults: 12, startIndex, itemsPerPage: startIndex === 11 ? 2 : 5 },
    }),
  ),
  {
    step: 'Pagination: behind the end',
    request: 'GET /Users?startIndex=16&count=5',
    status: 200,
    answer: { totalResults: 12, startIndex: 16, itemsPerPage: 0, Resources: [] },
  },
  {
    step: 'Create Group',
    request: 'POST /Groups',
    body: {
      schemas: [
        'urn:ietf:params:scim:schemas:core:2.0:Group',
        'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
      ],
      externalId: '8aa1a0c0',
      displayName: 'displayName',
      meta: { resourceType: 'Group' },
    },
    status: 201,
    answer: { externalId: '8aa1a0c0', displayName: 'displayName', meta: { lastModified: expect.any(String) } },
    keeps: { group: id },
  },
  {
    step: 'Get Group',
    request: 'GET /Groups/{group}?excludedAttributes=members',
    status: 200,
    answer: { displayName: 'displayName' },
    without: ['members'],
  },
  {
    step: 'Get Group by displayName',
    request: 'GET /Groups?excludedAttributes=members&filter=displayName eq "displayName"',
    status: 200,
    answer: { totalResults: 1, Resources: [{ externalId: '8aa1a0c0' }] },
  },
  {
    step: 'Update Group: non-member attributes',
    request: 'PATCH /Groups/{group}',
    body: patch({ op: 'Replace', path: 'displayName', value: 'updatedDisplayName' }),
    status: 204,
    events: ['group/modify updatedDisplayName'],
  },
  {
    step: 'Update Group: the new name is found, and the old one is not',
    request: 'GET /Groups?filter=displayName eq "updatedDisplayName"',
    status: 200,
    answer: { totalResults: 1 },
  },
  {
    step: 'Update Group: Add Members',
    request: 'PATCH /Groups/{group}',
    body: (kept: Kept) => patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: kept['user'] }] }),
    status: 204,
    events: ['group/modify updatedDisplayName ADD 5b@testuser.com'],
  },
  {
    step: 'Whether a reference has a value',
    request: 'GET /Groups?filter=id eq "{group}" and members eq "{user}"&excludedAttributes=members',
    status: 200,
    answer: { totalResults: 1 },
    without: [['Resources', '0', 'members']],
  },
  {
    step: 'Update Group: Remove Members',
    request: 'PATCH /Groups/{group}',
    body: (kept: Kept) => patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value: kept['user'] }] }),
    status: 204,
    events: ['group/modify updatedDisplayName REMOVE 5b@testuser.com'],
  },
  {
    step: 'Whether a reference has a value: no longer',
    request: 'GET /Groups?filter=id eq "{group}" and members[value eq "{user}"]',
    status: 200,
    answer: { totalResults: 0 },
  },
  { step: 'Delete Group', request: 'DELETE /Groups/{group}', status: 204 },
  { step: 'Delete User', request: 'DELETE /Users/{user}', status: 204, events: ['user/delete 5b@testuser.com'] },
  { step: 'Delete User: it is gone', request: 'GET /Users/{user}', status: 404 },
  { step: 'Delete User: again', request: 'DELETE /Users/{user}', status: 404 },
];

it('the steps of Okta’s published tests hold, one after another', () => take(okta));

it('the steps of Entra ID’s published tests hold, one after another', () => take(entra));
