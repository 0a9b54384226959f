import { describe } from 'vitest';
import { openWorld } from '../../support/matrix.ts';
import { itHolds, type Scenario } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { ann, ben, cat, givenTo } from '../../support/world.ts';
import { ask, collection, gives, item, puts, reads } from './support.ts';

const read = { permission: 'READ' };
const deep = [{ value: 'item', recursive: true }];

const watching = {
  action: { http: { url: 'http://hooks.example/in', contentType: 'application/json' } },
  trigger: { item: { delete: '' } },
};

/** Rights given to users, and the answer to the next request of that user. */
const levels: readonly Scenario[] = [
  {
    name: 'an entity that a user may not read is refused',
    given: [item(ann)],
    ...reads(ben, 'item/VX-1'),
    status: 403,
  },
  {
    name: 'an entity that a user may not read is in no list, and is not counted',
    given: [item(ann)],
    ...reads(ben, 'item'),
    status: 200,
    says: { jsonPart: { hits: 0, item: [] } },
  },
  {
    name: 'an entry counts for the next request',
    given: [item(ann), gives(ann, 'item/VX-1', { ...read, user: 'ben' }), reads(ben, 'item/VX-1')],
    ...reads(ben, 'item'),
    status: 200,
    says: { jsonPart: { hits: 1, item: [{ id: 'VX-1' }] } },
  },
  {
    name: 'an entry that is gone does not',
    given: [
      item(ann),
      gives(ann, 'item/VX-1', { ...read, user: 'ben' }),
      ask(ann, 'DELETE /API/item/VX-1/access/VX-2'),
    ],
    ...reads(ben, 'item/VX-1'),
    status: 403,
  },
  {
    name: 'a notification about one item needs READ on it',
    given: [item(ann)],
    ...ask(ben, 'POST /API/item/VX-1/notification', watching),
    status: 403,
  },
  {
    name: 'a notification about one item is for everybody who may read it',
    given: [item(ann), gives(ann, 'item/VX-1', { ...read, user: 'ben' })],
    ...ask(ben, 'POST /API/item/VX-1/notification', watching),
    status: 200,
  },
  {
    name: 'READ does not write',
    given: [item(ann), gives(ann, 'item/VX-1', { ...read, user: 'ben' })],
    ...ask(ben, 'PUT /API/item/VX-1/metadata', { timespan: [] }),
    status: 403,
  },
  {
    name: 'WRITE does not delete',
    given: [item(ann), gives(ann, 'item/VX-1', { permission: 'WRITE', user: 'ben' })],
    ...ask(ben, 'DELETE /API/item/VX-1'),
    status: 403,
  },
  {
    name: 'WRITE does not read entries',
    given: [item(ann), gives(ann, 'item/VX-1', { permission: 'WRITE', user: 'ben' })],
    ...reads(ben, 'item/VX-1/access'),
    status: 403,
  },
  {
    name: 'ALL gives rights to others',
    given: [
      item(ann),
      gives(ann, 'item/VX-1', { permission: 'ALL', user: 'ben' }),
      gives(ben, 'item/VX-1', { ...read, user: 'cat' }),
    ],
    ...reads(cat, 'item/VX-1'),
    status: 200,
    says: { exact: '{"id":"VX-1"}' },
  },
  {
    name: 'an entry for a group reaches members of groups in it',
    given: [item(ann), gives(ann, 'item/VX-1', { ...read, group: 'staff' })],
    ...reads(ben, 'item/VX-1'),
    status: 200,
  },
  {
    name: 'an entry without appliesTo reaches all that is below',
    given: [item(), collection(ann), puts('VX-1', 'VX-1'), gives(ann, 'collection/VX-1', { ...read, user: 'ben' })],
    ...reads(ben, 'item/VX-1'),
    status: 200,
  },
  {
    name: 'appliesTo collection does not reach items',
    given: [
      item(),
      collection(ann),
      puts('VX-1', 'VX-1'),
      gives(ann, 'collection/VX-1', { ...read, user: 'ben', appliesTo: [{ value: 'collection' }] }),
    ],
    ...reads(ben, 'item/VX-1'),
    status: 403,
  },
  {
    name: 'appliesTo item reaches direct members alone',
    given: [
      item(),
      collection(ann),
      collection(ann),
      puts('VX-2', 'VX-1', admin, 'collection'),
      puts('VX-1', 'VX-2'),
      gives(ann, 'collection/VX-1', { ...read, user: 'ben', appliesTo: [{ value: 'item' }] }),
    ],
    ...reads(ben, 'item/VX-1'),
    status: 403,
  },
  {
    name: 'recursive reaches through the whole tree',
    given: [
      item(),
      collection(ann),
      collection(ann),
      puts('VX-2', 'VX-1', admin, 'collection'),
      puts('VX-1', 'VX-2'),
      gives(ann, 'collection/VX-1', { ...read, user: 'ben', appliesTo: deep }),
    ],
    ...reads(ben, 'item'),
    status: 200,
    says: { jsonPart: { hits: 1 } },
  },
  {
    name: 'a member that leaves its collection loses what came from it',
    given: [
      item(),
      collection(ann),
      puts('VX-1', 'VX-1'),
      gives(ann, 'collection/VX-1', { ...read, user: 'ben' }),
      ask(admin, 'DELETE /API/collection/VX-1/VX-1?type=item'),
    ],
    ...reads(ben, 'item/VX-1'),
    status: 403,
  },
  {
    name: 'a grant is off while its grantor has no ALL',
    given: [
      item(ann),
      gives(ann, 'item/VX-1', { permission: 'ALL', user: 'ben' }),
      gives(ben, 'item/VX-1', { ...read, user: 'cat' }),
      ask(ann, 'DELETE /API/item/VX-1/access/VX-2'),
    ],
    ...reads(cat, 'item/VX-1'),
    status: 403,
  },
  {
    name: 'a grant is off while its grantor is disabled',
    given: [
      item(ann),
      gives(ann, 'item/VX-1', { ...read, user: 'cat' }),
      ask(admin, 'DELETE /API/user/ann?hard=false'),
    ],
    ...reads(cat, 'item'),
    status: 200,
    says: { jsonPart: { hits: 0 } },
  },
  {
    name: 'two users who grant each other ALL keep nothing once the owner takes it away',
    given: [
      item(ann),
      gives(ann, 'item/VX-1', { permission: 'ALL', user: 'ben' }),
      gives(ben, 'item/VX-1', { permission: 'ALL', user: 'cat' }),
      gives(cat, 'item/VX-1', { permission: 'ALL', user: 'ben' }),
      ask(ann, 'DELETE /API/item/VX-1/access/VX-2'),
    ],
    ...reads(ben, 'item/VX-1'),
    status: 403,
  },
  {
    name: 'NONE for the user beats READ for its group',
    given: [
      item(ann),
      gives(ann, 'item/VX-1', { ...read, group: 'crew' }),
      gives(ann, 'item/VX-1', { permission: 'NONE', user: 'ben' }),
    ],
    ...reads(ben, 'item/VX-1'),
    status: 403,
  },
  {
    name: 'a higher priority on a collection beats the item',
    given: [
      item(),
      collection(ann),
      puts('VX-1', 'VX-1'),
      gives(admin, 'item/VX-1', { permission: 'NONE', user: 'ben' }),
      gives(ann, 'collection/VX-1', { ...read, user: 'ben', priority: 5 }),
    ],
    ...reads(ben, 'item/VX-1'),
    status: 200,
  },
  {
    name: 'access: who adds a member without ALL on it passes no right on',
    given: [
      item(),
      gives(admin, 'item/VX-1', { ...read, user: 'ben' }),
      collection(ben),
      puts('VX-1', 'VX-1', ben),
      gives(ben, 'collection/VX-1', { permission: 'ALL', user: 'cat' }),
    ],
    ...reads(cat, 'item/VX-1'),
    status: 403,
  },
];

describe('levels that entries give', () => {
  itHolds({ name: 'fetch', open: (options) => openWorld('fetch', options) }, levels, { given: givenTo('access') });
});
