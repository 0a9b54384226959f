import { ServiceError } from '../../../core/lib/errors.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import { type KeyValues, setKeyValues } from '../../../room/entities/key-values/store.ts';
import { type MethodRow, type StorageRow, scanNow, updateStorage } from '../store.ts';
import { badAddress, type MethodAddress, type MethodCredentials, mask } from './address.ts';
import {
  insertMethod,
  type MethodValues,
  maxMethodPairs,
  maxMethods,
  methodMetadataFits,
  methodsFit,
  removeMethod,
  updateMethod,
} from './store.ts';

/** Requested values of a method. Undefined: unchanged, or the default for a new method. */
export interface MethodRequest {
  readonly id?: string | undefined;
  readonly address: MethodAddress;
  readonly read?: boolean | undefined;
  readonly write?: boolean | undefined;
  readonly browse?: boolean | undefined;
  readonly bandwidth?: number | undefined;
  readonly type?: string | undefined;
  readonly metadata?: KeyValues | undefined;
}

/** A request and the method that it is about. Undefined: a new one. */
interface MatchedMethod {
  readonly request: MethodRequest;
  readonly row: MethodRow | undefined;
}

/** Finds the method of each request: by its id, else by its address. */
export function matchMethods(rows: readonly MethodRow[], requests: readonly MethodRequest[]): MatchedMethod[] {
  const taken = new Set<string>();
  return requests.map((request) => {
    const free = rows.filter(({ id }) => !taken.has(id));
    const row = free.find(({ id }) => id === request.id) ?? free.find(({ uri }) => uri === request.address.uri);
    if (row) taken.add(row.id);
    return { request, row };
  });
}

/**
 * The name and the secret that a masked address stands for. They stay only as long as the address does: otherwise a
 * writer could have them sent to a host of its own.
 */
export function unchangedCredentials(
  { address }: MethodRequest,
  row: MethodRow | undefined,
  storage?: string,
): MethodCredentials {
  const { uri, user, password } = address;
  const { userName = null, sealed = null } = row?.uri === uri ? row : {};
  const has = sealed !== null || (password === undefined && userName !== null);
  if (has && (user === mask || user === userName)) return { userName, sealed };
  throw badAddress('the name and the password, not their mask, with a new address', uri, storage);
}

/** A request with all that is decided about it. */
export interface DecidedMethod extends MatchedMethod {
  /** Id of the existing or the new method. */
  readonly id: string;
  readonly credentials: MethodCredentials;
  /** Reason why no driver could open the address. */
  readonly unread: string | undefined;
}

/** The rows of methods that are to change, and of new ones. */
export function writeMethods(storageId: string, decided: readonly DecidedMethod[], now: number): Statement[] {
  if (decided.length === 0) return [];
  const changes = decided.flatMap(({ request, row, id, credentials, unread }) => {
    const values = valuesOf(request, row, credentials, unread, now);
    const taken = uriTaken(storageId, request.address.uri);
    return [
      ...(row
        ? updateMethod(row, values, taken, changedMeanwhile('Storage', storageId))
        : [insertMethod(id, storageId, values, taken)]),
      ...(request.metadata ? setKeyValues('storage-method', id, request.metadata, false) : []),
    ];
  });
  const max = Math.max(...decided.map(({ request }) => request.metadata?.mostBytes ?? 0));
  return [
    ...changes,
    methodsFit({ id: storageId }, tooManyMethods(storageId)),
    ...(max > 0 ? [metadataFits(storageId, max)] : []),
  ];
}

function valuesOf(
  { address, read, write, browse, bandwidth, type }: MethodRequest,
  row: MethodRow | undefined,
  credentials: MethodCredentials,
  unread: string | undefined,
  now: number,
): MethodValues {
  const flag = (wanted: boolean | undefined, current: number | undefined): number =>
    wanted === undefined ? (current ?? 1) : Number(wanted);
  const seen = row?.uri === address.uri ? row : undefined;
  return {
    uri: address.uri,
    ...credentials,
    read: flag(read, row?.read),
    write: flag(write, row?.write),
    browse: flag(browse, row?.browse),
    bandwidth: bandwidth ?? row?.bandwidth ?? 0,
    type: type === undefined ? (row?.type ?? '') : storedType(type),
    lastFailure: unread === undefined ? (seen?.lastFailure ?? null) : now,
    failureMessage: unread ?? seen?.failureMessage ?? null,
  };
}

/** A storage as it was read. */
export interface StorageWithMethods {
  readonly row: StorageRow;
  readonly methods: readonly MethodRow[];
}

/** Says why no driver is there for an address. */
type Unread = (uri: string) => string | undefined;

/** Adds or changes one method. The storage may be reached now, or no longer. */
export function writeMethod(
  { row, methods }: StorageWithMethods,
  decided: DecidedMethod,
  unread: Unread,
  now: number,
): CommitPlan {
  const { id } = row;
  const others = methods.filter((method) => method.id !== decided.id).map(({ uri }) => ({ unread: unread(uri) }));
  return changing(
    ...updateStorage(row, { state: stateWith(row, [decided, ...others]) }, changedMeanwhile('Storage', id)),
    ...writeMethods(id, [decided], now),
    ...(row.scanInterval < 0 ? [] : [scanNow({ id, now })]),
  );
}

export function removeMethodPlan({ row, methods }: StorageWithMethods, gone: MethodRow, unread: Unread): CommitPlan {
  const left = methods.filter((method) => method.id !== gone.id).map(({ uri }) => ({ unread: unread(uri) }));
  return changing(
    ...updateStorage(row, { state: stateWith(row, left) }, changedMeanwhile('Storage', row.id)),
    ...removeMethod({ id: gone.id }),
  );
}

/** Clients see `NONE` where there is no type, and send it back. */
const storedType = (type: string): string => (type.toUpperCase() === 'NONE' ? '' : type);

/** States that callers have asked for, and that only they end. */
const askedStates: ReadonlySet<string> = new Set(['EVACUATING', 'EVACUATED', 'DISABLED', 'FAILED']);

/** The state of a storage once its methods are these; undefined where it stays. The next scan knows better. */
export function stateWith(
  row: Pick<StorageRow, 'state'> | undefined,
  methods: readonly { readonly unread: string | undefined }[],
): string | undefined {
  if (row && askedStates.has(row.state)) return undefined;
  if (methods.length > 0 && methods.every(({ unread }) => unread !== undefined)) return 'OFFLINE';
  return row?.state === 'OFFLINE' ? 'NONE' : undefined;
}

/** Guards the metadata of all methods of a storage: a tenth of what one entity may have. */
export function metadataFits(id: string, maxOfOne: number): Statement {
  const max = Math.floor(maxOfOne / 10);
  return methodMetadataFits({ id, max }, tooMuchMetadata(id, max));
}

const tooMuchMetadata = (id: string, max: number): ServiceError =>
  new ServiceError('bad-value', {
    context: 'metadata',
    id,
    explanation: `Expected at most ${maxMethodPairs} pairs and ${max} bytes in the metadata of all methods of a storage`,
  });

export const noSuchMethod = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'storage-method', id: id.slice(0, 80) });

const uriTaken = (storage: string, uri: string): ServiceError =>
  new ServiceError('already-exists', {
    type: 'storage-method',
    id: storage,
    explanation: `Expected an address that no other method of the storage has: "${uri.slice(0, 80)}"`,
  });

const tooManyMethods = (id: string): ServiceError =>
  new ServiceError('bad-value', { context: 'storage', id, explanation: `Expected at most ${maxMethods} methods` });
