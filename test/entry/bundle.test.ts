import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { extensionNames } from '../../src/composition/extensions.ts';
import { bundleCommand } from '../../src/entry/commands/bundle.ts';
import type { CommandInput } from '../../src/entry/commands/command.ts';
import { bundleSecurity, engineFile, type PagePlace } from '../../src/entry/plugins/bundle.ts';
import { gatherSecurity } from '../../src/entry/plugins/read-input.ts';
import { sqldBinary, startPreparedSqld } from '../support/sqld.ts';
import { type Files, iniWith, instance, put, realmPlugin, settingsFor } from './plugins-support.ts';

const maximumWithout = 825;

const given = (root: string, out: string, ...flags: string[]): CommandInput => ({
  words: [out],
  has: (flag) => flags.includes(flag),
  option: () => [],
  settings: () => settingsFor(root),
});

const filter = `// Answers by itself, so that a test needs no database.
export default { name: 'teapot', version: '1', contract: 1, filters: { 'example.Teapot': { says: '', create: () => ({
  check: () => ({ verdict: 'refuse', reason: 'teapot', response: { status: 418, headers: { 'x-pot': POT } } }) }) } } };`;

const files: Files = {
  'security.ini':
    `${iniWith('file:./realms/mine.ts#example.Mine', 'teapot = example.Teapot\npacked = mine-realm\n')}`.replace(
      '[urls]\n',
      '[urls]\n/tea/** = teapot\n',
    ),
  'realms/mine.ts': realmPlugin('mine', 'example.Mine', {
    ts: true,
    imports: "import { word } from './word.ts';",
    word: 'word',
  }),
  'realms/word.ts': "export const word: string = 'a word of the bundle';",
  'plugins/teapot/package.json': '{"type":"module","exports":{"workerd":"./edge.js","default":"./host.js"}}',
  'plugins/teapot/edge.js': filter.replace('POT', "'on the edge'"),
  'plugins/teapot/host.js': filter.replace('POT', "'on a host'"),
  'node_modules/mine-realm/package.json': '{"type":"module","main":"index.js"}',
  'node_modules/mine-realm/index.js': realmPlugin('packed', 'Packed'),
};

describe('portico bundle', () => {
  let out: string;
  beforeAll(async () => {
    out = await mkdtemp(join(tmpdir(), 'portico-bundle-'));
  });
  afterAll(() => rm(out, { recursive: true, force: true }));

  it.each<[string, string[]]>([
    ['to be read', []],
    ['made small', ['--minify']],
  ])('writes one module with security.ini and the plugins in it, %s', async (_how, flags) => {
    const root = await instance(files);
    const path = join(out, `edge${flags.length}.mjs`);
    await bundleCommand.run(given(root, path, ...flags));
    const text = await readFile(path, 'utf8');
    for (const part of ['a word of the bundle', 'example.Teapot', 'on the edge'])
      expect(text.includes(part)).toBe(true);
    expect(text.includes('on a host')).toBe(false);
    // No line of this security.ini is for the web page.
    expect(text).not.toMatch(/main-\w{8}\.js/);
    expect(await readdir(path.replace('.mjs', '.page'))).toEqual([]);
    // Without it, each module has its path above it.
    if (flags.length > 0) expect(text.includes(root)).toBe(false);

    const { default: module } = await import(pathToFileURL(path).href);
    const ask = (target: string): Promise<Response> =>
      module.fetch(new Request(`http://edge${target}`), {
        PORTICO_DATABASE: 'http://127.0.0.1:9',
        PORTICO_LOG_LEVEL: 'error',
      });
    const live = await ask('/health/live');
    expect([live.status, await live.json()]).toEqual([200, { live: true }]);
  });

  it('contains nothing native and expects little of the runtime', async () => {
    const root = await instance(files);
    const { contents, inputs, imports } = await bundleSecurity(await gatherSecurity(settingsFor(root)), {
      minify: true,
    });
    const native =
      /node_modules\/(?:libsql|tsx|esbuild|@neon-rs|@libsql\/(?:linux|darwin|win32)|@hono\/node-server)|entry\/(?:native|host|serve|listen|security\/)/;
    expect(inputs.filter((path) => native.test(path))).toEqual([]);
    // The engine of scripts, which a deployment compiles.
    expect(imports.filter((path) => !path.startsWith('node:'))).toEqual(['./portico.wasm']);
    const kilobytes = gzipSync(contents).length / 1024;
    console.log(
      `The bundle has ${kilobytes.toFixed(0)} KB with gzip, ${(contents.length / 1024).toFixed(0)} KB without; it imports ${imports.join(', ')}`,
    );
    expect(kilobytes).toBeLessThan(1135);
  });

  it('has the sizes that docs/operate/edge.md tells, within two percent', async () => {
    const template = join(out, 'template');
    await cp('examples/worker', template, { recursive: true });
    const gathered = await gatherSecurity(settingsFor(template));
    const sizeOf = async (page: PagePlace, ...without: string[]): Promise<number> =>
      gzipSync((await bundleSecurity(gathered, { minify: true, page, without })).contents).length / 1024;
    const whole = await sizeOf('beside');
    expect(whole).toBeLessThan(1200);
    const { assets } = await bundleSecurity(gathered);
    const sizes = [
      whole,
      await sizeOf('beside', ...extensionNames),
      [...assets.values()].reduce((sum, { length }) => sum + length, 0) / 1024,
      await sizeOf('inside'),
      whole - (await sizeOf('beside', 'probers')),
      whole - (await sizeOf('beside', 'scripts')),
      gzipSync(await readFile(engineFile())).length / 1024,
    ];
    const page = await readFile('docs/operate/edge.md', 'utf8');
    const line = /^- \*\*Size\.\*\*.*$/m.exec(page)![0];
    let index = 0;
    const expectedLine = line.replaceAll(/([\d,]+) KB/g, (_all, figure: string) => {
      const [size, documented] = [sizes[index++]!, Number(figure.replace(',', ''))];
      const isNear = Math.abs(size - documented) <= Math.max(2, size / 50);
      return `${isNear ? figure : Math.round(size).toLocaleString('en')} KB`;
    });
    expect(index).toBe(sizes.length);
    expect(line).toBe(expectedLine);
  });

  it('has no statements of the schema and no commands', async () => {
    const gathered = await gatherSecurity(settingsFor(await instance({})));
    const { contents } = await bundleSecurity(gathered, { minify: true });
    for (const part of ['CREATE TRIGGER', 'placing_rule_made', 'Lists the users with their state', 'isEdgeModule'])
      expect([part, Buffer.from(contents).includes(part)]).toEqual([part, false]);
  });

  it('leaves out the code of extensions', async () => {
    const root = await instance({});
    const path = join(out, 'small.mjs');
    const without = extensionNames.join(',');
    const words = given(root, path, '--minify');
    await bundleCommand.run({ ...words, option: (name) => (name === '--without' ? [without] : []) });
    const contents = await readFile(path);
    const kilobytes = gzipSync(contents).length / 1024;
    console.log(`Without extensions, the bundle has ${kilobytes.toFixed(0)} KB with gzip`);
    expect(kilobytes).toBeLessThan(maximumWithout);
    for (const part of [
      'value-of',
      'stl_text',
      'digraph',
      'sheets are being drawn',
      '0001050101010101',
      'xmeml',
      'wadl.dev.java.net',
      'matroska,webm',
      'QTS_',
      '.wasm',
      // The player of streams in the web page, whose other files stay.
      '"hls-',
    ])
      expect([part, contents.includes(part)]).toEqual([part, false]);
  });

  it('refuses unknown names of extensions', async () => {
    const words = given(await instance({}), join(out, 'none.mjs'));
    const command = { ...words, option: () => ['captoins'] };
    await expect(async () => bundleCommand.run(command)).rejects.toThrow(
      'Expected extensions in --without, of archives,',
    );
  });

  it.skipIf(sqldBinary() === undefined)('lets in whom its plugins know, over a real database', async () => {
    const database = await startPreparedSqld();
    onTestFinished(() => database.stop());
    const path = join(out, 'whole.mjs');
    await bundleCommand.run(given(await instance(files), path, '--minify'));
    const { default: module } = await import(pathToFileURL(path).href);
    const environment = { PORTICO_DATABASE: database.url, PORTICO_LOG_LEVEL: 'error' };
    const ask = (target: string, word: string): Promise<Response> => {
      const headers = { authorization: `Basic ${btoa(`ann:${word}`)}` };
      return module.fetch(new Request(`http://edge${target}`, { headers }), environment);
    };
    expect((await ask('/API/version', 'a word of the bundle')).status).toBe(200);
    expect((await ask('/API/version', 'another word')).status).toBe(401);
    const tea = await ask('/API/tea/green', 'another word');
    expect([tea.status, tea.headers.get('x-pot')]).toEqual([418, 'on the edge']);
    expect((await ask('/ui/', 'a word of the bundle')).status).toBe(404);
  });

  it.each([
    ['beside the module', [], true],
    ['in the module', ['--page-inside'], false],
  ] as const)('has the web page %s, and every client gets it', async (place, flags, isBeside) => {
    const database = await startPreparedSqld();
    onTestFinished(() => database.stop());
    const path = join(out, `${place}.mjs`);
    const folder = join(out, `${place}.page`);
    await mkdir(folder);
    await writeFile(join(folder, 'earlier.br'), 'of an earlier version');
    await bundleCommand.run(given(await instance({}), path, '--minify', ...flags));
    const files = await readdir(folder);
    expect([files.length > 30, files.includes('earlier.br')]).toEqual([isBeside, !isBeside]);
    const { default: module } = await import(pathToFileURL(path).href);
    const fromFolder = async (address: string) =>
      new Response(new Uint8Array(await readFile(join(folder, new URL(address).pathname))));
    const ask = (target: string, accepted: string): Promise<Response> =>
      module.fetch(new Request(`http://edge${target}`, { headers: { 'accept-encoding': accepted } }), {
        PORTICO_DATABASE: database.url,
        PORTICO_LOG_LEVEL: 'error',
        ...(isBeside && { ASSETS: { fetch: fromFolder } }),
      });
    const textOf = async (answer: Response) => brotliDecompressSync(await answer.arrayBuffer()).toString();
    const start = await ask('/ui/item/VX-1', 'gzip, br');
    expect([start.status, start.headers.get('content-encoding')]).toEqual([200, 'br']);
    const script = /src="(\/ui\/[\w-]+\.js)"/.exec(await textOf(start))![1]!;
    expect(await textOf(await ask(script, 'br'))).toContain('import');
    for (const accepted of ['gzip', 'identity', '', 'br;q=0']) {
      const plain = await ask(script, accepted);
      expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null]);
      expect(await plain.text()).toContain('import');
    }
  });

  it('works with the built-in configuration and no plugin', async () => {
    const root = await instance({});
    await bundleCommand.run(given(root, join(out, 'plain.mjs')));
    const text = await readFile(join(out, 'plain.mjs'), 'utf8');
    expect(text).toContain('file: "security.ini"');
    expect(text).toContain('"hls-');
    // The reader of metadata inside files belongs to processes that open media.
    expect(text).toContain('matroska,webm');
    expect(text).not.toContain('MetadataMissingError');
  });

  it.each<[string, Files, string]>([
    ['an error in security.ini', { 'security.ini': iniWith('example.Unknown') }, 'security.ini:4:8: error: '],
    [
      'a plugin that security.ini needs',
      { 'security.ini': iniWith('Mine'), 'plugins/mine.mjs': 'export default {};' },
      'plugins/mine.mjs:1:1: warning: Expected contract 1',
    ],
    [
      'a component that cannot be made',
      {
        'security.ini': iniWith('Mine'),
        'plugins/mine.mjs':
          "export default { name: 'm', version: '1', contract: 1, realms: { Mine: { says: '', create() { throw new Error('no server'); } } } };",
      },
      'no server',
    ],
    [
      'what an edge has not',
      {
        'security.ini': iniWith('Mine'),
        'plugins/mine.mjs': realmPlugin('mine', 'Mine', { imports: "import { readFileSync } from 'fs';" }),
      },
      'Could not resolve "fs"',
    ],
    [
      'a module that workerd lacks',
      {
        'security.ini': iniWith('Mine'),
        'plugins/mine.mjs': realmPlugin('mine', 'Mine', {
          imports: "import { spawn } from 'node:child_process'; void spawn;",
        }),
      },
      'mine.mjs: Expected a module that workerd has: "node:child_process"',
    ],
    [
      'a call that workerd refuses',
      {
        'security.ini': iniWith('Mine'),
        'plugins/mine.mjs': realmPlugin('mine', 'Mine', { imports: "\nexport const call = { redirect: 'error' };" }),
      },
      `mine.mjs:2: Expected redirect: 'manual', because workerd has no "error"`,
    ],
  ])('refuses %s, and leaves what was there', async (_what, more, sentence) => {
    const root = await instance(more);
    const path = join(out, 'kept.mjs');
    await writeFile(path, '// kept');
    await expect(async () => bundleCommand.run(given(root, path))).rejects.toThrow(sentence);
    expect(await readFile(path, 'utf8')).toBe('// kept');
    expect((await readdir(out)).filter((name) => name.endsWith('.writing'))).toEqual([]);
    await put(root, {});
  });
});
