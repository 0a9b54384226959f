import type { PropertyTable, SecretText } from '../src/spi/index.ts';
import { loginFor, rememberFor } from './remember.ts';
import type { UserEntries } from './static-users.ts';

export interface LdapProperties {
  readonly url?: readonly string[];
  readonly startTLS?: boolean;
  readonly caCertificate?: readonly string[];
  readonly allowPlainText?: boolean;
  readonly bindDN?: string;
  readonly bindPassword?: SecretText;
  readonly userBase?: string;
  readonly userFilter?: string;
  readonly userDnTemplate?: string;
  readonly userNameAttribute?: string;
  readonly userNameFormat?: 'asIs' | 'lower';
  readonly attributes?: readonly string[];
  readonly groupBase?: string;
  readonly groupFilter?: string;
  readonly groupNameAttribute?: string;
  readonly groupAttribute?: string;
  readonly groupRoles?: UserEntries;
  readonly timeout?: number;
  readonly rememberFor?: number;
  readonly loginFor?: number;
  readonly contextFactory?: {
    readonly url?: string;
    readonly systemUsername?: string;
    readonly systemPassword?: SecretText;
  };
}

/** Balanced is enough here; the directory reads the rest. */
const isFilter = (filter: string): string | undefined =>
  /^\(.*\)$/s.test(filter) && filter.includes('{0}') ? undefined : 'Expected a filter in parentheses that uses {0}';

export const ldapProperties: PropertyTable = {
  url: { type: 'list', says: 'Addresses of the directory, ldaps:// or ldap://, tried in this order.' },
  startTLS: { type: 'boolean', fallback: false, says: 'Encrypts ldap:// by StartTLS before any other message.' },
  caCertificate: { type: 'list', says: 'Base64 certificates to trust instead of those of the system.' },
  allowPlainText: {
    type: 'boolean',
    fallback: false,
    says: 'Allows unencrypted passwords to another machine. Only for private networks.',
  },
  bindDN: {
    type: 'string',
    says: 'Distinguished name of the user that searches. Without it, the search is anonymous.',
  },
  bindPassword: { type: 'secret', says: 'The password of bindDN.' },
  userBase: { type: 'string', says: 'Base of the search for users.' },
  userFilter: {
    type: 'string',
    fallback: '(uid={0})',
    says: 'Filter that finds the user. {0} is the given name.',
    check: isFilter,
  },
  userDnTemplate: {
    type: 'string',
    says: 'Distinguished name of the user, instead of a search. {0} is the given name.',
    check: (value: string) => (value.includes('{0}') ? undefined : 'Expected {0} where the name of the user goes'),
  },
  userNameAttribute: {
    type: 'string',
    fallback: 'uid',
    says: 'The attribute with the name of the service user, so that different spellings of a login are one user.',
  },
  userNameFormat: {
    type: { choice: ['asIs', 'lower'] },
    fallback: 'asIs',
    says: 'Whether that name is converted to lower case.',
  },
  attributes: { type: 'list', fallback: ['cn', 'mail'], says: 'Attributes for user-info providers.' },
  groupBase: { type: 'string', says: 'Base of the search for groups. Without it, groups are not searched.' },
  groupFilter: {
    type: 'string',
    fallback: '(|(member={0})(uniqueMember={0})(memberUid={1}))',
    says: 'Filter that finds groups. {0} is the distinguished name of the user, {1} the name of the service user.',
  },
  groupNameAttribute: { type: 'string', fallback: 'cn', says: 'The attribute with the name of a group.' },
  groupAttribute: {
    type: 'string',
    says: 'An attribute of the user that lists groups by distinguished name: memberOf.',
  },
  groupRoles: { type: 'map', says: 'Maps groups to roles for the filters roles and perms: group:role.' },
  timeout: { type: 'duration', fallback: 5000, says: 'Timeout of a login with all its steps.' },
  rememberFor,
  loginFor,
  contextFactory: {
    type: {
      nested: {
        url: { type: 'string', says: 'Alias of url.' },
        systemUsername: { type: 'string', says: 'Alias of bindDN.' },
        systemPassword: { type: 'secret', says: 'Alias of bindPassword.' },
        authenticationMechanism: {
          type: { choice: ['simple'] },
          says: 'The only accepted mechanism is a simple bind.',
        },
        poolingEnabled: { type: 'boolean', says: 'No effect: the search connection is always kept.' },
      },
    },
    says: 'Alias with the class name of the original.',
  },
};

export type LdapSettings = ReturnType<typeof settingsFrom>;

/** Throws a sentence for what cannot work together. */
export function settingsFrom({ contextFactory: factory, ...given }: LdapProperties) {
  const urls = (given.url?.length ? given.url : (factory?.url?.split(/\s+/) ?? [])).filter((url) => url !== '');
  if (urls.length === 0) throw new Error('Expected url');
  const { startTLS = false, allowPlainText = false, timeout = 5000 } = given;
  for (const url of urls) checkUrl(url, startTLS, allowPlainText);
  const { userBase, userDnTemplate } = given;
  if (!userBase && !userDnTemplate) throw new Error('Expected userBase, or userDnTemplate');
  const bindDN = given.bindDN || factory?.systemUsername || undefined;
  const bindPassword = given.bindPassword ?? factory?.systemPassword;
  // With a name and without a password, a directory takes the bind for an anonymous one and says yes.
  if (bindDN && !bindPassword?.reveal()) throw new Error('Expected bindPassword: bindDN is set');
  const roles = given.groupRoles ?? {};
  return {
    urls,
    startTLS,
    timeout,
    certificates: given.caCertificate ?? [],
    service: bindDN && bindPassword ? { dn: bindDN, password: bindPassword } : undefined,
    userBase,
    userDnTemplate,
    userFilter: given.userFilter ?? '(uid={0})',
    userNameAttribute: given.userNameAttribute ?? 'uid',
    lowerCase: given.userNameFormat === 'lower',
    attributes: given.attributes ?? ['cn', 'mail'],
    groupBase: given.groupBase,
    groupFilter: given.groupFilter ?? '(|(member={0})(uniqueMember={0})(memberUid={1}))',
    groupNameAttribute: given.groupNameAttribute ?? 'cn',
    groupAttribute: given.groupAttribute,
    groupRoles: new Map(roles instanceof Map ? roles : Object.entries(roles)) as ReadonlyMap<string, string>,
  };
}

function checkUrl(text: string, startTLS: boolean, allowPlainText: boolean): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'ldap:' && url?.protocol !== 'ldaps:') throw new Error('Expected ldaps or ldap addresses');
  if (url.username !== '' || url.password !== '')
    throw new Error('Expected addresses without a name and password: use bindDN and bindPassword');
  if (url.protocol === 'ldaps:' && startTLS)
    throw new Error('Expected ldap addresses: startTLS encrypts those, ldaps is encrypted already');
  const local = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'ldap:' && !startTLS && !allowPlainText && !local)
    throw new Error(
      'Expected ldaps, startTLS = true, or allowPlainText = true: passwords would be readable on the way',
    );
}
