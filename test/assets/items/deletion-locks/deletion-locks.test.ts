import { expect } from 'vitest';
import { join, newCollection, newItem } from '../../../support/assets.ts';
import { describeMatrix } from '../../../support/matrix.ts';
import { by, json } from '../../../support/requests.ts';
import { itHolds, type Scenario } from '../../../support/scenario.ts';
import { givenTo, owner, stranger } from '../../../support/world.ts';

const future = '2999-01-01T00:00:00.000Z';
const past = '2001-01-01T00:00:00.000Z';
const lock = (entity: string, expiryTime = future, as = owner, more: object = {}) =>
  by(`POST /API/${entity}/deletion-lock`, { expiryTime, ...more }, json, as);
const told = { deletionLockId: 'VX-1', entityType: 'item', entityId: 'VX-1' };
const made = ['deletionLock/create', 'VX-1', told] as const;
const effective = ['deletionLock/effective', 'VX-1', told] as const;
const note = { metadata: { field: [{ key: 'why', value: 'court' }] } };
const refused = { 'portico-error': 'entity-locked' };

/** The owner's item in a collection in a collection. */
const given = [
  ...givenTo('assets'),
  newItem('', owner),
  newCollection('', owner),
  newCollection('', owner),
  join('VX-1', 'VX-1'),
  join('VX-2', 'VX-1', 'collection'),
];

const rows: readonly Scenario[] = [
  {
    name: 'an item is locked',
    ...lock('item/VX-1', future, owner, note),
    status: 200,
    says: {
      json: {
        id: 'VX-1',
        user: 'owner',
        expiryTime: expect.stringMatching(/^2999-01-01T00:00:00/),
        modified: expect.any(String),
        entityType: 'Item',
        entityId: 'VX-1',
        ...note,
        isExpired: false,
        isEffective: true,
        isInherited: false,
      },
    },
    events: [made, effective],
  },
  {
    name: 'a lock has an end',
    ...by('POST /API/item/VX-1/deletion-lock', {}),
    status: 400,
  },
  {
    name: 'a lock may be expired at once',
    ...lock('item/VX-1', past),
    status: 200,
    says: { jsonPart: { isExpired: true, isEffective: false } },
    events: [made],
  },
  { name: 'an unknown item is not locked', ...lock('item/VX-9'), status: 404 },
  {
    name: 'an item is locked by its owner',
    ...lock('item/VX-1', future, stranger),
    status: 403,
  },
  {
    name: 'a locked item is not deleted',
    given: [lock('item/VX-1')],
    ...by('DELETE /API/item/VX-1'),
    status: 409,
    answers: refused,
  },
  {
    name: 'a locked item is not deleted together with others',
    given: [lock('item/VX-1'), newItem()],
    ...by('DELETE /API/item?id=VX-2,VX-1'),
    status: 409,
    answers: refused,
  },
  {
    name: 'an expired lock counts as none',
    given: [lock('item/VX-1', past)],
    ...by('DELETE /API/item/VX-1'),
    status: 200,
    events: [
      ['deletionLock/delete', 'VX-1', told],
      ['collection/modify', 'VX-1'],
      ['item/delete', 'VX-1'],
    ],
  },
  {
    name: 'the lock of a collection protects the items on all levels below it',
    given: [lock('collection/VX-2')],
    ...by('DELETE /API/item/VX-1'),
    status: 409,
    answers: refused,
  },
  {
    name: 'the lock of a collection protects the collections below it',
    given: [lock('collection/VX-2')],
    ...by('DELETE /API/collection/VX-1'),
    status: 409,
    answers: refused,
  },
  {
    name: 'the lock of an item protects no collection above it',
    given: [lock('item/VX-1')],
    ...by('DELETE /API/collection/VX-2'),
    status: 200,
    events: [['collection/delete', 'VX-2']],
  },
  {
    name: 'one lock is effective, the one that expires last',
    given: [lock('item/VX-1'), lock('collection/VX-2', '3000-01-01T00:00:00Z'), lock('item/VX-1', past)],
    ...by('GET /API/item/VX-1/deletion-lock', undefined, json, owner),
    status: 200,
    says: {
      jsonPart: {
        lock: [
          { id: 'VX-1', isEffective: false, isInherited: false },
          { id: 'VX-2', isEffective: true, isInherited: true, entityType: 'Collection' },
          { id: 'VX-3', isExpired: true },
        ],
      },
    },
  },
  {
    name: 'a list with onlyEffective has the effective lock alone',
    given: [lock('item/VX-1'), lock('collection/VX-2', '3000-01-01T00:00:00Z')],
    ...by('GET /API/item/VX-1/deletion-lock?onlyEffective=true'),
    status: 200,
    says: { jsonPart: { lock: [{ id: 'VX-2' }] }, lacks: ['"VX-1","user"'] },
  },
  {
    name: 'locks are listed by metadata, user and end',
    given: [lock('item/VX-1'), lock('item/VX-1', future, owner, note), lock('item/VX-1', past, owner, note)],
    ...by(
      'GET /API/deletion-lock?metadata=why%3Dcourt&username=owner&range=(2002-01-01T00:00:00Z..*)&entityTypes=item',
    ),
    status: 200,
    says: { jsonPart: { lock: [{ id: 'VX-2' }] } },
  },
  {
    name: 'entityTypes=all lists locks of entities of any kind',
    given: [lock('item/VX-1'), lock('collection/VX-2')],
    ...by('GET /API/deletion-lock?entityTypes=all'),
    status: 200,
    says: { jsonPart: { lock: [{ id: 'VX-1' }, { id: 'VX-2' }] } },
  },
  ...['x', '[a..b]', '2001..2002', '[*]'].map(
    (range): Scenario => ({
      name: `a range of times is not ${range}`,
      ...by(`GET /API/deletion-lock?range=${range}`),
      status: 400,
    }),
  ),
  {
    name: 'a stranger sees no locks of others',
    given: [lock('item/VX-1')],
    ...by('GET /API/deletion-lock', undefined, json, stranger),
    status: 200,
    says: { json: { lock: [] } },
  },
  {
    name: 'a lock is changed',
    given: [lock('item/VX-1', past)],
    ...by('PUT /API/deletion-lock/VX-1', { expiryTime: future, ...note }, json, owner),
    status: 200,
    says: { jsonPart: { isEffective: true, ...note } },
    events: [['deletionLock/modify', 'VX-1', told], effective],
  },
  {
    name: 'a lock that ends before another one is not effective',
    given: [lock('item/VX-1', '3000-01-01T00:00:00Z')],
    ...lock('item/VX-1'),
    status: 200,
    says: { jsonPart: { isEffective: false } },
    events: [['deletionLock/create', 'VX-2']],
  },
  {
    name: 'a lock that ends before an inherited one is not effective',
    given: [lock('collection/VX-2', '3000-01-01T00:00:00Z')],
    ...lock('item/VX-1'),
    status: 200,
    events: [['deletionLock/create', 'VX-2']],
  },
  {
    name: 'when the effective lock goes, the next one is effective',
    given: [lock('item/VX-1'), lock('item/VX-1', '3000-01-01T00:00:00Z')],
    ...by('DELETE /API/deletion-lock/VX-2', undefined, json, owner),
    status: 200,
    events: [['deletionLock/delete', 'VX-2'], effective],
  },
  {
    name: 'another lock is effective when the effective one is made to end before it',
    given: [lock('item/VX-1'), lock('item/VX-1', '3000-01-01T00:00:00Z')],
    ...by('PUT /API/deletion-lock/VX-2', { expiryTime: past }, json, owner),
    status: 200,
    events: [['deletionLock/modify', 'VX-2'], effective],
  },
  {
    name: 'the lock of another user is changed by administrators only',
    given: [lock('item/VX-1', future, undefined)],
    ...by('DELETE /API/item/VX-1/deletion-lock/VX-1'),
    status: 200,
    events: [['deletionLock/delete', 'VX-1', told]],
  },
  {
    name: 'the owner of the item does not delete a lock of somebody else',
    given: [by('POST /API/item/VX-1/deletion-lock', { expiryTime: future })],
    ...by('DELETE /API/deletion-lock/VX-1', undefined, json, owner),
    status: 403,
  },
  {
    name: 'an inherited lock is not deleted at the item',
    given: [lock('collection/VX-2')],
    ...by('DELETE /API/item/VX-1/deletion-lock/VX-1'),
    status: 404,
  },
  {
    name: 'items are found by the id and the end of their locks',
    given: [newItem('', owner), lock('item/VX-1'), lock('item/VX-2', '2100-01-01T00:00:00Z')],
    ...by('PUT /API/item', {
      field: [
        { name: '__deletion_lock_expiry', range: [{ value: [{ value: '2998-01-01T00:00:00Z' }, { value: '' }] }] },
      ],
    }),
    status: 200,
    says: { jsonPart: { hits: 1, item: [{ id: 'VX-1' }] } },
  },
  {
    name: 'a lock is also read by its id',
    given: [newItem('', owner), lock('item/VX-1'), lock('item/VX-2')],
    ...by('PUT /API/item', { field: [{ name: '__deletion_lock_id', value: [{ value: 'VX-2' }] }] }),
    status: 200,
    says: { jsonPart: { hits: 1, item: [{ id: 'VX-2' }] } },
  },
  { name: 'an unknown lock is not found', ...by('GET /API/deletion-lock/VX-9'), status: 404 },
  {
    name: 'a lock goes with its entity',
    given: [lock('collection/VX-1', past), by('DELETE /API/collection/VX-1')],
    ...by('GET /API/deletion-lock/VX-1'),
    status: 404,
  },
];

describeMatrix('a deletion lock', (entry) => itHolds(entry, rows, { given }));
