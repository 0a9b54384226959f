import { describe, expect, it } from 'vitest';
import { filterComponents } from '../../filters/index.ts';
import { Counters } from '../../filters/rate-limit.ts';
import { ask, filterHost, headersOf, make, told } from './support.ts';

const basic = (user: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${user}:p`).toString('base64')}`,
});

async function limiterOf(given: object) {
  const host = filterHost();
  const filter = await make(filterComponents['portico.RateLimitFilter']!, { ...given }, host);
  return { host, send: (address: string, headers = {}) => ask(filter, undefined, { address, headers }) };
}

describe('rateLimit', () => {
  it('refuses what comes too often, and says for how long', async () => {
    const { host, send } = await limiterOf({ requests: 2, window: 10_000 });
    expect([told(await send('192.0.2.1')), told(await send('192.0.2.1'))]).toEqual(['pass', 'pass']);
    host.time += 2_500;
    const verdict = await send('192.0.2.1');
    expect([told(verdict), headersOf(verdict)]).toEqual(['429 rate-limit-address', { 'retry-after': '8' }]);
    host.time += 7_499;
    expect([told(await send('192.0.2.1')), headersOf(await send('192.0.2.1'))['retry-after']]).toEqual([
      '429 rate-limit-address',
      '1',
    ]);
    host.time += 1;
    expect(told(await send('192.0.2.1'))).toBe('pass');
  });

  it.each([
    ['address', ['pass', '429 rate-limit-address', 'pass', '429 rate-limit-address']],
    ['account', ['pass', 'pass', '429 rate-limit-account', 'pass']],
    ['both', ['pass', '429 rate-limit-address', '429 rate-limit-account', '429 rate-limit-address']],
  ])('counts by %s', async (by, expected) => {
    const { send } = await limiterOf({ requests: 1, by });
    const answers = [
      await send('192.0.2.1', basic('alice')),
      await send('192.0.2.1', basic('bob')),
      await send('192.0.2.2', basic('alice')),
      await send('192.0.2.2', basic('carol')),
    ];
    expect(answers.map(told)).toEqual(expected);
  });

  it('leaves an account alone while the address is over its limit', async () => {
    const { send } = await limiterOf({ requests: 2 });
    for (let i = 0; i < 50; i++) await send('192.0.2.1', basic('alice'));
    expect(told(await send('192.0.2.2', basic('bob')))).toBe('pass');
    const { send: other } = await limiterOf({ requests: 2 });
    for (let i = 0; i < 50; i++) await other('192.0.2.1', basic(i < 2 ? 'mallory' : 'alice'));
    expect(told(await other('192.0.2.2', basic('alice')))).toBe('pass');
  });

  it('leaves accounts uncounted that a request does not name', async () => {
    const { send } = await limiterOf({ requests: 1, by: 'account' });
    const headers = [{}, { authorization: 'Bearer a.b' }, { authorization: 'Basic' }, { authorization: 'Basic !' }];
    for (const each of [...headers, ...headers]) expect(told(await send('192.0.2.1', each))).toBe('pass');
  });

  it('waits no longer than a window after a clock was set back', async () => {
    const { host, send } = await limiterOf({ requests: 1, window: 10_000 });
    await send('192.0.2.1');
    host.time -= 3_600_000;
    expect(told(await send('192.0.2.1'))).toBe('pass');
    expect(told(await send('192.0.2.1'))).toBe('429 rate-limit-address');
  });

  it.each([{ requests: 0 }, { window: 0 }, { remembered: 0 }])('refuses %j', async (given) => {
    await expect(limiterOf(given)).rejects.toThrow('Expected at least 1');
  });
});

describe('the counters', () => {
  it('keep to their bound', () => {
    const counters = new Counters(10, 1000, 100);
    for (let i = 0; i < 10_000; i++) counters.take(`key ${i}`, i / 100);
    expect(counters.size).toBe(100);
  });

  it('let go of what is over before what still counts', () => {
    const counters = new Counters(1, 1000, 2);
    counters.take('over', 0);
    counters.take('counts', 900);
    counters.take('over', 950);
    counters.take('new', 1100);
    expect(counters.take('counts', 1200)).toBe(700);
  });

  it('of one make room for the next', () => {
    const counters = new Counters(1, 1000, 1);
    expect([counters.take('a', 0), counters.take('a', 1), counters.take('b', 2), counters.size]).toEqual([
      0, 999, 0, 1,
    ]);
  });
});
