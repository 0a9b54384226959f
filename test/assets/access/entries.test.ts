import { newGroup } from '../../support/cast.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { by, plain, xml } from '../../support/requests.ts';
import { itHolds, type Scenario } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { ann, ben, givenTo } from '../../support/world.ts';
import { ask, collection, gives, item, reads } from './support.ts';

const read = { permission: 'READ' };
const event = (name: 'create' | 'change' | 'delete', accessId: string, permission: string, who: object) =>
  [`access/${name}`, 'VX-1', { itemId: 'VX-1', accessId, permission, ...who }] as const;

const documents: readonly Scenario[] = [
  {
    name: 'a new item has one entry, that of its owner, and no event tells of it',
    given: [item(ann)],
    ...reads(ann, 'item/VX-1/access'),
    status: 200,
    says: {
      contains: [
        '/API/item/VX-1/access/VX-1","recursive":false,"appliesTo":[{"value":"all"}],"permission":"OWNER","priority":0,"user":"ann"',
      ],
      lacks: ['grantor'],
    },
  },
  {
    name: 'an entry comes back with its id, its address and its grantor',
    given: [collection(ann)],
    ...gives(ann, 'collection/VX-1', {
      ...read,
      group: 'crew',
      appliesTo: [{ value: 'self' }, { value: 'item', recursive: true }],
    }),
    status: 200,
    answers: { location: /^http:\/\/[^/]+\/API\/collection\/VX-1\/access\/VX-2$/ },
    says: {
      jsonPart: {
        id: 'VX-2',
        grantor: 'ann',
        recursive: true,
        appliesTo: [{ value: 'self' }, { value: 'item', recursive: true }],
        permission: 'READ',
        group: 'crew',
        priority: 0,
      },
    },
  },
  {
    name: 'an entry in XML, with the operation that it speaks for',
    given: [item(ann)],
    ...by(
      'POST /API/item/VX-1/access',
      '<AccessControlDocument xmlns="http://xml.vidispine.com/schema/vidispine"><permission>WRITE</permission><user>ben</user><operation><uri/></operation></AccessControlDocument>',
      { ...xml, 'content-type': 'application/xml' },
      ann,
    ),
    status: 200,
    says: {
      contains: [
        '<AccessControlDocument xmlns="urn:portico:schema" id="VX-2"><loc>',
        '<grantor>ann</grantor><recursive>true</recursive><permission>WRITE</permission>' +
          '<priority>0</priority><operation><uri></uri></operation><user>ben</user>',
      ],
    },
    events: [event('create', 'VX-2', 'WRITE', { user: 'ben' })],
  },
  {
    name: 'a new entry as text is its id',
    given: [item(ann)],
    ...by('POST /API/item/VX-1/access', { ...read, user: 'ben' }, plain, ann),
    status: 200,
    says: { exact: 'VX-2' },
    events: [event('create', 'VX-2', 'READ', { user: 'ben' })],
  },
  {
    name: 'an entry for a group on a collection fires nothing',
    given: [collection(ann), newGroup('crew')],
    ...gives(ann, 'collection/VX-1', { ...read, group: 'crew' }),
    status: 200,
  },
  {
    name: 'an entry for a user on a collection is told to the user alone',
    given: [collection(ann)],
    ...gives(ann, 'collection/VX-1', { ...read, user: 'ben' }),
    status: 200,
    events: [['access/grant', 'VX-1', { type: 'collection', id: 'VX-1', permission: 'READ', user: 'ben' }]],
  },
  ...(
    [
      ['a user and a group', { ...read, user: 'ben', group: 'crew' }],
      ['nobody', read],
      ['the owner', { permission: 'OWNER', user: 'ben' }],
      ['no level', { user: 'ben' }],
      ['an unknown level', { permission: 'EXECUTE', user: 'ben' }],
      ['an unknown word of appliesTo', { ...read, user: 'ben', appliesTo: [{ value: 'file' }] }],
      ['two operations', { ...read, user: 'ben', operation: { uri: {}, shape: {} } }],
      ['a priority out of range', { ...read, user: 'ben', priority: 1_000_001 }],
    ] as const
  ).map(([what, entry]) => ({
    name: `an entry for ${what} is refused`,
    given: [item(ann)],
    ...gives(ann, 'item/VX-1', entry),
    status: 400,
  })),
  {
    name: 'an entry for an unknown user is refused',
    given: [item(ann)],
    ...gives(ann, 'item/VX-1', { ...read, user: 'nobody' }),
    status: 404,
    says: { jsonPart: { notFound: { type: 'User', id: 'nobody' } } },
  },
  {
    name: 'an entry for an unknown group is refused',
    given: [item(ann)],
    ...gives(ann, 'item/VX-1', { ...read, group: 'nothing' }),
    status: 404,
    says: { jsonPart: { notFound: { type: 'Group', id: 'nothing' } } },
  },
  {
    name: 'an entry of another item is not found',
    given: [item(ann), item(ann)],
    ...reads(ann, 'item/VX-1/access/VX-2'),
    status: 404,
  },
  {
    name: 'a deleted entry is gone, and an event tells of it',
    given: [item(ann), gives(ann, 'item/VX-1', { ...read, group: 'crew' })],
    ...ask(ann, 'DELETE /API/item/VX-1/access/VX-2'),
    status: 200,
    events: [event('delete', 'VX-2', 'READ', { group: 'crew' })],
  },
  {
    name: 'nobody deletes the entry of the owner',
    given: [item(ann)],
    ...ask(ann, 'DELETE /API/item/VX-1/access/VX-1'),
    status: 400,
  },
  {
    name: 'several entries in one request, each with its event',
    given: [item(ann)],
    ...ask(ann, 'POST /API/item/VX-1/access/bulk', {
      access: [
        { ...read, user: 'ben' },
        { permission: 'WRITE', group: 'staff' },
      ],
    }),
    status: 200,
    says: { contains: ['"id":"VX-2"', '"id":"VX-3"'] },
    events: [event('create', 'VX-2', 'READ', { user: 'ben' }), event('create', 'VX-3', 'WRITE', { group: 'staff' })],
  },
  {
    name: 'several entries with one bad one make none',
    given: [item(ann)],
    ...ask(ann, 'POST /API/item/VX-1/access/bulk', {
      access: [
        { ...read, user: 'ben' },
        { ...read, user: 'nobody' },
      ],
    }),
    status: 404,
  },
  {
    name: 'several entries go in one request',
    given: [
      item(ann),
      gives(ann, 'item/VX-1', { ...read, user: 'ben' }),
      gives(ann, 'item/VX-1', { ...read, user: 'cat' }),
    ],
    ...ask(ann, 'DELETE /API/item/VX-1/access/bulk', { access: [{ id: 'VX-2' }, { id: 'VX-3' }] }),
    status: 200,
    events: [event('delete', 'VX-2', 'READ', { user: 'ben' }), event('delete', 'VX-3', 'READ', { user: 'cat' })],
  },
  {
    name: 'several ids with one unknown one delete no entry',
    given: [item(ann), gives(ann, 'item/VX-1', { ...read, user: 'ben' })],
    ...ask(ann, 'DELETE /API/item/VX-1/access/bulk', { access: [{ id: 'VX-2' }, { id: 'VX-9' }] }),
    status: 404,
  },
  {
    name: 'an equal entry is answered, and no second one is made',
    given: [item(ann), gives(ann, 'item/VX-1', { ...read, user: 'ben' })],
    ...ask(ann, 'POST /API/item/VX-1/access?allowDuplicate=false', { ...read, user: 'ben' }),
    status: 200,
    says: { jsonPart: { id: 'VX-2', permission: 'READ' } },
  },
  {
    name: 'an equal entry gets the new level',
    given: [item(ann), gives(ann, 'item/VX-1', { ...read, user: 'ben' })],
    ...ask(ann, 'POST /API/item/VX-1/access?allowDuplicate=false', { permission: 'ALL', user: 'ben' }),
    status: 200,
    says: { jsonPart: { id: 'VX-2', permission: 'ALL' } },
    events: [event('change', 'VX-2', 'ALL', { user: 'ben' })],
  },
  {
    name: 'an entry with another priority is another one',
    given: [item(ann), gives(ann, 'item/VX-1', { ...read, user: 'ben' })],
    ...ask(ann, 'POST /API/item/VX-1/access?allowDuplicate=false', { ...read, user: 'ben', priority: 1 }),
    status: 200,
    says: { jsonPart: { id: 'VX-3' } },
    events: [event('create', 'VX-3', 'READ', { user: 'ben' })],
  },
  {
    name: 'another user becomes the owner, in the same entry',
    given: [item(ann)],
    ...ask(ann, 'PUT /API/item/VX-1/access/owner/ben'),
    status: 200,
    says: { jsonPart: { id: 'VX-1', permission: 'OWNER', user: 'ben' } },
    events: [event('change', 'VX-1', 'OWNER', { user: 'ben' })],
  },
  {
    name: 'ALL does not give the item away',
    given: [item(ann), gives(ann, 'item/VX-1', { permission: 'ALL', user: 'ben' })],
    ...ask(ben, 'PUT /API/item/VX-1/access/owner/ben'),
    status: 403,
  },
  {
    name: 'the entries that name a user, page by page',
    given: [item(ann), gives(ann, 'item/VX-1', { ...read, user: 'ben' })],
    ...reads(ben, 'user/ben/access?number=1'),
    status: 200,
    says: { jsonPart: { access: [{ id: 'VX-2', permission: 'READ', user: 'ben', grantor: 'ann' }] } },
  },
  {
    name: 'the service owns the items of a deleted user',
    given: [item(ann), ask(admin, 'DELETE /API/user/ann?hard=true')],
    ...reads(admin, 'item/VX-1/access'),
    status: 200,
    says: { contains: ['"permission":"OWNER","priority":0,"user":"system"'] },
  },
  {
    name: 'entries of a deleted group are gone',
    given: [item(ann), gives(ann, 'item/VX-1', { ...read, group: 'crew' }), ask(admin, 'DELETE /API/group/crew')],
    ...by('GET /API/item/VX-1/access', undefined, plain, ann),
    status: 200,
    says: { exact: 'VX-1\r\n' },
  },
];

describeMatrix('access entries', (entry) => itHolds(entry, documents, { given: givenTo('access') }));
