import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programVersion } from '../src/core/lib/version.ts';
import { isLong } from './support/long.ts';

const run = promisify(execFile);
const readJson = async (path: string) => JSON.parse(await readFile(path, 'utf8'));
const manifest = await readJson('package.json');
const nested = await readJson('test/runtime/package.json');

/** The names that each export of the package has. */
const exported: readonly (readonly [string, readonly string[]])[] = [
  ['portico', ['SettingError', 'StoreStartError', 'createService', 'openRemoteDatabase', 'readSettings']],
  ['portico/spi', []],
  ['portico/types', []],
  ['portico/client/refusal', ['Refusal', 'noData', 'pause', 'refusalOf']],
  ['portico/client/tus', ['endUpload', 'readUpload', 'sendFile']],
  [
    'portico/client',
    ['PorticoClient', 'Refusal', 'endUpload', 'noData', 'pause', 'readUpload', 'refusalOf', 'sendFile'],
  ],
  [
    'portico/testing',
    [
      'checkAction',
      'checkFilter',
      'checkListener',
      'checkMatcher',
      'checkModule',
      'checkPlugin',
      'checkProber',
      'checkRealm',
      'checkSearchEngine',
      'checkStorageDriver',
      'checkStorageScheme',
      'checkTranscoder',
      'checkUserInfoProvider',
      'countMatches',
      'filterRequest',
      'manualClock',
      'memorySearchEngine',
      'memoryStorage',
      'secretText',
      'seededRandom',
      'storageError',
      'testHost',
    ],
  ],
  ['portico/node', ['SettingError', 'hostPlatform', 'readSettings', 'serve', 'settingManual', 'startServer']],
  ['portico/edge', ['default', 'edgeModule', 'edgeService']],
  ['portico/deploy', ['serveOnDeploy']],
];

describe('the manifest', () => {
  it.each(exported)('names as %s a module that exports what it should', async (name, names) => {
    const module = new URL(`../${manifest.exports[name.replace('portico', '.')]['portico-source']}`, import.meta.url);
    expect(Object.keys(await import(module.href)).toSorted()).toEqual(names);
  });

  it('has the version that the program tells', () => {
    expect(manifest.version).toBe(programVersion);
  });

  it('names exact versions, so that an installation is the one that was tested', () => {
    const named = {
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...nested.dependencies,
      ...nested.optionalDependencies,
    };
    const loose = Object.entries<string>(named).filter(
      ([, version]) => !/^(?:npm:[\w-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version),
    );
    expect(loose).toEqual([]);
  });

  it('installs without an engine warning on the lowest Node that is supported', async () => {
    const [, major = 0, minor = 0] = manifest.engines.node.match(/^>=(\d+)\.(\d+)$/).map(Number);
    /** Whether one alternative of a range, such as `^20.19.0` or `>= 18`, admits that version. */
    const admits = (alternative: string): boolean => {
      const [, operator, from = 0, rest = 0] = /^\s*(>=|\^)\s*v?(\d+)(?:\.(\d+))?/.exec(alternative) ?? [];
      if (!operator) throw new Error(`Expected a range of versions like ">=18" or "^20.19.0": "${alternative}"`);
      const isLater = major > Number(from) || (major === Number(from) && minor >= Number(rest));
      return isLater && (operator === '>=' || major === Number(from));
    };
    const entries = Object.entries<{ engines?: { node?: string } }>((await readJson('package-lock.json')).packages);
    const warned = entries.filter(([, { engines }]) => engines?.node && !engines.node.split('||').some(admits));
    expect(warned.map(([name]) => name)).toEqual([]);
  });

  it.each(['', 'test/runtime/', 'test/release/', 'scripts/site/'].map((folder) => `${folder}package-lock.json`))(
    '%s names no registry',
    async (path) => {
      const entries = Object.entries<Record<string, unknown>>((await readJson(path)).packages);
      expect(entries.filter(([, entry]) => 'resolved' in entry)).toEqual([]);
      const unchecked = entries.filter(([name, entry]) => name !== '' && !('integrity' in entry));
      expect(unchecked.map(([name]) => name)).toEqual([]);
    },
  );
});

/** Built, packed, and unpacked beside nothing but the dependencies that it declares: as an installation has it. */
describe.runIf(isLong)('the package', () => {
  let root: string;
  let consumer: string;
  let packed: readonly string[];
  let unpackedSize: number;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'portico-package-'));
    consumer = join(root, 'consumer');
    const stage = join(root, 'stage');
    const modules = join(consumer, 'node_modules');
    await mkdir(join(modules, 'portico'), { recursive: true });
    await run(process.execPath, ['scripts/build.mjs', '--out', join(stage, 'dist')]);
    await copyFile('package.json', join(stage, 'package.json'));
    const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', root], {
      cwd: stage,
    });
    const [tarball] = JSON.parse(stdout);
    packed = tarball.files.map((file: { path: string }) => file.path);
    ({ unpackedSize } = tarball);
    await run('tar', ['-xzf', join(root, tarball.filename), '-C', join(modules, 'portico'), '--strip-components=1']);
    for (const name of Object.keys(manifest.dependencies)) {
      await mkdir(dirname(join(modules, name)), { recursive: true });
      await symlink(resolve('node_modules', name), join(modules, name));
    }
    await writeFile(join(consumer, 'package.json'), '{ "type": "module" }');
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  /** Plain JavaScript in plain Node, and what it prints. */
  async function inConsumer(program: string): Promise<string> {
    const { NODE_OPTIONS: _, ...env } = process.env;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: consumer, env });
    return stdout;
  }

  it('has 6.2 MB in 250 files at most: programs, the page, types and the media of the sample', () => {
    expect(packed.length).toBeLessThan(250);
    expect(unpackedSize).toBeLessThan(6.2e6);
    expect(packed.filter((path) => path.endsWith('.d.ts')).length).toBeLessThan(25);
  });

  it('has no sources, no source maps and no tests in it', () => {
    const media = /^dist\/src\/entry\/sample\/files\/[\w-]+\.\w+$/;
    expect(packed.filter((path) => media.test(path)).length).toBeGreaterThan(7);
    const others = packed.filter((path) => !media.test(path) && !/^dist\/src\/.*\.(?:js|d\.ts)$/.test(path));
    const template = ['.dev.vars.example', 'README.md', 'gitignore', 'npmrc', 'package.json', 'plugins/invitations.ts'];
    expect(others.toSorted()).toEqual([
      ...[...template, 'security.ini', 'wrangler.toml'].map((name) => `dist/examples/worker/${name}`),
      'dist/licences.txt',
      'package.json',
    ]);
  });

  it.each(exported)('%s exports what it should', async (name, names) => {
    const program = `console.log(JSON.stringify(Object.keys(await import(${JSON.stringify(name)})).sort()))`;
    expect(JSON.parse(await inConsumer(program))).toEqual(names);
  });

  it('serves, with its writer thread', async () => {
    const program = `
      import { readSettings, startServer } from 'portico/node';
      const settings = readSettings({ PORTICO_ROOT: ${JSON.stringify(join(root, 'data'))}, PORTICO_PORT: '0', PORTICO_ADMIN_PASSWORD: 'a pass phrase' });
      const running = await startServer(settings, () => {});
      const headers = { authorization: 'Basic ' + btoa('admin:a pass phrase') };
      const put = await fetch(running.address + '/group/packed', { method: 'PUT', headers });
      const whoami = await fetch(running.address + '/API/whoami', { headers });
      console.log(put.status, await whoami.text());
      await running.stop();`;
    expect(await inConsumer(program)).toBe('200 admin\n');
  });

  it('has the command', async () => {
    const command = join(consumer, 'node_modules/portico', manifest.bin.portico);
    expect((await readFile(command, 'utf8')).split('\n')[0]).toBe('#!/usr/bin/env node');
    expect((await run(process.execPath, [command, 'version'])).stdout).toBe(`${programVersion}\n`);
  });

  it('has types for each export', async () => {
    await writeFile(
      join(consumer, 'check.ts'),
      `import { createService, type Platform, readSettings, type Settings } from 'portico';
import edge, { edgeService } from 'portico/edge';
import { startServer } from 'portico/node';
import type { Filter, Realm } from 'portico/spi';
import { manualClock, seededRandom } from 'portico/testing';
import type { UserDocument } from 'portico/types';
const settings: Settings = readSettings({});
export const port: number = settings.port;
export const clock: Platform['clock'] = manualClock();
export const random: Platform['random'] = seededRandom(1);
export const answered: Response | Promise<Response> = edge.fetch(new Request('http://x/'), {});
export const address: Promise<string> = startServer(settings).then((running) => running.address);
export const filter: Filter = { check: () => ({ verdict: 'pass' }) };
export const service = [createService, edgeService];
// @ts-expect-error Not a realm: types that could not be found would let it pass.
export const realm: Realm = { check: 1 };
export const user: UserDocument = { userName: 'ann', alias: ['a'] };
// @ts-expect-error A user has a name.
export const nameless: UserDocument = {};
// @ts-expect-error Not a text.
export const text: string = settings.port;
`,
    );
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--types',
      '',
      '--lib',
      'es2023,dom,dom.iterable,dom.asynciterable',
      '--skipLibCheck',
      'check.ts',
    ];
    const { stdout } = await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), ...options], {
      cwd: consumer,
    }).catch((error) => error);
    expect(stdout).toBe('');
  });

  it('fits an edge: one small module without the native binding', async () => {
    await writeFile(join(consumer, 'worker.js'), "export { default } from 'portico/edge';\n");
    const { outputFiles, metafile } = await build({
      absWorkingDir: consumer,
      entryPoints: ['worker.js'],
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      mainFields: ['module', 'main'],
      conditions: ['workerd', 'worker', 'browser'],
      external: ['node:*'],
      outfile: 'bundle.mjs',
      write: false,
      metafile: true,
    });
    const [bundle] = outputFiles;
    const inputs = Object.keys(metafile.inputs);
    expect(
      inputs.filter((path) =>
        /node_modules\/(?:libsql|tsx|@neon-rs|@libsql\/(?:linux|darwin|win32)|@hono\/node-server)/.test(path),
      ),
    ).toEqual([]);
    expect(inputs.filter((path) => /entry\/(?:native|host|serve|listen)/.test(path))).toEqual([]);
    expect(Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path))).toEqual([
      'node:crypto',
      'node:async_hooks',
      'node:zlib',
    ]);

    const kilobytes = gzipSync(bundle!.contents).length / 1024;
    console.log(
      `The edge module has ${kilobytes.toFixed(0)} KB with gzip, ${(bundle!.contents.length / 1024).toFixed(0)} KB without`,
    );
    // An edge takes megabytes; this says when a change brings more than it should.
    expect(kilobytes).toBeLessThan(1160);

    const path = join(consumer, 'bundle.mjs');
    await writeFile(path, bundle!.contents);
    const worker = (await import(pathToFileURL(path).href)).default;
    const answer: Response = await worker.fetch(new Request('http://edge/health/live'), {
      PORTICO_DATABASE: 'http://127.0.0.1:9',
      PORTICO_LOG_LEVEL: 'error',
    });
    expect([answer.status, await answer.json()]).toEqual([200, { live: true }]);
  });
});
