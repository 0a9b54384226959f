import { describe, expect, it } from 'vitest';
import { OutboundError } from '../../../src/core/outbound/wire.ts';
import { settle } from '../../support/clock.ts';
import { type Answer, chunks, type FakeOptions, fakeOutbound, never, ok, outcomeOf, refusalOf } from './support.ts';

const url = 'http://93.184.216.34/';

const endless = async function* () {
  yield* chunks('begun');
  await never;
};
/** Where a call can hang; none of these listens to its signal. */
const hanging: readonly (readonly [where: string, address: string, options: FakeOptions])[] = [
  ['a name that is never resolved', 'http://slow.example/', { resolve: () => never }],
  ['a connection that is never made', url, { answer: () => never }],
  ['a body that never ends', url, { answer: () => ok(endless()) }],
];

describe('the time limit', () => {
  it.each(hanging)('ends %s', async (_where, address, options) => {
    const world = fakeOutbound(options);
    const ended = refusalOf(world.call(address, { timeout: 700 }));
    await settle();
    await world.clock.advance(699);
    expect(await Promise.race([ended, settle().then(() => 'waiting')])).toBe('waiting');
    await world.clock.advance(1);
    expect(await ended).toBe('timeout: Expected an answer within 700 ms');
    expect(world.clock.sleepers).toBe(0);
  });

  it.each(hanging)('is not waited for by a caller that leaves: %s', async (_where, address, options) => {
    const world = fakeOutbound(options);
    const caller = new AbortController();
    const ended = outcomeOf(world.call(address, { signal: caller.signal }));
    await settle();
    caller.abort();
    expect(await ended).toBe('aborted');
    expect(world.clock.sleepers).toBe(0);
  });

  it('is told to the wire, and so is a caller that leaves', async () => {
    const reasons: unknown[] = [];
    const answer: Answer = (_sent, signal) => {
      signal.addEventListener('abort', () => reasons.push((signal.reason as OutboundError).kind));
      return never;
    };
    const world = fakeOutbound({ answer });
    const caller = new AbortController();
    const ended = [outcomeOf(world.call(url)), outcomeOf(world.call(url, { signal: caller.signal }))];
    await settle();
    caller.abort();
    await world.clock.advance(5_000);
    expect([await Promise.all(ended), reasons]).toEqual([
      ['timeout', 'aborted'],
      ['aborted', 'timeout'],
    ]);
  });

  it('sends nothing once it is over, however late the name is resolved', async () => {
    let resolved = (_addresses: readonly string[]): void => undefined;
    const resolve = () =>
      new Promise<readonly string[]>((found) => {
        resolved = found;
      });
    const world = fakeOutbound({ resolve });
    const ended = outcomeOf(world.call('http://slow.example/'));
    await settle();
    await world.clock.advance(5_000);
    expect(await ended).toBe('timeout');
    resolved(['93.184.216.34']);
    await settle();
    expect(world.sent).toEqual([]);
  });

  it('sends nothing for a caller that has left already', async () => {
    const world = fakeOutbound();
    expect(await outcomeOf(world.call(url, { signal: AbortSignal.abort() }))).toBe('aborted');
    expect([world.sent, world.clock.sleepers]).toEqual([[], 0]);
  });

  it('is over when the answer is there: nothing is left that waits', async () => {
    const caller = new AbortController();
    let told = false;
    const answer: Answer = (_sent, signal) => {
      signal.addEventListener('abort', () => {
        told = true;
      });
      return ok();
    };
    const world = fakeOutbound({ answer });
    expect(await outcomeOf(world.call(url, { signal: caller.signal }))).toBe(200);
    caller.abort();
    expect([told, world.clock.sleepers]).toEqual([false, 0]);
  });
});

describe('the limit of bytes', () => {
  const read = async (body: AsyncIterable<Uint8Array> | null, mostBytes: number, longer?: 'refuse' | 'cut') => {
    const world = fakeOutbound({ answer: () => ok(body) });
    const answer = world.call(url, { mostBytes, ...(longer ? { longer } : {}) });
    return answer.then(
      ({ text }) => text,
      () => refusalOf(answer),
    );
  };

  it.each([
    [5, undefined, 'abcde'],
    [4, undefined, 'too-large: Expected an answer of at most 4 bytes'],
    [4, 'refuse', 'too-large: Expected an answer of at most 4 bytes'],
    [4, 'cut', 'abcd'],
    [3, 'cut', 'abc'],
    [0, 'cut', ''],
    [Number.NaN, 'refuse', 'too-large: Expected an answer of at most NaN bytes'],
    [Number.NaN, 'cut', ''],
  ] as const)('%d with %s makes of five bytes: %s', async (max, longer, outcome) => {
    expect(await read(chunks('abc', 'de'), max, longer)).toBe(outcome);
  });

  it('reads characters that come in pieces, and leaves out half a one', async () => {
    const [euro] = [new TextEncoder().encode('€')];
    expect(await read(chunks('a', euro.subarray(0, 1), euro.subarray(1), 'b'), 10)).toBe('a€b');
    expect(await read(chunks('a', euro, 'b'), 3, 'cut')).toBe('a');
    expect(await read(chunks(Uint8Array.of(0x61, 0xff, 0x62)), 10)).toBe('a\ufffdb');
    expect(await read(null, 10)).toBe('');
  });

  it.each(['refuse', 'cut'] as const)('reads no more of an endless answer: %s', async (longer) => {
    let [given, over] = [0, false];
    const flood = async function* () {
      try {
        for (;;) {
          given++;
          yield new Uint8Array(100);
        }
      } finally {
        over = true;
      }
    };
    await read(flood(), 1_000, longer);
    expect([given, over]).toEqual([11, true]);
  });
});

describe('an answer', () => {
  it('is handed back as it is, redirects too', async () => {
    const headers = new Headers({ location: 'http://169.254.169.254/' });
    const world = fakeOutbound({ answer: () => ({ status: 302, headers, body: chunks('moved') }) });
    expect(await world.call(url)).toEqual({ status: 302, headers, text: 'moved', address: '93.184.216.34' });
    expect(world.sent).toHaveLength(1);
  });

  it('that breaks off is an error, whatever the wire throws', async () => {
    const broken = async function* () {
      yield* chunks('half');
      throw new Error('http://user:secret@host/');
    };
    expect(await refusalOf(fakeOutbound({ answer: () => ok(broken()) }).call(url))).toBe(
      'answer: Expected a whole answer from "93.184.216.34"',
    );
    const throwing = fakeOutbound({ answer: () => Promise.reject('junk') });
    expect(await refusalOf(throwing.call(url))).toBe('answer: Expected a whole answer from "93.184.216.34"');
  });

  it('and an error count by what they are', async () => {
    const world = fakeOutbound();
    for (const each of [url, 'http://10.1.2.3/', 'x', 'http://unknown.example/']) await outcomeOf(world.call(each));
    expect(world.outcomes).toEqual(['answered', 'blocked', 'bad-url', 'dns']);
  });
});

describe('several addresses', () => {
  const names = { 'two.example': [['93.184.216.34', '93.184.216.35']] };
  const failing =
    (kind: 'connect' | 'tls' | 'answer'): Answer =>
    ({ address }) => {
      if (address === '93.184.216.34') throw new OutboundError(kind, 'Expected more');
      return ok();
    };

  it('are tried in turn while there is no connection, the last with all the time that is left', async () => {
    const world = fakeOutbound({ names, answer: failing('connect') });
    expect(await world.call('http://two.example/')).toMatchObject({ status: 200, address: '93.184.216.35' });
    expect(world.sent.map(({ address, request }) => [address, request.connectLimit])).toEqual([
      ['93.184.216.34', 1_000],
      ['93.184.216.35', undefined],
    ]);
  });

  it('that did not answer are left out until the name is looked up again', async () => {
    const world = fakeOutbound({ names, answer: failing('connect') });
    await world.call('http://two.example/');
    await world.call('http://two.example/');
    expect(world.sent.map(({ address }) => address?.slice(-1))).toEqual(['4', '5', '5']);
    await world.clock.advance(10_000);
    await world.call('http://two.example/');
    expect([world.sent.map(({ address }) => address?.slice(-1)).slice(3), world.looked.length]).toEqual([
      ['4', '5'],
      2,
    ]);
  });

  it('are all forgotten when none answers, so that those which may not be called are not what is told', async () => {
    const answer: Answer = () => Promise.reject(new OutboundError('connect', 'Expected more'));
    const world = fakeOutbound({ names: { 'half.example': [['10.0.0.1', '93.184.216.34']] }, answer });
    for (const _again of [1, 2]) expect(await outcomeOf(world.call('http://half.example/'))).toBe('connect');
  });

  it.each(['tls', 'answer'] as const)('are not tried after an error of kind %s: something was sent', async (kind) => {
    const world = fakeOutbound({ names, answer: failing(kind) });
    expect(await outcomeOf(world.call('http://two.example/'))).toBe(kind);
    expect(world.sent).toHaveLength(1);
  });

  it('that all fail make the last error, and the name is looked up again', async () => {
    const answer: Answer = () => Promise.reject(new OutboundError('connect', 'Expected more'));
    const world = fakeOutbound({ names, answer });
    for (const times of [1, 2]) {
      expect(await outcomeOf(world.call('http://two.example/'))).toBe('connect');
      expect([world.sent.length, world.looked.length]).toEqual([times * 2, times]);
    }
  });
});

describe('a name', () => {
  it('is looked up once for the calls of ten seconds', async () => {
    const world = fakeOutbound({ names: { 'a.example': [['93.184.216.34']], 'b.example': [['93.184.216.34']] } });
    for (const each of ['a', 'b', 'a']) await world.call(`http://${each}.example/`);
    await world.clock.advance(9_999);
    await world.call('http://a.example/');
    expect(world.looked).toEqual(['a.example', 'b.example']);
    await world.clock.advance(1);
    await world.call('http://a.example/');
    expect(world.looked).toEqual(['a.example', 'b.example', 'a.example']);
  });

  it('that was not found is looked up again', async () => {
    const world = fakeOutbound({ names: { 'empty.example': [[]] } });
    for (const each of ['unknown', 'empty', 'unknown', 'empty']) {
      expect(await outcomeOf(world.call(`http://${each}.example/`))).toBe('dns');
    }
    expect(world.looked).toHaveLength(4);
  });
});

describe('what is sent', () => {
  it('is the method, the headers and the body, to the address without its fragment', async () => {
    const world = fakeOutbound();
    const headers = { 'content-type': 'text/plain', 'x-name': 'a\tb' };
    await world.call('https://93.184.216.34:8443/a/b?c=d#e', { method: 'POST', headers, body: 'text' });
    const { method, body, url: target, headers: given } = world.sent[0]!.request;
    expect([method, body, target.href, given]).toEqual(['POST', 'text', 'https://93.184.216.34:8443/a/b?c=d', headers]);
  });

  it.each([
    ['', {}, 'Expected an address that begins with http:// or https://'],
    ['/path', {}, 'Expected an address that begins with http:// or https://'],
    ['ftp://secret@a/', {}, 'Expected an address that begins with http:// or https://'],
    ['file:///etc/passwd', {}, 'Expected an address that begins with http:// or https://'],
    ['data:text/plain,x', {}, 'Expected an address that begins with http:// or https://'],
    ['http://user:secret@a b/', {}, 'Expected an address that begins with http:// or https://'],
    ['http://[fe80::1%25eth0]/', {}, 'Expected an address that begins with http:// or https://'],
    [`http://${'a.'.repeat(127)}/`, {}, 'Expected a host of at most 253 characters'],
    [url, { headers: { 'x y': 'secret' } }, 'Expected the name of a header'],
    [url, { headers: { '': 'secret' } }, 'Expected the name of a header'],
    [url, { headers: { Host: 'b' } }, 'Expected no header "Host" of the caller\'s own'],
    [url, { headers: { 'Content-Length': '0' } }, 'Expected no header "Content-Length" of the caller\'s own'],
    [
      url,
      { headers: { 'transfer-encoding': 'chunked' } },
      'Expected no header "transfer-encoding" of the caller\'s own',
    ],
    [url, { headers: { 'proxy-authorization': 'a' } }, 'Expected no header "proxy-authorization" of the caller\'s own'],
    [url, { headers: { 'x-name': 'secret \u20ac' } }, 'Expected a header "x-name" of one line of ASCII'],
    [url, { body: 'secret' }, 'Expected no body with GET'],
  ])('is not %j with %j', async (address, more, sentence) => {
    const world = fakeOutbound();
    expect(await refusalOf(world.call(address, more))).toBe(`bad-url: ${sentence}`);
    expect(world.sent).toEqual([]);
  });
});
