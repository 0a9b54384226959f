import { join, newCollection, newItem } from '../../../support/assets.ts';
import { describeMatrix } from '../../../support/matrix.ts';
import { by, json } from '../../../support/requests.ts';
import { itHolds, type Scenario } from '../../../support/scenario.ts';
import { givenTo, owner, stranger } from '../../../support/world.ts';

const future = '2999-01-01T00:00:00.000Z';
const fields = [
  { key: 'why', value: 'court' },
  { key: 'case/number', value: '12' },
];
const metadata = { field: fields };
const told = [
  ['deletionLock/modify', 'VX-1', { deletionLockId: 'VX-1', entityType: 'item', entityId: 'VX-1' }],
] as const;
const at = '/API/item/VX-1/deletion-lock/VX-1/metadata';
const alone = '/API/deletion-lock/VX-1/metadata';
const text = { 'content-type': 'text/plain' };

/** A lock of the owner on the owner's item, which is in a collection. */
const given = [
  ...givenTo('assets'),
  newItem('', owner),
  newCollection('', owner),
  join('VX-1', 'VX-1'),
  by('POST /API/item/VX-1/deletion-lock', { expiryTime: future, metadata }, json, owner),
];

const rows: readonly Scenario[] = [
  {
    name: 'is what the document of the lock was sent with',
    ...by(`GET ${alone}`, undefined, json, owner),
    status: 200,
    says: { json: metadata },
  },
  {
    name: 'is added to, and is told as a change of the lock',
    ...by(`PUT ${at}`, { field: [{ key: 'who', value: 'ann' }] }, json, owner),
    status: 204,
    events: told,
  },
  {
    name: 'is part of the document of the lock',
    given: [{ as: owner, request: `PUT ${alone}/who`, headers: text, body: 'ann' }],
    ...by('GET /API/deletion-lock/VX-1', undefined, json, owner),
    status: 200,
    says: { jsonPart: { metadata: { field: [...fields, { key: 'who', value: 'ann' }] } } },
  },
  {
    name: 'is what locks are listed by',
    given: [{ as: owner, request: `PUT ${alone}/who`, headers: text, body: 'ann' }],
    ...by('GET /API/deletion-lock?metadata=who%3Dann', undefined, json, owner),
    status: 200,
    says: { jsonPart: { lock: [{ id: 'VX-1' }] } },
  },
  {
    name: 'has keys with slashes, read as text',
    ...by(`GET ${at}/case/number`, undefined, { accept: 'text/plain' }, owner),
    status: 200,
    says: { exact: '12' },
  },
  {
    name: 'loses one key',
    ...by(`DELETE ${at}/why`, undefined, json, owner),
    status: 204,
    events: told,
  },
  { name: 'loses no key that it has not', ...by(`DELETE ${at}/nothing`, undefined, json, owner), status: 404 },
  {
    name: 'goes as a whole',
    ...by(`DELETE ${alone}`, undefined, json, owner),
    status: 204,
    events: told,
  },
  {
    name: 'that is gone already is no change',
    given: [by(`DELETE ${alone}`, undefined, json, owner)],
    ...by(`DELETE ${alone}`, undefined, json, owner),
    status: 204,
    events: [],
  },
  { name: 'of an item is not for strangers to read', ...by(`GET ${alone}`, undefined, json, stranger), status: 403 },
  {
    name: 'of another user is not changed by the owner of the item',
    given: [by('POST /API/item/VX-1/deletion-lock', { expiryTime: future })],
    ...by('PUT /API/deletion-lock/VX-2/metadata', metadata, json, owner),
    status: 403,
  },
  {
    name: 'of a lock on another entity is not found',
    ...by('GET /API/collection/VX-1/deletion-lock/VX-1/metadata'),
    status: 404,
  },
  { name: 'of an unknown lock is not found', ...by('PUT /API/deletion-lock/VX-9/metadata', metadata), status: 404 },
  {
    name: 'has no key of 256 characters',
    ...by(`PUT ${at}`, { field: [{ key: 'k'.repeat(256), value: '' }] }, json, owner),
    status: 400,
  },
];

describeMatrix('the key-value metadata of a deletion lock', (entry) => itHolds(entry, rows, { given }));
