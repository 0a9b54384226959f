import { newGroup, newUser } from '../../support/cast.ts';
import type { Sent } from '../../support/matrix.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { by, json } from '../items/asset-support.ts';

const roles = [
  '_accesscontrol_read',
  '_accesscontrol_write',
  '_collection_read',
  '_collection_write',
  '_import',
  '_item_notification_write',
  '_item_read',
  '_item_uri',
  '_item_write',
  '_item_shape_read',
  '_metadata_read',
  '_metadata_write',
  '_user_read',
];

export const ann: Credentials = ['ann', 'password of ann'];
export const ben: Credentials = ['ben', 'password of ben'];
export const cat: Credentials = ['cat', 'password of cat'];

/** `ann` and `cat` are in no group of their own; `ben` is in `crew`, which is in `staff`. */
export const people: readonly Sent[] = [
  newGroup('staff'),
  newGroup('crew', { parentGroupList: { group: [{ groupName: 'staff' }] } }),
  newUser(ann, roles),
  newUser(ben, [...roles, 'crew']),
  newUser(cat, roles),
];

/** A request in JSON. */
export const ask = (as: Credentials, request: string, body?: Sent['body']): Sent => by(request, body, json, as);

/** An entry: who gives what to whom, where. */
export const gives = (as: Credentials, place: string, entry: object): Sent =>
  ask(as, `POST /API/${place}/access`, entry);

export const item = (as: Credentials = admin): Sent => ask(as, 'POST /API/import/placeholder');
export const collection = (as: Credentials = admin): Sent => ask(as, 'POST /API/collection?name=box');
export const puts = (member: string, into: string, as: Credentials = admin, type = 'item'): Sent =>
  ask(as, `PUT /API/collection/${into}/${member}?type=${type}`);
export const reads = (as: Credentials, place: string): Sent => ask(as, `GET /API/${place}`);
