import {
  alsoNamed,
  attribute,
  boolean,
  careful,
  dateTime,
  document,
  element,
  type FieldsValue,
  integer,
  lazy,
  list,
  oneOf,
  type Structure,
  string,
  structure,
  type Value,
} from '../core/documents/describe.ts';
import { simpleMetadata } from '../core/documents/shared-documents.ts';
import { type LoginWay, loginWays } from './tables.ts';

// Users and groups are in one file, since users contain groups and groups contain users.

/** Common elements at the beginning and the end of users and groups, in the order known to clients. */
const address = { id: element(string).outputOnly, loc: element(string).outputOnly };
const ending = { metadata: element(simpleMetadata), origin: element(string).outputOnly.says('Name of the site.') };

const login = {
  userName: element(string).required,
  realName: element(string),
  password: element(string).inputOnly.says('Raw or hashed, as the parameter passwordType says.'),
  salt: element(string).inputOnly,
  alias: list(string),
};

const standing = {
  ...ending,
  runAs: element(boolean).says('Whether the account may act for others (RunAs). It also needs the role.'),
  accessPreserved: element(boolean).outputOnly,
  disabled: attribute(boolean).outputOnly,
  remove: element(boolean).inputOnly.says('In a list: removes this member.'),
};

const groupOwn = {
  description: element(string),
  role: element(boolean).says('A role is a group that grants a permission.'),
};

const groupEnding = { ...ending, remove: element(boolean).inputOnly.says('In a list: removes this relation.') };

interface GroupRelations {
  readonly parentGroupList?: GroupList | undefined;
  readonly childGroupList?: GroupList | undefined;
  readonly userList?: UserList | undefined;
}

export interface User extends FieldsValue<typeof address>, FieldsValue<typeof login>, FieldsValue<typeof standing> {
  readonly groupList?: GroupList | undefined;
}

export interface UserList {
  readonly hits?: number | undefined;
  readonly user?: readonly User[] | undefined;
}

/** A group as a document: its name may be left to the path. */
export interface Group
  extends FieldsValue<typeof address>,
    FieldsValue<typeof groupOwn>,
    FieldsValue<typeof groupEnding>,
    GroupRelations {
  readonly groupName?: string | undefined;
}

/** Group in a list, where the name is required. */
export interface ListedGroup extends Group {
  readonly groupName: string;
}

export interface GroupList {
  readonly hits?: number | undefined;
  readonly group?: readonly ListedGroup[] | undefined;
}

const groupListReference = lazy((): Structure<GroupList> => groupList);
const userListReference = lazy((): Structure<UserList> => userList);

const groupRest = {
  ...groupOwn,
  childGroupList: element(groupListReference),
  parentGroupList: element(groupListReference).says('Groups and roles of the user or group.'),
  userList: element(userListReference),
  ...groupEnding,
};

const user: Structure<User> = structure('UserType', {
  ...address,
  ...login,
  groupList: element(groupListReference),
  ...standing,
});

const group: Structure<Group> = structure('GroupType', { ...address, groupName: element(string), ...groupRest });

const listedGroup: Structure<ListedGroup> = structure('ListedGroupType', {
  ...address,
  groupName: element(string).required,
  ...groupRest,
});

const userList: Structure<UserList> = structure('UserListType', { hits: element(integer), user: list(user) });

const groupList: Structure<GroupList> = structure('GroupListType', {
  hits: element(integer),
  group: list(listedGroup),
});

export const userDocument = careful(document('UserDocument', user));
export const userListDocument = document('UserListDocument', userList);
export const groupDocument = careful(document('GroupDocument', group));
export const groupListDocument = careful(document('GroupListDocument', groupList));

/** The search of users and groups. */

export interface UserSearchField {
  readonly name: string;
  readonly value?: string | undefined;
}

export interface UserSearchOperator {
  readonly operation: 'AND' | 'OR' | 'NOT';
  readonly field?: readonly UserSearchField[] | undefined;
  readonly operator?: readonly UserSearchOperator[] | undefined;
}

const field = list(
  structure('SimpleSearchFieldType', {
    name: element(string).required.says('Name of a field of the entity, or a key of its metadata.'),
    value: element(string).says('"*" matches any characters. Without a value: the field has any value.'),
  }),
);

const operator: Structure<UserSearchOperator> = structure('SimpleSearchOperatorType', {
  operation: attribute(oneOf('AND', 'OR', 'NOT')).required.says('"NOT": no criterion is true.'),
  field,
  operator: list(lazy((): Structure<UserSearchOperator> => operator)),
});

const sort = structure('SimpleSearchSortType', {
  field: element(string).required,
  order: element(oneOf('ascending', 'descending')),
});

/** Fields and operators beside each other must all hold. */
const simpleSearch = structure('SimpleSearchType', { field, operator: list(operator), sort: list(sort) });

export const simpleSearchDocument = alsoNamed(
  document('SimpleSearchDocument', simpleSearch),
  'UserSearchDocument',
  'GroupSearchDocument',
);

export const authenticationTokenDocument = document('AuthenticationTokenDocument', {
  token: element(string).required,
  user: element(string).required.says('The real name, also when an alias was used.'),
});

const waysShown = loginWays.map((way) => way.toUpperCase() as Uppercase<LoginWay>);

/** Ours: the tokens of a user that are valid now. The text of a token is not known any more. */
export const authenticationTokenListDocument = document('AuthenticationTokenListDocument', {
  token: list(
    structure('IssuedTokenType', {
      id: element(string).required.says('Id for revoking the token.'),
      created: element(dateTime).required,
      expires: element(dateTime).required,
      autoRefresh: element(boolean).required,
      kind: element(oneOf('TOKEN', 'SESSION')).required.says('SESSION: a login of the web page.'),
      ends: element(dateTime).says('When it ends even if it is used: the longest session, or the end of its login.'),
      accessKey: element(string).says('Access key that requested the token. The token ends with it.'),
      actor: element(string).says('User who requested the token on behalf of another user (RunAs).'),
      used: element(dateTime).required.says('The last use. Uses within five minutes of it are not noted.'),
      way: element(oneOf(...waysShown)).required.says(
        'What the login came in with. FILTER: a filter of security.ini let it in without a realm.',
      ),
      realm: element(string).says('The realms, the filter or the provider that accepted it.'),
      device: element(string).says('Browser and system, or the program.'),
      address: element(string).says('The address of the caller when it began.'),
      current: element(boolean).required.says('Whether this request came in by it.'),
    }),
  ),
});
export type AuthenticationTokenList = Value<typeof authenticationTokenListDocument>;

export const accessKeyDocument = careful(
  document('AccessKeyDocument', {
    id: element(string).outputOnly.says('The user name of HTTP basic authentication.'),
    name: element(string),
    secret: element(string).outputOnly.says('Only in the answer that creates the key.'),
    status: element(oneOf('ACTIVE', 'INACTIVE')),
    created: element(dateTime).outputOnly,
  }),
);
export type AccessKey = Value<typeof accessKeyDocument>;

export const accessKeyListDocument = document('AccessKeyListDocument', {
  hits: element(integer),
  key: list(accessKeyDocument.structure),
});
