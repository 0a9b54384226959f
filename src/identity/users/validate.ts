import { ServiceError } from '../../core/lib/errors.ts';
import type { Maybe } from '../../core/lib/maybe.ts';
import { Secret } from '../../core/lib/secret.ts';
import { textOf } from '../../http/reads.ts';
import { type Route, route } from '../../http/route.ts';
import { runAsRole } from '../../security/run-as.ts';
import type { Credentials, LoginAnswer } from '../../spi/index.ts';
import { isKeyId } from '../access-keys/key-id.ts';
import { roleOrOwn } from '../own-account.ts';
import type { IdentityParts } from '../parts.ts';
import { rawOnly } from '../passwords/raw.ts';
import { noSuchUser } from './rules.ts';
import { findUser } from './store.ts';

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
