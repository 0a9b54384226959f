import type { Entry, SearchOptions } from 'ldapts';
import { withinTime } from '../src/kit/index.ts';
import type { Account, Component, Host, PasswordCredentials, Realm, RealmAnswer } from '../src/spi/index.ts';
import { type Connection, ldapLibrary } from './ldap-connection.ts';
import { createLdapDirectory, type LdapDirectory } from './ldap-directory.ts';
import { type LdapProperties, type LdapSettings, ldapProperties, settingsFrom } from './ldap-settings.ts';

/** Escaping of user input, so that it can only be a value. */

const hex = (character: string): string => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** Escapes by RFC 4515: a value cannot end itself, add a filter or match more than itself. */
export const escapeFilter = (value: string): string => value.replace(/[\\*()\0]/g, hex);

/** Escapes a value of a distinguished name by RFC 4514. */
export const escapeDn = (value: string): string =>
  value.replace(/[\\,+"<>;=\0]|^[ #]| $/g, (character) => (character === '\0' ? '\\00' : `\\${character}`));

/** Replaces `{0}`, `{1}` of a template in a single pass: placeholders inside of values stay unchanged. */
export const fill = (template: string, ...values: readonly string[]): string =>
  template.replace(/\{(\d)\}/g, (placeholder, index) => values[Number(index)] ?? placeholder);

/** First value of a distinguished name: `Editors` of `CN=Editors,OU=Groups`. */
export function nameOfDn(dn: string): string | undefined {
  const value = /^[^=]+=((?:\\.|[^,+\\])*)/s.exec(dn)?.[1];
  if (value === undefined) return undefined;
  // Escaped digits are bytes of UTF-8, so adjacent pairs are decoded together.
  return value.replace(/(?:\\[0-9a-f]{2})+|\\(.)/gis, (escaped, single?: string) => {
    if (single !== undefined) return single;
    const bytes = Uint8Array.from(escaped.slice(1).split('\\'), (pair) => Number.parseInt(pair, 16));
    return new TextDecoder().decode(bytes);
  });
}

/** Control characters, and the blanks that a directory ignores: `alice ` would be another service user than `alice`. */
export const isPlainName = (name: string): boolean => name !== '' && !/[\0-\x1f\x7f]|^\s|\s$|\s\s/.test(name);

/** Users of a directory: found by a search (or by a template), and accepted when the directory lets them bind. */
export const ldapRealm: Component<Realm & { close(): Promise<void> }> = {
  says: 'Users of an LDAP directory: searches the user, then binds with the given password.',
  properties: ldapProperties,
  async create(options: LdapProperties, host) {
    const settings = settingsFrom(options);
    // A finding at start, and not a login that fails where there are no sockets.
    await ldapLibrary();
    const directory = createLdapDirectory(settings, host);
    return {
      rememberFor: options.rememberFor ?? 0,
      ...(options.loginFor === undefined ? {} : { loginFor: options.loginFor }),
      supports: (credentials) => credentials.kind === 'password',
      async authenticate(credentials, { signal }) {
        if (credentials.kind !== 'password') return { answer: 'not-mine' };
        // A bind with a name and without a password is anonymous, and succeeds: it must never be sent (RFC 4513, 5.1.2).
        if (credentials.password.reveal() === '') return refused('empty-password');
        if (!isPlainName(credentials.user)) return refused('bad-user-name');
        return withinTime(host, settings.timeout, signal, (stop) =>
          login(credentials, { settings, directory, host, stop }),
        );
      },
      /** When a new configuration has taken over. */
      close: () => directory.close(),
    };
  },
};

interface Login {
  readonly settings: LdapSettings;
  readonly directory: LdapDirectory;
  readonly host: Host;
  readonly stop: AbortSignal;
}

const refused = (reason: string): RealmAnswer => ({ answer: 'refused', reason });

async function login({ user, password }: PasswordCredentials, turn: Login): Promise<RealmAnswer> {
  const { settings, directory, stop } = turn;
  const userEntry = settings.userDnTemplate
    ? { dn: fill(settings.userDnTemplate, dnValue(settings.userDnTemplate, user)) }
    : await find(user, turn);
  if (typeof userEntry === 'string') return refused(userEntry);
  const connection = await directory.bound(userEntry.dn, password, stop);
  if (!connection) return refused('wrong-password');
  try {
    const entry = 'entry' in userEntry ? userEntry.entry : await ownEntry(userEntry.dn, connection, turn);
    const name = serviceUser(entry, user, settings);
    const groups = await groupsOf(userEntry.dn, name, entry, connection, turn);
    return { answer: 'account', account: accountOf(name, userEntry.dn, entry, groups, settings) };
  } finally {
    connection.close();
  }
}

/** `{0}@example.org` is a name of Active Directory and no distinguished name. */
const dnValue = (template: string, user: string): string => (template.includes('=') ? escapeDn(user) : user);

const wantedAttributes = ({ attributes, userNameAttribute, groupAttribute }: LdapSettings): string[] => [
  ...new Set([userNameAttribute, ...attributes, ...(groupAttribute ? [groupAttribute] : [])]),
];

async function find(user: string, { settings, directory, stop }: Login): Promise<DirectoryEntry | string> {
  const filter = fill(settings.userFilter, escapeFilter(user));
  // Two results suffice to see that a name is ambiguous.
  const options = { scope: 'sub', filter, attributes: wantedAttributes(settings), sizeLimit: 2 } as const;
  const entries = await directory.search(settings.userBase!, options, stop);
  if (entries.length > 1) return 'ambiguous-user';
  // An entry without a name would be bound anonymously.
  return entries[0]?.dn ? { dn: entries[0].dn, entry: entries[0] } : 'unknown-user';
}

interface DirectoryEntry {
  readonly dn: string;
  readonly entry: Entry;
}

/** With a template there was no search: users may read themselves in most directories. Where not, their name will do. */
async function ownEntry(dn: string, connection: Connection, { settings, host }: Login): Promise<Entry | undefined> {
  if (!dn.includes('=')) return undefined;
  try {
    const options = { scope: 'base', filter: '(objectClass=*)', attributes: wantedAttributes(settings) } as const;
    return (await connection.search(dn, options))[0];
  } catch (error) {
    host.log('debug', 'ldap-entry-unreadable', { message: (error as Error).message });
    return undefined;
  }
}

/** Directories compare without case: the entry's own spelling is the name, so that one person is one service user. */
function serviceUser(entry: Entry | undefined, typed: string, settings: LdapSettings): string {
  const names = valuesOf(entry, settings.userNameAttribute);
  const name = names.find((each) => each.toLowerCase() === typed.toLowerCase()) ?? names[0];
  if (name === undefined && !settings.userDnTemplate)
    throw new Error(
      `Expected the attribute ${settings.userNameAttribute} in the entry of the user: set userNameAttribute`,
    );
  return settings.lowerCase ? (name ?? typed).toLowerCase() : (name ?? typed);
}

async function groupsOf(
  dn: string,
  name: string,
  entry: Entry | undefined,
  connection: Connection,
  { settings, directory, stop }: Login,
): Promise<readonly string[]> {
  const { groupBase, groupFilter, groupNameAttribute, groupAttribute, service } = settings;
  const listed = groupAttribute ? valuesOf(entry, groupAttribute).flatMap((group) => nameOfDn(group) ?? []) : [];
  if (!groupBase) return listed;
  const filter = fill(groupFilter, escapeFilter(dn), escapeFilter(name));
  const options: SearchOptions = { scope: 'sub', filter, attributes: [groupNameAttribute], sizeLimit: 1000 };
  // Without a service account the user searches: anonymous searches see too little in many directories.
  const entries = await (service ? directory.search(groupBase, options, stop) : connection.search(groupBase, options));
  return [...new Set([...listed, ...entries.flatMap((group) => valuesOf(group, groupNameAttribute).slice(0, 1))])];
}

function accountOf(
  name: string,
  dn: string,
  entry: Entry | undefined,
  groups: readonly string[],
  { attributes, groupRoles }: LdapSettings,
): Account {
  const valuesByName = attributes.map((attribute) => [attribute, valuesOf(entry, attribute)] as const);
  const roles = groups.flatMap((group) => groupRoles.get(group) ?? []);
  return {
    name,
    attributes: { ...Object.fromEntries(valuesByName.filter(([, values]) => values.length > 0)), dn, groups },
    roles: [...new Set(roles)],
  };
}

/** Texts only. Directories answer with their own spelling of the attribute's name. */
function valuesOf(entry: Entry | undefined, attribute: string): readonly string[] {
  const named = Object.entries(entry ?? {}).filter(([key]) => key.toLowerCase() === attribute.toLowerCase());
  return named.flatMap(([, value]) => value).filter((each): each is string => typeof each === 'string');
}
