import { describe, expect, it } from 'vitest';
import { checkStorageDriver, memoryStorage } from '../../../src/kit/testing/index.ts';
import type { StorageDriver } from '../../../src/spi/index.ts';
import { broken, explained } from './failing.ts';
import { type Mutant, mutants, tried, type Writing } from './storage-mutants.ts';

describe('checkStorageDriver', () => {
  it('finds nothing wrong with the driver in memory', async () => {
    expect(explained(await tried())).toEqual([]);
  });

  it('asks nothing of what a driver cannot do', async () => {
    const can = { list: false, write: false, parts: false, createOnly: false, sign: false };
    const storage = memoryStorage(() => 0);
    const open = (place: number): StorageDriver => {
      const uri = `memory:///${place}/`;
      storage.place(uri).put('a.mov', 'a few bytes');
      const { check, stat, read } = storage.open({ uri });
      return { can, check, stat, read };
    };
    const results = await checkStorageDriver({ open, holds: { 'a.mov': 'a few bytes' } });
    expect(explained(results)).toEqual([]);
    expect(results.map(({ name }) => name)).toContain('gives back the bytes that it holds');
    expect(broken(await checkStorageDriver({ open, holds: { 'a.mov': 'others' } }))).toContain(
      'gives back the bytes that it holds',
    );
  });

  it('says of a driver that cannot be opened why', async () => {
    const open = () => {
      throw new Error('a key');
    };
    expect(explained(await checkStorageDriver({ open }))).toEqual(['can be opened. Expected a key']);
  });

  it('signs: an address that anybody can use for another file is found', async () => {
    const signed =
      (careful: boolean): Mutant =>
      (good) => ({
        can: { ...good.can, sign: true },
        sign: async (path, { method }) => `https://files.example/${path}?${careful ? `${method}=${path}` : method}`,
      });
    const storage = new Map<string, Writing>();
    const keeping =
      (mutant: Mutant): Mutant =>
      (good, place, again) => {
        storage.set('now', good);
        return mutant(good, place, again);
      };
    const fetch = async (request: Request): Promise<Response> => {
      const { pathname, search } = new URL(request.url);
      const path = decodeURIComponent(pathname.slice(1));
      const [method, signedPath = path] = decodeURIComponent(search.slice(1)).split('=');
      if (method !== request.method || signedPath !== path) return new Response(null, { status: 403 });
      const driver = storage.get('now')!;
      if (method === 'GET') return new Response((await driver.read(path)).body);
      await driver.publish((await driver.stage(request.body!)).token, path, 'replace');
      return new Response(null, { status: 201 });
    };
    expect(explained(await tried(keeping(signed(true)), { fetch }))).toEqual([]);
    expect(broken(await tried(keeping(signed(false)), { fetch }))).toEqual([
      'signs addresses under which anybody may write that file alone',
    ]);
  });

  it.each(mutants.map(([promise, mutant, more], index) => [promise, index + 1, mutant, more] as const))(
    'finds a driver that breaks "%s" (%i)',
    async (promise, _index, mutant, more) => {
      expect(broken(await tried(mutant, more))).toEqual([promise]);
    },
  );

  it('every promise is broken by a mutant', async () => {
    const known = new Set(mutants.map(([promise]) => promise));
    const others = (await tried()).map(({ name }) => name).filter((name) => !known.has(name));
    expect(others).toEqual(['can be opened', 'leaves the prototypes of the language alone']);
  });

  it('finds a driver that keeps open what its readers left', async () => {
    let open = 0;
    const counting =
      (leaks: boolean): Mutant =>
      ({ read }) => ({
        async read(path, given) {
          const { file, body } = await read(path, given);
          const reader = body.getReader();
          let counted = false;
          const done = () => {
            if (counted) open--;
            counted = false;
          };
          const counting = new ReadableStream<Uint8Array>(
            {
              async pull(controller) {
                if (!counted) open++;
                counted = true;
                const { done: ended, value } = await reader.read().catch((error) => {
                  done();
                  throw error;
                });
                if (!ended) return controller.enqueue(value);
                done();
                controller.close();
              },
              async cancel() {
                await reader.cancel();
                if (!leaks) done();
              },
            },
            { highWaterMark: 0 },
          );
          return { file, body: counting };
        },
      });
    const openHandles = () => open;
    expect(explained(await tried(counting(false), { openHandles }))).toEqual([]);
    expect(broken(await tried(counting(true), { openHandles }))).toEqual(['holds nothing open for readers who left']);
  });
});
