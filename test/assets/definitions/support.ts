import { newUser } from '../../support/cast.ts';
import { type Answer, type Entry, openWorld, type Sent, type World } from '../../support/matrix.ts';
import type { Scenario } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';

export const json = { accept: 'application/json' };
export const xml = { accept: 'application/xml' };
export const plain = { accept: 'text/plain' };

/** By the administrator, with answers as JSON. */
export const by = (request: string, body?: Sent['body'], headers: Scenario['headers'] = json) => ({
  as: admin,
  request,
  body,
  headers,
});

export const field = (name: string, more = '') => `/API/metadata-field/${name}${more}`;
export const group = (name: string, more = '') => `/API/metadata-field/field-group/${encodeURIComponent(name)}${more}`;

export const newField = (name: string, document: object = { type: 'string' }) => by(`PUT ${field(name)}`, document);
export const newGroup = (name: string, document?: object) => by(`PUT ${group(name)}`, document);
export const inGroup = (name: string, member: string) => by(`PUT ${group(name, `/${member}`)}`);
export const groupIn = (name: string, child: string) => by(`PUT ${group(name, `/group/${encodeURIComponent(child)}`)}`);

/** Defines fields and groups; sees them only; no role at all. */
export const definer: Credentials = ['definer', 'password of definer'];
export const viewer: Credentials = ['viewer', 'password of viewer'];
export const people: readonly Sent[] = [
  newUser(definer, [
    '_metadata_field_read',
    '_metadata_field_write',
    '_metadata_field_group_read',
    '_metadata_field_group_write',
  ]),
  newUser(viewer, ['_metadata_field_read', '_metadata_field_group_read']),
];

export async function jsonOf<T = Record<string, unknown>>(world: World, request: string, as = admin): Promise<T> {
  const { status, body } = await world.send({ ...by(request), as });
  if (status !== 200) throw new Error(`${request}: ${status} ${body}`);
  return JSON.parse(body) as T;
}

/** The answer of a request that must succeed. */
export async function done(world: World, sent: Sent): Promise<Answer> {
  const answer = await world.send(sent);
  if (answer.status >= 300) throw new Error(`${sent.request}: ${answer.status} ${answer.body}`);
  return answer;
}

/** All external ids belong to it. */
export const namespace = by('PUT /API/external-id/any', { pattern: '.*', priority: 1 });

export const fetchEntry: Entry = { name: 'fetch', open: (options) => openWorld('fetch', options) };
