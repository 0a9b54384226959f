import { ServiceError } from '../core/lib/errors.ts';
import type { Statement } from '../core/store/contract.ts';
import type { Store } from '../core/store/store.ts';
import { administrator, provisioner, runnerRole } from '../security/subject.ts';
import { expectGraph, leadsToRoles } from './groups/store.ts';

/** Roles that only administrators give: their holder can become, act for, or shut out other users, or has the media of jobs. */
const powerful = [administrator, '_runas', provisioner, runnerRole];

/** First account of an installation. It must keep its role: otherwise there might be no administrator left. */
export const firstAdministrator = 'admin';

/** Whether membership in some groups grants a powerful role, with the revision of the group graph. */
export interface Privileges {
  readonly leads: boolean;
  readonly revision: number;
}

export async function privilegesOf(store: Store, groups: readonly string[]): Promise<Privileges> {
  const [row] = await leadsToRoles(store, { names: groups, roles: powerful });
  return { leads: row?.leads === 1, revision: row?.revision ?? 0 };
}

/** Only administrators decide who is one. The commit guards the part of the graph that this decision rests on. */
export function guardPrivileges(
  power: Privileges,
  byAdministrator: boolean,
  name: string,
  changed: ServiceError,
): Statement[] {
  if (byAdministrator) return [];
  if (power.leads) {
    const explanation = 'Expected the role _administrator: members of this group may be, or act for, anybody';
    throw new ServiceError('not-allowed', { context: 'role', id: name, explanation });
  }
  return [expectGraph({ revision: power.revision }, changed)];
}

export function keepsAdministrator(context: string): ServiceError {
  const explanation = `Expected "${firstAdministrator}" to keep the role _administrator`;
  return new ServiceError('not-allowed', { context, id: firstAdministrator, explanation });
}

export function checkNotFirst(user: string, duty: 'keep its name' | 'stay', context: string): void {
  if (user !== firstAdministrator) return;
  const explanation = `Expected "${firstAdministrator}" to ${duty}: somebody must be left to mend things`;
  throw new ServiceError('not-allowed', { context, id: user, explanation });
}
