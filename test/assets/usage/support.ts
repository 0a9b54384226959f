import { join, newCollection, newItem } from '../../support/assets.ts';
import { newUser } from '../../support/cast.ts';
import { by, json } from '../../support/requests.ts';
import type { Credentials } from '../../support/service.ts';

/** Ann sets terms of what she writes. Ben reads. Cat has no entry anywhere. Eve is above the terms. */
export const [ann, ben, cat, eve] = ['ann', 'ben', 'cat', 'eve'].map(
  (name): Credentials => [name, `password of ${name}`],
) as [Credentials, Credentials, Credentials, Credentials];

const reads = ['_item_read', '_collection_read', '_item_shape_read'];
export const gives = (entity: string, user: string, permission = 'READ') =>
  by(`POST /API/${entity}/access`, { user, permission });

/** Times around the one at which services of tests begin. */
export const [past, begin, soon, later] = [
  '2029-06-01T00:00:00.000+0000',
  '2030-01-01T01:00:00.000+0000',
  '2030-01-01T02:00:00.000+0000',
  '2031-01-01T00:00:00.000+0000',
] as const;
export const hour = 3_600_000;

export const usage = (entity: string, terms: object, as = ann) => by(`PUT /API/${entity}/usage`, terms, json, as);

export const users = [
  newUser(ann, [...reads, '_usage_write']),
  newUser(ben, reads),
  newUser(cat, [...reads, '_usage_write']),
  newUser(eve, [...reads, '_usage_override']),
];

/** VX-1 in a collection in a collection, and an item besides. */
export const given = [
  ...users,
  newItem(),
  newItem(),
  newCollection(),
  newCollection(),
  join('VX-1', 'VX-1'),
  join('VX-2', 'VX-1', 'collection'),
  ...['item/VX-1', 'item/VX-2', 'collection/VX-1', 'collection/VX-2'].map((entity) => gives(entity, 'ann', 'WRITE')),
  gives('item/VX-1', 'ben'),
  gives('item/VX-1', 'eve'),
];
