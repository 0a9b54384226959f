import { afterAll, beforeAll } from 'vitest';
import { openBehind, type Sent, type World } from './matrix.ts';
import { by, json } from './requests.ts';
import { admin, type Credentials } from './service.ts';

/** Items, collections, libraries and the fields of their metadata, as several suites make them. */

export const newItem = (query = '', as = admin): Sent =>
  by(`POST /API/import/placeholder${query}`, undefined, json, as);
export const newCollection = (query = '', as = admin): Sent => by(`POST /API/collection${query}`, undefined, json, as);
export const join = (collection: string, member: string, type = 'item'): Sent =>
  by(`PUT /API/collection/${collection}/${member}?type=${type}`);

export const newLibrary = (items: readonly string[] = [], query = '', as = admin): Sent =>
  by(`POST /API/library${query}`, { item: items.map((id) => ({ id })) }, json, as);

type Values = Readonly<Record<string, string | readonly string[]>>;

export const fieldsOf = (values: Values) =>
  Object.entries(values).map(([name, given]) => ({ name, value: [given].flat().map((value) => ({ value })) }));

export const item = (values: Values, more: object = {}, as: Credentials = admin) =>
  by(
    'POST /API/import/placeholder',
    { timespan: [{ start: '-INF', end: '+INF', field: fieldsOf(values), ...more }] },
    json,
    as,
  );

export const field = (name: string, type: string, more: object = {}) =>
  by(`PUT /API/metadata-field/${name}`, { type, ...more });

export const fieldPath = (name: string, more = '') => `/API/metadata-field/${name}${more}`;
export const groupPath = (name: string, more = '') =>
  `/API/metadata-field/field-group/${encodeURIComponent(name)}${more}`;

export const newField = (name: string, document: object = { type: 'string' }) => by(`PUT ${fieldPath(name)}`, document);
export const newFieldGroup = (name: string, document?: object) => by(`PUT ${groupPath(name)}`, document);
export const inGroup = (name: string, member: string) => by(`PUT ${groupPath(name, `/${member}`)}`);
export const groupIn = (name: string, child: string) =>
  by(`PUT ${groupPath(name, `/group/${encodeURIComponent(child)}`)}`);

/** All external ids belong to it. */
export const namespace = by('PUT /API/external-id/any', { pattern: '.*', priority: 1 });

/** Opens a service for all tests of a suite. */
export function openSharedAssets(): () => World {
  const ends: (() => Promise<unknown>)[] = [];
  let world: World | undefined;
  beforeAll(async () => {
    world = await openBehind('fetch', {}, (end) => ends.push(end));
  });
  afterAll(async () => {
    for (const end of ends.splice(0)) await end();
  });
  return () => world!;
}

/** The work that keeps the orders of sortable fields, until nothing is left of it. */
export async function keepOrders({ service, clock }: World): Promise<void> {
  for (let round = 0; round < 4; round++) {
    await service.tick(1000);
    await clock.advance(6000);
  }
}
