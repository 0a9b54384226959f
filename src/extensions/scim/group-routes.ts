import { ServiceError } from '../../core/lib/errors.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { inSlices, runInSlices, yieldTurn } from '../../core/lib/turn.ts';
import { nothing, together } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import type { Call } from '../../http/call.ts';
import { noContent, type Reply } from '../../http/reply.ts';
import type { Route } from '../../http/route.ts';
import {
  advance,
  deleteGroups,
  type GroupRow,
  groupModified,
  groupsWithIds,
  leavingGroups,
  membersOf,
  type noMembershipChange,
  noSuchGroup,
  planGroup,
  privilegesOf,
  putNothing,
  renameGroup,
  usersWithIds,
} from '../../identity/public.ts';
import { findGroup, listGroups } from '../../identity/public-reading.ts';
import { groupKind, groupSchema } from './attributes.ts';
import { badFilter, demanded, type Filter, fits, soughtIn } from './filter.ts';
import { badAttribute, type JsonObject } from './json.ts';
import { type GroupWish, type MemberWish, wishOfBody, wishOfOperations } from './member-rules.ts';
import { type Asked, answerOne, checkMatch, metasOf, tagOf } from './message-routes.ts';
import { resourceRoutes } from './resource-routes.ts';
import {
  dropGroupRecord,
  groupsByExternalId,
  membersAmong,
  pagesOfGroups,
  putGroupRecord,
  recordOfGroup,
  recordsOfGroups,
  timesOfGroups,
} from './store.ts';
import { maxAlike, type ScimParts } from './user-routes.ts';

/** Members of one commit: others have their turn between. */
const slice = 500;

/** Members that the answer for one group names. */
const maxMembers = 10_000;

export function groupRoutes(parts: ScimParts): readonly Route[] {
  const { store, settings, clock } = parts;
  const by = { administers: settings.scimAdministrators, onlyActs: false, isProvider: true };
  const now = () => clock.now();

  return resourceRoutes({
    kind: groupKind,
    says: {
      list: 'The groups for identity providers, by name and without their members (SCIM).',
      create: 'Creates a group for an identity provider (SCIM).',
      read: 'One group with its users for identity providers, by id (SCIM).',
      replace: 'Replaces the users of a group (SCIM).',
      change: 'Adds users to a group and removes others (SCIM).',
      remove: 'Deletes a group. Its users stay (SCIM).',
    },
    pages: pagesOfGroups,
    total: async (reader) => (await listGroups(reader, { role: false, offset: 0, limit: 0 })).hits,
    resources: async (call, ids) => resourcesOf(call, await groupsWithIds(call.reader, { ids })),
    fitting,
    async create(call, body) {
      const wish = wishOfBody(body);
      const { name } = wish;
      if (name === undefined) throw badAttribute('displayName', 'a text');
      const members = await namesOf(call, [...wish.members.add]);
      const { id } = await call.change(async () => {
        if (await findGroup(store, { name })) throw nameTaken(name);
        const command = { ...putNothing(name), users: { add: members.slice(0, slice), remove: [] }, adopts: true };
        const { id, plan } = await planGroup(store, { command, expected: 'either', by, now });
        return { ...together(plan, recording(id, wish.externalId)), id };
      });
      await commitSlices(call, id, { add: members.slice(slice), remove: [] });
      return one(call, id, 201);
    },
    read: one,
    async replace(call, id, body) {
      await change(call, id, wishOfBody(body));
      return one(call, id);
    },
    async change(call, id, operations) {
      await change(call, id, await runInSlices(wishOfOperations(operations)));
      // A change of one member answers thousands of others only where the provider asks for attributes.
      const { attributes, excludedAttributes } = call.query;
      if (attributes !== undefined || excludedAttributes !== undefined) return one(call, id);
      return { ...noContent, headers: { etag: tagOf((await groupOf(id)).version) } };
    },
    async remove(call, id) {
      await call.change(async () => {
        const row = await groupOf(id);
        checkMatch(call, row.version);
        const { leaving, power } = await leavingGroups(store, [row]);
        return deleteGroups(leaving, power, by.administers);
      });
    },
  });

  /** Roles are no groups of providers: they do not see them. */
  async function groupOf(id: string): Promise<GroupRow> {
    const [row] = await groupsWithIds(store, { ids: [id] });
    if (row?.role !== 0) throw noSuchGroup(id);
    return row;
  }

  async function reached({ reader }: Call, filter: Filter): Promise<readonly GroupRow[]> {
    const values = demanded(filter);
    const [id, name, external] = [values.get('id'), values.get('displayName'), values.get('externalId')];
    const rows = async (ids: readonly string[]) =>
      (await groupsWithIds(reader, { ids })).filter((row) => row.role === 0);
    if (id !== undefined) return rows([id]);
    if (name !== undefined) {
      const row = name.includes('\0') ? undefined : await findGroup(reader, { name });
      return row?.role === 0 ? [row] : [];
    }
    if (external === undefined) throw badFilter('"eq" on id, displayName or externalId, alone or with "and"', '');
    return rows((await groupsByExternalId(reader, { value: external, limit: maxAlike })).map((each) => each.id));
  }

  /** Groups that fit a filter. It may ask whether a user is in one of them. */
  async function fitting(call: Call, filter: Filter): Promise<readonly JsonObject[]> {
    const rows = await reached(call, filter);
    const users = soughtIn(filter, 'members');
    const groups = rows.map((row) => row.id);
    const members = users.length > 0 ? await membersAmong(call.reader, { users, groups }) : [];
    return (await resourcesOf(call, rows)).filter((each) =>
      fits(
        {
          ...each,
          members: members.filter(({ groupId }) => groupId === each['id']).map(({ userId: value }) => ({ value })),
        },
        filter,
      ),
    );
  }

  /** Names of users. Throws where one is missing, unless it is to be removed anyway. */
  async function namesOf(call: Call, ids: readonly string[], mustExist = true): Promise<readonly string[]> {
    return inSlices(
      ids,
      async (some) => {
        await yieldTurn();
        const rows = await usersWithIds(call.reader, { ids: some });
        const existing = new Set(rows.map((row) => row.id));
        const missing = mustExist ? some.find((id) => !existing.has(id)) : undefined;
        if (missing !== undefined) throw badAttribute('members', `ids of users: "${missing.slice(0, 80)}" is none`);
        return rows.map((row) => row.name);
      },
      slice,
    );
  }

  async function change(call: Call, id: string, wish: GroupWish): Promise<void> {
    const first = await groupOf(id);
    checkMatch(call, first.version);
    const differences = await differenceOf(call, id, wish.members);
    const [add, remove] = [differences.add.slice(0, slice), differences.remove.slice(0, slice)];
    await call.change(async () => {
      const row = await groupOf(id);
      checkMatch(call, row.version);
      const { plan } = await planGroup(store, {
        command: { ...putNothing(row.name), users: { add, remove }, adopts: true },
        expected: 'there',
        by,
        now,
      });
      const record = await recordOfGroup(store, { groupId: id });
      const records = wish.externalId !== undefined && (wish.externalId ?? null) !== (record?.externalId ?? null);
      const renames = wish.name !== undefined && wish.name !== row.name;
      const renaming = renames ? await renamePlan(row, wish.name) : nothing;
      if (plan.changes.length === 0 && !records && !renames) return plan;
      const changed = changedMeanwhile('Group', row.name);
      const isSilent = plan.events.length === 0 && !renames;
      return together(
        { changes: advance(row, changed), events: isSilent ? [groupModified(row.name)] : [] },
        plan,
        records ? recording(id, wish.externalId) : nothing,
        renaming,
      );
    });
    await commitSlices(call, id, { add: differences.add.slice(slice), remove: differences.remove.slice(slice) });
  }

  async function renamePlan(row: GroupRow, name: string): Promise<CommitPlan> {
    if (await findGroup(store, { name })) throw nameTaken(name);
    return renameGroup(row, name, await privilegesOf(store, [row.name]), by.administers);
  }

  /** Users who come and go. A list that is to be whole is compared with the users who are not in it by a login alone. */
  async function differenceOf(call: Call, id: string, { isWhole, add, remove }: MemberWish) {
    if (!isWhole) return { add: await namesOf(call, [...add]), remove: await namesOf(call, [...remove], false) };
    const present = await membersOf(call.reader, { id, limit: -1 });
    const ids = new Set(present.flatMap(({ id, source }) => (source === 'login' ? [] : id)));
    return {
      add: await namesOf(
        call,
        [...add].filter((each) => !ids.has(each)),
      ),
      remove: present.filter((row) => !add.has(row.id)).map((row) => row.name),
    };
  }

  /** The rest of many users, some in each commit. To send the request again completes one that broke off. */
  async function commitSlices(call: Call, id: string, { add, remove }: typeof noMembershipChange): Promise<void> {
    for (let at = 0; at < Math.max(add.length, remove.length); at += slice) {
      await yieldTurn();
      await call.change(async () => {
        const { name } = await groupOf(id);
        const users = { add: add.slice(at, at + slice), remove: remove.slice(at, at + slice) };
        const command = { ...putNothing(name), users, adopts: true };
        return (await planGroup(store, { command, expected: 'there', by, now })).plan;
      });
    }
  }

  async function one(call: Asked, id: string, status = 200): Promise<Reply> {
    const row = await groupOf(id);
    const [resource] = await resourcesOf(call, [row]);
    const isLeftOut = /(?:^|[,:\s])members\s*(?:,|$)/i.test(call.query.excludedAttributes ?? '');
    const members = isLeftOut ? [] : await membersOf(call.reader, { id, limit: maxMembers });
    const shown = members.map((user) => ({ value: user.id, display: user.name, type: 'User' }));
    return answerOne(call, { ...resource!, ...(shown.length > 0 && { members: shown }) }, row.version, status);
  }

  async function resourcesOf(call: Call, rows: readonly GroupRow[]): Promise<readonly JsonObject[]> {
    const ids = rows.map((row) => row.id);
    const [records, times] = await Promise.all([
      recordsOfGroups(call.reader, { ids }),
      timesOfGroups(call.reader, { ids }),
    ]);
    const externalIds = new Map(records.map(({ groupId, externalId }) => [groupId, externalId]));
    const metaOf = metasOf(call, groupKind, times);
    return rows.map((row) => ({
      schemas: [groupSchema],
      id: row.id,
      ...(externalIds.has(row.id) ? { externalId: externalIds.get(row.id) } : {}),
      displayName: row.name,
      meta: metaOf(row),
    }));
  }
}

/** Null: the group has no external id any more. Undefined: it stays. */
function recording(groupId: string, externalId: string | null | undefined): CommitPlan {
  const changes: Statement[] =
    externalId === undefined
      ? []
      : [externalId === null ? dropGroupRecord({ groupId }) : putGroupRecord({ groupId, externalId })];
  return { changes, events: [] };
}

function nameTaken(name: string): ServiceError {
  const explanation = 'Expected a displayName that no group has';
  return new ServiceError('already-exists', { type: 'Group', id: name, explanation });
}
