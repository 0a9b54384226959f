import type { KeptRule } from '../../media/rules/rules.ts';
import type { RuledStorage } from '../../media/rules/storages.ts';

/** Bytes of a component that are complete. */
export interface Copy {
  readonly fileId: string;
  readonly storageId: string;
  readonly size: number | null;
  readonly hash: string | null;
  /** It is about to leave: the component would no longer have it when a copy of it ends. */
  readonly isMoving?: boolean;
}

export type Storages = ReadonlyMap<string, RuledStorage>;

export interface CopyToStart {
  readonly source: Copy;
  readonly storageId: string;
}

export interface PlacementWork {
  readonly start: readonly CopyToStart[];
  /** Copies where the rule allows none, and without which it holds as well. */
  readonly remove: readonly Copy[];
  /** Something is missing that cannot be done now. */
  readonly waits: boolean;
}

export interface Held {
  readonly copies: readonly Copy[];
  /** Storages that a copy is on its way to. */
  readonly underWay: ReadonlySet<string>;
  /** Storages to which a copy has failed a short while ago. */
  readonly resting: ReadonlySet<string>;
}

/** What a rule makes of the copies of a component. */
export function placementWork(rule: KeptRule, held: Held, storages: Storages): PlacementWork {
  const { copies, underWay, resting } = held;
  const there = new Set([...copies.map(({ storageId }) => storageId), ...underWay]);
  const { chosen, isMissing } = missingPlaces(rule, there, storages, (id) => !resting.has(id));
  const source = bestSource(copies, storages);
  const forbidden = copies.filter(({ storageId }) => !allows(rule, storages.get(storageId)));
  const remove = forbidden.filter((copy) => canSpare(rule, copies, storages, copy));
  return {
    start: source ? chosen.map((storageId) => ({ source, storageId })) : [],
    remove,
    waits: isMissing || (chosen.length > 0 && !source) || remove.length < forbidden.length,
  };
}

export const isForbidden = (rule: KeptRule, storages: Storages, { storageId }: Copy): boolean =>
  !allows(rule, storages.get(storageId));

/** Whether the rule holds without a copy, and the same bytes are in another one that can be read now. */
export function canSpare(rule: KeptRule, copies: readonly Copy[], storages: Storages, copy: Copy): boolean {
  const kept = keptWithout(rule, copies, storages, copy);
  if (!kept.some((other) => sameBytes(other, copy))) return false;
  const { chosen, isMissing } = missingPlaces(
    rule,
    new Set(kept.map(({ storageId }) => storageId)),
    storages,
    () => true,
  );
  return chosen.length === 0 && !isMissing;
}

/** The copies on which the removal of another one relies. */
export const keptWithout = (
  rule: KeptRule,
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

/** Reads go to the storage with the highest priority, of those where the bytes stay. */
function bestSource(copies: readonly Copy[], storages: Storages): Copy | undefined {
  const readable = copies.filter(({ storageId, isMoving }) => !isMoving && storages.get(storageId)?.canRead);
  const rank = ({ storageId }: Copy) => storages.get(storageId)!.priority;
  return readable.toSorted((one, other) => rank(one) - rank(other))[0];
}

interface Missing {
  /** Storages that are to get a copy. */
  readonly chosen: readonly string[];
  /** No storage can take a copy that the rule wants. */
  readonly isMissing: boolean;
}

/** Named storages first, then one of each group, then what the pool leaves, until there are as many as the rule counts. */
function missingPlaces(
  rule: KeptRule,
  there: ReadonlySet<string>,
  storages: Storages,
  mayTake: (id: string) => boolean,
): Missing {
  const { storageCount = 0, not } = rule;
  const named = (rule.storage ?? []).filter((id) => !isExcluded(not, storages.get(id)));
  const groups = (rule.group ?? []).filter((name) => !not?.group?.includes(name));
  const most = storageCount > 0 ? storageCount : Number.POSITIVE_INFINITY;
  const places = new Set([...there].filter((id) => allows(rule, storages.get(id))));
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

  const ofNamed = Math.min(named.length, most);
  take(
    named.map((id) => storages.get(id)),
    ofNamed - named.filter((id) => places.has(id)).length,
  );
  const open = groups.filter((name) => ![...places].some((id) => storages.get(id)?.groups.includes(name)));
  const ofGroups = Math.min(groups.length, most - ofNamed) - (groups.length - open.length);
  for (const name of open.slice(0, Math.max(0, ofGroups))) take(best(inGroup(name)), 1);
  take(best(inPool(rule)), Math.max(storageCount, 1) - places.size - missing);
  return { chosen, isMissing: missing > 0 };
}

/** Where copies go that the rule wants beside those that it names. */
function inPool({ storage = [], group = [], not, pool }: KeptRule): (storage: RuledStorage) => boolean {
  const isAmong = (ids: readonly string[], names: readonly string[]) => (each: RuledStorage) =>
    ids.includes(each.id) || each.groups.some((name) => names.includes(name));
  if (pool) return isAmong(pool.storage ?? [], pool.group ?? []);
  return not?.any ? isAmong(storage, group) : ({ type }) => type === 'LOCAL';
}

/** Storages above their high watermark come last. */
function inOrder({ priority = [] }: KeptRule, storages: readonly RuledStorage[]): readonly RuledStorage[] {
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

/** Whether a copy may be there. `not/any`: nowhere but where the rule says. */
function allows(rule: KeptRule, storage: RuledStorage | undefined): boolean {
  if (isExcluded(rule.not, storage)) return false;
  if (storage === undefined || !rule.not?.any) return true;
  const ids = [...(rule.storage ?? []), ...(rule.pool?.storage ?? [])];
  const names = [...(rule.group ?? []), ...(rule.pool?.group ?? [])];
  return ids.includes(storage.id) || storage.groups.some((name) => names.includes(name));
}

const isExcluded = (not: KeptRule['not'], storage: RuledStorage | undefined): boolean =>
  storage !== undefined &&
  ((not?.storage?.includes(storage.id) ?? false) || storage.groups.some((name) => not?.group?.includes(name) ?? false));
