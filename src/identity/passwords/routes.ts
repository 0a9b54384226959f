import { ServiceError } from '../../core/lib/errors.ts';
import type { Maybe } from '../../core/lib/maybe.ts';
import { Secret } from '../../core/lib/secret.ts';
import { raw } from '../../http/forms.ts';
import { textOf } from '../../http/reads.ts';
import { typed } from '../../http/reply.ts';
import { type Route, role, roleOrSelf, route } from '../../http/route.ts';
import { subjectOf } from '../../security/caller.ts';
import { runAsRole } from '../../security/run-as.ts';
import { administrator } from '../../security/subject.ts';
import type { Credentials, LoginAnswer } from '../../spi/index.ts';
import { roleOrOwn, withOwnPassword } from '../access-checks.ts';
import { isKeyId } from '../names.ts';
import type { IdentityParts } from '../parts.ts';
import { privilegesOf } from '../privileges.ts';
import { changeUser, userAt } from '../users/change.ts';
import { newHash, rawOnly } from '../users/input.ts';
import { changePassword, noSuchUser, soundly } from '../users/rules.ts';
import { findUser, namesAround } from '../users/store.ts';
import { saltOf } from './hash.ts';
import { passwordOf } from './store.ts';

const bytes = raw('bytes', ['application/octet-stream']);

export function passwordRoutes(parts: IdentityParts): readonly Route[] {
  const { store, passwords, settings } = parts;
  const user = userAt(parts);

  return [
    route({
      method: 'PUT',
      path: '/user/:name/password',
      says: 'Sets the password of a user. Who logs in by a link chooses one. That of an administrator, or of a user who may act for others, has at least 8 characters.',
      entities: { name: user },
      query: { type: rawOnly },
      reads: 'text',
      access: withOwnPassword(roleOrSelf(administrator, 'name'), 'a password', settings),
      acting: 'refused',
      isDangerous: true,
      // A hash is slow: it is made only for an existing user, and once for all attempts of the commit.
      async handle(call, { name: row }) {
        const { id, name } = row;
        const subject = subjectOf(call);
        const needsPassword = !subject.proof?.byLink && !(await subject.has(administrator));
        if (needsPassword && !(await passwordOf(store, { id }))?.password) throw noPasswordYet(name);
        const { groups } = await namesAround(store, row);
        const { leads } = await privilegesOf(store, groups);
        const hash = await newHash(leads ? { ...parts, settings: soundly(settings) } : parts, call.body, 'body');
        await changeUser(parts, call, name, (now) => changePassword(now, hash));
      },
    }),
    route({
      method: 'GET',
      path: '/user/:name/password/salt',
      says: 'The salt of the password hash of a user.',
      entities: { name: user },
      answers: bytes,
      access: role('_administrator'),
      async handle({ type }, { name: { id, name } }) {
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
      answers: bytes,
      access: role('_administrator'),
      acting: 'refused',
      isDangerous: true,
      async handle(call, { name }) {
        const { hash, salt } = passwords.unmatched();
        await changeUser(parts, call, name, (row) => changePassword(row, hash));
        return typed(call.type, salt);
      },
    }),
  ];
}

/** Error for a user without a password: a user of another realm must not get a second login by this way. */
function noPasswordYet(name: string): ServiceError {
  const explanation =
    'Expected a user with a password, or a login by link: an administrator sets the first one, or makes the link';
  return new ServiceError('not-allowed', { context: 'role', id: name, explanation });
}

export interface ValidateParts extends IdentityParts {
  /** Asks the realms, as a login would; with the pauses after wrong passwords. */
  login(credentials: Credentials, address: string | undefined): Maybe<LoginAnswer>;
}

/** Whether a password is that of a user. The body is the password and nothing else, exactly as it would be logged in with. */
export function validateRoute({ store, settings, login }: ValidateParts): Route {
  return route({
    method: 'PUT',
    path: '/user/:name/validate',
    says: 'Answers OK if the body is the password of the user.',
    query: { type: rawOnly },
    reads: textOf(settings.maxPasswordLength * 4),
    answers: 'text',
    // Applications that act for others validate users on their behalf. Users may validate themselves.
    access: roleOrOwn(runAsRole, store),
    acting: 'allowed',
    async handle(call, { name }) {
      // A key and its secret log in, and are not what a user's password is.
      if (isKeyId(name)) throw noSuchUser(name);
      const password = new Secret(call.body);
      const answer = await login({ kind: 'password', user: name, password }, call.address);
      const user = await findUser(store, { name });
      if (!user && !answer.accepted) throw noSuchUser(name);
      const same = answer.accepted && (!user || answer.account.name === user.name) && user?.enabled !== 0;
      if (!same)
        throw new ServiceError('credentials-wrong', { id: name, explanation: 'Expected the password of the user' });
      return 'OK';
    },
  });
}
