import type { Realm } from '../src/spi/index.ts';

/** The users in the service's database. It always stays configured: internal requests log in through it. */
export function serviceRealm(name = 'serviceRealm'): Realm {
  return {
    name,
    supports: (credentials) => credentials.kind === 'password',
    async authenticate(credentials, { users }) {
      const answer = await users.verifyPassword(credentials.user, credentials.password);
      return answer.verified
        ? { answer: 'account', account: { name: answer.name } }
        : { answer: 'refused', reason: answer.reason };
    },
  };
}
