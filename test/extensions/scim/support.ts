import { newUser } from '../../support/cast.ts';
import type { Entry, World } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials, type ServiceOptions } from '../../support/service.ts';

export const provider: Credentials = ['provider', 'password of provider'];

/** Any part of an answer. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what an answer has.
export type Read = any;

export interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Read;
}

/** A service with a provider, and its requests by a bearer token as providers keep it. */
export async function openProvider(open: Entry['open'], options: ServiceOptions = {}) {
  const world = await open(options);
  await prepare(world, [newUser(provider, ['_scim'])]);
  const token = await world
    .send({ as: admin, request: 'GET /API/user/provider/token?seconds=31536000', headers: { accept: 'text/plain' } })
    .then(({ body }) => body);
  return { world, token, ask: asker(world, token) };
}

export type Provider = Awaited<ReturnType<typeof openProvider>>;

function asker({ send }: World, token: string) {
  return async (line: string, body?: object, headers: Readonly<Record<string, string>> = {}): Promise<Told> => {
    const [method, target] = line.split(' ') as [string, string];
    const answer = await send({
      request: `${method} /API/scim/v2${target}`,
      headers: {
        accept: 'application/scim+json',
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/scim+json; charset=utf-8' }),
        ...headers,
      },
      ...(body && { body }),
    });
    return {
      status: answer.status,
      headers: answer.headers,
      json: answer.body === '' ? undefined : JSON.parse(answer.body),
    };
  };
}

export const patch = (...Operations: readonly object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});

const core = 'urn:ietf:params:scim:schemas:core:2.0';
export const user = (userName: string, more: object = {}) => ({ schemas: [`${core}:User`], userName, ...more });
export const group = (displayName: string, more: object = {}) => ({ schemas: [`${core}:Group`], displayName, ...more });

/** Names and entities of events, without those before. */
export async function eventsSince({ world }: Provider, before: number): Promise<readonly string[]> {
  return (await world.events(before)).map(({ name, entity, payload }) => {
    const { changed, mode, affectedUser } = payload as Read;
    return [name, entity, changed?.join(), mode, affectedUser].filter(Boolean).join(' ');
  });
}
