import { badValue } from '../../documents/bad-value.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { CommitPlan, Statement } from '../../store/contract.ts';
import { type MetadataFieldAccess, permissions } from '../documents.ts';
import { fieldMustExist } from '../fields/store.ts';
import { fieldGroupMustExist } from '../groups/store.ts';
import { noSuchName } from '../kinds.ts';
import { wordOf } from './rights.ts';
import {
  type DefinitionKind,
  type GrantRow,
  grantMustExist,
  grantsFit,
  insertGrant,
  mostGrants,
  removeGrant,
} from './store.ts';

/** Reference to a field or group. */
export interface Definition {
  readonly kind: DefinitionKind;
  readonly name: string;
}

/** Grantee of an entry: one user or one group. */
export interface FieldGrantee {
  readonly userId: string | null;
  readonly groupId: string | null;
}

/** Parses the grantee, which must be one user or one group. */
export function granteeNamed(
  { user, group }: MetadataFieldAccess,
  place: string,
): { user: string } | { group: string } {
  if (user !== undefined && group === undefined) return { user };
  if (group !== undefined && user === undefined) return { group };
  throw badValue(place, 'a user or a group, and not both', user && `${user}, ${group}`);
}

export const levelOf = (permission: MetadataFieldAccess['permission']): number => permissions.indexOf(permission);

export function addEntry(id: string, { kind, name }: Definition, grantee: FieldGrantee, level: number): Statement[] {
  const explanation = `Expected at most ${mostGrants} entries`;
  const full = new ServiceError('bad-value', { context: 'access', id: name, explanation });
  return [insertGrant({ id, kind, name, ...grantee, level }), grantsFit({ kind, name }, full)];
}

export const createEntry = (id: string, of: Definition, grantee: FieldGrantee, level: number): CommitPlan => ({
  changes: [mustExist(of), ...addEntry(id, of, grantee, level)],
  events: [],
});

export const deleteEntry = (id: string, { kind, name }: Definition): CommitPlan => ({
  changes: [grantMustExist({ id, kind, name }, noSuchGrant(id)), removeGrant({ id })],
  events: [],
});

const mustExist = ({ kind, name }: Definition): Statement =>
  (kind === 'field' ? fieldMustExist : fieldGroupMustExist)(name, noSuchName(name));

export const noSuchGrant = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'Access', id: id.slice(0, 80) });

export const entryFrom = ({ id, level, user, group }: GrantRow, { kind, name }: Definition): MetadataFieldAccess => ({
  id,
  ...(kind === 'field' ? { field: name } : { fieldGroup: name }),
  ...(user !== null && { user }),
  ...(group !== null && { group }),
  permission: wordOf(level),
});
