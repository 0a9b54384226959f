/** Attributes of resources, as `/Schemas` tells them and as requests are read by them. */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'complex' | 'reference' | 'dateTime';
  readonly description: string;
  readonly multiValued?: true;
  readonly required?: true;
  readonly caseExact?: true;
  readonly mutability?: 'readOnly' | 'immutable';
  readonly returned?: 'always' | 'request';
  readonly uniqueness?: 'server';
  readonly subAttributes?: readonly Attribute[];
}

export interface ResourceKind {
  readonly name: 'User' | 'Group';
  readonly endpoint: '/Users' | '/Groups';
  readonly description: string;
  readonly schema: string;
  readonly attributes: readonly Attribute[];
  /** Attributes of an extension, below its name. */
  readonly extension?: Attribute;
}

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const enterpriseSchema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const text = (name: string, description: string): Attribute => ({ name, type: 'string', description });

const complex = (name: string, description: string, ...subAttributes: readonly Attribute[]): Attribute => ({
  name,
  type: 'complex',
  description,
  subAttributes,
});

const type = text('type', 'Label, such as work.');
const primary: Attribute = { name: 'primary', type: 'boolean', description: 'Whether the value is the preferred one.' };

/** Several values of one kind. */
const several = (name: string, description: string): Attribute => ({
  ...complex(name, description, text('value', 'Value.'), text('display', 'Name for people.'), type, primary),
  multiValued: true,
});

export const lastModified = 'lastModified';

/** Attributes of every resource. */
const common: readonly Attribute[] = [
  { ...text('id', 'Id of the service.'), caseExact: true, mutability: 'readOnly', returned: 'always' },
  { ...text('externalId', 'Id of the provider.'), caseExact: true },
  {
    ...complex(
      'meta',
      'Facts about the resource.',
      text('resourceType', 'Kind of the resource.'),
      { ...text('created', 'Time of its creation.'), type: 'dateTime' },
      { ...text(lastModified, 'Time of the last event about it.'), type: 'dateTime' },
      { ...text('location', 'Address.'), type: 'reference', caseExact: true },
      { ...text('version', 'Tag of its state.'), caseExact: true },
    ),
    mutability: 'readOnly',
  },
];

const reference = (name: string, what: string, ...more: readonly Attribute[]): Attribute => ({
  ...complex(
    name,
    what,
    { ...text('value', 'Id.'), caseExact: true, mutability: 'immutable' },
    { ...text('display', 'Name.'), mutability: 'readOnly' },
    ...more,
  ),
  multiValued: true,
});

/** Attributes of users that the service keeps for providers without a use of its own. */
export const keptOfUsers: readonly Attribute[] = [
  complex(
    'name',
    'Parts of the name.',
    ...['formatted', 'familyName', 'givenName', 'middleName', 'honorificPrefix', 'honorificSuffix'].map((part) =>
      text(part, 'Part of the name.'),
    ),
  ),
  ...['nickName', 'title', 'userType', 'preferredLanguage', 'locale', 'timezone'].map((name) =>
    text(name, 'Kept for providers.'),
  ),
  several('emails', 'Addresses of electronic mail.'),
  several('phoneNumbers', 'Telephone numbers.'),
  {
    ...complex(
      'addresses',
      'Addresses of places.',
      ...['formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country'].map((part) =>
        text(part, 'Part of the address.'),
      ),
      type,
      primary,
    ),
    multiValued: true,
  },
];

const enterprise = complex(
  enterpriseSchema,
  'Attributes of users in enterprises.',
  ...['employeeNumber', 'costCenter', 'organization', 'division', 'department'].map((name) =>
    text(name, 'Kept for providers.'),
  ),
  complex('manager', 'Manager of the user.', text('value', 'Id.'), text('displayName', 'Name.')),
);

export const userKind: ResourceKind = {
  name: 'User',
  endpoint: '/Users',
  description: 'Users of the service.',
  schema: userSchema,
  attributes: [
    { ...text('userName', 'Name at logins.'), required: true, uniqueness: 'server' },
    text('displayName', 'Real name.'),
    { name: 'active', type: 'boolean', description: 'Whether the user may log in.' },
    ...keptOfUsers,
    { ...reference('groups', 'Groups of the user, in the answer for one user.'), mutability: 'readOnly' },
  ],
  extension: enterprise,
};

export const groupKind: ResourceKind = {
  name: 'Group',
  endpoint: '/Groups',
  description: 'Groups of users. Roles of the service are none of them.',
  schema: groupSchema,
  attributes: [
    {
      ...text('displayName', 'Name of the group.'),
      required: true,
      caseExact: true,
      uniqueness: 'server',
    },
    reference('members', 'Users of the group, in the answer for one group.', type),
  ],
};

const allOf = new Map(
  [userKind, groupKind].map((kind) => [
    kind,
    [...common, ...kind.attributes, ...(kind.extension ? [kind.extension] : [])] as readonly Attribute[],
  ]),
);

/** All attributes of a kind: its own, those of every resource, and the extension under its name. */
export const attributesOf = (kind: ResourceKind): readonly Attribute[] => allOf.get(kind)!;

/** Lists of attributes by names in lower case: a body may have names by the ten thousand. */
const byName = new WeakMap<readonly Attribute[], ReadonlyMap<string, Attribute>>();

/** The attribute with a name in any case. */
export function attributeNamed(attributes: readonly Attribute[], name: string): Attribute | undefined {
  let map = byName.get(attributes);
  if (!map) {
    map = new Map(attributes.map((each) => [each.name.toLowerCase(), each]));
    byName.set(attributes, map);
  }
  return map.get(name.toLowerCase());
}

/** Names from the outside in. `name.givenName` has two, an attribute of an extension its schema before it. */
export type Steps = readonly string[];

/** Splits the text of an attribute's path, with the schema that it may begin with. */
export function stepsOf(path: string, { schema, extension }: ResourceKind): Steps {
  const lower = path.toLowerCase();
  for (const name of extension ? [extension.name, schema] : [schema]) {
    const prefix = name.toLowerCase();
    if (lower === prefix) return name === schema ? [] : [name];
    if (!lower.startsWith(`${prefix}:`)) continue;
    const rest = path.slice(prefix.length + 1).split('.');
    return name === schema ? rest : [name, ...rest];
  }
  return path.split('.');
}

/** The attributes along a path, with their own names. Undefined: the kind has no such attribute. */
export function attributesAlong(kind: ResourceKind, steps: Steps): readonly Attribute[] | undefined {
  const along: Attribute[] = [];
  let level: readonly Attribute[] = attributesOf(kind);
  for (const step of steps) {
    const attribute = attributeNamed(level, step);
    if (!attribute) return undefined;
    along.push(attribute);
    level = attribute.subAttributes ?? [];
  }
  return along.length > 0 ? along : undefined;
}
