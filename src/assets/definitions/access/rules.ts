import { ServiceError } from '../../../core/lib/errors.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import type { Grantee } from '../../access/public.ts';
import { type MetadataFieldAccess, permissions } from '../documents.ts';
import { wordOf } from './rights.ts';
import {
  type DefinitionKind,
  type GrantRow,
  grantMustExist,
  grantsFit,
  insertGrant,
  maxGrants,
  removeGrant,
} from './store.ts';

/** Reference to a field or group. */
export interface Definition {
  readonly kind: DefinitionKind;
  readonly name: string;
}

export type GranteeKey = Pick<Grantee, 'userId' | 'groupId'>;

export const levelOf = (permission: MetadataFieldAccess['permission']): number => permissions.indexOf(permission);

export function addEntry(id: string, of: Definition, { userId, groupId }: GranteeKey, level: number): Statement[] {
  const { kind, name } = of;
  const explanation = `Expected at most ${maxGrants} entries`;
  const full = new ServiceError('bad-value', { context: 'access', id: name, explanation });
  return [insertGrant({ id, kind, name, userId, groupId, level }), grantsFit({ kind, name }, full)];
}

export const createEntry = (id: string, of: Definition, grantee: GranteeKey, level: number): CommitPlan => ({
  changes: addEntry(id, of, grantee, level),
  events: [],
});

export const deleteEntry = (id: string, { kind, name }: Definition): CommitPlan =>
  changing(grantMustExist({ id, kind, name }, noSuchGrant(id)), removeGrant({ id }));

export const noSuchGrant = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'Access', id: id.slice(0, 80) });

export const entryFrom = ({ id, level, user, group }: GrantRow, { kind, name }: Definition): MetadataFieldAccess => ({
  id,
  ...(kind === 'field' ? { field: name } : { fieldGroup: name }),
  ...(user !== null && { user }),
  ...(group !== null && { group }),
  permission: wordOf(level),
});
