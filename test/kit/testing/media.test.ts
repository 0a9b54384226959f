import { describe, expect, it } from 'vitest';
import { type CheckResult, checkProber, checkTranscoder } from '../../../src/kit/testing/index.ts';
import type { ProbeResult, Prober, Transcoder } from '../../../src/spi/index.ts';

const broken = (results: readonly CheckResult[]) => results.filter(({ passed }) => !passed).map(({ name }) => name);
const mediaError = (kind: string) => Object.assign(new Error('Expected a file that can be read'), { kind });

const media = [
  {
    name: 'a.ff',
    bytes: new TextEncoder().encode(`farbfeld${' and more'.repeat(2_000)}`),
    found: { format: 'farbfeld' },
  },
];
const result: ProbeResult = {
  ...{ by: 'good', format: 'farbfeld', mimeType: 'image/x-farbfeld' },
  ...{ tracks: [], isPartial: false, bytesRead: 8, warnings: [] },
};
const good: Prober = {
  name: 'good',
  accepts: (head) => (new TextDecoder().decode(head.slice(0, 8)) === 'farbfeld' ? 'yes' : 'no'),
  async probe(source) {
    if (source.size < 8) throw mediaError('unsupported');
    const head = await source.read({ from: 0, end: 8 });
    if (new TextDecoder().decode(head) !== 'farbfeld') throw mediaError('unsupported');
    return result;
  },
};

describe('the contract of probers', () => {
  it('is kept by a good one', async () => {
    expect(broken(await checkProber({ make: () => good, media }))).toEqual([]);
  });

  let turn = 0;
  it.each<[string, Partial<Prober>, string]>([
    ['without a name', { name: '' }, 'has a name'],
    ['that throws at a head', { accepts: (head) => (head[0] === 0xff ? JSON.parse('') : 'yes') }, 'says of any head'],
    ['that answers no word', { accepts: () => 'perhaps' as 'yes' }, 'says of any head'],
    ['that refuses its example', { accepts: () => 'no' }, 'knows its examples'],
    ['that says another format', { probe: async () => ({ ...result, format: 'png' }) }, 'knows its examples'],
    ['that names another prober', { probe: async () => ({ ...result, by: 'other' }) }, 'knows its examples'],
    ['that changes its mind', { probe: async () => ({ ...result, bytesRead: ++turn }) }, 'finds the same twice'],
    [
      'that reads all again and again',
      {
        async probe(source, options) {
          for (let times = 0; times < 70; times++) await source.read({ from: 0, end: source.size });
          return good.probe(source, options);
        },
      },
      'reads at most as much as it may',
    ],
    [
      'that throws what has no kind',
      {
        probe: (source, options) =>
          good.probe(source, options).catch(() => {
            throw new TypeError('undefined is not a function');
          }),
      },
      'ends with a result or with a media error',
    ],
    [
      'that guesses where no byte can be read',
      {
        probe: (source, options) =>
          good.probe(source, options).catch((error) => (error.kind === 'offline' ? result : Promise.reject(error))),
      },
      'ends with the error of a storage that is away',
    ],
  ])('is broken by one %s', async (_what, change, promise) => {
    const names = broken(await checkProber({ make: () => ({ ...good, ...change }), media }));
    expect(
      names.some((name) => name.startsWith(promise)),
      names.join(),
    ).toBe(true);
  });
});

const order = { format: 'copy', video: null, audio: null, fastStart: false };
const able = {
  version: '1',
  licence: 'MIT',
  containers: ['copy'],
  video: [],
  audio: [],
  stills: ['image/png' as const],
};
const copier: Transcoder = {
  name: 'copier',
  abilities: async () => able,
  unable: async ({ format }) => (format === 'copy' ? undefined : `format=${format}`),
  async run(source, _order, { signal, progress }) {
    signal.throwIfAborted();
    if (source.size === 0) throw mediaError('broken');
    const made = new Blob([new Uint8Array(await source.read({ from: 0, end: source.size }))]);
    progress(1);
    return { size: made.size, body: () => made.stream(), close: async () => undefined, warnings: [] };
  },
  async stills(_source, { seconds }, each) {
    for (const at of seconds) await each({ seconds: at, bytes: new Uint8Array(8) });
  },
};

describe('the contract of transcoders', () => {
  const check = (change: Partial<Transcoder> = {}) =>
    checkTranscoder({ make: () => ({ ...copier, ...change }), media, orders: [order] });

  it('is kept by a good one, and by one whose program is missing', async () => {
    expect(broken(await check())).toEqual([]);
    const run = () => Promise.reject(new Error('Expected the program'));
    expect(broken(await check({ abilities: async () => ({ missing: 'Expected the program' }), run }))).toEqual([]);
  });

  it.each<[string, Partial<Transcoder>, string]>([
    ['that lists nothing', { abilities: async () => ({ ...able, video: undefined as never }) }, 'has a name'],
    ['that takes every order', { unable: async () => undefined }, 'names the first part'],
    ['that complains about its own', { unable: async () => 'format=copy' }, 'names the first part'],
    [
      'that says another size',
      { run: async (...given) => ({ ...(await copier.run(...given)), size: 1 }) },
      'makes whole files',
    ],
    [
      'whose progress goes back',
      {
        async run(source, wanted, options) {
          for (const done of [0.5, 0.2]) options.progress(done);
          return copier.run(source, wanted, options);
        },
      },
      'makes whole files',
    ],
    [
      'that goes on without its caller',
      {
        run: (source, wanted, { progress }) =>
          copier.run(source, wanted, { progress, signal: new AbortController().signal }),
      },
      'throws where nobody reads',
    ],
    [
      'that blames nobody for an empty file',
      {
        run: (source, wanted, options) =>
          source.size === 0 ? Promise.reject(new RangeError('odd')) : copier.run(source, wanted, options),
      },
      'makes a file or throws a media error',
    ],
    [
      'that leaves stills out',
      { stills: async (_source, { seconds }, each) => each({ seconds: seconds[0]!, bytes: new Uint8Array(8) }) },
      'makes a still for each time',
    ],
  ])('is broken by one %s', async (_what, change, promise) => {
    const names = broken(await check(change));
    expect(
      names.some((name) => name.startsWith(promise)),
      names.join(),
    ).toBe(true);
  });
});
