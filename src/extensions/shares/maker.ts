import { mustHave } from '../../assets/access/public-reading.ts';
import { collectionKind, collectionName, itemKind } from '../../assets/items/contract/entities.ts';
import { libraryKind } from '../../assets/items/public.ts';
import { lacksRight, ServiceError } from '../../core/lib/errors.ts';
import type { Store } from '../../core/store/store.ts';
import { baseOf } from '../../http/address.ts';
import type { Call } from '../../http/call.ts';
import type { RoomContext } from '../../room/context.ts';
import type { EntityKind } from '../../room/entity.ts';
import { resumeMaker, storedCaller } from '../../room/kept-caller-sql.ts';
import type { Guest } from '../../security/arrival.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { type StoredCaller, Subject } from '../../security/subject.ts';
import type { Share } from './documents.ts';
import { fieldsAsked, type ItemOf, itemFrom, playedOf } from './item-view.ts';
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
  readonly caller: Caller;
  readonly stored: StoredCaller;
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
  const caller: Caller = { ...call, subject, reader: store.reader(subject.name), guest };
  const rights = await Promise.all([subject.has(shareRole), granted(kind.mayRead?.(caller, target, targetId))]);
  if (rights.includes(false)) return undefined;
  return { caller, stored: storedCaller(maker) };
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

interface InnerRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: ReadableStream<Uint8Array> | string;
  /** Guest who is to be named, and what the share adds to the commit. */
  readonly guest?: Guest;
  /** Refusals of this request by status, before those of all. */
  readonly refusals?: Readonly<Record<number, (response: Response) => Promise<ServiceError>>>;
}

export const badBytes = new ServiceError('bad-value', {
  explanation: 'Expected values, and bytes, as they were announced',
});

/** Answers that do not depend on what is there, with the refusals that guests get. */
const passedOn = new Map<number, ServiceError>([
  [400, badBytes],
  [413, new ServiceError('body-too-large', { explanation: 'Expected a smaller file' })],
  [416, new ServiceError('range-outside', { explanation: 'Expected a range of the file' })],
  [429, new ServiceError('too-many-queries', { explanation: 'Expected fewer requests: try again shortly' })],
  [503, new ServiceError('busy', { explanation: 'Expected an answer of the storage: try again shortly' })],
  [507, new ServiceError('no-space', { explanation: 'Expected room for the file' })],
]);

/**
 * A request that the service sends to itself as the maker: security.ini, roles and access entries decide about it as
 * about any request of that user. A refusal tells the guest nothing.
 */
export async function askAs(
  { carryOut }: Pick<RoomContext, 'carryOut'>,
  call: Call,
  { caller, stored }: Maker,
  path: string,
  { method = 'GET', headers = {}, body, guest = caller.guest, refusals = {} }: InnerRequest = {},
): Promise<Response> {
  const { origin, host } = new URL(baseOf(call));
  const init = {
    method,
    headers: { accept: 'application/json', host, ...headers },
    ...(body && { body, duplex: 'half' }),
  };
  const { address, secure, level } = call;
  const response = await carryOut(new Request(`${origin}${path}`, init), {
    ...{ rawTarget: path, as: stored, guest, secure, level },
    ...(address !== undefined && { address }),
  });
  if (response.status < 400 || response.status === 412) return response;
  const refused = refusals[response.status];
  if (refused) throw await refused(response);
  await response.body?.cancel();
  throw passedOn.get(response.status) ?? shareNotFound();
}

/** A document of the service itself. */
export const documentAs = async <T>(...request: Parameters<typeof askAs>): Promise<T> =>
  (await askAs(...request)).json() as Promise<T>;

interface ItemPage {
  readonly item?: readonly ItemOf[];
  readonly nextCursor?: string;
}

/** A page of the items that a share shows. Its default is to have their shapes. */
export async function itemPage(
  parts: Pick<RoomContext, 'carryOut'>,
  call: Call,
  { share: { targetType, targetId }, maker }: { readonly share: ShareRow; readonly maker: Maker },
  { number, cursor }: { readonly number: number; readonly cursor: string },
  query = `${fieldsAsked},shape`,
): Promise<ItemPage> {
  if (targetType === 'item') return { item: [await documentAs(parts, call, maker, `/item/${targetId}?${query}`)] };
  const at = targetType === 'collection' ? `/collection/${targetId}/item` : `/library/${targetId}`;
  const page = `number=${number}&count=false&cursor=${encodeURIComponent(cursor)}`;
  return documentAs(parts, call, maker, `${at}?${query}&${page}`);
}

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
    const { item = [] } = await itemPage(parts, call, { share, maker }, { number: maxChecked, cursor: '*' });
    return item
      .filter((each) => playedOf(each.shape ?? [], share).length === 0)
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
