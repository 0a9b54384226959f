import { ServiceError } from '../../core/lib/errors.ts';
import { readMailAddress } from '../../core/lib/mail-address.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { changing, nothing, together } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import {
  asRead,
  checkNotFirst,
  createUser,
  deleteUser,
  expectGraph,
  modified,
  noMembershipChange,
  type Privileges,
  switchUser,
  type UserRow,
  updateUser,
} from '../../identity/public.ts';
import { noKeyValues } from '../../room/entities/key-values/store.ts';
import { enterpriseSchema, keptOfUsers } from './attributes.ts';
import { badAttribute, isObject, type JsonObject } from './json.ts';
import { provision, putUserRecord, type UserRecord } from './store.ts';

/** A user as a provider wants it. */
export interface WantedUser {
  readonly userName: string;
  readonly realName: string | undefined;
  readonly active: boolean;
  /** Address of mail. Undefined: none that mail can be sent to. */
  readonly mail: string | undefined;
  readonly record: Omit<UserRecord, 'userId'>;
}

const mostBytes = 16_384;

/** User that a provider wants, from a resource that is read by its attributes. */
export function wantedUser(resource: JsonObject): WantedUser {
  const { userName, displayName, active = true, name, externalId } = resource;
  if (typeof userName !== 'string') throw badAttribute('userName', 'a text');
  const others = Object.fromEntries(
    [...keptOfUsers.map((attribute) => attribute.name), enterpriseSchema]
      .filter((key) => resource[key] !== undefined)
      .map((key) => [key, resource[key]]),
  );
  const attributes = JSON.stringify(others);
  if (attributes.length > mostBytes) throw badAttribute('User', `attributes of at most ${mostBytes} characters`);
  return {
    userName,
    realName: typeof displayName === 'string' ? displayName : nameIn(name),
    active: active === true,
    mail: mailIn(others),
    record: {
      externalId: typeof externalId === 'string' ? externalId : null,
      attributes,
    },
  };
}

/** The name for people, where no other is sent. */
function nameIn(name: JsonObject[string]): string | undefined {
  if (!isObject(name)) return undefined;
  const { formatted, givenName, familyName } = name;
  const parts = formatted === undefined ? [givenName, familyName] : [formatted];
  return parts.filter((part) => part !== undefined).join(' ') || undefined;
}

/** The address of mail among those of a user: the preferred one, that of work, or the first. */
export function mailIn({ emails }: JsonObject): string | undefined {
  const all = (Array.isArray(emails) ? emails : []).filter(isObject);
  const isOfWork = ({ type }: JsonObject) => typeof type === 'string' && type.toLowerCase() === 'work';
  const value = (all.find(({ primary }) => primary === true) ?? all.find(isOfWork) ?? all[0])?.['value'];
  return typeof value === 'string' ? readMailAddress(value) : undefined;
}

/** State of the user that a change is decided on. */
export interface UserState {
  readonly row: UserRow;
  readonly record: UserRecord | undefined;
  readonly aliases: readonly string[];
  readonly groups: readonly string[];
  readonly power: Privileges;
}

/** Refuses to change who administers the service, unless the operator lets SCIM do that. */
function guardUser({ row, power }: UserState, administers: boolean): Statement[] {
  if (administers) return [];
  if (power.leads) {
    const explanation =
      'Expected a user who neither administers, acts for others nor provisions: SCIM leaves those alone';
    throw new ServiceError('not-allowed', { context: 'id', id: row.name, explanation });
  }
  return [expectGraph({ revision: power.revision }, changedMeanwhile('User', row.name))];
}

/** `mail`: gives the user the address. */
export function createWanted(wanted: WantedUser, id: string, now: number, mail: CommitPlan): CommitPlan {
  const { userName, realName, active, record } = wanted;
  const command = { password: null, aliases: [], groups: [], metadata: noKeyValues, runAs: false, isOfProvider: true };
  const created = createUser({ ...command, name: userName, realName: realName ?? null }, id, now);
  const row = { id, name: userName, realName: realName ?? null, enabled: 1, version: 1, runAs: 0 };
  const disabled = active ? nothing : switchUser(row, false);
  return together(created, disabled, changing(putUserRecord({ userId: id, ...record }), provision(id, true)), mail);
}

/** Changes a user to what is wanted. Nothing where nothing differs: providers send whole users every day. */
export function changeToWanted(
  wanted: WantedUser,
  state: UserState,
  administers: boolean,
  mail: CommitPlan,
): CommitPlan {
  const { row, record, aliases, groups } = state;
  const shownName = row.realName ?? '';
  const realName = (wanted.realName ?? '') === shownName ? undefined : (wanted.realName ?? '');
  const own = { password: undefined, aliases: [], groups: noMembershipChange, metadata: noKeyValues, runAs: undefined };
  const command = { ...own, name: wanted.userName, realName, isOfProvider: true };
  const updated = updateUser(command, { row, aliases, groups: new Set(groups) });
  const switches = wanted.active !== (row.enabled === 1);
  if (switches && !wanted.active) checkNotFirst(row.name, 'stay', 'active');
  const keeps = isAsKept(wanted.record, record);
  if ([...updated.changes, ...mail.changes].length === 0 && !switches && keeps) return nothing;
  const plan = together(
    { changes: guardUser(state, administers), events: [] },
    updated,
    switches ? switchUser({ ...row, name: wanted.userName }, wanted.active) : nothing,
    keeps
      ? nothing
      : {
          changes: [putUserRecord({ userId: row.id, ...wanted.record })],
          events: updated.events.length > 0 ? [] : [modified(wanted.userName, ['metadata'])],
        },
  );
  return together(asRead(row, plan), mail);
}

/** A user without a record is one whom the provider takes over now. */
const isAsKept = (wanted: WantedUser['record'], record: UserRecord | undefined): boolean =>
  record !== undefined && wanted.externalId === record.externalId && wanted.attributes === record.attributes;

export function deleteWanted(state: UserState, forgotten: readonly Statement[], administers: boolean): CommitPlan {
  const guards = { changes: guardUser(state, administers), events: [] };
  return asRead(state.row, together(guards, deleteUser(state.row, state.groups, forgotten)));
}
