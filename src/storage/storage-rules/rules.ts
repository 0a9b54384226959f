import { badValue } from '../../core/documents/error.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import type { StorageRule } from '../documents.ts';
import { groupsThere, putRule, type RuleRow, removeRule, ruleThere, storagesThere } from './store.ts';

/** Subjects of rules, the most specific first. `GENERIC`: all shapes with the tag. */
export const ruleTypes = ['SHAPE', 'ITEM', 'LIBRARY', 'COLLECTION', 'GENERIC'] as const;
export type RuleType = (typeof ruleTypes)[number];

export const precedences = ['HIGHEST', 'HIGH', 'MEDIUM', 'LOW', 'LOWEST'] as const;
type Precedence = (typeof precedences)[number];
const defaultValue: Precedence = 'MEDIUM';

const criteria = ['capacity', 'bandwidth'] as const;

/** Subject of a rule. An empty tag stands for all tags. */
interface RuleKey {
  readonly type: RuleType;
  readonly id: string;
  readonly tag: string;
}

/** Stored part of a rule, without derived values. */
export type StoredRule = Omit<StorageRule, 'id' | 'appliesTo' | 'inherited' | 'precedence'>;

interface NewRule {
  readonly rule: StoredRule;
  readonly precedence: Precedence;
}

export function storageRuleFrom(document: StorageRule): NewRule {
  const { id: _id, appliesTo: _to, inherited: _from, precedence, ...rule } = document;
  const { storageCount = 0, priority = [] } = rule;
  const place = '/StorageRuleDocument';
  if (storageCount < 0) throw badValue(`${place}/storageCount`, 'a whole number of at least 0', String(storageCount));
  return {
    rule: {
      ...rule,
      ...(rule.priority && {
        priority: priority.map(({ level, value }) => ({
          level,
          value: oneOf(value.toLowerCase(), criteria, `${place}/priority`),
        })),
      }),
    },
    precedence: precedence ? oneOf(precedence.toUpperCase(), precedences, `${place}/precedence`) : defaultValue,
  };
}

function oneOf<W extends string>(text: string, words: readonly W[], place: string): W {
  const match = words.find((word) => word === text);
  if (match !== undefined) return match;
  throw badValue(place, `one of ${words.join(', ')}`, text);
}

/** Distinct storages and groups that a rule names. */
export function ruleDestinations({ storage = [], group = [], not = {}, pool = {} }: StoredRule): {
  readonly storages: readonly string[];
  readonly groups: readonly string[];
} {
  const storages = [...storage, ...(not.storage ?? []), ...(pool.storage ?? [])];
  const groups = [...group, ...(not.group ?? []), ...(pool.group ?? [])];
  return { storages: [...new Set(storages)], groups: [...new Set(groups)] };
}

/** Makes or replaces a rule. `guards`: see `RulePlace`. */
export function writeRule(
  { type, id, tag }: RuleKey,
  { rule, precedence }: NewRule,
  guards: readonly Statement[],
): CommitPlan {
  const { storages, groups } = ruleDestinations(rule);
  const changed = changedMeanwhile('Storage', storages[0] ?? '');
  const row: RuleRow = {
    entityType: type,
    entityId: id,
    tag,
    precedence: precedences.indexOf(precedence),
    document: JSON.stringify(rule),
  };
  return changing(
    ...guards,
    ...(storages.length > 0 ? [storagesThere({ names: storages, count: storages.length }, changed)] : []),
    ...(groups.length > 0 ? [groupsThere({ names: groups, count: groups.length }, changed)] : []),
    putRule(row),
  );
}

export const deleteStorageRule = (key: RuleKey, guards: readonly Statement[]): CommitPlan =>
  changing(...guards, ruleThere({ ...key }, noSuchStorageRule(key.tag)), removeRule({ ...key }));

export const noSuchStorageRule = (tag: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'storage-rule', id: tag.slice(0, 80) });

/** By precedence, then by the type of what a rule is about, then those with a tag. */
export function byImportance(rows: readonly RuleRow[]): readonly RuleRow[] {
  const rank = ({ precedence, entityType, tag }: RuleRow) => [
    precedence,
    ruleTypes.indexOf(entityType as RuleType),
    tag === '' ? 1 : 0,
  ];
  return rows.toSorted((one, other) => {
    const [a, b] = [rank(one), rank(other)];
    const at = a.findIndex((part, index) => part !== b[index]);
    return at < 0 ? 0 : a[at]! - b[at]!;
  });
}

/** The most important rule wins. */
export function winnerOf(rows: readonly RuleRow[]): StoredRule | undefined {
  const [first] = byImportance(rows);
  return first && (JSON.parse(first.document) as StoredRule);
}

/** Preference for the storage of a new file. */
export type StorageOption =
  | { readonly kind: 'named'; readonly storages: readonly string[] }
  | { readonly kind: 'among'; readonly storages: readonly string[]; readonly groups: readonly string[] }
  | { readonly kind: 'anywhere' };

export interface Placement {
  readonly options: readonly StorageOption[];
  readonly notStorages: readonly string[];
  readonly notGroups: readonly string[];
  /** Criteria for the choice among storages that are not named, the most important first. */
  readonly criteria: readonly string[];
}

/** Placement by a rule: named storages first, then those of its groups, then the rest of its pool. */
export function placementOf(rule: StoredRule = {}): Placement {
  const { storage = [], group = [], not = {}, pool, priority = [] } = rule;
  const { storage: notStorages = [], group: notGroups = [], any } = not;
  const named: StorageOption[] = storage.length > 0 ? [{ kind: 'named', storages: storage }] : [];
  const grouped: StorageOption[] = group.length > 0 ? [{ kind: 'among', storages: [], groups: group }] : [];
  const pooled: StorageOption = pool
    ? { kind: 'among', storages: pool.storage ?? [], groups: pool.group ?? [] }
    : { kind: 'anywhere' };
  return {
    options: [...named, ...grouped, ...(any ? [] : [pooled])],
    notStorages,
    notGroups,
    criteria: priority.toSorted((a, b) => a.level - b.level).map(({ value }) => value),
  };
}
