import type {
  BearerCredentials,
  Component,
  Credentials,
  PasswordAnswer,
  Realm,
  RealmAnswer,
  ServiceUsers,
  TokenAnswer,
} from '../src/spi/index.ts';

const answerTo = (found: PasswordAnswer | TokenAnswer): RealmAnswer =>
  found.verified ? { answer: 'account', account: { name: found.name } } : { answer: 'refused', reason: found.reason };

function verified(given: Exclude<Credentials, BearerCredentials>, users: ServiceUsers) {
  if (given.kind === 'password') return users.verifyPassword(given.user, given.password);
  return users.verifyToken(given.token, given.kind);
}

/** The users in the service's database, by password, access key, token or session. It always stays configured: internal requests log in through it. */
export function serviceRealm(): Realm {
  return {
    supports: ({ kind }) => kind !== 'bearer',
    async describe(user, { users }) {
      const row = await users.find(user);
      return row?.enabled ? { name: row.name } : undefined;
    },
    authenticate(credentials, { users }) {
      if (credentials.kind === 'bearer') return { answer: 'not-mine' };
      const outcome = verified(credentials, users);
      // A remembered password is answered at once: a promise would cost every request a turn.
      return outcome instanceof Promise ? outcome.then(answerTo) : answerTo(outcome);
    },
  };
}

export const serviceRealmComponent: Component<Realm> = {
  says: 'The users in the database of the service.',
  create: serviceRealm,
};
