import { describe, expect, it } from 'vitest';
import { probeWithShipped } from '../../../src/composition/shipped-probers.ts';
import { probeWith } from '../../../src/production/checking/probing/probers.ts';
import type { ByteRange, ProbeResult, Prober } from '../../../src/spi/index.ts';
import { sourceOf } from './counted-source.ts';
import { jpeg, mkv, mov, png, wav } from './samples.ts';

const endless = new AbortController().signal;
const options = { maxBytes: 64 * 1024 * 1024, signal: endless };

describe('the shipped probers', () => {
  it('read little of a large file, in few pieces', async () => {
    for (const bytes of [await mkv({ seconds: 40 }), await mov({ seconds: 40 }), await wav({ seconds: 40 })]) {
      const { source, ranges } = sourceOf(bytes);
      const { bytesRead, duration } = await probeWithShipped(source, options);
      expect(duration).toBeCloseTo(40, 1);
      expect(ranges.length).toBeLessThanOrEqual(8);
      expect(bytesRead).toBeLessThanOrEqual(2.5 * 1024 * 1024);
      expect(ranges.every(({ from, end }) => from >= 0 && from <= end && end <= bytes.byteLength)).toBe(true);
    }
  });

  it('end with the budget of bytes', async () => {
    const { source, ranges } = sourceOf(await mkv({ seconds: 2 }));
    const short = probeWithShipped(source, { ...options, maxBytes: 100_000 });
    await expect(short).rejects.toMatchObject({ message: expect.stringContaining('100000 bytes') });
    expect(ranges.reduce((sum, { from, end }) => sum + end - from, 0)).toBeLessThanOrEqual(100_000);
  });

  it('tell a failure of the storage as it is', async () => {
    const away = Object.assign(new Error('away'), { kind: 'offline' });
    const bytes = await mkv({ seconds: 2 });
    const { source } = sourceOf(bytes);
    const read = async (range: ByteRange) => {
      if (range.from > 0 || range.end > 65_536) throw away;
      return source.read(range);
    };
    await expect(probeWithShipped({ ...source, read }, options)).rejects.toBe(away);
    await expect(probeWithShipped({ ...source, read: () => Promise.reject(away) }, options)).rejects.toBe(away);
  });

  it('end when nobody waits for them', async () => {
    const stop = new AbortController();
    const bytes = await mkv({ seconds: 2 });
    const { source } = sourceOf(bytes);
    const read = (range: ByteRange) => {
      if (range.end > 65_536) stop.abort();
      return source.read(range);
    };
    const answer = probeWithShipped({ ...source, read }, { ...options, signal: stop.signal });
    await expect(answer).rejects.toMatchObject({ kind: 'aborted' });
  });

  it.each([
    ['nothing', new Uint8Array(), ''],
    ['one byte', new Uint8Array([0x47]), ''],
    ['zeros', new Uint8Array(70_000), ''],
    ['the first bytes of a picture', jpeg(9, 9).subarray(0, 3), 'broken'],
    ['the signature of a picture alone', png(1, 1).subarray(0, 8), 'broken'],
  ])('do not stumble over %s', async (_what, bytes, kind) => {
    const answer = probeWithShipped(sourceOf(bytes, 'a.mp4').source, options);
    if (kind === '') expect(await answer).toMatchObject({ format: '', tracks: [] });
    else await expect(answer).rejects.toMatchObject({ kind });
  });

  it('take no playlist for media', async () => {
    for (const text of ['#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n', 'ffconcat version 1.0\nfile /etc/passwd\n']) {
      const { source, ranges } = sourceOf(new TextEncoder().encode(text), 'a.mp4');
      expect(await probeWithShipped(source, options)).toMatchObject({ format: '' });
      expect(ranges).toHaveLength(1);
    }
  });
});

describe('several probers', () => {
  const result: ProbeResult = {
    by: 'first',
    format: 'f',
    mimeType: 'video/x',
    tracks: [{ kind: 'data', codec: null, index: 0 }],
    isPartial: false,
    bytesRead: 0,
    warnings: [],
  };
  const prober = (name: string, answer: 'yes' | 'maybe' | 'no', probe: () => ProbeResult): Prober => ({
    name,
    accepts: () => answer,
    probe: async () => probe(),
  });
  const fail = (kind: string) => () => {
    throw Object.assign(new Error(kind), { kind });
  };
  const ask = (...probers: Prober[]) => probeWith(probers, sourceOf(new Uint8Array(9)).source, options);

  it('are asked by what they say of the first bytes, until one knows all', async () => {
    const never = prober('no', 'no', fail('broken'));
    const maybe = prober('maybe', 'maybe', () => ({ ...result, by: 'maybe' }));
    const sure = prober('sure', 'yes', () => ({ ...result, by: 'sure' }));
    expect((await ask(never, maybe, sure)).by).toBe('sure');
    const partial = prober('partial', 'yes', () => ({ ...result, by: 'partial', isPartial: true }));
    expect((await ask(partial, maybe)).by).toBe('maybe');
    expect((await ask(partial)).by).toBe('partial');
    expect((await ask(prober('odd', 'yes', fail('unsupported')), maybe)).by).toBe('maybe');
  });

  it('blame the file only where none of them knows it', async () => {
    const broken = prober('broken', 'yes', fail('broken'));
    await expect(ask(broken)).rejects.toMatchObject({ kind: 'broken' });
    expect(
      (
        await ask(
          broken,
          prober('maybe', 'maybe', () => result),
        )
      ).by,
    ).toBe('first');
    expect(await ask(prober('odd', 'maybe', fail('unsupported')))).toMatchObject({ by: '', format: '' });
  });
});
