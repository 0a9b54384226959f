import {
  attribute,
  boolean,
  document,
  element,
  integer,
  type Lazy,
  lazy,
  list,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';

const common = {
  grantor: element(string),
  permission: element(string).required,
  type: element(string).required.says('GENERIC: the entry is for all operations.'),
  extradata: element(string),
};

const from = {
  collection: element(string).says('Id of the entity that has the entry, if it is inherited.'),
  library: element(string),
  originalDisabledGrantor: list(string).says(
    'The grantor, if the entry does not apply because the grantor lacks the rights.',
  ),
};
const priority = attribute(integer).required;
const effectivePermission = attribute(string).says(
  'Effective permission of the entry. NONE if the entry does not apply.',
);

/** Echo of the query. */
const mergedQuery = structure('AccessControlMergedQueryType', {
  username: element(string).required,
  permission: element(string).required,
  type: element(string).required,
  extradata: element(string),
  item: element(string).says('The id of the entity.'),
});

export const mergedAccess = structure('AccessControlMergedAccessType', {
  ...common,
  group: element(string),
  ...from,
  superUser: attribute(boolean),
  priority,
  matches: attribute(boolean).says('Whether this entry decides the permission.'),
  id: attribute(string),
  username: attribute(string),
  effectivePermission,
});

const fieldPermission = structure('MetadataFieldPermissionType', {
  name: element(string).required,
  permission: element(string).required,
  username: attribute(string),
});
export type FieldPermission = Value<typeof fieldPermission>;

export interface GroupPermission extends FieldPermission {
  readonly fieldGroup?: readonly GroupPermission[] | undefined;
  readonly field?: readonly FieldPermission[] | undefined;
}

const permissionInGroup: Lazy<GroupPermission> = lazy(() => groupPermission);

const groupPermission = structure('MetadataFieldGroupPermissionType', {
  name: element(string).required,
  permission: element(string).required,
  fieldGroup: list(permissionInGroup),
  field: list(fieldPermission),
  username: attribute(string),
});

/** Effective rights of one user. */
export const accessControlMergedDocument = document('AccessControlMergedDocument', {
  query: element(mergedQuery),
  access: list(mergedAccess),
  fieldGroup: list(groupPermission),
  field: list(fieldPermission),
});

const groupAccess = structure('AccessControlMergedGroupAccessType', {
  group: element(string).required,
  ...common,
  ...from,
  priority,
  id: attribute(string),
  effectivePermission,
});

export const accessControlMergedGroupDocument = document('AccessControlMergedGroupDocument', {
  access: list(groupAccess),
});

/** Extension of Portico: the entry that decides, in words. */
export const accessExplanationDocument = document('AccessExplanationDocument', {
  user: element(string).required,
  id: element(string).required.says('The id of the entity.'),
  type: element(string).required,
  extradata: element(string),
  permission: element(string).required.says('Effective permission of the user.'),
  reason: element(string).required.says('Deciding entry, and the reason.'),
  entry: list(
    structure('AccessExplanationEntryType', {
      id: element(string).required,
      counts: element(boolean).required,
      says: element(string).required,
    }),
  ).says('All entries that match the user, in order of precedence.'),
});
