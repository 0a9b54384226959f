import fc from 'fast-check';
import { type Failure, failuresOf } from '../failures.ts';

/** Request of somebody. Numbers choose among what is there, so that each list of steps can be played. */
export interface Deed {
  readonly does: DeedName;
  /** The instance that gets it. */
  readonly at: number;
  readonly who: number;
  readonly what: number;
  readonly other: number;
}

export const deedNames = [
  ...['makeItem', 'writeTitle', 'readTitle', 'deleteItem', 'grant', 'revoke'],
  ...['makeCollection', 'addMember', 'removeMember', 'deleteCollection'],
  ...['import', 'abortJob', 'sendAgain', 'share', 'enterShare', 'revokeShare'],
  ...['makeUser', 'disableUser', 'enableUser', 'logIn', 'notify', 'stopNotifying', 'work'],
] as const;
export type DeedName =
  | 'makeItem'
  | 'writeTitle'
  | 'readTitle'
  | 'deleteItem'
  | 'grant'
  | 'revoke'
  | 'makeCollection'
  | 'addMember'
  | 'removeMember'
  | 'deleteCollection'
  | 'import'
  | 'abortJob'
  | 'sendAgain'
  | 'share'
  | 'enterShare'
  | 'revokeShare'
  | 'makeUser'
  | 'disableUser'
  | 'enableUser'
  | 'logIn'
  | 'notify'
  | 'stopNotifying'
  | 'work';

/** An instance stops behind a call, or a call fails. */
export interface Mischief {
  readonly at: number;
  readonly call: number;
  /** `kill`: the instance stops. */
  readonly how: Failure | 'kill';
}

/** Deeds that happen beside each other, or time that passes. */
export type Step =
  | { readonly deeds: readonly Deed[]; readonly mischief?: Mischief | undefined }
  | { readonly passes: number };

/** A run: its instances, the order in which their calls are made, and its steps. */
export interface Setting {
  readonly instances: number;
  /** Seed of the order. */
  readonly order: number;
  /** Whether each read waits for its turn, too. */
  readonly readsWait: boolean;
  /** Statuses of receivers, again and again. */
  readonly receivers: readonly number[];
}

const maxInstances = 3;

/** Work is asked for as often as all else. */
const deedArbitrary: fc.Arbitrary<Deed> = fc.record({
  does: fc.oneof(
    { arbitrary: fc.constantFrom(...deedNames), weight: 5 },
    { arbitrary: fc.constantFrom<DeedName>('makeItem', 'writeTitle', 'readTitle'), weight: 3 },
    { arbitrary: fc.constant<DeedName>('work'), weight: 2 },
  ) as fc.Arbitrary<DeedName>,
  at: fc.nat({ max: maxInstances - 1 }),
  who: fc.nat({ max: 2 }),
  what: fc.nat({ max: 5 }),
  other: fc.nat({ max: 5 }),
});

/** A clock that jumps for one instance is for `crash-points`: here all of them share one. */
const failures = [...new Set(Object.values(failuresOf).flat())].filter((how) => how !== 'later' && how !== 'earlier');

const mischiefArbitrary: fc.Arbitrary<Mischief> = fc.record({
  at: fc.nat({ max: maxInstances - 1 }),
  call: fc.integer({ min: 1, max: 30 }),
  how: fc.oneof(fc.constant('kill' as const), fc.constantFrom(...failures)),
});

export const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      deeds: fc.array(deedArbitrary, { minLength: 1, maxLength: 4 }),
      mischief: fc.option(mischiefArbitrary, { nil: undefined, freq: 2 }),
    }),
    weight: 8,
  },
  { arbitrary: fc.record({ passes: fc.constantFrom(1_000, 25_000, 3_700_000) }), weight: 1 },
);

export const settingArbitrary: fc.Arbitrary<Setting> = fc.record({
  instances: fc.integer({ min: 2, max: maxInstances }),
  order: fc.nat({ max: 0x7fffffff }),
  readsWait: fc.boolean(),
  receivers: fc.array(fc.constantFrom(200, 200, 200, 503, 400), { minLength: 1, maxLength: 6 }),
});
