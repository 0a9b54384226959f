import { describe, expect, it } from 'vitest';
import { createOutbound } from '../../../src/core/outbound/outbound.ts';
import { fakeOutbound, outcomeOf, refusalOf } from './support.ts';

const names = {
  'hooks.internal': [['10.1.2.3']],
  'other.internal': [['10.1.2.3']],
  'both.internal': [['10.1.2.3', '93.184.216.34', 'fd00::5']],
  'meta.internal': [['169.254.169.254', '10.1.2.3']],
  'example.com': [['93.184.216.34', '2606:2800::1']],
};

describe('what is reached without a list', () => {
  it.each([
    ['http://example.com/', 200],
    ['https://93.184.216.34/', 200],
    ['https://[2606:2800::1]:8443/', 200],
    ['http://hooks.internal/', 'blocked'],
    ['http://10.1.2.3/', 'blocked'],
    ['http://[fd00::5]/', 'blocked'],
    ['http://unknown.example/', 'dns'],
  ])('%s: %s', async (url, outcome) => {
    const world = fakeOutbound({ names });
    expect(await outcomeOf(world.call(url))).toBe(outcome);
    expect(world.sent).toHaveLength(outcome === 200 ? 1 : 0);
  });

  it('is every public address of a name, and nothing else of it', async () => {
    const world = fakeOutbound({ names });
    expect(await outcomeOf(world.call('http://both.internal/'))).toBe(200);
    expect(world.sent.map(({ address }) => address)).toEqual(['93.184.216.34']);
  });
});

describe('an entry of the list', () => {
  it.each([
    [
      '10.0.0.0/8',
      ['http://hooks.internal/', 'http://10.255.0.1/', 'http://[::ffff:10.1.2.3]/'],
      ['http://172.16.0.1/'],
    ],
    ['10.1.2.3', ['http://10.1.2.3/', 'http://other.internal/'], ['http://10.1.2.4/', 'http://127.0.0.1/']],
    [
      'hooks.internal',
      ['http://hooks.internal/', 'http://HOOKS.internal.:81/'],
      ['http://10.1.2.3/', 'http://other.internal/'],
    ],
    ['hooks.internal.', ['http://hooks.internal/'], []],
    ['::1', ['http://[::1]/'], ['http://127.0.0.1/', 'http://[::2]/']],
    ['0.0.0.0/0', ['http://127.0.0.1/', 'http://10.1.2.3/'], ['http://[::1]/', 'http://[64:ff9b::a01:203]/']],
    ['::/0', ['http://[::1]/', 'http://[64:ff9b::a01:203]/'], ['http://127.0.0.1/', 'http://[::ffff:127.0.0.1]/']],
  ])('%s opens itself and nothing else', async (entry, opened, closed) => {
    for (const url of opened) {
      const world = fakeOutbound({ names: { ...names, 'hooks.internal.': names['hooks.internal'] }, allow: [entry] });
      expect([url, await outcomeOf(world.call(url))]).toEqual([url, 200]);
    }
    for (const url of closed) {
      const world = fakeOutbound({ names, allow: [entry] });
      expect([url, await outcomeOf(world.call(url))]).toEqual([url, 'blocked']);
    }
  });

  it('is a range, an address or a name: anything else makes no policy', () => {
    const { wire, clock } = { wire: { resolve: undefined, send: () => Promise.reject() }, clock: fakeOutbound().clock };
    expect(() => createOutbound({ wire, clock, allow: ['10.0.0.0/33'] })).toThrow(
      'Expected a range, an address or a host name: "10.0.0.0/33"',
    );
  });
});

describe('a refusal', () => {
  it.each([
    [
      'http://hooks.internal/',
      'blocked: Expected an address that PORTICO_OUTBOUND_ALLOW lists: "10.1.2.3" (private) of "hooks.internal"',
    ],
    ['http://127.0.0.1/', 'blocked: Expected an address that PORTICO_OUTBOUND_ALLOW lists: "127.0.0.1" (loopback)'],
    ['http://[::1]/', 'blocked: Expected an address that PORTICO_OUTBOUND_ALLOW lists: "::1" (loopback)'],
    [
      'http://meta.internal/',
      'blocked: Expected an address of no metadata service: "169.254.169.254" (cloud metadata) of "meta.internal"',
    ],
    ['http://unknown.example/', 'dns: Expected a name that can be resolved: "unknown.example"'],
  ])('of %s says what to do', async (url, sentence) => {
    expect(await refusalOf(fakeOutbound({ names }).call(url))).toBe(sentence);
  });

  it('is what becomes of an answer of the resolver that nobody can read', async () => {
    const world = fakeOutbound({ names: { a: [['10.1', 'localhost', '', '0x7f000001']] }, allow: ['0.0.0.0/0', 'a'] });
    expect(await refusalOf(world.call('http://a/'))).toBe('blocked: Expected an address of "a" that can be read');
    expect(world.sent).toEqual([]);
  });
});

describe('where names cannot be resolved', () => {
  it.each([
    ['http://10.1.2.3/', 'blocked'],
    ['http://169.254.169.254/', 'blocked'],
    ['http://localhost/', 'blocked'],
    ['http://api.LOCALHOST./', 'blocked'],
    ['http://93.184.216.34/', 200],
    ['http://notlocalhost/', 200],
  ])('addresses and localhost are judged all the same: %s is %s', async (url, outcome) => {
    expect(await outcomeOf(fakeOutbound({ resolve: undefined }).call(url))).toBe(outcome);
  });

  it('names go where the platform takes them', async () => {
    const world = fakeOutbound({ resolve: undefined });
    const answer = await world.call('http://example.com/');
    expect([world.sent.map(({ address }) => address), answer.address]).toEqual([[undefined], undefined]);
  });
});

describe('what the operator named', () => {
  it('is reached as named, without a look at its addresses', async () => {
    const world = fakeOutbound({ names });
    for (const url of ['http://127.0.0.1/', 'http://hooks.internal/', 'http://unknown.example/']) {
      expect(await outcomeOf(world.call(url, { trusted: true }))).toBe(200);
    }
    expect([world.looked, world.sent.map(({ address }) => address)]).toEqual([[], [undefined, undefined, undefined]]);
  });

  it.each([false, undefined, 'true', 1])('has to say so: %s is no yes', async (trusted) => {
    const more = { trusted } as unknown as { trusted: boolean };
    expect(await outcomeOf(fakeOutbound().call('http://127.0.0.1/', more))).toBe('blocked');
  });
});
