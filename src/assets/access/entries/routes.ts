import { accessControlDocument, accessControlListDocument } from '../../../core/documents/index.ts';
import { existing } from '../../../core/lib/checks.ts';
import { baseOf } from '../../../http/address.ts';
import { answer } from '../../../http/answers.ts';
import type { Call } from '../../../http/call.ts';
import { flag, page, pageOf } from '../../../http/parameters/index.ts';
import { linesOf } from '../../../http/reply.ts';
import { type Route, role, roleOrSelf, route, segment } from '../../../http/route.ts';
import { userAt } from '../../../identity/public.ts';
import type { CoreContext } from '../../../room/context.ts';
import type { EntityKind } from '../../../room/entity.ts';
import { guardedEntity } from '../access.ts';
import { type AccessTarget, type RequiredLevel, targetIn } from '../levels.ts';
import { accessOf } from '../viewer.ts';
import { addEntries, addOnce, deleteEntries, giveTo, grantorOf } from './change.ts';
import { documentOf, entryRequest, noSuchEntry } from './rules.ts';
import { type EntryRow, entriesOfUser, entriesOn, entryOn } from './store.ts';

const read = role('_accesscontrol_read');
const write = role('_accesscontrol_write');

const documentOrId = answer(accessControlDocument, { text: ({ id = '' }) => id });
const documentOrIds = answer(accessControlListDocument, {
  list: 'access',
  text: ({ access = [] }) => linesOf(access.map(({ id = '' }) => [id])),
});

/** Routes for the access entries of a kind. Entries are rights, so callers that act for a user cannot write them. */
export function entryRoutes({ store }: CoreContext, kind: EntityKind): readonly Route[] {
  const { type } = kind;
  const path = `/${type}/:${type}/access`;
  const entity = guardedEntity(store, kind);
  const entities = (level: RequiredLevel) => ({ [type]: entity(level) });

  async function entry(call: Call, { id: entityId }: AccessTarget, id: string) {
    const row = existing((await entryOn(store, { entityType: type, entityId, id }))[0], noSuchEntry, id);
    return documentOf(row, baseOf(call));
  }

  async function entries(call: Call, { id: entityId }: AccessTarget, fits: (row: EntryRow) => boolean = () => true) {
    const rows = await entriesOn(store, { entityType: type, entityId });
    return { access: rows.filter(fits).map((row) => documentOf(row, baseOf(call))) };
  }

  return [
    route({
      method: 'GET',
      path,
      says: `The access entries of a ${type}, in order of creation.`,
      entities: entities('ALL'),
      answers: documentOrIds,
      access: read,
      handle: (call, segments) => entries(call, targetIn(type, segments)),
    }),
    route({
      method: 'POST',
      path,
      says: `Grants a user or group a level on a ${type}, or revokes it.`,
      entities: entities('ALL'),
      query: { allowDuplicate: flag('False: an equal entry gets the new level', true) },
      reads: accessControlDocument,
      answers: documentOrId,
      location: ({ id = '' }, segments) => [type, targetIn(type, segments).id, 'access', id],
      access: write,
      acting: 'refused',
      async handle(call, segments) {
        const target = targetIn(type, segments);
        const request = entryRequest(call.body, '/AccessControlDocument');
        const grantor = await grantorOf(call);
        const { ids } = await call.change(() =>
          call.query.allowDuplicate
            ? addEntries(store, target, [request], grantor)
            : addOnce(store, target, request, grantor),
        );
        return entry(call, target, ids[0]!);
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:access`,
      says: `One access entry of a ${type}.`,
      entities: entities('ALL'),
      answers: documentOrId,
      access: read,
      handle: (call, segments) => entry(call, targetIn(type, segments), segment(segments, 'access')),
    }),
    route({
      method: 'DELETE',
      path: `${path}/:access`,
      says: `Removes an access entry from a ${type}. The entry of the owner cannot be removed.`,
      entities: entities('ALL'),
      access: write,
      acting: 'refused',
      async handle(call, segments) {
        await call.commit(await deleteEntries(store, targetIn(type, segments), [segment(segments, 'access')]));
      },
    }),
    route({
      method: 'POST',
      path: `${path}/bulk`,
      says: `Adds access entries to a ${type}. One invalid entry refuses all.`,
      entities: entities('ALL'),
      reads: accessControlListDocument,
      answers: answer(accessControlListDocument, { list: 'access' }),
      access: write,
      acting: 'refused',
      async handle(call, segments) {
        const target = targetIn(type, segments);
        const { access = [] } = call.body;
        const requests = access.map((each) => entryRequest(each, '/AccessControlListDocument/access'));
        const plan = await addEntries(store, target, requests, await grantorOf(call));
        await call.commit(plan);
        const ids = new Set(plan.ids);
        return entries(call, target, ({ id }) => ids.has(id));
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/bulk`,
      says: `Removes the access entries with these ids from a ${type}. One unknown id refuses all.`,
      entities: entities('ALL'),
      reads: accessControlListDocument,
      access: write,
      acting: 'refused',
      async handle(call, segments) {
        const ids = (call.body.access ?? []).map(({ id = '' }) => id);
        await call.commit(await deleteEntries(store, targetIn(type, segments), ids));
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/owner/:user`,
      says: `Makes another user the owner of a ${type}.`,
      entities: entities('OWNER'),
      answers: accessControlDocument,
      access: write,
      acting: 'refused',
      async handle(call, segments) {
        const target = targetIn(type, segments);
        const plan = await giveTo(store, target, segment(segments, 'user'));
        if (plan.changes.length > 0) await call.commit(plan);
        return entry(call, target, plan.id);
      },
    }),
  ];
}

/** Route that lists the entries of a user, for all kinds of entities. */
export const entriesOfUserRoute = (parts: CoreContext): Route =>
  route({
    method: 'GET',
    path: '/user/:name/access',
    says: 'The access entries that name the user, on entities that the caller may read. Entries of groups are left out.',
    entities: { name: userAt(parts) },
    query: page(parts.settings.maxPage),
    answers: answer(accessControlListDocument, { list: 'access' }),
    access: roleOrSelf('_accesscontrol_read', 'name'),
    async handle(call, { name: { id: userId } }) {
      const { reader } = call;
      const { administrator, contexts } = await accessOf(reader, call);
      const alone = contexts?.alone('READ');
      const rows = await entriesOfUser(reader, {
        userId,
        all: administrator ? 1 : 0,
        alone: alone?.all ?? '[]',
        having: alone?.having ?? '[]',
        contexts: contexts?.having('READ') ?? '[]',
        ...pageOf(call.query),
      });
      return { access: rows.map((row) => documentOf(row, baseOf(call))) };
    },
  });
