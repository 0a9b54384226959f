import { badValue } from '../../../core/documents/error.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import { forgetEntity } from '../../../room/entities/changes.ts';
import { addEntry, type GranteeKey, levelOf } from '../access/rules.ts';
import type { MetadataField, MetadataFieldAccess, MetadataFieldGroup } from '../documents.ts';
import { noSuchName } from '../entities.ts';
import { inheritanceFrom, mergeSchema } from '../fields/merge.ts';
import { dataChanges, type FieldBounds, putField } from '../fields/rules.ts';
import { fieldMustExist } from '../fields/store.ts';
import type { Schema } from '../known.ts';
import { checkFieldGroupName } from '../names.ts';
import { nameIsNotLeaving } from '../reshaping-sql.ts';
import {
  addFieldToGroup,
  emptyFieldGroup,
  fieldGroupMustExist,
  insertFieldGroup,
  type MemberKind,
  maxDepth,
  maxMembers,
  memberMustExist,
  membersFit,
  noCircle,
  notTooDeep,
  removeFieldFromGroup,
  removeFieldGroup,
  updateFieldGroup,
} from './store.ts';
import { nameOf, root } from './tree.ts';

/** A group that a document names, with the data read before the document is applied. */
export interface FieldGroupState {
  readonly name: string;
  readonly isNew: boolean;
  /** The part of the document that is applied. */
  readonly content: MetadataFieldGroup;
  /** Statements that give the group the external ids of the document. */
  readonly externalIds: readonly Statement[];
  /** New entries with their ids and grantees. */
  readonly access: readonly {
    readonly id: string;
    readonly entry: MetadataFieldAccess;
    readonly grantee: GranteeKey;
  }[];
}

/** Creates a group. An existing one stays as it is. */
export function createFieldGroup(name: string): CommitPlan {
  checkFieldGroupName(name);
  return changing(nameIsNotLeaving('group', name), insertFieldGroup(name));
}

/**
 * Adds the members of the document to its groups, the one of the path first. Creates missing groups and fields.
 * `newFields`: statements that create the fields. `clear`: removes all other members of the first group.
 */
export function putFieldGroups(
  groups: readonly FieldGroupState[],
  newFields: readonly Statement[],
  clear: boolean,
  bounds: FieldBounds,
): CommitPlan {
  const around = groups.flatMap(({ name, content: { group = [] } }) => (group.length > 0 ? [nested(name)] : []));
  // All groups are made before one of them becomes a member.
  return changing(
    ...groups.flatMap((group, at) => definition(group, at === 0, clear && at === 0)),
    ...newFields,
    ...groups.flatMap((group) => content(group, bounds)),
    ...around.map(([isNoCircle]) => isNoCircle),
    ...around.map(([, isNotTooDeep]) => isNotTooDeep),
  );
}

function definition({ name, isNew, content }: FieldGroupState, isOfPath: boolean, clear: boolean): Statement[] {
  if (!isNew && !isOfPath) return [];
  if (isNew) checkFieldGroupName(name, isOfPath ? 'path' : `${root}/group/name`);
  const rest = {
    // The schema of a group inside another one is that of its membership.
    schema: isOfPath ? mergeSchema(content.schema, undefined, `${root}/schema`) : undefined,
    inheritance: inheritanceFrom(content.inheritance, `${root}/inheritance`),
    inheritanceRule: content.inheritanceRule,
  };
  return [
    ...(isNew ? [nameIsNotLeaving('group', name)] : []),
    insertFieldGroup(name),
    updateFieldGroup({ name, rest: JSON.stringify(rest) }),
    ...(clear ? [emptyFieldGroup({ groupName: name })] : []),
  ];
}

function content({ name, content: document, externalIds, access }: FieldGroupState, bounds: FieldBounds): Statement[] {
  const fields = (document.field ?? []).map((field) => [nameOf(field.name, 'field'), field] as const);
  const groups = (document.group ?? []).map((group) => [nameOf(group.name, 'group'), group] as const);
  return [
    ...fields.flatMap(([field, { schema }]) => joined(name, 'field', field, schema)),
    ...groups.flatMap(([group, { schema }]) => joined(name, 'group', group, schema)),
    ...(fields.length + groups.length > 0 ? [bounded(name)] : []),
    ...dataChanges('field-group', name, document.data, bounds),
    ...externalIds,
    ...access.flatMap(({ id, entry, grantee }) =>
      addEntry(id, { kind: 'group', name }, grantee, levelOf(entry.permission)),
    ),
  ];
}

/** Copies a field without its external ids, which stay with the original. */
export function newField(
  { schema: _ofMember, externalId: _ofOther, ...field }: MetadataField,
  bounds: FieldBounds,
): readonly Statement[] {
  const { name = '', type } = field;
  if (type !== undefined) return putField(name, field, undefined, bounds).changes;
  throw badValue(`${root}/field/type`, `a type for the new field "${name.slice(0, 80)}"`);
}

function joined(groupName: string, kind: MemberKind, member: string, wanted: Schema | undefined): Statement[] {
  const schema = mergeSchema(wanted, undefined, `${root}/${kind}/schema`) ?? {};
  const mustExist = kind === 'field' ? fieldMustExist : fieldGroupMustExist;
  return [
    mustExist(member, noSuchName(member)),
    addFieldToGroup({ groupName, kind, member, schema: JSON.stringify(schema) }),
  ];
}

/** Adds a field or group as a member; does nothing if it is one. */
export const join = (name: string, kind: MemberKind, member: string): CommitPlan =>
  changing(
    addFieldToGroup({ groupName: name, kind, member, schema: '{}' }),
    ...(kind === 'group' ? nested(name) : []),
    bounded(name),
  );

export const leave = (name: string, kind: MemberKind, member: string): CommitPlan =>
  changing(
    memberMustExist({ groupName: name, kind, member }, noSuchName(member)),
    removeFieldFromGroup({ groupName: name, kind, member }),
  );

/**
 * Guards against cycles. They run after the change in the same commit, so that two concurrent changes cannot close one.
 */
export function nested(name: string): [isNoCircle: Statement, isNotTooDeep: Statement] {
  const refuse = (explanation: string) =>
    new ServiceError('bad-value', { context: 'field-group', id: name, explanation, value: name.slice(0, 80) });
  return [
    noCircle({ name }, refuse('Expected a group that does not contain this one')),
    notTooDeep({ name }, refuse(`Expected groups nested at most ${maxDepth} deep`)),
  ];
}

export function bounded(name: string): Statement {
  const explanation = `Expected at most ${maxMembers} members of a group`;
  return membersFit({ name }, new ServiceError('bad-value', { context: 'field-group', id: name, explanation }));
}

/** Deletes a group. Its fields and groups stay. */
export const deleteFieldGroup = (name: string): CommitPlan =>
  changing(...removeFieldGroup.map((statement) => statement({ name })), ...forgetEntity('field-group', name));
