import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { systemRandom } from '../../src/core/lib/random.ts';
import { fileScheme } from '../../src/entry/native/file-storage/scheme.ts';
import { checkStorageScheme } from '../../src/kit/testing/index.ts';

const root = await realpath(await mkdtemp(join(tmpdir(), 'portico-storage-')));
const scheme = fileScheme(
  { root, storageRoots: [], minFreeBytes: 0 },
  { randomBytes: (length) => systemRandom.bytes(length) },
);
afterAll(async () => {
  await scheme.close?.();
  await rm(root, { recursive: true, force: true });
});

const placeOf = (number: number) => ({ uri: `${pathToFileURL(join(root, 'media', String(number))).href}/` });

it('keeps files in folders of this machine, as the contract of drivers says', async () => {
  for (let number = 0; number < 60; number++) await mkdir(join(root, 'media', String(number)), { recursive: true });
  const results = await checkStorageScheme({ make: () => scheme, places: placeOf, largest: 8_000_000 });
  expect(results.filter(({ passed }) => !passed)).toEqual([]);
  expect(results.length).toBeGreaterThan(40);
});

it('hashes on the way, and leaves nothing but the file', async () => {
  const driver = scheme.open(placeOf(0));
  const { identity } = await driver.check();
  const { token, hashes } = await driver.stage!(new Response('abc').body!, { hashes: ['SHA-1', 'MD5'] });
  expect(hashes).toEqual({
    'SHA-1': 'a9993e364706816aba3e25717850c26c9cd0d89d',
    MD5: '900150983cd24fb0d6963f7d28e17f72',
  });
  await driver.publish!(token, 'in/a.mov', 'create');
  expect(await readFile(join(root, 'media/0/in/a.mov'), 'utf8')).toBe('abc');
  expect(await readdir(join(root, 'media/0/.portico/tmp'))).toEqual([]);
  expect(identity).toBe((await readFile(join(root, 'media/0/.portico/id'), 'utf8')).trim());
});
