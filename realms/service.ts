import type { Component, PasswordAnswer, Realm, RealmAnswer, TokenAnswer } from '../src/spi/index.ts';

const answerTo = (found: PasswordAnswer | TokenAnswer): RealmAnswer =>
  found.verified ? { answer: 'account', account: { name: found.name } } : { answer: 'refused', reason: found.reason };

/** The users in the service's database, by password, access key or token. It always stays configured: internal requests log in through it. */
export function serviceRealm(): Realm {
  return {
    supports: ({ kind }) => kind === 'password' || kind === 'token',
    async describe(user, { users }) {
      const found = await users.find(user);
      return found?.enabled ? { name: found.name } : undefined;
    },
    authenticate(credentials, { users }) {
      if (credentials.kind === 'bearer') return { answer: 'not-mine' };
      const found =
        credentials.kind === 'token'
          ? users.verifyToken(credentials.token)
          : users.verifyPassword(credentials.user, credentials.password);
      // A remembered password is answered at once: a promise would cost every request a turn.
      return found instanceof Promise ? found.then(answerTo) : answerTo(found);
    },
  };
}

export const serviceRealmComponent: Component<Realm> = {
  says: 'The users in the database of the service.',
  create: serviceRealm,
};
