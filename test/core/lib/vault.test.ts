import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/core/lib/secret.ts';
import { createVault, VaultError } from '../../../src/core/lib/vault.ts';
import { testRandom } from '../../support/random.ts';

const key = (byte: number): Secret => new Secret(Buffer.alloc(32, byte).toString('base64'));
const vault = createVault(key(1), testRandom());

describe('a vault', () => {
  it.each(['', 'p', 'pässwörd 😀', 'x'.repeat(5_000)])('gives back what it was given: %#', async (text) => {
    const sealed = await vault.seal(text, 'a');
    expect(sealed).toMatch(/^v1\.[\w-]{8}\.[\w-]+$/);
    expect(await vault.open(sealed, 'a')).toBe(text);
  });

  it('seals the same text differently each time', async () => {
    expect(await vault.seal('p', 'a')).not.toBe(await vault.seal('p', 'a'));
  });

  it('opens with the same key elsewhere, whichever alphabet of base64 it came in', async () => {
    const bytes = Buffer.alloc(32, 0xfb);
    const sealed = await createVault(new Secret(bytes.toString('base64')), testRandom()).seal('p', 'a');
    expect(await createVault(new Secret(bytes.toString('base64url')), testRandom()).open(sealed, 'a')).toBe('p');
  });

  it.each([
    ['for another purpose', async () => [await vault.seal('p', 'a'), 'b'] as const, 'belongs elsewhere'],
    [
      'under another key',
      async () => [await createVault(key(2), testRandom()).seal('p', 'a'), 'a'] as const,
      'another one',
    ],
    ['that was changed', async () => [flip(await vault.seal('p', 'a')), 'a'] as const, 'damaged'],
    ['that is cut', async () => [(await vault.seal('p', 'a')).slice(0, -8), 'a'] as const, 'damaged'],
    ['that is none', async () => ['p', 'a'] as const, 'Expected a sealed text'],
  ])('does not open what was sealed %s', async (_what, make, says) => {
    const [sealed, purpose] = await make();
    await expect(vault.open(sealed, purpose)).rejects.toThrow(VaultError);
    await expect(vault.open(sealed, purpose)).rejects.toThrow(says);
  });
});

function flip(sealed: string): string {
  const at = sealed.length - 5;
  return `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
}
