import { describe, expect, it } from 'vitest';
import { type Copy, canSpare, placementWork } from '../../../src/assets/placement/rules.ts';
import type { RuledStorage } from '../../../src/storage/storage-rules/ruled-storages.ts';
import type { StoredRule } from '../../../src/storage/storage-rules/rules.ts';

const storage = (id: string, more: Partial<RuledStorage> = {}): RuledStorage => ({
  id,
  serial: id.charCodeAt(0),
  type: 'LOCAL',
  groups: [],
  free: 100,
  bandwidth: 0,
  priority: 2,
  takesFiles: true,
  canRead: true,
  isReady: true,
  isFull: false,
  used: 0,
  going: 0,
  low: 1000,
  high: 1000,
  ...more,
});

/** A and B in the group g, C in the group h, D in none, R remote. */
const defaultValue = [
  storage('A', { groups: ['g'] }),
  storage('B', { groups: ['g'], bandwidth: 9 }),
  storage('C', { groups: ['h'], free: 500 }),
  storage('D', { free: 300, bandwidth: 5 }),
  storage('R', { type: 'REMOTE', free: 900 }),
];
const off = { takesFiles: false, canRead: false, isReady: false };

/** `A`, or `A2` for a second one there. */
const copyAt = (name: string): Copy => ({ fileId: `file-${name}`, storageId: name[0]!, size: 5, hash: 'h' });

interface Case {
  readonly name: string;
  readonly rule: StoredRule;
  readonly copies: readonly string[];
  readonly underWay?: readonly string[];
  readonly resting?: readonly string[];
  readonly storages?: readonly RuledStorage[];
  readonly start?: readonly string[];
  readonly remove?: readonly string[];
  readonly waits?: true;
}

const work = ({ rule, copies, underWay = [], resting = [], storages = defaultValue }: Case) => {
  const held = { copies: copies.map(copyAt), underWay: new Set(underWay), resting: new Set(resting) };
  const { start, remove, waits } = placementWork(rule, held, new Map(storages.map((each) => [each.id, each])));
  return { start: start.map(({ storageId }) => storageId), remove: remove.map(({ fileId }) => fileId.slice(5)), waits };
};

const not = { storage: ['D'] };
const swapped = (...others: readonly RuledStorage[]) =>
  defaultValue.map((each) => others.find(({ id }) => id === each.id) ?? each);

const cases: readonly Case[] = [
  { name: 'a rule that names nothing is content with one copy', rule: {}, copies: ['D'] },
  { name: 'named storages get a copy each', rule: { storage: ['A', 'C'] }, copies: ['D'], start: ['A', 'C'] },
  { name: 'a storage that has one gets no second one', rule: { storage: ['A', 'C'] }, copies: ['A'], start: ['C'] },
  { name: 'one on its way counts', rule: { storage: ['A', 'C'] }, copies: ['A'], underWay: ['C'] },
  {
    name: 'named storages beyond the count get none',
    rule: { storage: ['A', 'C', 'D'], storageCount: 2 },
    copies: ['R'],
    start: ['A', 'C'],
  },
  {
    name: 'any of the named ones counts',
    rule: { storage: ['A', 'C', 'D'], storageCount: 2 },
    copies: ['D'],
    start: ['A'],
  },
  { name: 'one storage of a group gets a copy', rule: { group: ['g', 'h'] }, copies: ['D'], start: ['A', 'C'] },
  { name: 'a named storage may be the one of a group', rule: { storage: ['B'], group: ['g'] }, copies: ['B'] },
  {
    name: 'groups beyond the count get none',
    rule: { storage: ['D'], group: ['g', 'h'], storageCount: 2 },
    copies: ['D'],
    start: ['A'],
  },
  { name: 'too few named: the one with the most free bytes', rule: { storageCount: 2 }, copies: ['A'], start: ['C'] },
  {
    name: 'the first criterion decides',
    rule: {
      storageCount: 2,
      priority: [
        { level: 2, value: 'capacity' },
        { level: 1, value: 'bandwidth' },
      ],
    },
    copies: ['A'],
    start: ['B'],
  },
  {
    name: 'a storage above its high watermark comes last',
    rule: { storageCount: 2 },
    copies: ['A'],
    storages: swapped(storage('C', { free: 500, isFull: true })),
    start: ['D'],
  },
  { name: 'a pool says from where', rule: { storageCount: 2, pool: { group: ['g'] } }, copies: ['A'], start: ['B'] },
  { name: 'a pool may be remote', rule: { storageCount: 2, pool: { storage: ['R'] } }, copies: ['A'], start: ['R'] },
  {
    name: 'a pool that is used up',
    rule: { storageCount: 3, pool: { group: ['g'] } },
    copies: ['A', 'B'],
    waits: true,
  },
  {
    name: 'a storage that is away waits',
    rule: { storage: ['A', 'C'] },
    copies: ['A'],
    storages: swapped(storage('C', off)),
    waits: true,
  },
  {
    name: 'a named storage rests after a failure',
    rule: { storage: ['C'] },
    copies: ['D'],
    resting: ['C'],
    waits: true,
  },
  { name: 'of others the next one is tried', rule: { storageCount: 2 }, copies: ['A'], resting: ['C'], start: ['D'] },
  {
    name: 'nothing is read from a storage that is away',
    rule: { storage: ['C'] },
    copies: ['D'],
    storages: swapped(storage('D', off)),
    waits: true,
  },
  {
    name: 'a copy that must not be there waits for another one',
    rule: { not },
    copies: ['D'],
    start: ['C'],
    waits: true,
  },
  { name: 'and for the one on its way', rule: { not }, copies: ['D'], underWay: ['C'], waits: true },
  { name: 'and goes then', rule: { not }, copies: ['D', 'C'], remove: ['D'] },
  {
    name: 'it waits for all that the rule wants',
    rule: { storage: ['A', 'B'], not },
    copies: ['A', 'D'],
    start: ['B'],
    waits: true,
  },
  { name: 'a group can be excluded', rule: { not: { group: ['g'] } }, copies: ['A', 'B', 'D'], remove: ['A', 'B'] },
  {
    name: 'not/any: nowhere else',
    rule: { storage: ['A'], not: { any: true } },
    copies: ['A', 'C', 'D'],
    remove: ['C', 'D'],
  },
  {
    name: 'not/any leaves the pool',
    rule: { storage: ['A'], pool: { storage: ['C'] }, not: { any: true } },
    copies: ['A', 'C'],
  },
  {
    name: 'not/any and a count: the group goes on',
    rule: { group: ['g'], storageCount: 2, not: { any: true } },
    copies: ['A'],
    start: ['B'],
  },
  { name: 'a surplus copy stays', rule: { storage: ['A'] }, copies: ['A', 'D'] },
  {
    name: 'a copy on a storage that is away lets no other one go',
    rule: { not },
    copies: ['C', 'D'],
    storages: swapped(storage('C', { ...off, free: 500 })),
    waits: true,
  },
  {
    name: 'what is named and excluded is excluded',
    rule: { storage: ['D', 'A'], not },
    copies: ['A', 'D'],
    remove: ['D'],
  },
];

describe('what a rule makes of copies', () => {
  it.each(cases.map((each) => [each.name, each] as const))('%s', (_name, each) => {
    expect(work(each)).toEqual({ start: each.start ?? [], remove: each.remove ?? [], waits: each.waits ?? false });
  });
});

describe('a copy that can be spared', () => {
  const spare = (rule: StoredRule, names: readonly string[], storages = defaultValue, other: Partial<Copy> = {}) => {
    const [first, ...more] = names.map(copyAt);
    const copies = [first!, ...more.map((copy) => ({ ...copy, ...other }))];
    return canSpare(rule, copies, new Map(storages.map((each) => [each.id, each])), first!);
  };

  it('is one that the rule does not need', () => expect(spare({ storage: ['A'] }, ['D', 'A'])).toBe(true));
  it('is never the last one', () => expect(spare({}, ['D'])).toBe(false));
  it('is none that the rule wants', () => expect(spare({ storage: ['D'] }, ['D', 'A'])).toBe(false));
  it('is none that the count wants', () => expect(spare({ storageCount: 2 }, ['D', 'A'])).toBe(false));
  it('is one beyond the count', () => expect(spare({ storageCount: 2 }, ['D', 'A', 'B'])).toBe(true));
  it('is a second file of a storage', () => expect(spare({ storage: ['D'] }, ['D', 'D2'])).toBe(true));
  it('has its bytes elsewhere: another hash is no copy', () =>
    expect(spare({ storage: ['A'] }, ['D', 'A'], defaultValue, { hash: 'other' })).toBe(false));
  it('has its bytes elsewhere: another size is no copy', () =>
    expect(spare({ storage: ['A'] }, ['D', 'A'], defaultValue, { size: 6, hash: null })).toBe(false));
  it('has its bytes where they can be read', () =>
    expect(spare({}, ['D', 'A'], swapped(storage('A', { ...off, groups: ['g'] })))).toBe(false));
});

it('a copy is made of bytes that stay: those that are about to leave are no source', () => {
  const storages = new Map(defaultValue.map((each) => [each.id, each]));
  const moving = { ...copyAt('A'), isMoving: true };
  const sourceOf = (...copies: readonly Copy[]) => {
    const held = { copies, underWay: new Set<string>(), resting: new Set<string>() };
    const { start, waits } = placementWork({ storage: ['A', 'B', 'C'] }, held, storages);
    return [start.map(({ source, storageId }) => `${source.fileId} to ${storageId}`), waits];
  };
  expect(sourceOf(moving, copyAt('B'))).toEqual([['file-B to C'], false]);
  expect(sourceOf(moving)).toEqual([[], true]);
});
