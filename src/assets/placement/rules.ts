import type { RuledStorage, StoredRule } from '../../storage/public.ts';

/** A complete file of a component. */
export interface Copy {
  readonly fileId: string;
  readonly storageId: string;
  readonly size: number | null;
  readonly hash: string | null;
  /** True: a running job moves the file, so it cannot be a source. */
  readonly isMoving?: boolean;
  /** True: an archive has the bytes, so it cannot be a source. */
  readonly isArchived?: boolean;
}

export type Storages = ReadonlyMap<string, RuledStorage>;

export interface CopyToStart {
  readonly source: Copy;
  readonly storageId: string;
}

export interface PlacementWork {
  readonly start: readonly CopyToStart[];
  /** Copies in forbidden storages that the rule can spare. */
  readonly remove: readonly Copy[];
  /** True: a copy is missing but cannot be started now. */
  readonly waits: boolean;
}

interface CopyOnStorage {
  readonly copies: readonly Copy[];
  /** Storages with a copy in progress. */
  readonly underWay: ReadonlySet<string>;
  /** Storages where a copy failed recently. */
  readonly resting: ReadonlySet<string>;
}

/** Copies to start and to remove for a rule. */
export function placementWork(rule: StoredRule, current: CopyOnStorage, storages: Storages): PlacementWork {
  const { copies, underWay, resting } = current;
  const occupied = new Set([...copies.map(({ storageId }) => storageId), ...underWay]);
  const { chosen, isMissing } = missingPlaces(rule, occupied, storages, (id) => !resting.has(id));
  const source = bestSource(copies, storages);
  const forbidden = copies.filter(({ storageId }) => !allows(rule, storages.get(storageId)));
  const remove = forbidden.filter((copy) => canSpare(rule, copies, storages, copy));
  return {
    start: source ? chosen.map((storageId) => ({ source, storageId })) : [],
    remove,
    waits: isMissing || (chosen.length > 0 && !source) || remove.length < forbidden.length,
  };
}

export const isForbidden = (rule: StoredRule, storages: Storages, { storageId }: Copy): boolean =>
  !allows(rule, storages.get(storageId));

/** Whether the rule is met without a copy, and another readable copy has the same bytes. */
export function canSpare(rule: StoredRule, copies: readonly Copy[], storages: Storages, copy: Copy): boolean {
  const remaining = keptWithout(rule, copies, storages, copy);
  if (!remaining.some((other) => sameBytes(other, copy))) return false;
  const { chosen, isMissing } = missingPlaces(
    rule,
    new Set(remaining.map(({ storageId }) => storageId)),
    storages,
    () => true,
  );
  return chosen.length === 0 && !isMissing;
}

/** Copies that must remain if another one is removed. */
export const keptWithout = (
  rule: StoredRule,
  copies: readonly Copy[],
  storages: Storages,
  { fileId }: Copy,
): readonly Copy[] =>
  copies.filter((other) => {
    const storage = storages.get(other.storageId);
    return other.fileId !== fileId && storage?.isReady === true && allows(rule, storage);
  });

const sameBytes = (one: Copy, other: Copy): boolean =>
  one.size === other.size && (one.hash === null || other.hash === null || one.hash === other.hash);

/** The source in the readable storage with the highest priority, among copies that stay. */
function bestSource(copies: readonly Copy[], storages: Storages): Copy | undefined {
  const readable = copies.filter(
    ({ storageId, isMoving, isArchived }) => !isMoving && !isArchived && storages.get(storageId)?.canRead,
  );
  const rank = ({ storageId }: Copy) => storages.get(storageId)!.priority;
  return readable.toSorted((one, other) => rank(one) - rank(other))[0];
}

interface Missing {
  /** Storages to copy to. */
  readonly chosen: readonly string[];
  /** True: no storage can take a required copy. */
  readonly isMissing: boolean;
}

/** Chooses named storages first, then one per group, then from the pool, up to the number of the rule. */
function missingPlaces(
  rule: StoredRule,
  storageIds: ReadonlySet<string>,
  storages: Storages,
  mayTake: (id: string) => boolean,
): Missing {
  const { storageCount = 0, not } = rule;
  const named = (rule.storage ?? []).filter((id) => !isExcluded(not, storages.get(id)));
  const groups = (rule.group ?? []).filter((name) => !not?.group?.includes(name));
  const max = storageCount > 0 ? storageCount : Number.POSITIVE_INFINITY;
  const places = new Set([...storageIds].filter((id) => allows(rule, storages.get(id))));
  const chosen: string[] = [];
  let missing = 0;

  function take(candidates: readonly (RuledStorage | undefined)[], count: number): void {
    const free = candidates.filter(
      (each): each is RuledStorage =>
        each !== undefined && takes(each) && allows(rule, each) && !places.has(each.id) && mayTake(each.id),
    );
    const taken = free.slice(0, Math.max(0, count));
    for (const { id } of taken) {
      places.add(id);
      chosen.push(id);
    }
    missing += Math.max(0, count) - taken.length;
  }
  const best = (among: (storage: RuledStorage) => boolean) => inOrder(rule, [...storages.values()].filter(among));
  const inGroup = (name: string) => (storage: RuledStorage) => storage.groups.includes(name);

  const ofNamed = Math.min(named.length, max);
  take(
    named.map((id) => storages.get(id)),
    ofNamed - named.filter((id) => places.has(id)).length,
  );
  const open = groups.filter((name) => ![...places].some((id) => storages.get(id)?.groups.includes(name)));
  const ofGroups = Math.min(groups.length, max - ofNamed) - (groups.length - open.length);
  for (const name of open.slice(0, Math.max(0, ofGroups))) take(best(inGroup(name)), 1);
  take(best(inPool(rule)), Math.max(storageCount, 1) - places.size - missing);
  return { chosen, isMissing: missing > 0 };
}

/** Filter for storages beyond those named by the rule. */
function inPool({ storage = [], group = [], not, pool }: StoredRule): (storage: RuledStorage) => boolean {
  const isAmong = (ids: readonly string[], names: readonly string[]) => (each: RuledStorage) =>
    ids.includes(each.id) || each.groups.some((name) => names.includes(name));
  if (pool) return isAmong(pool.storage ?? [], pool.group ?? []);
  return not?.any ? isAmong(storage, group) : ({ type }) => type === 'LOCAL';
}

/** Sorts storages by the criteria of the rule. Those above the high watermark come last. */
function inOrder({ priority = [] }: StoredRule, storages: readonly RuledStorage[]): readonly RuledStorage[] {
  const criteria = priority.toSorted((one, other) => one.level - other.level).map(({ value }) => value);
  const rank = (each: RuledStorage): readonly number[] => [
    each.isFull ? 1 : 0,
    ...criteria.map((criterion) => (criterion === 'bandwidth' ? -each.bandwidth : -each.free)),
    -each.free,
    each.serial,
  ];
  return storages.toSorted((one, other) => {
    const [a, b] = [rank(one), rank(other)];
    const at = a.findIndex((part, index) => part !== b[index]);
    return at < 0 ? 0 : a[at]! - b[at]!;
  });
}

const takes = ({ takesFiles, type }: RuledStorage): boolean => takesFiles && (type === 'LOCAL' || type === 'REMOTE');

/** Whether the rule allows a copy on the storage. `not/any`: only where the rule says. */
function allows(rule: StoredRule, storage: RuledStorage | undefined): boolean {
  if (isExcluded(rule.not, storage)) return false;
  if (storage === undefined || !rule.not?.any) return true;
  const ids = [...(rule.storage ?? []), ...(rule.pool?.storage ?? [])];
  const names = [...(rule.group ?? []), ...(rule.pool?.group ?? [])];
  return ids.includes(storage.id) || storage.groups.some((name) => names.includes(name));
}

const isExcluded = (not: StoredRule['not'], storage: RuledStorage | undefined): boolean =>
  storage !== undefined &&
  ((not?.storage?.includes(storage.id) ?? false) || storage.groups.some((name) => not?.group?.includes(name) ?? false));
