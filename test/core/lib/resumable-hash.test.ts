import { createHash, randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { hashBlock, resumableHasher } from '../../../src/core/lib/resumable-hash.ts';

const platform = { 'SHA-1': 'sha1', 'SHA-256': 'sha256' } as const;
const names = ['SHA-1', 'SHA-256'] as const;
const bytesOf = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 31 + length) % 256);

it.each(names)('%s of any length and in any pieces is that of the platform', (name) => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 5000]) {
    const bytes = bytesOf(length);
    const hasher = resumableHasher(name);
    for (let at = 0; at < length; ) {
      const end = at + randomInt(1, 150);
      hasher.update(bytes.subarray(at, end));
      at = end;
    }
    const expected = createHash(platform[name]).update(bytes).digest('hex');
    expect([length, hasher.hex()]).toEqual([length, expected]);
  }
});

it.each(names)('%s goes on from a state that was kept as JSON, and refuses half a block', (name) => {
  const bytes = bytesOf(10 * hashBlock + 7);
  let kept = JSON.stringify(resumableHasher(name).state());
  for (let at = 0; at < 10 * hashBlock; at += 2 * hashBlock) {
    const hasher = resumableHasher(name, JSON.parse(kept));
    hasher.update(bytes.subarray(at, at + 2 * hashBlock));
    kept = JSON.stringify(hasher.state());
  }
  const last = resumableHasher(name, JSON.parse(kept));
  last.update(bytes.subarray(10 * hashBlock));
  expect(() => last.state()).toThrow('Expected whole blocks of 64 bytes: 647');
  expect(last.hex()).toBe(createHash(platform[name]).update(bytes).digest('hex'));
});
