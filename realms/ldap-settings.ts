import type { PropertyTable, SecretText } from '../src/spi/index.ts';
import { rememberFor } from './remember.ts';
import type { Entries } from './static-users.ts';

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
  readonly groupRoles?: Entries;
  readonly timeout?: number;
  readonly rememberFor?: number;
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
  startTLS: { type: 'boolean', fallback: false, says: 'Encrypts ldap:// before anything is said.' },
  caCertificate: { type: 'list', says: 'Base64 certificates to trust instead of those of the system.' },
  allowPlainText: {
    type: 'boolean',
    fallback: false,
    says: 'Lets passwords go unencrypted to another machine: only where the network itself is private.',
  },
  bindDN: { type: 'string', says: 'Who searches; without it, the search is anonymous.' },
  bindPassword: { type: 'secret', says: 'The password of bindDN.' },
  userBase: { type: 'string', says: 'Where users are searched.' },
  userFilter: {
    type: 'string',
    fallback: '(uid={0})',
    says: 'Finds the user; {0} is the name that was given.',
    check: isFilter,
  },
  userDnTemplate: {
    type: 'string',
    says: 'Instead of a search: the distinguished name of the user, {0} being the name that was given.',
    check: (value: string) => (value.includes('{0}') ? undefined : 'Expected {0} where the name of the user goes'),
  },
  userNameAttribute: {
    type: 'string',
    fallback: 'uid',
    says: 'The attribute that names the service user, so that spellings which the directory takes for one are one.',
  },
  userNameFormat: {
    type: { choice: ['asIs', 'lower'] },
    fallback: 'asIs',
    says: 'Whether that name is put in lower case.',
  },
  attributes: { type: 'list', fallback: ['cn', 'mail'], says: 'Attributes for user-info providers.' },
  groupBase: { type: 'string', says: 'Where groups are searched; without it, they are not.' },
  groupFilter: {
    type: 'string',
    fallback: '(|(member={0})(uniqueMember={0})(memberUid={1}))',
    says: 'Finds the groups; {0} is the distinguished name of the user, {1} the name of the service user.',
  },
  groupNameAttribute: { type: 'string', fallback: 'cn', says: 'The attribute that names a group.' },
  groupAttribute: {
    type: 'string',
    says: 'An attribute of the user that lists groups by distinguished name: memberOf.',
  },
  groupRoles: { type: 'map', says: 'The roles that the filters roles and perms see, by group: group:role.' },
  timeout: { type: 'duration', fallback: 5000, says: 'How long a login may take, all steps together.' },
  rememberFor,
  contextFactory: {
    type: {
      nested: {
        url: { type: 'string', says: 'As url.' },
        systemUsername: { type: 'string', says: 'As bindDN.' },
        systemPassword: { type: 'secret', says: 'As bindPassword.' },
        authenticationMechanism: { type: { choice: ['simple'] }, says: 'Only simple binds are made.' },
        poolingEnabled: { type: 'boolean', says: 'No effect: the connection that searches is kept.' },
      },
    },
    says: 'The same under the names of the original.',
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
