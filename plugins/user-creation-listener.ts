import type {
  AuthenticationListener,
  Component,
  Credentials,
  PropertyTable,
  ServiceUserInfoProvider,
} from '../src/spi/index.ts';

interface Properties {
  readonly infoProvider: ServiceUserInfoProvider;
  readonly enableUserOnLogin?: boolean;
  readonly serviceRealms?: readonly string[];
}

const properties: PropertyTable = {
  infoProvider: {
    type: { reference: 'userInfoProviders' },
    required: true,
    says: 'The provider that creates a service user from an account.',
  },
  enableUserOnLogin: {
    type: 'boolean',
    fallback: false,
    says: 'Whether a login enables a disabled user. If false, the login fails.',
  },
  serviceRealms: {
    type: 'list',
    fallback: ['serviceRealm'],
    says: 'Realms whose users are already in the database. A login that only these realms accept changes no user.',
  },
};

/** Logins of people create users: tokens name existing users, and foreign tokens must not create any (row S14). */
const creates = ({ kind }: Credentials): boolean => kind === 'password' || kind === 'redirect';

/** Creates the service user of an account from elsewhere, or brings it up to date. */
export const userCreationListener: Component<AuthenticationListener> = {
  says: 'Creates or updates the service user after a login through another realm or a provider.',
  properties,
  create({ infoProvider, enableUserOnLogin = false, serviceRealms = ['serviceRealm'] }: Properties) {
    return {
      async onSuccess(account, { credentials, realms }, { users, signal }) {
        if (!creates(credentials) || realms.every((realm) => serviceRealms.includes(realm))) return;
        const info = await infoProvider.userInfo(account, signal);
        if (!info) return;
        const outcome = await users.createOrUpdate(info, { enable: enableUserOnLogin });
        // Thrown, so that the login fails: its user would be another one.
        if (outcome === 'taken') throw new Error('Expected a user name that no user has in another case: it is taken');
        // Thrown, so that the login fails: who is disabled here is out, whatever the other realm says.
        if (outcome !== 'ready') throw new Error('The service user is disabled, and enableUserOnLogin is false');
      },
    };
  },
};
