import {
  attribute,
  boolean,
  careful,
  document,
  element,
  type FieldsValue,
  integer,
  lazy,
  list,
  type Structure,
  string,
  structure,
} from '../../core/documents/describe.ts';
import { simpleMetadata } from '../../core/documents/shared/simple-metadata.ts';

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
