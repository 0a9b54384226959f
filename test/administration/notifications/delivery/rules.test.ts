import { describe, expect, it } from 'vitest';
import type { DeliveryResult } from '../../../../src/administration/notifications/actions/order.ts';
import {
  backoff,
  type DeliveryDecision,
  decide,
  type Standing,
} from '../../../../src/administration/notifications/delivery/rules.ts';
import { delivered, down, patience } from './support.ts';

const now = 1_000_000_000;
const fresh: Standing = {
  attempts: 0,
  failingSince: null,
  deleted: false,
  retry: 2,
  synchronous: false,
  failures: 0,
  failingAllSince: null,
  pauses: 0,
};
const decided = (
  told: DeliveryResult,
  standing: Partial<Standing> = {},
  more: Partial<typeof patience> = {},
): DeliveryDecision => decide(told, { ...fresh, ...standing }, { ...patience, ...more }, now, () => 0.5);

const refused: DeliveryResult = { verdict: 'refused', status: 400 };
const hour = 3_600_000;

describe('what follows from a call', () => {
  it.each<[string, DeliveryResult, Partial<Standing>, Partial<DeliveryDecision> & object]>([
    ['a success', delivered, {}, { step: 'deliver', recovered: false }],
    ['a success after a pause', delivered, { pauses: 1 }, { step: 'deliver', recovered: true }],
    ['a failure', down, {}, { step: 'again', until: now + 1_000, health: { state: 'failing' } }],
    ['the second failure', down, { attempts: 1 }, { step: 'again', until: now + 2_000 }],
    ['the last failure', down, { attempts: 2 }, { step: 'park', reason: 'attempts' }],
    ['a failure without a retry of its own', down, { attempts: 2, retry: undefined }, { step: 'again' }],
    ['a refusal', refused, {}, { step: 'park', reason: 'refused', health: { state: 'failing' } }],
    ['a refusal after a pause', refused, { pauses: 3, failures: 99 }, { health: { state: 'failing' } }],
    ['410', { verdict: 'gone' }, {}, { step: 'park', reason: 'disabled', health: { state: 'disabled' } }],
    [
      'an address that may not be called',
      { verdict: 'blocked' },
      {},
      { reason: 'blocked', health: { state: 'spared' } },
    ],
    [
      'a fault of our own',
      { ...down, localFault: true },
      { failures: 99 },
      { step: 'again', health: { state: 'spared' } },
    ],
    ['a fault of our own, again and again', { ...down, localFault: true }, { attempts: 99 }, { step: 'again' }],
    ['a wish to be left alone', { ...down, after: 120_000 }, {}, { step: 'again', until: now + 120_000 }],
    [
      'a wish to be left alone for longer than others may wait',
      { ...down, after: 24 * hour },
      { failingSince: now - hour },
      { step: 'again', until: now + 3 * hour },
    ],
    [
      'a failure of one that decides about changes',
      down,
      { synchronous: true, failures: 99, failingAllSince: 0 },
      { health: { state: 'failing' } },
    ],
    [
      '410 of one that decides about changes',
      { verdict: 'gone' },
      { synchronous: true },
      { step: 'park', reason: 'refused', health: { state: 'failing' } },
    ],
    ['a deleted notification that succeeds', delivered, { deleted: true }, { step: 'deliver' }],
    ['a deleted notification that fails', down, { deleted: true }, { step: 'again', health: { state: 'failing' } }],
    ['the last failure of a deleted one', down, { deleted: true, attempts: 2, failures: 2 }, { step: 'drop' }],
    ['a deleted one without a retry', down, { deleted: true, retry: 0 }, { step: 'drop' }],
    ['a deleted one whose receiver failed before', down, { deleted: true, failures: 1 }, { step: 'drop' }],
    [
      'a deleted one that is to be left alone for a day',
      { ...down, after: 24 * hour },
      { deleted: true },
      { step: 'again', until: now + 4 * hour },
    ],
    [
      'a deleted one that holds others up',
      down,
      { deleted: true, retry: 999, failingSince: now - 4 * hour },
      { step: 'drop' },
    ],
    ['a deleted one that is refused', refused, { deleted: true }, { step: 'drop' }],
    [
      'a deleted one that fails for days',
      down,
      { deleted: true, failingAllSince: 0 },
      { health: { state: 'failing' } },
    ],
  ])('%s', (_what, told, standing, expected) => {
    expect(decided(told, standing)).toMatchObject(expected);
  });

  it('leaves a notification alone after failures in a row, longer each time', () => {
    const often = { failures: 9, attempts: 1 };
    expect(decided(down, often)).toMatchObject({
      step: 'again',
      health: { state: 'paused', until: now + 60_000, pauses: 1 },
    });
    expect(decided(down, { ...often, pauses: 1 })).toMatchObject({ health: { until: now + 120_000, pauses: 2 } });
    expect(decided(down, { ...often, pauses: 30 })).toMatchObject({ health: { until: now + 1_800_000 } });
    // A single attempt shows whether the receiver is back, however few failures count by then.
    expect(decided(down, { failures: 0, pauses: 1 })).toMatchObject({ health: { state: 'paused', pauses: 2 } });
    expect(decided({ ...down, after: 2 * hour }, often)).toMatchObject({ health: { until: now + 2 * hour } });
  });

  it('keeps an event that fails only because its receiver is away, but not for ever', () => {
    const away = { failures: 40, attempts: 5, pauses: 4 };
    expect(decided(down, away)).toMatchObject({ step: 'again' });
    expect(decided(down, { ...away, failingSince: now - 4 * hour })).toMatchObject({
      step: 'park',
      reason: 'attempts',
    });
  });

  it('gives up an event that fails alone, whatever its notification has done since', () => {
    expect(decided(down, { failures: 20, attempts: 20, retry: 20 })).toMatchObject({
      step: 'park',
      reason: 'attempts',
    });
  });

  it('rides out an outage for as long as the setting says, where the notification says nothing', () => {
    const standing = { attempts: 9, failures: 9, failingSince: now - hour, retry: undefined };
    expect(decided(down, standing, { retryFor: 2 * hour })).toMatchObject({ step: 'again' });
    expect(decided(down, standing, { retryFor: hour })).toMatchObject({ step: 'park' });
    expect(decided(down, { ...standing, retry: 2 }, { retryFor: 2 * hour })).toMatchObject({ step: 'park' });
  });

  it('parks what fails for a quarter of an hour while others get through, and waits in an outage', () => {
    const standing = { retry: 1_000, attempts: 9, failures: 0, failingSince: now - hour / 4 };
    expect(decided(down, standing)).toMatchObject({ step: 'park', reason: 'attempts' });
    expect(decided(down, { ...standing, failingSince: now - hour / 4 + 1 })).toMatchObject({ step: 'again' });
    expect(decided(down, { ...standing, failures: 9 })).toMatchObject({ step: 'again' });
    expect(decided({ ...down, localFault: true }, standing)).toMatchObject({ step: 'again' });
  });

  it('parks what keeps others waiting for too long', () => {
    const standing = { retry: 1_000, attempts: 9, failures: 9 };
    expect(decided(down, { ...standing, failingSince: now - 4 * hour + 1 })).toMatchObject({ step: 'again' });
    expect(decided(down, { ...standing, failingSince: now - 4 * hour })).toMatchObject({ step: 'park' });
  });

  it('switches off what has only failed for days, and nothing that has hardly been tried', () => {
    const days = { failingAllSince: now - 120 * hour, attempts: 1, pauses: 9 };
    expect(decided(down, { ...days, failures: 30 })).toMatchObject({ health: { state: 'disabled' } });
    expect(decided(refused, { ...days, failures: 30 })).toMatchObject({ health: { state: 'disabled' } });
    expect(decided(down, { ...days, failures: 3 })).toMatchObject({ health: { state: 'paused' } });
    expect(decided(down, { ...days, failures: 30 }, { disableAfter: 0 })).toMatchObject({
      health: { state: 'paused' },
    });
    expect(decided({ ...down, localFault: true }, { ...days, failures: 30 })).toMatchObject({
      health: { state: 'spared' },
    });
  });
});

it('pauses grow up to the most, and differ by a fifth', () => {
  expect([1, 2, 3, 30, 1_000].map((turn) => backoff(10, 50, turn, 0.5))).toEqual([10, 20, 40, 50, 50]);
  expect([0, 0.5, 0.999].map((chance) => backoff(1_000, 9_000, 1, chance))).toEqual([800, 1_000, 1_200]);
});
