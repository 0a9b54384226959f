import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inByteOrder } from '../../../src/core/lib/bytes.ts';
import { type Disk, disk } from '../../../src/entry/native/file-storage/disk.ts';
import {
  addressDefect,
  closedOf,
  folderOfUri,
  partsOf,
  rootsOf,
} from '../../../src/entry/native/file-storage/roots.ts';
import { fileScheme } from '../../../src/entry/native/file-storage/scheme.ts';
import { checkStorageScheme, testHost } from '../../../src/kit/testing/index.ts';
import { explained } from '../../kit/testing/failing.ts';
import { filePlaces, kindOf, put } from '../../support/file-place.ts';
import { temporaryDirectory } from '../../support/store.ts';

const fails = (code: string) => async (): Promise<never> => {
  throw Object.assign(new Error(code), { code });
};

describe('the address of a file storage', () => {
  const roots = rootsOf({ root: '/srv/portico', storageRoots: ['/srv/media', '/mnt/in box/'] });

  it.each([
    'file:///srv/media/',
    'file:/srv/media/',
    'FILE:///srv/media',
    'file:///srv/media/in/deep/',
    'file:///mnt/in%20box/',
    'file:///srv/media/%C3%BCber/',
  ])('%s may be one', (uri) => {
    expect([addressDefect(uri), closedOf(uri, roots)]).toEqual([undefined, undefined]);
  });

  it.each([
    'file:///etc/',
    'file:///',
    'file:///srv/',
    'file:///srv/media2/',
    'file:///srv/portico/media/',
    'file:///SRV/media/',
  ])('%s is one that is closed', (uri) => {
    expect(addressDefect(uri)).toBe(undefined);
    expect(closedOf(uri, roots)).toMatch(/^Expected a folder below those of the setting PORTICO_STORAGE_ROOTS/);
  });

  it.each([
    ['file:///srv/media/../', 'file:///srv/media/'],
    ['file:///srv/media/%2e%2e/', 'file:///srv/media/'],
    ['file:///srv/media/.%2E/x/', 'file:///srv/media/'],
    ['file:///srv/media/./x/', 'file:///srv/media/'],
    ['file:///srv/media//x/', 'file:///srv/media/'],
    ['file:///srv/media/x//', 'file:///srv/media/'],
    ['file:///srv/media/a%2fb/', 'file:///srv/media/'],
    ['file:///srv/media/a%5cb/', 'file:///srv/media/'],
    ['file:///srv/media/%00/', 'file:///srv/media/'],
    ['file:///srv/media/%ff/', 'file:///srv/media/'],
    ['file:///srv/media/.portico/tmp/', 'file:///srv/media/'],
    ['file:///srv/media/?x=1', 'file:///srv/media/'],
    ['file:///srv/media/#x', 'file:///srv/media/'],
    ['file://srv/media/', 'file:///srv/media/'],
    ['file://localhost/srv/media/', 'file:///srv/media/'],
    ['file:////srv/media/', 'file:///srv/media/'],
    ['file:srv/media/', 'file:///srv/media/'],
    ['file:', 'file:///srv/media/'],
    ['http:///srv/media/', 'file:///srv/media/'],
    ['', 'file:///srv/media/'],
  ])('%s is none', (uri, told) => {
    expect(addressDefect(uri)).toMatch(/^Expected /);
    expect(addressDefect(uri)).toContain(told);
    expect(closedOf(uri, roots)).toBe(undefined);
  });

  it('without a list the folder "media" of the instance is the only root; a password in an address is not repeated', () => {
    const own = rootsOf({ root: 'portico-data', storageRoots: [] });
    expect(own).toEqual({ folders: [resolve('portico-data/media')], own: resolve('portico-data/media') });
    expect(rootsOf({ root: '/x', storageRoots: ['media'] })).toEqual({ folders: [resolve('media')] });
    expect(addressDefect('file://me:secret-7@host/x')).not.toContain('secret-7');
    expect(folderOfUri('file:///srv/media/a%20b/')).toEqual({ folder: '/srv/media/a b' });
  });
});

describe('a path', () => {
  it('has no part that any of the systems reads as another one', () => {
    const windows = ['a:b', 'a\\b', 'con', 'NUL.mov', 'com1', 'LPT\u00b9', 'a.', 'a ', 'a\n', 'a?', 'a|b'];
    for (const path of windows) {
      expect(partsOf(`in/${path}`, 'linux')).toEqual(['in', path]);
      expect(() => partsOf(`in/${path}`, 'win32')).toThrow(/Windows/);
    }
    for (const path of ['console.mov', 'com10', 'a.b', '.a', 'ü', '\u{1f600}']) {
      expect(partsOf(path, 'win32')).toEqual([path]);
    }
  });

  it('is ordered by its UTF-8 bytes', () => {
    const texts = ['', 'a', 'a-b', 'a/b', 'ab', '\u007f', '\u0080', '\u07ff', '\u0800', '\ud7ff', '\ue000', '\uffff'];
    const wanted = [...texts, '\u{10000}', '\u{1f600}', '\u{1f600}a', '\u{10ffff}'];
    const bytes = (text: string) => Buffer.from(text);
    expect(wanted.toSorted((one, other) => bytes(one).compare(bytes(other)))).toEqual(wanted);
    expect(wanted.toReversed().sort(inByteOrder)).toEqual(wanted);
  });
});

describe('the place of a file storage', () => {
  it('is known by its marker: over restarts, on another disk, and not on an empty mount point', async () => {
    const places = await filePlaces();
    const [one, two] = [await places.open('place'), await places.open('place')];
    const [first, second] = await Promise.all([one.check(), two.check()]);
    expect(first).toMatchObject({ capacity: expect.any(Number), free: expect.any(Number) });
    expect([first.free! > 0, first.capacity! >= first.free!]).toEqual([true, true]);
    expect(second.identity).toBe(first.identity);
    expect(await readdir(join(places.root, 'place/.portico/tmp'))).toEqual([]);
    await cp(join(places.root, 'place'), join(places.root, 'moved'), { recursive: true });
    expect((await (await places.open('moved')).check()).identity).toBe(first.identity);
    expect((await (await places.open('empty')).check()).identity).not.toBe(first.identity);
  });

  it.each(['EACCES', 'EROFS', 'EPERM'])('is known by its folder where nobody can write (%s)', async (code) => {
    const places = await filePlaces();
    const readOnly: Disk = { ...disk, mkdir: fails(code) };
    const driver = await places.open('place', { disk: readOnly });
    const { identity } = await driver.check();
    expect((await (await places.open('place', { disk: readOnly })).check()).identity).toBe(identity);
    expect((await (await places.open('other', { disk: readOnly })).check()).identity).not.toBe(identity);
    expect(await kindOf(put(driver, 'a.mov', 'a'))).toBe('denied');
    expect(await readdir(join(places.root, 'place'))).toEqual([]);
  });

  it('a full disk is no reason to be known by something else for now', async () => {
    const places = await filePlaces();
    const full = await places.open('place', { disk: { ...disk, mkdir: fails('ENOSPC') } });
    expect(await kindOf(full.check())).toBe('no-space');
  });

  it('a marker that somebody damaged is not replaced, and the place is another one', async () => {
    const places = await filePlaces();
    const driver = await places.open('place');
    const { identity } = await driver.check();
    await writeFile(join(places.root, 'place/.portico/id'), 'damaged');
    expect(await kindOf(driver.list({ limit: 1 }))).toBe('offline');
    expect((await (await places.open('place')).check()).identity).not.toBe(identity);
    expect(await readFile(join(places.root, 'place/.portico/id'), 'utf8')).toBe('damaged');
  });

  it('is offline while its folder is missing, and never made where the operator has listed roots', async () => {
    const places = await filePlaces();
    for (const folder of [join(places.root, 'missing'), join(places.root, 'disk/missing')]) {
      const driver = await places.open('', { folder, roots: { folders: [places.root, folder] } });
      expect(await kindOf(driver.check())).toBe('offline');
      expect(await kindOf(put(driver, 'a.mov', 'a'))).toBe('offline');
    }
    expect(await readdir(places.root)).toEqual([]);
    await writeFile(join(places.root, 'file'), 'a file');
    expect(await kindOf((await places.open('', { folder: join(places.root, 'file') })).check())).toBe('offline');
  });

  it('takes what a program finds there back when it comes again', async () => {
    const places = await filePlaces();
    const driver = await places.open('place');
    await driver.check();
    await put(driver, 'a.mov', 'a');
    await rename(join(places.root, 'place'), join(places.root, 'away'));
    expect(await kindOf(driver.check())).toBe('offline');
    await rename(join(places.root, 'away'), join(places.root, 'place'));
    expect((await driver.stat('a.mov'))?.size).toBe(1);
    expect(driver.localPath('in/a.mov')).toBe(join(places.root, 'place/in/a.mov'));
  });
});

describe('the scheme "file"', () => {
  it('keeps the contract of schemes', async () => {
    const directory = await temporaryDirectory();
    const made = await Promise.all(
      Array.from({ length: 60 }, (_, number) => mkdir(join(directory.path, String(number)))),
    );
    const settings = { root: directory.path, storageRoots: [directory.path], minFreeBytes: 0 };
    // A single scheme serves all hosts, because each scheme has a thread.
    const scheme = fileScheme(settings, testHost());
    onTestFinished(async () => {
      await scheme.close?.();
      await directory.remove();
    });
    const results = await checkStorageScheme({
      make: () => scheme,
      places: (number) => ({ uri: `file://${directory.path}/${number}/` }),
      largest: 100_000,
    });
    expect([made.length, explained(results)]).toEqual([60, []]);
  });

  it('makes the folder "media" of the instance when it is used, and not before', async () => {
    const directory = await temporaryDirectory();
    onTestFinished(() => directory.remove());
    const root = join(directory.path, 'portico-data');
    const scheme = fileScheme({ root, storageRoots: [], minFreeBytes: 0 }, testHost());
    const driver = scheme.open({ uri: `file://${root}/media/` });
    expect(await readdir(directory.path)).toEqual([]);
    await driver.check();
    expect(await readdir(root)).toEqual(['media']);
    expect(await kindOf(scheme.open({ uri: `file://${root}/media/in/` }).check())).toBe('offline');
    await rm(root, { recursive: true });
    await driver.check();
    expect(await readdir(root)).toEqual(['media']);
    await scheme.close?.();
  });

  it('tells what is wrong with an address that it is given all the same', async () => {
    const scheme = fileScheme({ root: '/srv', storageRoots: [], minFreeBytes: 0 }, testHost());
    expect(() => scheme.open({ uri: 'file://srv/' })).toThrow(/^Expected an address such as/);
    expect(await kindOf(scheme.open({ uri: 'file:///etc/' }).stat('passwd'))).toBe('denied');
    await scheme.close?.();
  });
});

it('the folder of a method is made below the own one, by no link, and nowhere else', async () => {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  const outside = join(path, 'outside');
  await mkdir(join(path, 'media'), { recursive: true });
  await mkdir(outside);
  await symlink(outside, join(path, 'media/link'));
  const prepare = async (storageRoots: readonly string[], folder: string) => {
    const scheme = fileScheme({ root: path, storageRoots, minFreeBytes: 0 }, testHost());
    onTestFinished(async () => scheme.close?.());
    await scheme.prepare?.({ uri: `file://${join(path, folder)}/` });
  };
  for (const folder of ['media/files-1', 'media/a/b', 'media/link/c', 'outside/d']) await prepare([], folder);
  await prepare([outside], 'outside/e');
  expect((await readdir(join(path, 'media'), { recursive: true })).sort()).toEqual(['a', 'a/b', 'files-1', 'link']);
  expect(await readdir(outside)).toEqual([]);
});
