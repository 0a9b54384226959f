import { mustHave } from '../../assets/access/public-reading.ts';
import { collectionKind, collectionName, itemKind } from '../../assets/items/contract/entities.ts';
import { libraryKind } from '../../assets/items/public.ts';
import type { ExceptionDocument } from '../../core/documents/index.ts';
import { lacksRight, ServiceError } from '../../core/lib/errors.ts';
import type { Store } from '../../core/store/store.ts';
import { baseOf } from '../../http/address.ts';
import type { Call } from '../../http/call.ts';
import { findLoginById } from '../../identity/public.ts';
import type { RoomContext } from '../../room/context.ts';
import type { EntityKind } from '../../room/entity.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import type { Guest } from '../../security/pipeline.ts';
import { type StoredCaller, Subject } from '../../security/subject.ts';
import { gone } from './rules.ts';
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
 * The maker of a share. Undefined: the user is disabled or gone, or may no longer share, or read what the share shows.
 */
export async function makerOf(
  { store, services }: RoomContext,
  call: Call,
  { userId, targetType, targetId }: ShareRow,
): Promise<Maker | undefined> {
  const login = await findLoginById(store, { id: userId });
  if (login?.enabled !== 1) return undefined;
  const stored = { account: { id: login.id, revocations: login.revocations } };
  const subject = await services.directory.open({ address: call.address }).resume(stored);
  if (!(subject instanceof Subject) || !(await subject.has(shareRole))) return undefined;
  const caller: Caller = { ...call, subject, reader: store.reader(subject.name) };
  const kind = targetKinds(store)[targetType];
  const target = await kind.find(targetId);
  if (!target || !(await granted(kind.mayRead?.(caller, target, targetId)))) return undefined;
  return { caller, stored };
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
  /** Guest who is to be named. */
  readonly guest?: Guest;
}

/** Answers that do not depend on what is there, with the refusals that guests get. */
const passedOn = new Map<number, ServiceError>([
  [400, new ServiceError('bad-value', { explanation: 'Expected values, and bytes, as they were announced' })],
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
  { stored }: Maker,
  path: string,
  { method = 'GET', headers = {}, body, guest }: InnerRequest = {},
): Promise<Response> {
  const { origin, host } = new URL(baseOf(call));
  const init = {
    method,
    headers: { accept: 'application/json', host, ...headers },
    ...(body && { body, duplex: 'half' }),
  };
  const { address, secure } = call;
  const response = await carryOut(new Request(`${origin}${path}`, init), {
    ...{ rawTarget: path, as: stored, guest, secure },
    ...(address !== undefined && { address }),
  });
  if (response.status < 400 || response.status === 412) return response;
  if (response.status === 400 && guest) throw await valueRefusal(response);
  await response.body?.cancel();
  throw passedOn.get(response.status) ?? gone();
}

/** Refusal of a value that a guest sent: it names the element of the document of guests. */
async function valueRefusal(response: Response): Promise<ServiceError> {
  const { invalidInput } = (await response.json().catch(() => ({}))) as ExceptionDocument;
  const { context = '', explanation = 'Expected values as documents have them' } = invalidInput ?? {};
  return new ServiceError('bad-value', { context: context.replace(/^\/Annotation/, '/SharedAnnotation'), explanation });
}

/** A document of the service itself. */
export const documentAs = async <T>(...request: Parameters<typeof askAs>): Promise<T> =>
  (await askAs(...request)).json() as Promise<T>;
