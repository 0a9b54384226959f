import { ServiceError } from '../../core/lib/errors.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import { type KeyValues, noKeyValues, setKeyValues } from '../../room/entities/key-values/store.ts';
import { storageEvent } from '../events.ts';
import { forgetRestsOf } from '../jobs/store.ts';
import { type DecidedMethod, type MethodRequest, stateWith, writeMethods } from './methods/rules.ts';
import {
  endEvacuation,
  insertStorage,
  type StorageRow,
  type StorageValues,
  scanNever,
  scanNow,
  updateStorage,
} from './store.ts';

/** Properties of a storage that are kept and given back, as JSON in one column. */
export interface Rest {
  readonly bandwidth?: number | undefined;
  readonly projection?: string | undefined;
  readonly sequence?: readonly { readonly regex: string; readonly numGroup?: number | undefined }[] | undefined;
  readonly sequenceTimeout?: number | undefined;
  readonly bean?: string | undefined;
  readonly archiveScript?: string | undefined;
  readonly resourceTag?: string | undefined;
  /** Watermarks given in bytes, which do not follow the capacity. */
  readonly lowWatermark?: number | undefined;
  readonly highWatermark?: number | undefined;
  /** Names of properties that were set explicitly. Documents omit the others. */
  readonly told?: readonly string[] | undefined;
}

export const storageRest = ({ rest }: Pick<StorageRow, 'rest'>): Rest => JSON.parse(rest) as Rest;

/** Bytes that are free: those of the disk where it is asked, else the capacity less what the files take. */
export function freeOf(row: Pick<StorageRow, 'capacity' | 'autoDetect' | 'freeDetected'>, used: number): number {
  if (row.autoDetect === 1 && row.freeDetected !== null) return row.freeDetected;
  return Math.max(0, row.capacity - used);
}

interface Watermark {
  readonly bytes: number;
  readonly percentage: number;
}

/** Copies go above the high one, until the low one is reached. */
export function watermarksOf(row: Pick<StorageRow, 'capacity' | 'lowWatermark' | 'highWatermark' | 'rest'>): {
  readonly low: Watermark;
  readonly high: Watermark;
} {
  const rest = storageRest(row);
  const markOf = (percentage: number, bytes: number | undefined): Watermark =>
    bytes === undefined ? { percentage, bytes: share(row.capacity, percentage) } : { percentage, bytes };
  return { low: markOf(row.lowWatermark, rest.lowWatermark), high: markOf(row.highWatermark, rest.highWatermark) };
}

/** A capacity of some petabytes times a hundred is more than a double holds exactly. */
const share = (capacity: number, percentage: number): number => Number((BigInt(capacity) * BigInt(percentage)) / 100n);

/** Share of the capacity in percent, rounded down. */
const percentageOf = (bytes: number, capacity: number): number =>
  capacity === 0 ? 0 : Math.min(100, Number((BigInt(bytes) * 100n) / BigInt(capacity)));

export const storageTypes = ['LOCAL', 'SHARED', 'REMOTE', 'EXTERNAL', 'ARCHIVE', 'EXPORT'] as const;
export const priorities = ['HIGHEST', 'HIGH', 'MEDIUM', 'LOW', 'LOWEST'] as const;
export const storageStates = ['NONE', 'READY', 'OFFLINE', 'FAILED', 'DISABLED', 'EVACUATING', 'EVACUATED'] as const;

/** A share of the capacity, or bytes whatever the capacity is. */
export type WatermarkChange = { readonly percentage: number } | { readonly bytes: number };

/** Requested values of a storage. Undefined: unchanged, or the default for a new storage. */
export interface StorageChange {
  readonly type: (typeof storageTypes)[number] | undefined;
  readonly capacity: number | undefined;
  readonly low: WatermarkChange | undefined;
  readonly high: WatermarkChange | undefined;
  readonly scanInterval: number | undefined;
  readonly autoDetect: boolean | undefined;
  readonly showImportables: boolean | undefined;
  readonly priority: (typeof priorities)[number] | undefined;
  readonly rest: Rest;
  readonly methods: readonly MethodRequest[];
  readonly metadata: KeyValues;
}

/** Says nothing: a new storage has all its defaults. */
export const noChange: StorageChange = {
  type: undefined,
  capacity: undefined,
  low: undefined,
  high: undefined,
  scanInterval: undefined,
  autoDetect: undefined,
  showImportables: undefined,
  priority: undefined,
  rest: {},
  methods: [],
  metadata: noKeyValues,
};

const defaults: StorageValues = {
  type: 'LOCAL',
  state: 'NONE',
  capacity: 1_000_000,
  autoDetect: 0,
  lowWatermark: 100,
  highWatermark: 100,
  scanInterval: 60,
  showImportables: 1,
  priority: 'MEDIUM',
  rest: '{}',
};

/** A storage with its methods, as one commit. */
export function createStorage(
  id: string,
  change: StorageChange,
  decided: readonly DecidedMethod[],
  now: number,
): CommitPlan {
  const values = { ...valuesOf(defaults, change), state: stateWith(undefined, decided) ?? defaults.state };
  return {
    changes: [
      insertStorage(id, values, now),
      ...writeMethods(id, decided, now),
      ...setKeyValues('storage', id, change.metadata, false),
      ...(values.scanInterval < 0 ? [] : [scanNow({ id, now })]),
    ],
    events: [storageEvent('storage/create', id, { storageId: id })],
  };
}

/** `others`: the methods that the change does not name, with what is said of their schemes. */
export function changeStorage(
  row: StorageRow,
  change: StorageChange,
  decided: readonly DecidedMethod[],
  others: readonly { readonly unread: string | undefined }[],
  now: number,
): CommitPlan {
  const { id } = row;
  const state = decided.length === 0 ? undefined : stateWith(row, [...decided, ...others]);
  const { capacity: _known, ...values } = valuesOf(row, change);
  const to = { ...values, state, capacity: change.capacity };
  return changing(
    ...updateStorage(row, to, changedMeanwhile('Storage', id)),
    ...writeMethods(id, decided, now),
    ...setKeyValues('storage', id, change.metadata, false),
    ...rescheduled(row, change, now),
  );
}

/** A new interval, other methods and a look at the disk count from now on. */
function rescheduled(row: StorageRow, change: StorageChange, now: number): Statement[] {
  const { id } = row;
  const interval = change.scanInterval ?? row.scanInterval;
  if (interval < 0) return change.scanInterval === undefined ? [] : [scanNever({ id })];
  const asks =
    (change.scanInterval !== undefined && change.scanInterval !== row.scanInterval) ||
    change.methods.length > 0 ||
    (change.autoDetect === true && row.autoDetect === 0);
  return asks ? [scanNow({ id, now })] : [];
}

function valuesOf(before: StorageValues, change: StorageChange): Omit<StorageValues, 'state'> {
  const { type, scanInterval, autoDetect, showImportables, priority } = change;
  const capacity = change.capacity ?? before.capacity;
  const changedRest = { scanInterval, autoDetect, priority };
  const changedNames = Object.entries(changedRest).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const restBefore = storageRest(before);
  const rest: Rest = {
    ...restBefore,
    ...Object.fromEntries(Object.entries(change.rest).filter(([, value]) => value !== undefined)),
    ...(change.low && { lowWatermark: 'bytes' in change.low ? change.low.bytes : undefined }),
    ...(change.high && { highWatermark: 'bytes' in change.high ? change.high.bytes : undefined }),
    ...(changedNames.length > 0 && { told: [...new Set([...(restBefore.told ?? []), ...changedNames])] }),
  };
  const flag = (wanted: boolean | undefined, current: number) => (wanted === undefined ? current : Number(wanted));
  return {
    type: type ?? before.type,
    capacity,
    autoDetect: flag(autoDetect, before.autoDetect),
    lowWatermark: shareOf(change.low, before.lowWatermark, capacity),
    highWatermark: shareOf(change.high, before.highWatermark, capacity),
    scanInterval: scanInterval ?? before.scanInterval,
    showImportables: flag(showImportables, before.showImportables),
    priority: priority ?? before.priority,
    rest: JSON.stringify(rest),
  };
}

function shareOf(change: WatermarkChange | undefined, before: number, capacity: number): number {
  if (change === undefined) return before;
  return 'percentage' in change ? change.percentage : percentageOf(change.bytes, capacity);
}

export const changeType = (row: StorageRow, type: StorageChange['type']): CommitPlan => ({
  changes: updateStorage(row, { type: type ?? row.type }, changedMeanwhile('Storage', row.id)),
  events: [],
});

export const noSuchStorage = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'Storage', id: id.slice(0, 80) });

const nothing: CommitPlan = changing();

/** No new file comes to the storage from now on, and its files move to others. `hasOther`: there is one to move to. */
export function beginEvacuation(row: StorageRow, hasOther: boolean): CommitPlan {
  if (isEvacuating(row)) return nothing;
  if (!hasOther) throw noOtherStorage(row.id);
  const { changes, events } = changeState(row, 'EVACUATING');
  return { changes: [...changes, forgetRestsOf({ storageId: row.id })], events };
}

/** Files that have moved stay where they are. */
export const cancelEvacuation = (row: StorageRow): CommitPlan =>
  isEvacuating(row) ? changeState(row, 'READY') : nothing;

/** For the commit of whatever takes a file away: with the last one the evacuation has ended. */
export const afterMove = (storageId: string): Statement => endEvacuation({ id: storageId });

const isEvacuating = ({ state }: StorageRow): boolean => state === 'EVACUATING' || state === 'EVACUATED';

const changeState = (row: StorageRow, state: string): CommitPlan => ({
  changes: updateStorage(row, { state }, changedMeanwhile('Storage', row.id)),
  events: [],
});

const noOtherStorage = (id: string): ServiceError =>
  new ServiceError('no-other-storage', {
    type: 'Storage',
    id,
    explanation: 'Expected another storage of the type LOCAL with a method that writes',
  });
