import { sentText } from '../../http/call.ts';
import type { MediaType } from '../../http/negotiation.ts';
import { done, typed } from '../../http/reply.ts';
import { type Route, role, roleOrSelf, route } from '../../http/route.ts';
import { ServiceError } from '../../lib/errors.ts';
import { subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import type { IdentityParts } from '../parts.ts';
import { withOwnPassword } from '../proof.ts';
import { changeUser, userNamed } from '../users/change.ts';
import { newHash } from '../users/input.ts';
import { changePassword } from '../users/rules.ts';
import { saltOf } from './hash.ts';
import { rawOnly } from './raw.ts';
import { passwordOf } from './store.ts';

const bytes: readonly MediaType[] = ['application/octet-stream'];

export function passwordRoutes(parts: IdentityParts): readonly Route[] {
  const { store, passwords, limits } = parts;

  return [
    route({
      method: 'PUT',
      path: '/user/:name/password',
      says: 'Sets the password of a user.',
      query: { type: rawOnly },
      reads: 'text',
      access: withOwnPassword(roleOrSelf(administrator, 'name'), 'a password'),
      acting: 'refused',
      produces: [],
      async handle(call, _type, params) {
        const name = params.name;
        // A hash is slow: it is made only for an existing user, and once for all attempts of the commit.
        const { id } = await userNamed(parts, name);
        const own = !(await subjectOf(call).has(administrator));
        if (own && !(await passwordOf(store, { id }))?.password) throw noPasswordYet(name);
        const hash = await newHash(parts, await sentText(call, limits.bytes), 'body');
        await changeUser(parts, call, name, (row) => changePassword(row, hash));
        return done;
      },
    }),
    route({
      method: 'GET',
      path: '/user/:name/password/salt',
      says: 'The salt of the password hash of a user.',
      answers: 'bytes',
      access: role('_administrator'),
      produces: bytes,
      async handle(_call, type, params) {
        const { id, name } = await userNamed(parts, params.name);
        const stored = (await passwordOf(store, { id }))?.password;
        const salt = stored ? saltOf(stored) : undefined;
        if (!salt) throw new ServiceError('no-such-entity', { type: 'Salt', id: name });
        return typed(type, salt);
      },
    }),
    route({
      method: 'POST',
      path: '/user/:name/password/salt',
      says: 'Removes the password of a user and answers a new salt.',
      answers: 'bytes',
      access: role('_administrator'),
      acting: 'refused',
      produces: bytes,
      async handle(call, type, params) {
        const { hash, salt } = passwords.unmatched();
        await changeUser(parts, call, params.name, (row) => changePassword(row, hash));
        return typed(type, salt);
      },
    }),
  ];
}

/** Error for a user without a password: a user of another realm must not get a second login by this way. */
function noPasswordYet(name: string): ServiceError {
  const explanation = 'Expected a user with a password: the first one is set by an administrator';
  return new ServiceError('not-allowed', { context: 'role', id: name, explanation });
}
