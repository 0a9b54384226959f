import { describe, expect, it } from 'vitest';
import { checkStorageScheme, memoryStorage, storageError } from '../../../src/kit/testing/index.ts';
import type { Host, StorageDriver, StorageScheme } from '../../../src/spi/index.ts';
import { broken, explained } from './failing.ts';

describe('checkStorageScheme', () => {
  const places = (number: number) => ({ uri: `memory:///${number}/` });
  const tryScheme = (change: (good: StorageScheme, host: Host) => Partial<StorageScheme> = () => ({}), more = {}) => {
    const good = memoryStorage(() => 0);
    return checkStorageScheme({
      make: (host) => ({ ...good, ...change(good, host) }),
      places,
      largest: 200_000,
      patience: 400,
      ...more,
    });
  };
  const leaving = (list: boolean) => ({ list, write: false, parts: false, createOnly: false, sign: false });

  it('finds nothing wrong with the scheme in memory, and tries its drivers', async () => {
    const results = await tryScheme();
    expect(explained(results)).toEqual([]);
    expect(results.map(({ name }) => name)).toContain('gives back the bytes of files of every size');
    expect((await tryScheme(undefined, { places: undefined })).length).toBe(4);
  });

  it.each<[promise: string, change: (good: StorageScheme, host: Host) => Partial<StorageScheme>]>([
    ['names the schemes that it opens', () => ({ schemes: ['memory', 'Memory:'] })],
    ['names the hosts where it works', () => ({ hosts: [] })],
    [
      'says in a sentence what is wrong with an address, without its secret',
      () => ({ defect: ({ uri, password }) => (uri === 'x' ? `Expected no ${password?.reveal()}` : undefined) }),
    ],
    [
      'says in a sentence what is wrong with an address, without its secret',
      () => ({ defect: ({ uri }) => (uri === '' ? (true as never) : undefined) }),
    ],
    [
      'opens places of its schemes, and asks nobody before it must',
      () => ({ defect: ({ uri }) => (uri.endsWith('/1/') ? 'Expected an even number' : undefined) }),
    ],
    [
      'opens places of its schemes, and asks nobody before it must',
      (good, host) => ({
        open(address) {
          void host.fetch('https://files.example/').catch(() => undefined);
          return good.open(address);
        },
      }),
    ],
    [
      'tells no secret of an address to logs and errors',
      (good) => ({
        open(address) {
          const driver = good.open(address);
          const check = async () => {
            if (address.password)
              throw storageError('denied', `Expected another password: ${address.password.reveal()}`);
            return driver.check();
          };
          return { ...driver, check };
        },
      }),
    ],
    [
      'removes a file once',
      (good) => ({
        open: (address) => ({
          ...good.open(address),
          remove: async () => true,
          can: { ...leaving(true), write: true },
        }),
      }),
    ],
  ])('finds a scheme that breaks "%s"', async (promise, change) => {
    expect(broken(await tryScheme(change))).toContain(promise);
  });

  it('tries drivers that ask a service with one that does not answer', async () => {
    const backend = () => Response.json({ files: ['a.mov'] });
    const scheme = (list: boolean) => (_good: StorageScheme, host: Host) => ({
      open: (): StorageDriver => {
        const ask = async () => {
          const answer = await host.fetch('https://files.example/').catch(() => undefined);
          if (!answer) throw storageError('offline', 'Expected an answer');
          return answer.json();
        };
        const file = { path: 'a.mov', size: 3, version: '1' };
        return {
          can: leaving(list),
          check: async () => ({ identity: String(typeof (await ask())) }),
          stat: async (path) => {
            checked(path);
            await ask();
            return path === 'a.mov' ? file : undefined;
          },
          read: async (path, { range = { from: 0, end: 3 }, version, signal } = {}) => {
            checked(path);
            await ask();
            if (path !== 'a.mov') throw storageError('not-found', 'Expected a file');
            if (range.from < 0 || range.from > range.end || range.end > 3)
              throw storageError('range', 'Expected 3 bytes');
            if (version !== undefined && version !== '1') throw storageError('changed', 'Expected version 1');
            if (signal?.aborted) throw storageError('aborted', 'The reader went away');
            return { file, body: new Blob(['abc'.slice(range.from, range.end)]).stream() };
          },
          // An empty page for a place that nobody can reach.
          list: async ({ after = '' }) => {
            const files = await ask().then(
              () => [file],
              () => [],
            );
            return { files: files.filter(({ path }) => path > after) };
          },
        };
      },
    });
    const holds = { 'a.mov': 'abc' };
    expect(explained(await tryScheme(scheme(false), { backend, holds }))).toEqual([]);
    expect(broken(await tryScheme(scheme(true), { backend, holds }))).toEqual([
      'says of a place that cannot be reached that it cannot, instead of that it is empty',
    ]);
  });
});

function checked(path: string): void {
  const odd = path.split('/').some((part) => ['', '.', '..'].includes(part));
  if (odd || path.includes('\0') || !path.isWellFormed()) throw storageError('bad-path', 'Expected another path');
}
