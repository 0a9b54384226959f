import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { checkSecurity, createService } from '../../../src/composition/service.ts';
import { readSettings } from '../../../src/composition/settings.ts';
import { hostPlatform } from '../../../src/entry/host.ts';
import { hostPlugins } from '../../../src/entry/native/file-storage/scheme.ts';
import { checkingHost } from '../../../src/entry/plugins/checking-host.ts';
import { testHost } from '../../../src/kit/testing/index.ts';
import { defaultIni } from '../../../src/security/ini/default-ini.ts';
import type { StorageScheme } from '../../../src/spi/index.ts';
import { createStorageDrivers } from '../../../src/storage/drivers.ts';
import type { MethodRow } from '../../../src/storage/storages/store.ts';
import { kindOf } from '../../support/file-place.ts';
import { denoProgram } from '../../support/programs.ts';
import { temporaryDirectory } from '../../support/store.ts';

async function settingsOf(more: Record<string, string> = {}) {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory.remove());
  const variables = { PORTICO_ROOT: directory.path, PORTICO_LOG_LEVEL: 'error', PORTICO_DATABASE: 'memory:', ...more };
  return { settings: readSettings(variables), path: directory.path };
}

const methodAt = (path: string) =>
  ({ id: 'VX-1', version: 1, uri: `${pathToFileURL(path).href}/`, userName: null, sealed: null }) as MethodRow;

/** Storage schemes that the plugins of a host open. */
async function schemesOf(settings: Awaited<ReturnType<typeof settingsOf>>['settings']): Promise<StorageScheme[]> {
  const components = hostPlugins(settings).flatMap(({ storages }) => Object.values(storages ?? {}));
  const schemes = await Promise.all(components.map((component) => component.create({}, testHost())));
  onTestFinished(async () => {
    for (const scheme of schemes) await scheme.close?.();
  });
  return schemes;
}

it('a server lends the scheme "file", below the roots of its settings', async () => {
  const { settings, path } = await settingsOf({ PORTICO_MIN_FREE_BYTES: '0' });
  const print: string[] = [];
  const platform = await hostPlatform(settings, (line) => print.push(line));
  expect(platform.plugins?.map(({ name }) => name)).toEqual(['portico-files', 'portico-drawing']);
  const service = createService(settings, platform);
  await service.start();
  await service.close();
  expect(print).toEqual([]);
  const places = createStorageDrivers({
    schemes: () => schemes,
    sharesWork: true,
    vault: undefined,
    services: {} as never,
  });
  const schemes = await schemesOf(settings);
  const driver = await places.of(methodAt(join(path, 'media')));
  const { token } = await driver.stage!(new Response('abc').body!);
  expect((await driver.publish!(token, 'a.mov', 'create')).size).toBe(3);
  await mkdir(join(path, 'elsewhere'));
  const outside = methodAt(join(path, 'elsewhere'));
  expect(places.schemeFor(outside.uri)?.closed?.(outside)).toContain('PORTICO_STORAGE_ROOTS');
  expect(places.unread(outside.uri)).toContain('PORTICO_STORAGE_ROOTS');
  expect(await kindOf(places.of({ ...outside, id: 'VX-2' }))).toBe('denied');
  await places.close();
});

it('security.ini may name the class of the scheme where a host lends it', async () => {
  const { settings } = await settingsOf();
  const text = defaultIni.replace(/^\[main\]$/m, '[main]\nfiles = portico.FileStorage');
  const input = { text, file: 'security.ini', plugins: [] };
  expect(await checkSecurity(input, checkingHost, hostPlugins(settings))).toEqual([]);
  expect((await checkSecurity(input, checkingHost)).map(({ severity }) => severity)).toEqual(['error']);
});

it('on an edge a file storage is offline, with a sentence that says what can be read', async () => {
  const places = createStorageDrivers({
    schemes: () => [],
    sharesWork: false,
    vault: undefined,
    services: {} as never,
  });
  await expect(places.of(methodAt('/srv/media'))).rejects.toMatchObject({
    kind: 'offline',
    message: expect.stringMatching(/^Expected one of the schemes that this server reads .*: "file"$/),
  });
});

const deno = denoProgram();

it.skipIf(!existsSync(deno))(
  'on Deno it needs no more permissions than the task "start" gives: with all of them it holds folders by descriptor',
  async () => {
    const directory = await temporaryDirectory();
    onTestFinished(() => directory.remove());
    const root = await realpath(directory.path);
    const { tasks } = JSON.parse(await readFile('deno.json', 'utf8')) as { tasks: { start: string } };
    const given = tasks.start
      .split(' && ')
      .at(-1)!
      .replace(/^\S+ run (.*) src\/.*$/, '$1')
      .replace('--allow-read=.', `--allow-read=.,${root}`)
      .replace('--allow-write=portico-data', `--allow-write=${root}`);
    for (const [flags, holding, place] of [
      [given.split(' '), 'by path', 'one'],
      [['-A'], process.platform === 'linux' ? 'by descriptor' : 'by path', 'two'],
    ] as const) {
      const program = [
        'run',
        '--config',
        'deno.json',
        ...flags,
        'test/support/deno-files.ts',
        'keeps',
        join(root, place),
      ];
      const { stdout } = await promisify(execFile)(deno, program);
      expect(JSON.parse(stdout)).toEqual([holding, true, ['in/a.mov'], 'abc']);
    }
  },
);
