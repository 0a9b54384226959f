import { expect, it } from 'vitest';
import { id, type Kept, list, nobody, type Step, take } from './steps.ts';
import { patch, user } from './support.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

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

it('the steps of Entra ID’s published tests hold, one after another', () => take(entra));
