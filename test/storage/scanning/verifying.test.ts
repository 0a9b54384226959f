import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/core/lib/clock.ts';
import { openStore } from '../../../src/core/store/store.ts';
import { openDatabase } from '../../../src/entry/native/open-database.ts';
import { storageCommands } from '../../../src/storage/scanning/verification.ts';
import { tryCli } from '../../support/cli.ts';
import { extensions, migrations } from '../../support/migrated.ts';
import { openScanWorld, type ScanWorld } from '../../support/storages.ts';
import { storageRows } from '../../support/world.ts';

async function verify(world: ScanWorld, { words = [] as string[], flags = [] as string[] } = {}) {
  const lines: string[] = [];
  const { storage } = world.service.rooms as unknown as { storage: never };
  const context = {
    store: world.service.store,
    provides: storage,
    settings: {},
    tell: (line: string) => lines.push(line),
  };
  const line = { words, has: (flag: string) => flags.includes(flag), option: () => [] };
  const failed = await storageCommands['verify-media']!.run(line, context as never).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { lines: lines.map((each) => each.split('\t')), failed };
}

async function withClosed(...paths: string[]): Promise<ScanWorld> {
  const world = await openScanWorld();
  for (const path of paths) world.place.put(path, 'hello');
  await world.scan();
  await world.scanAfter(20);
  return world;
}

describe('verify-media', () => {
  it('finds nothing where all is as it should be, and changes nothing', async () => {
    const world = await withClosed('a', 'b/c');
    const before = await world.rows('file');
    expect(await verify(world, { flags: ['--hash'] })).toEqual({
      lines: [['Compared 2 files: all are as they should be']],
      failed: undefined,
    });
    expect(await world.rows('file')).toEqual(before);
  });

  it('names what is missing, unknown, changed, and has another hash', async () => {
    const world = await withClosed('changed', 'gone', 'hash', 'same');
    const { modified } = world.place.files.get('hash')!;
    world.place.put('hash', 'other', modified);
    world.place.put('changed', 'longer than before');
    world.place.put('unknown', 'x');
    world.place.files.delete('gone');
    const plain = await verify(world);
    expect(plain.lines.map(([storage, what, path]) => [storage, what, path])).toEqual([
      ['VX-1', 'changed', 'changed'],
      ['VX-1', 'missing', 'gone'],
      ['VX-1', 'unknown', 'unknown'],
    ]);
    expect(plain.failed).toBe('Expected files as they are known: 3 findings in 5 files');
    const { lines } = await verify(world, { words: ['VX-1'], flags: ['--hash'] });
    expect(lines.map(([, what, path]) => `${what} ${path}`)).toEqual([
      'changed changed',
      'missing gone',
      'hash hash',
      'unknown unknown',
    ]);
  });

  it('leaves out what nobody scans, what is about to get its bytes, and what waits for its deletion', async () => {
    const world = await withClosed('deleted');
    await world.metadata('excludefilter', String.raw`\..*`);
    await world.ask('PUT /API/storage/file/VX-1/state/TO_BE_DELETED');
    for (const path of ['.hidden', 'coming']) world.place.put(path, 'x');
    await world.sql(`INSERT INTO publication (id, token, method_id, storage_id, path, file_id, mode, state, size, actor, at,
        instance, lease_until) VALUES ('p', 't', 'VX-1', 'VX-1', 'coming', 'VX-50', 'create', 'CLOSED', 1, '{}', 0, 'other', 9e15)`);
    expect((await verify(world)).failed).toBeUndefined();
  });

  it('says where a storage cannot be reached, and which name is none of a storage', async () => {
    const world = await withClosed('a');
    world.place.offline = 'Unplugged';
    expect((await verify(world)).lines).toEqual([['VX-1', 'offline', '', 'Unplugged']]);
    expect((await verify(world, { words: ['VX-9'] })).failed).toBe('Expected the id of a storage: "VX-9"');
  });

  it('prints no character of a name that a terminal obeys', async () => {
    const world = await openScanWorld();
    world.place.put('a\u001b[2Jb\tc\u202e', 'x');
    expect((await verify(world)).lines.map(([, , path]) => path)).toEqual([String.raw`a\u{1b}[2Jb\u{9}c\u{202e}`]);
  });

  it('is a command that ends with 1 where it finds something', async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'portico-verify-')));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    const store = openStore(await openDatabase(`file:${join(root, 'portico.db')}`), {
      clock: systemClock,
      site: 'VX',
      migrations,
      extensions,
    });
    await store.migrate();
    await mkdir(join(root, 'media'));
    await storageRows({ service: { store } } as never, { uri: `${pathToFileURL(join(root, 'media')).href}/` });
    await store.close();
    await writeFile(join(root, 'media', 'stray.mov'), 'x');
    const { code, out, err } = await tryCli(['verify-media'], { root });
    expect([code, out, err]).toEqual([
      1,
      'VX-1\tunknown\tstray.mov\tNo file is known at this path\n',
      'portico: Expected files as they are known: 1 findings in 1 files\n',
    ]);
  });
});
