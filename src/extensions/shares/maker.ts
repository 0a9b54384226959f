import { mustHave } from '../../assets/access/public-reading.ts';
import { collectionKind, collectionName, itemKind } from '../../assets/items/contract/entities.ts';
import { libraryKind, readItem } from '../../assets/items/public.ts';
import { listCollection, listLibrary } from '../../assets/search/public.ts';
import { GuestRefusal, lacksRight, ServiceError } from '../../core/lib/errors.ts';
import type { Store } from '../../core/store/store.ts';
import type { Call } from '../../http/call.ts';
import type { RoomContext } from '../../room/context.ts';
import type { EntityKind } from '../../room/entity.ts';
import type { Hooks } from '../../room/hook.ts';
import { resumeMaker } from '../../room/kept-caller-sql.ts';
import { markedStreamsHook, marksHook } from '../../room/marks.ts';
import { subjectOf } from '../../security/caller.ts';
import { Subject } from '../../security/subject.ts';
import type { Share } from './documents.ts';
import { type ItemOf, itemFrom, playedOf, shapesToo } from './item-view.ts';
import { isBurnt } from './mark.ts';
import { shareNotFound } from './rules.ts';
import type { ShareRow } from './store.ts';
import type { TargetType } from './tables.ts';

/** Role of who makes shares, and of those whose shares work. */
export const shareRole = '_share_write';

const targetKinds = (store: Store): Readonly<Record<TargetType, EntityKind>> => ({
  item: itemKind(store) as EntityKind,
  collection: collectionKind(store) as EntityKind,
  library: libraryKind(store) as EntityKind,
});

/** The user who made a share, with the rights of now. */
export interface Maker {
  readonly caller: Call;
}

/**
 * The maker of a share. Undefined: its logins were revoked, or it is gone, or may no longer share, or read what the share
 * shows.
 */
export async function makerOf(
  { store, services }: RoomContext,
  call: Call,
  { id, caller: maker, targetType, targetId }: ShareRow,
): Promise<Maker | undefined> {
  const kind = targetKinds(store)[targetType];
  const [subject, target] = await Promise.all([
    resumeMaker(services.directory, maker, call.address),
    kind.find(targetId),
  ]);
  if (!target || !(subject instanceof Subject)) return undefined;
  const guest = { share: id, name: undefined };
  const caller: Call = { ...call, subject, reader: store.reader(subject.name), guest };
  const rights = await Promise.all([subject.has(shareRole), granted(kind.mayRead?.(caller, target, targetId))]);
  if (rights.includes(false)) return undefined;
  return { caller };
}

/** Whether the maker may put items into the collection. */
export async function mayFill({ store }: Pick<RoomContext, 'store'>, { caller }: Maker, id: string): Promise<boolean> {
  if (!(await subjectOf(caller).has('_collection_write'))) return false;
  return granted(mustHave(store, caller, collectionName, { id }, 'WRITE'));
}

async function granted(check: Promise<void> | undefined): Promise<boolean> {
  try {
    await check;
    return true;
  } catch (error) {
    if (lacksRight(error)) return false;
    throw error;
  }
}

const badBytes = new ServiceError('bad-value', {
  explanation: 'Expected values, and bytes, as they were announced',
});

/** The client asks by HEAD where the upload is in truth. */
const wrongOffset = new ServiceError('part-conflict', {
  type: 'Transfer',
  explanation: 'Expected the offset that the upload has: ask for it with HEAD',
});

/** Refusals for guests in place of those that do not depend on what is there, by code or status. */
const passedOn = new Map<string | number, ServiceError>([
  [400, badBytes],
  ['media-type-unsupported', badBytes],
  ['part-conflict', wrongOffset],
  [413, new ServiceError('body-too-large', { explanation: 'Expected a smaller file' })],
  [416, new ServiceError('range-outside', { explanation: 'Expected a range of the file' })],
  [429, new ServiceError('too-many-queries', { explanation: 'Expected fewer requests: try again shortly' })],
  [503, new ServiceError('busy', { explanation: 'Expected an answer of the storage: try again shortly' })],
  [507, new ServiceError('no-space', { explanation: 'Expected room for the file' })],
]);

/** Gives the value of a command of the maker. A refusal tells the guest nothing, unless it is one for guests. */
export async function forGuest<T>(value: Promise<T>): Promise<T> {
  try {
    return await value;
  } catch (error) {
    const isOurs = !(error instanceof ServiceError) || error.status === 500 || error.status === 412;
    if (isOurs || error instanceof GuestRefusal) throw error;
    throw passedOn.get(error.code) ?? passedOn.get(error.status) ?? shareNotFound();
  }
}

type HeaderRow = Readonly<Record<string, string>>;

/** Headers that have one of these names. */
export const some = (headers: HeaderRow = {}, names: readonly string[]): HeaderRow =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));

interface ItemPage {
  readonly item?: readonly ItemOf[];
  readonly nextCursor?: string;
}

/** A page of the items that a share shows. Its default is to have their shapes. */
export async function itemPage(
  { as }: Pick<RoomContext, 'as'>,
  { share: { targetType, targetId }, maker }: { readonly share: ShareRow; readonly maker: Maker },
  { number, cursor }: { readonly number: number; readonly cursor: string },
  content = shapesToo,
): Promise<ItemPage> {
  const commands = as(maker.caller);
  if (targetType === 'item') {
    // The only page: behind it is the cursor of the item.
    if (cursor === targetId) return { item: [], nextCursor: targetId };
    const item = await forGuest(commands.run(readItem, { item: targetId }, { query: content }));
    return { item: [item as ItemOf], nextCursor: targetId };
  }
  const query = { ...content, number, count: false, cursor };
  const { value } = await forGuest(
    targetType === 'collection'
      ? commands.run(listCollection, { collection: targetId }, { query })
      : commands.run(listLibrary, { library: targetId }, { query }),
  );
  return value as ItemPage;
}

/** Media that marks become a part of here. */
export async function burntMedia(hooks: Hooks): Promise<readonly ('pictures' | 'films')[]> {
  if (!hooks.find(marksHook)) return [];
  return (await hooks.find(markedStreamsHook)?.isAble()) ? ['pictures', 'films'] : ['pictures'];
}

/** Whether films of the share can get the mark that they need. */
export const mayPlay = async (hooks: Hooks, share: Pick<ShareRow, 'mark'>): Promise<boolean> =>
  !isBurnt(share) || (await burntMedia(hooks)).includes('films');

const maxChecked = 100;

/** Items that guests may play, and have nothing that they could. Undefined: the share plays nothing. */
export async function itemsWithoutMedia(
  parts: RoomContext,
  call: Call,
  share: ShareRow,
): Promise<Share['nothingToPlay']> {
  const maker = share.plays === 1 && share.look === 1 ? await makerOf(parts, call, share) : undefined;
  if (!maker) return undefined;
  try {
    const { item = [] } = await itemPage(parts, { share, maker }, { number: maxChecked, cursor: '*' });
    const isAble = await mayPlay(parts.hooks, share);
    return item
      .filter((each) => !isAble || playedOf(each.shape ?? [], share).length === 0)
      .map((each) => {
        const { id, title, mediaType } = itemFrom(each);
        return { id, title, mediaType };
      });
  } catch (error) {
    // The share is made: what could not be read is left out of its answer.
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
