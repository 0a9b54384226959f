import { describe } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { openWorld } from '../../support/matrix.ts';
import { by, plain } from '../../support/requests.ts';
import { itHolds, type Scenario } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { ann, ben, cat, givenTo } from '../../support/world.ts';
import { ask, collection, gives, item, puts, reads } from './support.ts';

const owner: Credentials = ['owner', 'password of owner'];
const read = { permission: 'READ' };
const entries = [
  gives(ann, 'item/VX-1', { ...read, group: 'staff' }),
  gives(ann, 'item/VX-1', { permission: 'WRITE', user: 'ben', operation: { metadata: { field: 'title' } } }),
  gives(ann, 'item/VX-1', { permission: 'NONE', user: 'ben', priority: -1 }),
];

const rows: readonly Scenario[] = [
  {
    name: 'the entry that decides for a user matches, and the others follow in their order',
    given: [item(ann), ...entries],
    ...reads(ann, 'item/VX-1/merged-access?username=ben&permission=READ&type=GENERIC'),
    status: 200,
    says: {
      json: {
        query: { username: 'ben', permission: 'READ', type: 'GENERIC', item: 'VX-1' },
        access: [
          {
            grantor: 'ann',
            permission: 'READ',
            type: 'GENERIC',
            group: 'staff',
            superUser: false,
            priority: 0,
            matches: true,
            id: 'VX-2',
            username: 'ben',
            effectivePermission: 'READ',
          },
          {
            grantor: 'ann',
            permission: 'NONE',
            type: 'GENERIC',
            superUser: false,
            priority: -1,
            matches: false,
            id: 'VX-4',
            username: 'ben',
            effectivePermission: 'NONE',
          },
        ],
      },
    },
  },
  {
    name: 'an entry for a field speaks for that field',
    given: [item(ann), ...entries],
    ...reads(ann, 'item/VX-1/merged-access?username=ben&permission=READ&type=METADATA&extradata=title'),
    status: 200,
    says: { jsonPart: { access: [{ id: 'VX-3', matches: true, extradata: 'title' }, { id: 'VX-2' }, { id: 'VX-4' }] } },
  },
  {
    name: 'an administrator is named as one, and needs no entry',
    given: [item(ann)],
    ...reads(admin, 'item/VX-1/merged-access?username=admin'),
    status: 200,
    says: { jsonPart: { access: [{ superUser: true, matches: true, username: 'admin', permission: 'OWNER' }] } },
  },
  {
    name: 'an entry that is off names its grantor',
    given: [
      item(ann),
      gives(ann, 'item/VX-1', { permission: 'ALL', user: 'cat' }),
      gives(cat, 'item/VX-1', { ...read, user: 'ben' }),
      ask(ann, 'DELETE /API/item/VX-1/access/VX-2'),
    ],
    ...reads(ann, 'item/VX-1/merged-access?username=ben'),
    status: 200,
    says: {
      jsonPart: {
        access: [{ id: 'VX-3', matches: false, effectivePermission: 'NONE', originalDisabledGrantor: ['cat'] }],
      },
    },
  },
  {
    name: 'an inherited entry names its collection',
    given: [
      item(ann),
      collection(ann),
      puts('VX-1', 'VX-1', ann),
      gives(ann, 'collection/VX-1', { ...read, user: 'ben' }),
    ],
    ...reads(ann, 'item/VX-1/merged-access?username=ben'),
    status: 200,
    says: { jsonPart: { access: [{ id: 'VX-3', collection: 'VX-1', matches: true }] } },
  },
  {
    name: 'merged access without a user has the entries of everybody',
    given: [item(ann), ...entries],
    ...reads(ann, 'item/VX-1/merged-access/'),
    status: 200,
    says: {
      jsonPart: {
        access: [
          { id: 'VX-1', username: 'ann', permission: 'OWNER', matches: false },
          { id: 'VX-3', username: 'ben' },
          { id: 'VX-2', username: 'ben' },
          { id: 'VX-4', username: 'ben' },
        ],
      },
    },
  },
  {
    name: 'a reader sees its own entries, whatever the permission and the type',
    given: [item(ann), gives(ann, 'item/VX-1', { ...read, group: 'crew' })],
    ...reads(ben, 'item/VX-1/merged-access?type=GENERIC&permission=NONE'),
    status: 200,
    says: { jsonPart: { access: [{ id: 'VX-2', username: 'ben', group: 'crew' }] }, lacks: ['"username":"ann"'] },
  },
  {
    name: 'a reader does not ask about others',
    given: [item(ann), gives(ann, 'item/VX-1', { ...read, group: 'crew' })],
    ...reads(ben, 'item/VX-1/merged-access?username=ann'),
    status: 403,
  },
  {
    name: 'extradata without a user is refused',
    given: [item(ann)],
    ...reads(ann, 'item/VX-1/merged-access?extradata=title'),
    status: 400,
  },
  {
    name: 'merged access by group has the entry that decides for each',
    given: [
      item(ann),
      gives(ann, 'item/VX-1', { ...read, group: 'staff' }),
      gives(ann, 'item/VX-1', { permission: 'WRITE', group: 'staff' }),
      gives(ann, 'item/VX-1', { ...read, group: 'crew' }),
    ],
    ...reads(ann, 'item/VX-1/merged-access/group'),
    status: 200,
    says: {
      jsonPart: {
        access: [
          { group: 'crew', permission: 'READ', id: 'VX-4' },
          { group: 'staff', permission: 'WRITE', id: 'VX-3' },
        ],
      },
    },
  },
  {
    name: 'full tells every entry of a group',
    given: [
      item(ann),
      gives(ann, 'item/VX-1', { ...read, group: 'staff' }),
      gives(ann, 'item/VX-1', { permission: 'WRITE', group: 'staff' }),
    ],
    ...reads(ann, 'item/VX-1/merged-access/group?full=true'),
    status: 200,
    says: { jsonPart: { access: [{ id: 'VX-3' }, { id: 'VX-2' }] } },
  },
  {
    name: 'explain: which entry decides, and why, in words',
    given: [item(ann), ...entries],
    ...by('GET /API/item/VX-1/access/explain?user=ben', undefined, plain, ann),
    status: 200,
    says: {
      exact:
        'VX-2 decides for "ben": it has a higher priority (the next is VX-4)\n' +
        'VX-2: Gives READ to the group "staff", on the item itself\n' +
        'VX-4: Takes all from the user with priority -1, on the item itself',
    },
  },
  {
    name: 'explain: an entry that does not count says why',
    given: [
      item(ann),
      gives(ann, 'item/VX-1', { permission: 'ALL', user: 'cat' }),
      gives(cat, 'item/VX-1', { ...read, user: 'ben' }),
      ask(ann, 'DELETE /API/item/VX-1/access/VX-2'),
    ],
    ...reads(ann, 'item/VX-1/access/explain?user=ben'),
    status: 200,
    says: {
      jsonPart: {
        user: 'ben',
        permission: 'NONE',
        reason: 'No entry that speaks for "ben" counts, so nothing is allowed',
        entry: [{ id: 'VX-3', counts: false }],
      },
      contains: ['It does not count: its grantor \\"cat\\" has no ALL on the item VX-1'],
    },
  },
  {
    name: 'explain: an unknown user is not found by who reads users',
    given: [item(ann)],
    ...reads(ann, 'item/VX-1/access/explain?user=nobody'),
    status: 404,
  },
  {
    name: 'explain: an owner who reads no users gets an answer about itself',
    given: [item(owner)],
    ...reads(owner, 'item/VX-1/access/explain?user=owner'),
    status: 200,
    says: { jsonPart: { user: 'owner', permission: 'OWNER' } },
  },
  // An answer that differs would tell who exists, and whom to attack.
  ...['access/explain?user', 'merged-access?username'].flatMap((question) =>
    ['nobody', 'ben', 'admin'].map((name) => ({
      name: `an owner who reads no users does not learn from ${question}=${name} whether there is such a user`,
      given: [item(owner), gives(owner, 'item/VX-1', { ...read, user: 'ben' })],
      ...reads(owner, `item/VX-1/${question}=${name}`),
      status: 403,
      says: { contains: ['_user_read'] },
    })),
  ),
  {
    name: 'an owner who reads no users does not learn from merged access who is an administrator',
    given: [item(owner), gives(owner, 'item/VX-1', { ...read, user: 'admin' })],
    ...reads(owner, 'item/VX-1/merged-access'),
    status: 200,
    says: {
      jsonPart: { access: [{ username: 'admin', permission: 'READ' }, { username: 'owner' }] },
      lacks: ['superUser":true'],
    },
  },
];

const created = ['item/create', 'VX-1'] as const;
const described = ['metadata/modify', 'VX-1'] as const;
const granted = (accessId: string, permission: string, who: object) =>
  ['access/create', 'VX-1', { itemId: 'VX-1', accessId, permission, ...who }] as const;

const importing: readonly Scenario[] = [
  {
    name: 'the groups of the importer get their entries on each new item',
    given: [
      ask(ann, 'PUT /API/import/access/group/crew?permission=READ'),
      ask(ann, 'PUT /API/import/access/group/staff?permission=NONE'),
      ask(ann, 'PUT /API/import/access/group/staff?permission=WRITE'),
      ask(ann, 'DELETE /API/import/access/group/crew'),
    ],
    ...item(ann),
    status: 200,
    events: [created, granted('VX-2', 'WRITE', { group: 'staff' }), described],
  },
  {
    name: 'a user lists the levels that groups get on new items',
    given: [ask(ann, 'PUT /API/import/access/group/crew?permission=ALL')],
    ...reads(ann, 'import/access'),
    status: 200,
    says: { json: { group: [{ name: 'crew', permission: 'ALL' }] } },
  },
  {
    name: 'levels for groups on new items hold for the items of that user alone',
    given: [ask(ann, 'PUT /API/import/access/group/crew?permission=ALL')],
    ...reads(ben, 'import/access'),
    status: 200,
    says: { json: { group: [] } },
  },
  {
    name: 'groups that see new items of everybody get an entry, unless the creator gives the group another',
    given: [
      ask(admin, 'PUT /API/import/access/default/group/crew?permission=READ'),
      ask(admin, 'PUT /API/import/access/default/group/staff?permission=READ'),
      ask(ann, 'PUT /API/import/access/group/staff?permission=WRITE'),
    ],
    ...item(ann),
    status: 200,
    events: [
      created,
      granted('VX-2', 'READ', { group: 'crew' }),
      granted('VX-3', 'WRITE', { group: 'staff' }),
      described,
    ],
  },
  {
    name: 'a creator keeps new items from a group that sees those of everybody else',
    given: [
      ask(admin, 'PUT /API/import/access/default/group/staff?permission=READ'),
      ask(ann, 'PUT /API/import/access/group/staff?permission=NONE'),
    ],
    ...item(ann),
    status: 200,
    events: [created, granted('VX-2', 'NONE', { group: 'staff' }), described],
  },
  {
    name: 'groups that see new items are listed to importers, apart from those of the caller',
    given: [ask(admin, 'PUT /API/import/access/default/group/crew?permission=READ')],
    ...reads(ann, 'import/access/default'),
    status: 200,
    says: { json: { group: [{ name: 'crew', permission: 'READ' }] } },
  },
  {
    name: 'an importer cannot let a group see the new items of others',
    ...ask(ann, 'PUT /API/import/access/default/group/crew?permission=READ'),
    status: 403,
  },
  {
    name: 'items are no longer shown to a group that was taken out of the default',
    given: [
      ask(admin, 'PUT /API/import/access/default/group/crew?permission=READ'),
      ask(admin, 'DELETE /API/import/access/default/group/crew'),
    ],
    ...item(ann),
    status: 200,
    events: [created, described],
  },
  {
    name: 'import access without a permission is refused',
    ...ask(ann, 'PUT /API/import/access/group/crew'),
    status: 400,
  },
  {
    name: 'import access of an unknown group is refused',
    ...ask(ann, 'PUT /API/import/access/group/nothing?permission=READ'),
    status: 404,
  },
  {
    name: 'an item gets the entries of the profile that its import names',
    given: [ask(ben, 'POST /API/import/settings', { access: [{ ...read, user: 'cat', priority: 2 }] })],
    ...ask(ann, 'POST /API/import/placeholder?settings=VX-1'),
    status: 200,
    events: [created, granted('VX-2', 'READ', { user: 'cat' }), described],
  },
  {
    name: 'an unknown profile makes no item',
    ...ask(ann, 'POST /API/import/placeholder?settings=VX-9'),
    status: 404,
  },
  {
    name: 'import: a profile is changed',
    given: [
      ask(ann, 'POST /API/import/settings', { access: [{ ...read, user: 'cat' }] }),
      ask(ann, 'PUT /API/import/settings/VX-1', { access: [{ ...read, group: 'crew' }] }),
    ],
    ...reads(cat, 'import/settings/VX-1'),
    status: 200,
    says: { json: { id: 'VX-1', access: [{ permission: 'READ', group: 'crew' }] } },
  },
  {
    name: 'import: others do not change a profile',
    given: [ask(ann, 'POST /API/import/settings', { access: [] })],
    ...ask(ben, 'PUT /API/import/settings/VX-1', { access: [{ permission: 'ALL', user: 'ben' }] }),
    status: 403,
  },
  {
    name: 'import: a profile for an unknown group is refused',
    ...ask(ann, 'POST /API/import/settings', { access: [{ ...read, group: 'nothing' }] }),
    status: 404,
  },
  {
    name: 'import: a deleted profile is gone',
    given: [ask(ann, 'POST /API/import/settings', { access: [] }), ask(ann, 'DELETE /API/import/settings/VX-1')],
    ...by('GET /API/import/settings', undefined, plain, ann),
    status: 200,
    says: { exact: '' },
  },
];

describe('merged access', () => {
  itHolds({ name: 'fetch', open: (options) => openWorld('fetch', options) }, [...rows, ...importing], {
    given: [
      ...givenTo('access'),
      newUser(owner, ['_accesscontrol_read', '_accesscontrol_write', '_import', '_item_read']),
    ],
  });
});
