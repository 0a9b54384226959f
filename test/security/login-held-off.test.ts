import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/core/lib/errors.ts';
import { createLog } from '../../src/core/lib/log.ts';
import { Metrics } from '../../src/core/lib/metrics.ts';
import { Secret } from '../../src/core/lib/secret.ts';
import { FamiliarNetworks } from '../../src/identity/passwords/familiar.ts';
import { hashPassword } from '../../src/identity/passwords/hash.ts';
import { Passwords } from '../../src/identity/passwords/passwords.ts';
import { type LoginAttempt, Throttle } from '../../src/identity/passwords/throttle.ts';
import { testClock } from '../support/clock.ts';
import { shareOfRows } from '../support/long.ts';
import { testRandom } from '../support/random.ts';
import { fastScrypt, testSettings } from '../support/service.ts';

const right = 'the right password';
const hashTime = 150;
const second = 1_000;

/** Throttle and queue as they are; a hash takes 150 ms of the test's clock, two at a time. */
async function setUp() {
  const clock = testClock();
  const metrics = new Metrics();
  const log = createLog(() => undefined, clock, 'error');
  const familiar = new FamiliarNetworks({ clock, log, days: 0, keeper: undefined });
  const throttle = new Throttle({ clock, metrics, log, familiar, settings: testSettings });
  const { compute } = fastScrypt();
  const password = await hashPassword(right, compute, testRandom());
  const scrypt: typeof compute = async (...given) => {
    await clock.sleep(hashTime);
    return compute(...given);
  };
  const digest = (text: string) => text;
  const random = testRandom();
  const passwords = new Passwords({ clock, metrics, random, scrypt, digest, sharesWork: true, settings: testSettings });
  let guesses = 0;

  /** Undefined when it is let in; else the seconds of Retry-After, 0 for a wrong password. */
  async function login(address: string, given: string): Promise<number | undefined> {
    const attempt: LoginAttempt = { account: 'alice', from: { address }, proof: () => given };
    const asker = {
      get line() {
        return throttle.lineOf(attempt);
      },
      isFamiliar: () => throttle.isFamiliar(attempt),
    };
    try {
      const answer = await throttle.attempt(attempt, async () => {
        const user = { id: 'VX-1', passwordVersion: 1, password };
        const matches = await passwords.verify('alice', user, new Secret(given), asker);
        if (!matches) guesses++;
        return matches ? { accepted: true, account: { name: 'alice' } } : { accepted: false, reason: 'wrong-password' };
      });
      return answer.accepted ? undefined : 0;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return Number(error.headers['retry-after']);
    }
  }

  return { clock, login, guesses: () => guesses };
}

/** Networks of different owners: each of the first 50,000 is in a block of version 4 of its own. */
const scattered = (i: number): string => `${1 + (i % 200)}.${Math.floor(i / 200) % 256}.${Math.floor(i / 51_200)}.1`;
const ofOneOwner = (i: number): string => `2001:db8:${(i >> 16).toString(16)}:${(i & 0xffff).toString(16)}::1`;

/** Guesses a second, the network of each, seconds until the person comes, most guesses that are compared meanwhile. */
const attacks: readonly (readonly [string, number, (i: number) => string, number, number])[] = [
  ['65 a second, each from a new network', 65, scattered, 30, 300 + 50],
  ['1,000 a second, each from a new network', 1_000, scattered, 10, 300 + 300],
  ['65 a second from 500 networks in turn', 65, (i) => scattered(i % 500), 90, 300 + 30 + 500 * 4],
  ['1,000 a second from 300 networks in turn', 1_000, (i) => scattered(i % 300), 40, 300 + 30 + 300 * 4],
  ['1,000 a second from networks of one owner, each twice', 1_000, (i) => ofOneOwner(i % 7_000), 10, 300 + 300],
];

describe('holding off the first login of a person from a new network', () => {
  it.each(shareOfRows(2, attacks, 1))(
    'with guesses at the account, %s, works for six seconds at most',
    async (...attack) => {
      const [, rate, networkOf, before, maxGuesses] = attack;
      const { clock, login, guesses } = await setUp();
      let sent = 0;
      let stop = false;
      const step = 50;
      const pass = async (milliseconds: number) => {
        for (let passed = 0; passed < milliseconds; passed += step) {
          const due = Math.floor(((clock.now() - begun + step) / second) * rate);
          for (; !stop && sent < due; sent++) void login(networkOf(sent), `guess ${sent}`);
          await clock.advance(step);
        }
      };
      const begun = clock.now();
      await pass(before * second);

      const took: number[] = [];
      for (let person = 0; person < 4; person++) {
        const came = clock.now();
        const address = `220.${person}.7.7`;
        for (let told: number | undefined | 'open' = 'open'; told !== undefined; ) {
          told = 'open';
          void login(address, right).then((answer) => (told = answer));
          while ((told as unknown) === 'open') await pass(step);
          if (told !== undefined) await pass(Number(told) * second);
        }
        took.push(clock.now() - came);
      }
      stop = true;
      await clock.advance(60 * second);
      expect(Math.max(...took), `${took}`).toBeLessThanOrEqual(6_000);
      expect(guesses()).toBeLessThanOrEqual(maxGuesses);
      expect(guesses()).toBeGreaterThanOrEqual(200);
    },
  );
});
