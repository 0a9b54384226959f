import { ServiceError } from '../lib/errors.ts';
import { administrator } from '../security/subject.ts';
import type { Statement } from '../store/contract.ts';
import type { Store } from '../store/store.ts';
import { expectGraph, leadsToRoles } from './groups/store.ts';

/** Roles that amount to every other one: they let their holder be, or act for, anybody. */
const powerful = [administrator, '_runas'];

/** The account that an installation begins with: were it to lose its role, nobody might be left to give it back. */
export const firstAdministrator = 'admin';

/** Whether membership in some groups lets somebody be, or act for, anybody; and the graph that says so. */
export interface Power {
  readonly leads: boolean;
  readonly revision: number;
}

export async function powerOf(store: Store, groups: readonly string[]): Promise<Power> {
  const [row] = await leadsToRoles(store, { names: JSON.stringify(groups), roles: JSON.stringify(powerful) });
  return { leads: row?.leads === 1, revision: row?.revision ?? 0 };
}

/** Only administrators decide who is one. The commit guards the part of the graph that this decision rests on. */
export function guardPower(power: Power, byAdministrator: boolean, name: string, changed: ServiceError): Statement[] {
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
