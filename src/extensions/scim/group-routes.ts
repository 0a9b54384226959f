import { ServiceError } from '../../core/lib/errors.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { inSlices, nextTurn } from '../../core/lib/turn.ts';
import { together } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import type { Call } from '../../http/call.ts';
import { noContent, type Reply } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import {
  advance,
  deleteGroups,
  type GroupRow,
  groupsWithIds,
  leavingGroups,
  membersOf,
  type noMembershipChange,
  noSuchGroup,
  planGroup,
  putNothing,
  usersWithIds,
} from '../../identity/public.ts';
import { findGroup, listGroups } from '../../identity/public-reading.ts';
import { groupKind, groupSchema } from './attributes.ts';
import { badFilter, demanded, type Filter, fits, readFilter } from './filter.ts';
import { badAttribute, type JsonObject } from './json.ts';
import { type GroupWish, type MemberWish, wishOfBody, wishOfOperations } from './member-rules.ts';
import {
  addressAt,
  answerList,
  answerOne,
  answersScim,
  bodyOf,
  type Chosen,
  checkMatch,
  checkOrder,
  chosen,
  paged,
  pageFrom,
  path,
  readsScim,
} from './message-routes.ts';
import { operationsOf } from './patch.ts';
import { dropGroupRecord, groupsByExternalId, putGroupRecord, recordOfGroup, recordsOfGroups } from './store.ts';
import { mostAlike, provisions, type ScimParts } from './user-routes.ts';

/** Members of one commit: others have their turn between. */
const slice = 500;

/** Members that the answer for one group names. */
const mostMembers = 10_000;

export function groupRoutes(parts: ScimParts): readonly Route[] {
  const { store, settings, clock } = parts;
  const by = { administers: settings.scimAdministrators, onlyActs: false };
  const now = () => clock.now();
  const place = `${path}/Groups/:group`;

  return [
    route({
      method: 'GET',
      path: `${path}/Groups`,
      says: 'The groups for identity providers, by name and without their members (SCIM).',
      query: paged,
      answers: answersScim,
      access: provisions,
      async handle(call) {
        const { query } = call;
        checkOrder(query, groupKind);
        const page = pageFrom(query);
        if (query.filter === undefined) {
          const { hits, groups } = await listGroups(call.reader, { role: false, ...page });
          return answerList(call, query, page.offset, hits, await resourcesOf(call, groups));
        }
        const filter = readFilter(query.filter, groupKind);
        const fitting = (await resourcesOf(call, await reached(call, filter))).filter((each) => fits(each, filter));
        const rows = fitting.slice(page.offset, page.offset + page.limit);
        return answerList(call, query, page.offset, fitting.length, rows);
      },
    }),
    route({
      method: 'POST',
      path: `${path}/Groups`,
      says: 'Creates a group for an identity provider (SCIM).',
      query: chosen,
      reads: readsScim,
      answers: answersScim,
      access: provisions,
      acting: 'refused',
      async handle(call) {
        const wish = wishOfBody(await bodyOf(call, groupKind));
        const { name } = wish;
        if (name === undefined) throw badAttribute('displayName', 'a text');
        const members = await namesOf(call, [...wish.members.add]);
        const { id } = await call.change(async () => {
          if (await findGroup(store, { name })) throw nameTaken(name);
          const command = { ...putNothing(name), users: { add: members.slice(0, slice), remove: [] } };
          const { id, plan } = await planGroup(store, { command, expected: 'either', by, now });
          return { ...together(plan, recording(id, wish.externalId)), id };
        });
        await commitSlices(call, id, { add: members.slice(slice), remove: [] });
        return one(call, id, call.query, 201);
      },
    }),
    route({
      method: 'GET',
      path: place,
      says: 'One group with its users for identity providers, by id (SCIM).',
      query: chosen,
      answers: answersScim,
      access: provisions,
      handle: (call, { group }) => one(call, group, call.query),
    }),
    route({
      method: 'PUT',
      path: place,
      says: 'Replaces the users of a group (SCIM).',
      query: chosen,
      reads: readsScim,
      answers: answersScim,
      access: provisions,
      acting: 'refused',
      handle: async (call, { group }) => change(call, group, wishOfBody(await bodyOf(call, groupKind)), call.query),
    }),
    route({
      method: 'PATCH',
      path: place,
      says: 'Adds users to a group and removes others (SCIM).',
      query: chosen,
      reads: readsScim,
      answers: answersScim,
      access: provisions,
      acting: 'refused',
      handle: async (call, { group }) =>
        change(call, group, wishOfOperations(operationsOf(await bodyOf(call, groupKind), groupKind)), call.query),
    }),
    route({
      method: 'DELETE',
      path: place,
      says: 'Deletes a group. Its users stay (SCIM).',
      answers: answersScim,
      access: provisions,
      acting: 'refused',
      async handle(call, { group: id }) {
        await call.change(async () => {
          const row = await groupOf(id);
          checkMatch(call, row.version);
          const { leaving, power } = await leavingGroups(store, [row]);
          return deleteGroups(leaving, power, by.administers);
        });
        return noContent;
      },
    }),
  ];

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
    return rows((await groupsByExternalId(reader, { value: external, limit: mostAlike })).map((each) => each.id));
  }

  /** Names of users. Throws where one is missing, unless it is to be removed anyway. */
  async function namesOf(call: Call, ids: readonly string[], mustExist = true): Promise<readonly string[]> {
    return inSlices(
      ids,
      async (some) => {
        await nextTurn();
        const rows = await usersWithIds(call.reader, { ids: some });
        const existing = new Set(rows.map((row) => row.id));
        const missing = mustExist ? some.find((id) => !existing.has(id)) : undefined;
        if (missing !== undefined) throw badAttribute('members', `ids of users: "${missing.slice(0, 80)}" is none`);
        return rows.map((row) => row.name);
      },
      slice,
    );
  }

  async function change(call: Call, id: string, wish: GroupWish, query: Chosen): Promise<Reply> {
    const first = await groupOf(id);
    checkMatch(call, first.version);
    if (wish.name !== undefined && wish.name !== first.name) throw nameFixed(first.name);
    const differences = await differenceOf(call, id, wish.members);
    const [add, remove] = [differences.add.slice(0, slice), differences.remove.slice(0, slice)];
    await call.change(async () => {
      const row = await groupOf(id);
      checkMatch(call, row.version);
      const { plan } = await planGroup(store, {
        command: { ...putNothing(row.name), users: { add, remove } },
        expected: 'there',
        by,
        now,
      });
      const record = await recordOfGroup(store, { groupId: id });
      const records = wish.externalId !== undefined && (wish.externalId ?? null) !== (record?.externalId ?? null);
      if (plan.changes.length === 0 && !records) return plan;
      const changed = changedMeanwhile('Group', row.name);
      return together(
        { changes: advance(row, changed), events: [] },
        plan,
        records ? recording(id, wish.externalId) : { changes: [], events: [] },
      );
    });
    await commitSlices(call, id, { add: differences.add.slice(slice), remove: differences.remove.slice(slice) });
    return one(call, id, query);
  }

  /** Users who come and go. A list that is to be whole is compared with the users whom the group has. */
  async function differenceOf(call: Call, id: string, { isWhole, add, remove }: MemberWish) {
    if (!isWhole) return { add: await namesOf(call, [...add]), remove: await namesOf(call, [...remove], false) };
    const present = await membersOf(call.reader, { id, limit: -1 });
    const ids = new Set(present.map((row) => row.id));
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
      await nextTurn();
      await call.change(async () => {
        const { name } = await groupOf(id);
        const users = { add: add.slice(at, at + slice), remove: remove.slice(at, at + slice) };
        return (await planGroup(store, { command: { ...putNothing(name), users }, expected: 'there', by, now })).plan;
      });
    }
  }

  async function one(call: Call, id: string, query: Chosen, status = 200): Promise<Reply> {
    const row = await groupOf(id);
    const [resource] = await resourcesOf(call, [row]);
    const isLeftOut = /(?:^|[,:\s])members\s*(?:,|$)/i.test(query.excludedAttributes ?? '');
    const members = isLeftOut ? [] : await membersOf(call.reader, { id, limit: mostMembers });
    const shown = members.map((user) => ({ value: user.id, display: user.name, type: 'User' }));
    return answerOne(call, { ...resource!, ...(shown.length > 0 && { members: shown }) }, row.version, query, status);
  }

  async function resourcesOf(call: Call, rows: readonly GroupRow[]): Promise<readonly JsonObject[]> {
    const records = await recordsOfGroups(call.reader, { ids: rows.map((row) => row.id) });
    const externalIds = new Map(records.map(({ groupId, externalId }) => [groupId, externalId]));
    return rows.map(({ id, name, version }) => ({
      schemas: [groupSchema],
      id,
      ...(externalIds.has(id) ? { externalId: externalIds.get(id) } : {}),
      displayName: name,
      meta: { resourceType: groupKind.name, location: addressAt(call, groupKind, id), version: `W/"${version}"` },
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

function nameFixed(name: string): ServiceError {
  const explanation = `Expected the displayName "${name.slice(0, 80)}": groups keep their names`;
  return new ServiceError('value-fixed', { context: 'displayName', explanation });
}
