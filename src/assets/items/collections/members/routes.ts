import { ServiceError } from '../../../../core/lib/errors.ts';
import { yieldTurn } from '../../../../core/lib/turn.ts';
import { badParameter, choice, flag, repeated } from '../../../../http/parameters/index.ts';
import { type Route, route } from '../../../../http/route.ts';
import { remove } from '../../../../room/entities/external-ids/rules.ts';
import { entityOf } from '../../../../room/entities/external-ids/store.ts';
import { hook } from '../../../../room/hook.ts';
import type { Caller } from '../../../../security/caller.ts';
import { mayRead, readableAmong } from '../../../access/public.ts';
import { accessOf, mustHave } from '../../../access/public-reading.ts';
import { collectionAt, collectionName, collectionNamed, writeCollections } from '../../contract/entities.ts';
import type { CollectionRow } from '../../contract/store.ts';
import { libraryName, libraryNamed } from '../../library-entity.ts';
import type { ItemsContext } from '../../settings.ts';
import { addToCollection, arrangeMembers, metadataChange, removeMember } from './change.ts';
import { memberNamed, memberTypes } from './named.ts';
import { keyOf, type MemberKey, takeSteps } from './order.ts';

/**
 * Deletes an external id by the short path, which equals that of a member. Applies only if no member has that name. The
 * caller needs ALL on the collection.
 */
async function removedExternalId(
  parts: ItemsContext,
  call: Caller,
  { id }: CollectionRow,
  member: MemberKey,
): Promise<boolean> {
  const { store } = parts;
  const owner = await entityOf(store, collectionName.type, member.id);
  if (owner !== id || (await isThere(parts, member))) return false;
  await mustHave(store, call, collectionName, { id }, 'ALL');
  await call.commit({ changes: remove(collectionName, id, member.id), events: [] });
  return true;
}

async function isThere({ store }: ItemsContext, member: MemberKey): Promise<boolean> {
  try {
    await memberNamed(store, member);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'no-such-entity') return false;
    throw error;
  }
}

const slice = 1000;
/** Maximum memberships with metadata per commit. */
const maxDescribed = 1000;

/** Ids of the items of a library, the oldest first. One that refreshes itself does it first. */
export const libraryItemsHook = hook<(id: string) => Promise<readonly string[]>>('libraries');

/** Adds the current items of a library as members, as far as the caller may read them. */
async function addItemsOf(
  parts: ItemsContext,
  call: Caller,
  { id }: CollectionRow,
  wanted: MemberKey,
  pairs: readonly string[],
): Promise<void> {
  const { store, settings, hooks } = parts;
  const library = await libraryNamed(store, wanted.id);
  await mayRead(store, call, libraryName, library, wanted.id);
  const { set } = metadataChange(pairs);
  const all = await hooks.need(libraryItemsHook)(library.id);
  const viewer = await accessOf(store, call);
  const items: MemberKey[] = [];
  for (let at = 0; at < all.length; at += slice) {
    const ids = all.slice(at, at + slice);
    const readable = await readableAmong(call.reader, viewer, 'item', ids);
    items.push(...ids.filter((id) => readable.has(id)).map((id) => ({ type: 'item', id })));
    await yieldTurn();
  }
  if (set.length > 0 && items.length > maxDescribed) {
    throw badParameter('metadata', `Expected none with more than ${maxDescribed} items`, pairs[0]!);
  }
  const described = { pairs: set, mostBytes: settings.maxMetadataBytes };
  const metadata = new Map(set.length > 0 ? items.map((item) => [keyOf(item), described]) : []);
  const steps = items.map((item) => ({ ...item, mode: 'add' as const }));
  await call.change(async () => {
    const row = await collectionNamed(store, id);
    return arrangeMembers(parts, call, row, (order) => takeSteps(order, steps), metadata);
  });
}

export function memberRoutes(parts: ItemsContext): readonly Route[] {
  const path = '/collection/:collection/:member';
  const type = choice('The kind of the member', memberTypes, { defaultValue: 'item' });
  const collection = collectionAt(parts.store)('WRITE');
  return [
    route({
      method: 'PUT',
      path,
      says: 'Adds a member to the end of a collection. An existing member keeps its position.',
      entities: { collection },
      query: {
        type,
        addItems: flag('For a library: adds its items one by one, instead of the library', false),
        metadata: repeated('Metadata of the membership: key=value sets a key, -key removes it'),
      },
      access: writeCollections,
      acting: 'allowed',
      async handle(call, { member, collection }) {
        const { metadata, addItems } = call.query;
        const wanted = { type: call.query.type, id: member };
        if (addItems && wanted.type === 'library') {
          await addItemsOf(parts, call, collection, wanted, metadata);
        } else await addToCollection(parts, call, collection, wanted, metadata);
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Removes a member from a collection. The entity stays. If no member has the name, an external id with this name is deleted.',
      entities: { collection },
      query: { type },
      access: writeCollections,
      acting: 'allowed',
      async handle(call, { member, collection }) {
        const wanted = { type: call.query.type, id: member };
        if (await removedExternalId(parts, call, collection, wanted)) return;
        const id = await memberNamed(parts.store, wanted);
        await call.commit(removeMember(collection, { ...wanted, id }));
      },
    }),
  ];
}
