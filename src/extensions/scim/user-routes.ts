import type { Maybe } from '../../core/lib/maybe.ts';
import { runInSlices } from '../../core/lib/turn.ts';
import { nothing } from '../../core/store/commit-plan.ts';
import type { Call } from '../../http/call.ts';
import type { Reply } from '../../http/reply.ts';
import type { Route } from '../../http/route.ts';
import {
  type IdentitySettings,
  namesAround,
  nameTakenInSomeCase,
  noSuchUser,
  privilegesOf,
  type UserRow,
  userById,
  usersAlike,
  usersWithIds,
} from '../../identity/public.ts';
import { groupsOf, listUsers } from '../../identity/public-reading.ts';
import type { RoomContext } from '../../room/context.ts';
import { enterpriseSchema, groupKind, userKind, userSchema } from './attributes.ts';
import { badFilter, demanded, type Filter, fits, namesAttribute } from './filter.ts';
import type { JsonObject } from './json.ts';
import { type Asked, addressAt, answerOne, checkMatch, metasOf } from './message-routes.ts';
import { patched, resourceFrom } from './patch.ts';
import { resourceRoutes } from './resource-routes.ts';
import type { ScimSettings } from './settings.ts';
import {
  pagesOfUsers,
  recordOfUser,
  recordsOfUsers,
  timesOfUsers,
  type UserRecord,
  usersByExternalId,
} from './store.ts';
import {
  changeToWanted,
  createWanted,
  deleteWanted,
  mailIn,
  type UserState,
  type WantedUser,
  wantedUser,
} from './user-rules.ts';

export type ScimParts = RoomContext<IdentitySettings & ScimSettings>;

/** Resources that share a value of an index: an answer has no more. */
export const maxAlike = 100;

/** Groups that the answer for one user names. */
const maxGroups = 1000;

export function userRoutes(parts: ScimParts): readonly Route[] {
  const { store, settings, clock, services } = parts;
  const { scimAdministrators: administers } = settings;

  return resourceRoutes({
    kind: userKind,
    says: {
      list: 'The users for identity providers, by name (SCIM).',
      create: 'Creates a user for an identity provider (SCIM).',
      read: 'One user for identity providers, by id (SCIM).',
      replace: 'Replaces what identity providers say of a user (SCIM).',
      change: 'Changes attributes of a user (SCIM).',
      remove: 'Deletes a user for good (SCIM).',
    },
    pages: pagesOfUsers,
    total: async (reader) => (await listUsers(reader, { offset: 0, limit: 0 })).hits,
    resources: async (call, ids) => resourcesOf(call, await usersWithIds(call.reader, { ids })),
    fitting: async (call, filter) =>
      (await resourcesOf(call, await reached(call, filter))).filter((each) => fits(each, filter)),
    async create(call, body) {
      const wanted = wantedUser(resourceFrom(body, userKind));
      const [same] = await usersAlike(store, wanted.userName);
      if (same) throw nameTakenInSomeCase(wanted.userName);
      const id = await store.nextId('user');
      const mail = await services.mailGiven({ id, name: wanted.userName }, { former: undefined, address: wanted.mail });
      await call.commit(createWanted(wanted, id, clock.now(), mail));
      return one(call, id, 201);
    },
    read: one,
    async replace(call, id, body) {
      const resource = resourceFrom(body, userKind);
      return change(call, id, () => resource);
    },
    change: (call, id, operations) =>
      change(call, id, (resource) => runInSlices(patched(resource, operations, userKind))),
    async remove(call, id) {
      await call.change(async () => {
        const state = await stateOf(id);
        checkMatch(call, state.row.version);
        const names = [state.row.name, ...state.aliases];
        return deleteWanted(state, parts.forget.user({ id, names }), administers);
      });
    },
  });

  /** Users whom an index finds for a filter. */
  async function reached({ reader }: Call, filter: Filter): Promise<readonly UserRow[]> {
    if (namesAttribute(filter, 'groups')) throw badFilter('another attribute than groups, which lists leave out', '');
    const values = demanded(filter);
    const [id, name, external] = [values.get('id'), values.get('userName'), values.get('externalId')];
    if (id !== undefined) return usersWithIds(reader, { ids: [id] });
    if (name !== undefined) return usersAlike(reader, name);
    if (external === undefined) throw badFilter('"eq" on id, userName or externalId, alone or with "and"', '');
    const ids = await usersByExternalId(reader, { value: external, limit: maxAlike });
    return usersWithIds(reader, { ids: ids.map((each) => each.id) });
  }

  async function one(call: Asked, id: string, status = 200): Promise<Reply> {
    const row = await userById(store, { id });
    if (!row) throw noSuchUser(id);
    const [resource] = await resourcesOf(call, [row]);
    const { groups } = await groupsOf(call.reader, 'groupsOfUser', id, false, { offset: 0, limit: maxGroups });
    const shown = groups.map((group) => ({
      value: group.id,
      display: group.name,
      $ref: addressAt(call, groupKind, group.id),
    }));
    return answerOne(call, { ...resource!, ...(shown.length > 0 && { groups: shown }) }, row.version, status);
  }

  async function change(call: Asked, id: string, next: (resource: JsonObject) => Maybe<JsonObject>) {
    await call.change(async () => {
      const state = await stateOf(id);
      checkMatch(call, state.row.version);
      const present = attributesOfUser(state.row, state.record);
      const resource = await next(present);
      // A request that leaves it out, or sends no value, lets nobody in who was shut out.
      const wanted = wantedUser({ ...resource, active: resource['active'] ?? present['active'] });
      const others = wanted.userName === state.row.name ? [] : await usersAlike(store, wanted.userName);
      if (others.some((other) => other.id !== id)) throw nameTakenInSomeCase(wanted.userName);
      return changeToWanted(wanted, state, administers, await mailOf(wanted, state));
    });
    return one(call, id);
  }

  /** A user whom SCIM leaves alone keeps the address, and a request that changes nothing of such a user is answered. */
  async function mailOf({ userName: name, mail: address }: WantedUser, { row, record, power }: UserState) {
    if (power.leads && !administers) return nothing;
    const former = mailIn(JSON.parse(record?.attributes ?? '{}') as JsonObject);
    return services.mailGiven({ id: row.id, name }, { former, address });
  }

  async function stateOf(id: string): Promise<UserState> {
    const row = await userById(store, { id });
    if (!row) throw noSuchUser(id);
    const [record, { groups, aliases }] = await Promise.all([
      recordOfUser(store, { userId: id }),
      namesAround(store, row),
    ]);
    return { row, record, groups, aliases, power: await privilegesOf(store, groups) };
  }

  async function resourcesOf(call: Call, rows: readonly UserRow[]): Promise<readonly JsonObject[]> {
    const ids = rows.map((row) => row.id);
    const [records, times] = await Promise.all([
      recordsOfUsers(call.reader, { ids }),
      timesOfUsers(call.reader, { ids }),
    ]);
    const recordOf = new Map(records.map((record) => [record.userId, record]));
    const metaOf = metasOf(call, userKind, times);
    return rows.map((row) => {
      const attributes = attributesOfUser(row, recordOf.get(row.id));
      return {
        schemas: [userSchema, ...(Object.hasOwn(attributes, enterpriseSchema) ? [enterpriseSchema] : [])],
        id: row.id,
        ...attributes,
        meta: metaOf(row),
      };
    });
  }
}

/** Attributes that a provider may change. */
function attributesOfUser({ name, realName, enabled }: UserRow, record: UserRecord | undefined): JsonObject {
  const others = JSON.parse(record?.attributes ?? '{}') as JsonObject;
  return {
    ...(record?.externalId ? { externalId: record.externalId } : {}),
    userName: name,
    ...(realName ? { displayName: realName } : {}),
    active: enabled === 1,
    ...others,
  };
}
