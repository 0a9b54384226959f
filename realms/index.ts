import type {
  BearerCredentials,
  Component,
  Components,
  Credentials,
  PasswordAnswer,
  Realm,
  RealmAnswer,
  RedirectCredentials,
  ServiceUsers,
  TokenAnswer,
} from '../src/spi/index.ts';
import { httpRealm } from './http.ts';
import { ldapRealm } from './ldap.ts';
import { staticRealm } from './static.ts';

const answerTo = (answer: PasswordAnswer | TokenAnswer): RealmAnswer =>
  answer.verified
    ? { answer: 'account', account: { name: answer.name } }
    : { answer: 'refused', reason: answer.reason };

function verified(credentials: Exclude<Credentials, BearerCredentials | RedirectCredentials>, users: ServiceUsers) {
  if (credentials.kind === 'password') return users.verifyPassword(credentials.user, credentials.password);
  return users.verifyToken(credentials.token, credentials.kind);
}

/** The users in the service's database, by password, access key, token or session. It always stays configured: internal requests log in through it. */
export function serviceRealm(): Realm {
  return {
    supports: ({ kind }) => kind !== 'bearer' && kind !== 'redirect',
    async describe(user, { users }) {
      const row = await users.find(user);
      return row?.enabled ? { name: row.name } : undefined;
    },
    authenticate(credentials, { users }) {
      if (credentials.kind === 'bearer' || credentials.kind === 'redirect') return { answer: 'not-mine' };
      const outcome = verified(credentials, users);
      // A remembered password is answered at once: a promise would cost every request a turn.
      return outcome instanceof Promise ? outcome.then(answerTo) : answerTo(outcome);
    },
  };
}

const serviceRealmComponent: Component<Realm> = {
  says: 'The users in the database of the service.',
  create: serviceRealm,
};

/** The realms that ship, by every class name under which a security.ini may know them. */
export const realmComponents: Components<Realm> = {
  'portico.ServiceRealm': serviceRealmComponent,
  'com.service.security.auth.DefaultServiceRealm': serviceRealmComponent,
  'portico.StaticRealm': staticRealm,
  // The name that files of the original's manual use for such a realm.
  'com.example.StaticUserRealm': staticRealm,
  'org.apache.shiro.realm.text.IniRealm': staticRealm,
  'portico.HttpRealm': httpRealm,
  'portico.LdapRealm': ldapRealm,
  'org.apache.shiro.realm.ldap.DefaultLdapRealm': ldapRealm,
  'org.apache.shiro.realm.ldap.JndiLdapRealm': ldapRealm,
};
