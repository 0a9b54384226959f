import {
  type AccessControl,
  type AccessControlList,
  accessControlDocument,
  accessControlListDocument,
} from '../../documents/index.ts';
import { entityNamed, noSuchEntity } from '../../entities/find.ts';
import { baseOf } from '../../http/address.ts';
import { type Call, requireDocument } from '../../http/call.ts';
import { documentOrText, documentTypes, type MediaType } from '../../http/negotiation.ts';
import { flag } from '../../http/parameters/index.ts';
import { renderList } from '../../http/render-list.ts';
import { lines, located, plain, type Reply } from '../../http/reply.ts';
import { type Params, type Route, role, route } from '../../http/route.ts';
import { retryWhenChanged } from '../../lib/retry-when-changed.ts';
import type { CoreContext } from '../../room/context.ts';
import type { EntityKind } from '../../room/entity.ts';
import { changing, together } from '../../store/commit-plan.ts';
import type { CommitPlan } from '../../store/contract.ts';
import { mustHave } from '../access.ts';
import type { AccessTarget, RequiredLevel } from '../levels.ts';
import { addEntries, addOnce, deleteEntries, grantorOf } from './change.ts';
import { giveTo } from './owner.ts';
import { documentOf, entryWish, noSuchEntry } from './rules.ts';
import { entriesOn, entryOn } from './store.ts';

/** Kind of entity with access entries, and its path. */
export interface AccessResource {
  /** Path whose last segment is the parameter: `/item/:item`. */
  readonly path: string;
  readonly kind: EntityKind;
}

const read = role('_accesscontrol_read');
const write = role('_accesscontrol_write');

/** The entity named by the path. 403 if the caller lacks the level. */
export async function placeIn(
  { store }: CoreContext,
  { path, kind }: AccessResource,
  call: Call,
  params: Params,
  level: RequiredLevel,
): Promise<AccessTarget> {
  const { id } = await entityNamed(store, kind, params[path.slice(path.indexOf(':') + 1)]!);
  await mustHave(store, call, kind, { id }, level);
  return { type: kind.type, id };
}

/** Routes for the access entries of a kind. Entries are rights, so callers that act for a user cannot write them. */
export function entryRoutes(parts: CoreContext, at: AccessResource): readonly Route[] {
  const { store, limits, render } = parts;
  const { kind } = at;
  const path = `${at.path}/access`;
  const find = (call: Call, params: Params, level: RequiredLevel = 'ALL') => placeIn(parts, at, call, params, level);

  /** Commits the changes with a guard that the entity still exists. */
  const change = (call: Call, { id }: AccessTarget, work: CommitPlan): Promise<void> =>
    call.commit(together(changing(kind.mustExist(id, noSuchEntity(kind, id))), work));

  async function entry(call: Call, type: MediaType, place: AccessTarget, id: string): Promise<Reply> {
    const [row] = await entryOn(store, { type: place.type, entityId: place.id, id });
    if (!row) throw noSuchEntry(id);
    return type === 'text/plain' ? plain(id) : render(type, accessControlDocument, documentOf(row, baseOf(call)));
  }

  async function entries(call: Call, { type, id }: AccessTarget, only?: ReadonlySet<string>): Promise<AccessControl[]> {
    const rows = await entriesOn(store, { type, entityId: id });
    return rows.filter((row) => only?.has(row.id) ?? true).map((row) => documentOf(row, baseOf(call)));
  }

  return [
    route({
      method: 'GET',
      path,
      says: `The access entries of a ${kind.type}, in order of creation.`,
      answers: [accessControlListDocument, 'text'],
      access: read,
      produces: documentOrText,
      async handle(call, type, params) {
        const access = await entries(call, await find(call, params));
        if (type === 'text/plain') return lines(access.map(({ id }) => [id!]));
        return renderList(render, type, accessControlListDocument, { access }, 'access');
      },
    }),
    route({
      method: 'POST',
      path,
      says: `Grants a user or group a level on a ${kind.type}, or revokes it.`,
      query: { allowDuplicate: flag('False: an equal entry gets the new level', true) },
      reads: accessControlDocument,
      answers: [accessControlDocument, 'text'],
      access: write,
      acting: 'refused',
      produces: documentOrText,
      async handle(call, type, params) {
        const document = await requireDocument(call, accessControlDocument, limits);
        const place = await find(call, params);
        const wish = entryWish(document, '/AccessControlDocument');
        const grantor = await grantorOf(call);
        const id = await retryWhenChanged(async () => {
          const work = call.query.allowDuplicate
            ? await addEntries(store, place, [wish], grantor)
            : await addOnce(store, place, wish, grantor);
          if (work.changes.length > 0) await change(call, place, work);
          return work.ids[0]!;
        });
        return located(await entry(call, type, place, id), call, kind.type, place.id, 'access', id);
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:access`,
      says: `One access entry of a ${kind.type}.`,
      answers: [accessControlDocument, 'text'],
      access: read,
      produces: documentOrText,
      handle: async (call, type, params) => entry(call, type, await find(call, params), params.access),
    }),
    route({
      method: 'DELETE',
      path: `${path}/:access`,
      says: `Removes an access entry from a ${kind.type}. The entry of the owner cannot be removed.`,
      access: write,
      acting: 'refused',
      async handle(call, params) {
        const place = await find(call, params);
        await change(call, place, await deleteEntries(store, place, [params.access]));
      },
    }),
    route({
      method: 'POST',
      path: `${path}/bulk`,
      says: `Adds access entries to a ${kind.type}. One invalid entry refuses all.`,
      reads: accessControlListDocument,
      answers: accessControlListDocument,
      access: write,
      acting: 'refused',
      produces: documentTypes,
      async handle(call, type, params) {
        const { access = [] } = await requireDocument(call, accessControlListDocument, limits);
        const place = await find(call, params);
        const wishes = access.map((each) => entryWish(each, '/AccessControlListDocument/access'));
        const work = await addEntries(store, place, wishes, await grantorOf(call));
        await change(call, place, work);
        const value: AccessControlList = { access: await entries(call, place, new Set(work.ids)) };
        return renderList(render, type, accessControlListDocument, value, 'access');
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/bulk`,
      says: `Removes the access entries with these ids from a ${kind.type}. One unknown id refuses all.`,
      reads: accessControlListDocument,
      access: write,
      acting: 'refused',
      async handle(call, params) {
        const { access = [] } = call.body;
        const place = await find(call, params);
        const ids = access.map(({ id = '' }) => id);
        await change(call, place, await deleteEntries(store, place, ids));
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/owner/:user`,
      says: `Makes another user the owner of a ${kind.type}.`,
      answers: accessControlDocument,
      access: write,
      acting: 'refused',
      produces: documentTypes,
      async handle(call, type, params) {
        const place = await find(call, params, 'OWNER');
        const work = await giveTo(store, place, params.user);
        if (work.changes.length > 0) await change(call, place, work);
        return entry(call, type, place, work.id);
      },
    }),
  ];
}
