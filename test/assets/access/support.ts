import type { Sent } from '../../support/matrix.ts';
import { by, json } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';

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
