import { describe, expect, it } from 'vitest';
import { fromBase64, textToBase64, toBase64, toHex, toUnpaddedBase64 } from '../../../src/core/lib/bytes.ts';
import { Recent } from '../../../src/core/lib/cache.ts';
import { inTime, systemClock } from '../../../src/core/lib/clock.ts';
import { type ErrorCode, errorCatalogue, faults, ServiceError } from '../../../src/core/lib/errors.ts';
import { groupBy } from '../../../src/core/lib/group-by.ts';
import { createLog, describeError } from '../../../src/core/lib/log.ts';
import { nearest, printable } from '../../../src/core/lib/messages.ts';
import { Metrics } from '../../../src/core/lib/metrics.ts';
import { randomText, systemRandom, textOfBytes } from '../../../src/core/lib/random.ts';
import { changedMeanwhile } from '../../../src/core/lib/retry-when-changed.ts';
import { Secret } from '../../../src/core/lib/secret.ts';
import { testClock } from '../../support/clock.ts';
import { testRandom } from '../../support/random.ts';

describe('Recent', () => {
  it('keeps an entry until its time, and not at its time', () => {
    const recent = new Recent<string, number>(10);
    recent.set('a', 1, 100);
    expect([recent.get('a', 99), recent.get('a', 100), recent.size]).toEqual([1, undefined, 0]);
  });

  it('drops what was set longest ago when it is full, and a repeated one counts as new', () => {
    const recent = new Recent<string, number>(2);
    for (const key of ['a', 'b', 'a', 'c']) recent.set(key, 1, 100);
    expect(['a', 'b', 'c'].map((key) => recent.get(key, 0))).toEqual([1, undefined, 1]);
    recent.delete('a');
    expect([recent.get('a', 0), recent.size]).toEqual([undefined, 1]);
  });

  it('keeps what is used, and drops what is not, though it came later', () => {
    const recent = new Recent<number, number>(3);
    for (let key = 0; key < 50; key++) {
      recent.set(key, key, 100);
      expect(recent.get(0, 0)).toBe(0);
    }
    expect([recent.size, recent.get(46, 0), recent.get(49, 0)]).toEqual([3, undefined, 49]);
  });

  it('makes room also when every entry is in use', () => {
    const recent = new Recent<number, number>(3);
    for (let key = 0; key < 3; key++) recent.set(key, key, 100);
    for (let key = 0; key < 3; key++) recent.get(key, 0);
    recent.set(3, 3, 100);
    expect([0, 1, 2, 3].map((key) => recent.get(key, 0))).toEqual([undefined, 1, 2, 3]);
  });
});

describe('printable', () => {
  it.each([
    ['\x1b]0;title\x07\x1b[2Ja', String.raw`\u{1b}]0;title\u{7}\u{1b}[2Ja`],
    ['\x9b31m\x7f\0', String.raw`\u{9b}31m\u{7f}\u{0}`],
    ['one\r\n\ttwo\u2028three', String.raw`one\u{d}\u{a}\u{9}two\u{2028}three`],
    ['\u202egnp.exe\u200b', String.raw`\u{202e}gnp.exe\u{200b}`],
    ['Zoë 港 "x" 😀', 'Zoë 港 "x" 😀'],
  ])('of a text with what a terminal obeys, %j, has it escaped', (given, expected) => {
    expect(printable(given)).toBe(expected);
  });
});

describe('nearest', () => {
  it.each([
    ['serv', 'serve'],
    ['SERVE', 'serve'],
    ['sevre', 'serve'],
    ['restroe', 'restore'],
    ['x', undefined],
    ['something else entirely', undefined],
    ['', undefined],
  ])('of "%s" is %s', (given, expected) => {
    expect(nearest(given, ['serve', 'settings', 'restore'])).toBe(expected);
  });

  it('goes no further than it is told', () => {
    expect([nearest('sexxe', ['serve'], 2), nearest('sexxe', ['serve'], 1)]).toEqual(['serve', undefined]);
  });

  it('is the nearest of several, the first when equal, and undefined of none', () => {
    expect(nearest('abcd', ['abxx', 'abcx', 'abce'])).toBe('abcx');
    expect(nearest('abcd', [])).toBeUndefined();
  });
});

describe('inTime', () => {
  const late = () => new Error('late');

  it('gives what the work gives, and lets go of the clock', async () => {
    const clock = testClock();
    await expect(inTime(Promise.resolve('fine'), clock, 100, late)).resolves.toBe('fine');
    await expect(inTime(Promise.reject(new Error('broken')), clock, 100, late)).rejects.toThrow('broken');
    expect(clock.sleepers).toBe(0);
  });

  it('does not wait for a part that hangs', async () => {
    const clock = testClock();
    const told = inTime(new Promise(() => undefined), clock, 100, late).catch((error: Error) => error.message);
    await clock.advance(99);
    expect(clock.sleepers).toBe(1);
    await clock.advance(1);
    expect(await told).toBe('late');
  });
});

describe('bytes as text', () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);

  it.each([new Uint8Array(), all, all.subarray(0, 255), all.subarray(0, 254)])('is what Node makes of it', (bytes) => {
    const node = Buffer.from(bytes);
    expect(toHex(bytes)).toBe(node.toString('hex'));
    expect(toBase64(bytes)).toBe(node.toString('base64'));
    expect(toUnpaddedBase64(bytes)).toBe(node.toString('base64').replaceAll('=', ''));
    expect(textOfBytes(bytes)).toBe(node.toString('base64url'));
    for (const text of [toBase64(bytes), toUnpaddedBase64(bytes), textOfBytes(bytes)])
      expect(fromBase64(text)).toEqual(bytes);
  });

  it('takes the UTF-8 of a text', () => {
    expect(textToBase64('zoë:pässwörd €')).toBe(Buffer.from('zoë:pässwörd €').toString('base64'));
  });
});

describe('randomText', () => {
  it('is as long as asked, readable, and another one each time', () => {
    const texts = [1, 2, 3].map(() => randomText(systemRandom, 20));
    for (const text of texts) expect(text).toMatch(/^[A-HJ-NP-Za-km-z2-9]{20}$/);
    expect(new Set(texts).size).toBe(3);
    expect(randomText(testRandom(1), 5)).toBe(randomText(testRandom(1), 5));
    expect(randomText(systemRandom, 0)).toBe('');
  });

  it('favours no symbol', () => {
    const counts = new Map<string, number>();
    const drawn = 57_000;
    for (const symbol of randomText(testRandom(7), drawn)) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
    expect(counts.size).toBe(57);
    for (const count of counts.values()) expect(Math.abs(count - drawn / 57)).toBeLessThan(200);
  });
});

describe('createLog', () => {
  it('prints one JSON object a line, and nothing below the level', () => {
    const lines: string[] = [];
    const log = createLog((line) => lines.push(line), testClock(0), 'warn');
    log.write('info', 'quiet');
    log.write('warn', 'loud', { text: 'a\r\nb', secret: new Secret('x'), missing: undefined });
    expect(lines).toEqual([
      '{"time":"1970-01-01T00:00:00.000Z","level":"warn","event":"loud","text":"a\\r\\nb","secret":"[redacted]"}',
    ]);
  });

  it.each([
    [new Error('broken', { cause: new Error('why') }), { error: 'broken', cause: 'Error: why' }],
    ['text', { error: 'text' }],
    [undefined, { error: 'undefined' }],
    [null, { error: 'null' }],
  ])('describes whatever was thrown: %s', (thrown, expected) => {
    expect(describeError(thrown)).toMatchObject(expected);
  });
});

describe('Metrics', () => {
  it('escapes label values', () => {
    const metrics = new Metrics();
    metrics.counter('c', 'help', 'l')('a"b\\c\nd').add(2);
    expect(metrics.render()).toBe('# HELP c help\n# TYPE c counter\nc{l="a\\"b\\\\c\\nd"} 2\n');
  });

  it('puts a value on a bound into the bucket of that bound', () => {
    const metrics = new Metrics();
    const histogram = metrics.histogram('h', 'help', [1, 2]);
    for (const value of [0.5, 1, 1.5, 2, 9]) histogram.observe(value);
    expect(metrics.render().split('\n').slice(2, -1)).toEqual([
      'h_bucket{le="1"} 2',
      'h_bucket{le="2"} 4',
      'h_bucket{le="+Inf"} 5',
      'h_sum 14',
      'h_count 5',
    ]);
  });

  it('reads a gauge when it is asked', () => {
    let value = 1;
    const metrics = new Metrics();
    metrics.gauge('g', 'help', () => value);
    value = 2;
    expect(metrics.render()).toContain('\ng 2\n');
  });
});

describe('the catalogue of errors', () => {
  it.each(Object.keys(errorCatalogue) as ErrorCode[])('%s has a status and an element that fit', (code) => {
    const error = new ServiceError(code, { explanation: 'why' }, { 'retry-after': '1' });
    expect(faults).toContain(error.fault);
    expect(error.status).toBeGreaterThanOrEqual(400);
    expect(['internalServer', 'notYetImplemented'].includes(error.fault)).toBe(error.status >= 500);
    expect(error.fault === 'notFound').toBe(error.status === 404);
    expect(['conflict', 'fileAlreadyExists'].includes(error.fault)).toBe(error.status === 409);
    expect(error.message).toBe(`${code}: why`);
  });
});

describe('the rest', () => {
  it.each([
    ['User', 'user'],
    ['QuotaRule', 'quota rule'],
    ['MetadataFieldGroup', 'metadata field group'],
  ])('what somebody else changed meanwhile is told of a %s, as of any type', (type, words) => {
    const { code, detail } = changedMeanwhile(type, 'VX-1');
    const explanation = `Somebody else changed the ${words} at the same time: try again`;
    expect([code, detail]).toEqual(['changed-meanwhile', { type, id: 'VX-1', explanation }]);
  });

  it('groups by key, in the order of first sight', () => {
    expect([...groupBy([3, 1, 4, 2], (n) => (n % 2 ? 'odd' : 'even'))]).toEqual([
      ['odd', [3, 1]],
      ['even', [4, 2]],
    ]);
  });

  it('the clock of the system lets a sleeper be called off, before and while it sleeps', async () => {
    await systemClock.sleep(0);
    const abort = new AbortController();
    const slept = systemClock.sleep(60_000, abort.signal);
    abort.abort(new Error('called off'));
    await expect(slept).rejects.toThrow('called off');
    await expect(systemClock.sleep(0, abort.signal)).rejects.toThrow('called off');
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1000);
  });
});
