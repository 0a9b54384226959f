import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/core/lib/errors.ts';
import { createLog } from '../../src/core/lib/log.ts';
import { Metrics } from '../../src/core/lib/metrics.ts';
import { FamiliarNetworks } from '../../src/identity/passwords/familiar.ts';
import { Throttle } from '../../src/identity/passwords/throttle.ts';
import type { LoginAnswer } from '../../src/spi/index.ts';
import { testClock } from '../support/clock.ts';

const free = 5;
const stranger = '203.0.113.9';
const refused: LoginAnswer = { accepted: false, reason: 'wrong-password' };

function setUp() {
  const clock = testClock();
  const metrics = new Metrics();
  const log = createLog(() => undefined, clock, 'error');
  const familiar = new FamiliarNetworks({ clock, log, days: 0, keeper: undefined });
  const settings = { loginFreeFailures: free, loginDelayMost: 60 };
  const throttle = new Throttle({ clock, metrics, log, familiar, settings });
  const attempt = (account: string, address: string, make: () => LoginAnswer | Promise<LoginAnswer> = () => refused) =>
    throttle.attempt({ account, from: { address }, proof: () => account }, make);
  return { clock, metrics, attempt };
}

const network = (i: number): string => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;

describe('emptying the table of failures', () => {
  it.each([7_400, 30_000])('with %i junk logins from as many networks forgets no pause', (junk) => {
    const { attempt } = setUp();
    for (let time = 0; time < free; time++) attempt('alice', stranger);
    for (let i = 0; i < free * 10; i++) attempt('bob', network(i));
    for (let i = 0; i < free * 50; i++) attempt(`account ${i}`, '192.0.2.1');
    for (let i = 0; i < junk; i++) attempt(`junk ${i}`, network(1000 + i));
    expect(() => attempt('alice', stranger), 'a pair').toThrow(ServiceError);
    expect(() => attempt('bob', '192.0.2.2'), 'an account').toThrow(ServiceError);
    expect(() => attempt('carol', '192.0.2.1'), 'a network').toThrow(ServiceError);
  });

  it('with junk between the guesses does not keep the count of an account low', () => {
    const { attempt } = setUp();
    let junk = 0;
    const guesses = Array.from({ length: free * 10 }, (_, i) => i);
    for (const i of guesses) {
      attempt('bob', network(i));
      for (let time = 0; time < 400; time++) attempt(`junk ${junk}`, network(1000 + junk++));
    }
    expect(() => attempt('bob', '192.0.2.2')).toThrow(ServiceError);
  });

  it('with answers that say busy adds nothing to it', async () => {
    const { metrics, attempt } = setUp();
    const busy = () => Promise.reject(new ServiceError('busy', {}));
    for (let i = 0; i < 1000; i++) await expect(attempt('alice', network(i), busy)).rejects.toThrow(ServiceError);
    expect(metrics.render()).toContain('portico_login_failures 0\n');
    expect(attempt('alice', stranger)).toBe(refused);
  });
});
