import type { Component, PasswordAnswer, Realm, RealmAnswer } from '../src/spi/index.ts';

const answerTo = (found: PasswordAnswer): RealmAnswer =>
  found.verified ? { answer: 'account', account: { name: found.name } } : { answer: 'refused', reason: found.reason };

/** The users in the service's database. It always stays configured: internal requests log in through it. */
export function serviceRealm(): Realm {
  return {
    supports: (credentials) => credentials.kind === 'password',
    authenticate(credentials, { users }) {
      if (credentials.kind !== 'password') return { answer: 'not-mine' };
      const found = users.verifyPassword(credentials.user, credentials.password);
      // A remembered password is answered at once: a promise would cost every request a turn.
      return found instanceof Promise ? found.then(answerTo) : answerTo(found);
    },
  };
}

export const serviceRealmComponent: Component<Realm> = {
  says: 'The users in the database of the service.',
  create: serviceRealm,
};
