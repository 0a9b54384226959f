import type { Account, Component, PropertyTable, ServiceUserInfoProvider, UserInfo } from '../src/spi/index.ts';

type Attributes = NonNullable<Account['attributes']>;

/** A property of type map. */
type Mapping = ReadonlyMap<string, string> | Readonly<Record<string, string>>;

const pairsOf = (mapping: Mapping): readonly (readonly [string, string])[] =>
  mapping instanceof Map ? [...mapping] : Object.entries(mapping);

/** Undefined without such an attribute. Own ones only: names come from a file, and `constructor` is one of them. */
function many(attributes: Attributes, name: string): readonly string[] | undefined {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return typeof value === 'string' ? [value] : value;
}

const first = (attributes: Attributes, name: string): string | undefined => many(attributes, name)?.[0];

/** Whether a text begins with the first part, ends with the last, and has the others between them in their order. */
function fits(text: string, parts: readonly string[]): boolean {
  const [first, last] = [parts[0]!, parts.at(-1)!];
  const end = text.length - last.length;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const next = text.indexOf(part, at);
    if (next < 0) return false;
    at = next + part.length;
  }
  return at <= end;
}

interface Properties {
  readonly userName?: string;
  readonly realName?: string;
  readonly groups?: string;
  readonly groupNames?: Mapping;
  readonly copyRoles?: boolean;
  readonly defaultGroups?: readonly string[];
  readonly metadata?: Mapping;
}

const attributeProperties: PropertyTable = {
  userName: {
    type: 'string',
    says: 'The attribute with the name of the service user: that of the account, or an alias of it. Default: the name of the account.',
  },
  realName: { type: 'string', fallback: 'realName', says: 'The attribute that holds the real name.' },
  groups: { type: 'string', fallback: 'groups', says: 'The attribute that lists groups and roles.' },
  groupNames: {
    type: 'map',
    says: 'Maps names of the provider to groups and roles of this service. An asterisk in a name stands for any text. Other names are left out, but for those that copyRoles copies.',
  },
  copyRoles: {
    type: 'boolean',
    fallback: false,
    says: 'Whether names that begin with an underscore and have no mapping are copied. Such names are roles of this service.',
  },
  defaultGroups: { type: 'list', fallback: [], says: 'Groups and roles of every user that is created or updated.' },
  metadata: { type: 'map', says: 'Maps keys of the metadata to attributes.' },
};

/** Copies attributes of the account, as it is told. Says nothing about what the account does not tell. */
export const attributeProvider: Component<ServiceUserInfoProvider> = {
  says: 'Creates a service user from the attributes of an account.',
  properties: attributeProperties,
  create(options: Properties) {
    const { realName: nameAttribute = 'realName', groups: groupAttribute = 'groups', defaultGroups = [] } = options;
    const names = options.groupNames ? new Map(pairsOf(options.groupNames)) : undefined;
    // A role must not come from elsewhere by its mere name: who keeps groups there would be administrator here.
    const isCopied = (group: string): boolean =>
      group.startsWith('_') ? options.copyRoles === true : names === undefined;
    const patterns = [...(names ?? [])].flatMap(([key, to]) =>
      key.includes('*') ? [[key.split('*'), to] as const] : [],
    );
    const named = (group: string): string | readonly string[] => {
      const exact = names?.get(group);
      const mapped = [
        ...(exact === undefined ? [] : [exact]),
        ...patterns.flatMap(([parts, to]) => (fits(group, parts) ? to : [])),
      ];
      return mapped.length > 0 ? mapped : isCopied(group) ? group : [];
    };
    const metadataPairs = pairsOf(options.metadata ?? {});
    return {
      userInfo({ name, attributes = {}, attributeSources = {} }): UserInfo | undefined {
        const userName = options.userName ? first(attributes, options.userName) : name;
        // A fallback name could be another user, so no user is created.
        if (userName === undefined || userName === '') return undefined;
        const realName = first(attributes, nameAttribute);
        const groupValues = many(attributes, groupAttribute);
        const claim = Object.hasOwn(attributeSources, groupAttribute)
          ? attributeSources[groupAttribute]
          : groupAttribute;
        const claimed = (groupValues ?? []).flatMap((value) =>
          [named(value)].flat().map((group) => [group, `${claim}: ${value}`] as const),
        );
        const defaults = defaultGroups.map((group) => [group, 'defaultGroups'] as const);
        const groups = [...defaults, ...claimed].map(([group]) => group);
        // The last text stays. Sorted, since some providers tell their groups in another order each time.
        const sources = [...defaults, ...claimed.toSorted(([, one], [, other]) => (one < other ? 1 : -1))];
        const metadata = metadataPairs.flatMap(([key, attribute]) => {
          const value = first(attributes, attribute);
          return value === undefined ? [] : [[key, value] as const];
        });
        return {
          userName,
          ...(realName === undefined ? {} : { realName }),
          // Without the attribute the groups stand as they are; an empty list takes the user out of them.
          ...(groupValues === undefined && defaultGroups.length === 0
            ? {}
            : { groups: [...new Set(groups)], groupSources: Object.fromEntries(sources) }),
          ...(metadata.length === 0 ? {} : { metadata: Object.fromEntries(metadata) }),
        };
      },
    };
  },
};

const ldapProperties: PropertyTable = {
  ...attributeProperties,
  realName: { type: 'string', fallback: 'cn', says: 'The attribute that holds the real name.' },
  // Named by hand: a group of the directory must not become a role of this service because of its name.
  groupNames: {
    type: 'map',
    fallback: {},
    says: 'Maps groups of the directory to groups and roles of this service. An asterisk in a name stands for any text. Others are left out, but for those that copyRoles copies.',
  },
  defaultGroups: {
    type: 'list',
    fallback: ['_user'],
    says: 'Groups and roles of every user that is created or updated.',
  },
  metadata: {
    type: 'map',
    fallback: { email: 'mail' },
    says: 'Maps keys of the metadata to attributes.',
  },
};

/** Like the attribute provider, with the usual attributes of a directory. */
export const ldapProvider: Component<ServiceUserInfoProvider> = {
  says: 'Creates a service user from an LDAP entry: real name, mail address, mapped groups and the role _user.',
  properties: ldapProperties,
  create(options: Readonly<Record<string, unknown>>, host) {
    const fallbacks = Object.entries(ldapProperties).map(([name, { fallback }]) => [name, fallback] as const);
    const setProperties = Object.entries(options).filter(([, value]) => value !== undefined);
    return attributeProvider.create({ ...Object.fromEntries(fallbacks), ...Object.fromEntries(setProperties) }, host);
  },
};
