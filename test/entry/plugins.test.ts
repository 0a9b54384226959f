import { mkdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtInSecurity, checkSecurity } from '../../src/composition/service.ts';
import { checkingHost } from '../../src/entry/plugins/checking-host.ts';
import { findIni } from '../../src/entry/plugins/find-ini.ts';
import { readSecurityInput } from '../../src/entry/plugins/read-input.ts';
import { copySources } from '../../src/entry/plugins/sources.ts';
import { errorsOf, findingsOf, iniWith, instance, readInput, realmPlugin, settingsFor } from './plugins-support.ts';

const namesOf = async (root: string) => (await readInput(root)).plugins.map(({ name }) => name);

describe('the place of security.ini', () => {
  it('is config/security.ini of the root before security.ini of the root', async () => {
    const root = await instance({ 'config/security.ini': '# in config', 'security.ini': '# in the root' });
    expect(await findIni({ root })).toMatchObject({
      text: '# in config',
      file: join(root, 'config/security.ini'),
      folder: join(root, 'config'),
      findings: [],
    });
  });

  it('is security.ini of the root', async () => {
    const root = await instance({ 'security.ini': '# in the root' });
    expect(await findIni({ root })).toMatchObject({ text: '# in the root', file: join(root, 'security.ini') });
  });

  it('is the built-in default where there is none, also without a root', async () => {
    const root = await instance({});
    expect(await findIni({ root })).toMatchObject({ text: builtInSecurity.text, file: 'built-in security.ini' });
    expect(await findIni({ root: join(root, 'nowhere') })).toMatchObject({ text: builtInSecurity.text });
  });

  it('is that of the current directory only when no root was given', async () => {
    const current = await instance({ 'security.ini': '# beside the one who starts it' });
    const root = await instance({});
    expect((await findIni({ root: './portico-data' }, current)).text).toBe('# beside the one who starts it');
    expect((await findIni({ root }, current)).text).toBe(builtInSecurity.text);
  });

  it.each<[string, (root: string) => Promise<unknown>, string, number]>([
    ['a folder', (root) => mkdir(join(root, 'config/security.ini'), { recursive: true }), 'ini-unreadable', 1],
    [
      'a link to nowhere',
      async (root) => {
        await mkdir(join(root, 'config'));
        await symlink(join(root, 'nowhere'), join(root, 'config/security.ini'));
      },
      'ini-unreadable',
      1,
    ],
    [
      'no UTF-8',
      async (root) => {
        await mkdir(join(root, 'config'));
        await writeFile(join(root, 'config/security.ini'), Buffer.from('[main]\nname = J\xf6rg\n', 'latin1'));
      },
      'ini-encoding',
      2,
    ],
  ])('refuses the start when it is %s, and does not take the next one', async (_what, make, code, line) => {
    const root = await instance({ 'security.ini': iniWith('portico.StaticRealm') });
    await make(root);
    const input = await readInput(root);
    expect(input.text).toBe('');
    expect(input.findings).toEqual([
      expect.objectContaining({ severity: 'error', file: join(root, 'config/security.ini'), code, line }),
    ]);
  });

  it('begins without the mark that some editors put in front', async () => {
    const root = await instance({ 'security.ini': '\ufeff[main]\n' });
    expect((await findIni({ root })).text).toBe('[main]\n');
  });
});

describe('a module in the ext folder', () => {
  it.each([
    ['a JavaScript module', { 'plugins/mine.mjs': realmPlugin('mine', 'example.Mine') }],
    ['JavaScript by its plain name', { 'plugins/mine.js': realmPlugin('mine', 'example.Mine') }],
    ['a TypeScript module', { 'plugins/mine.ts': realmPlugin('mine', 'example.Mine', { ts: true }) }],
    ['TypeScript by its module name', { 'plugins/mine.mts': realmPlugin('mine', 'example.Mine', { ts: true }) }],
    ['in lib/ext', { 'lib/ext/mine.ts': realmPlugin('mine', 'example.Mine', { ts: true }) }],
    ['a folder with an index', { 'plugins/mine/index.ts': realmPlugin('mine', 'example.Mine', { ts: true }) }],
    [
      'a package with exports',
      {
        'plugins/mine/package.json': '{"exports":{".":{"workerd":"./no.js","import":"./src/it.js"}},"type":"module"}',
        'plugins/mine/src/it.js': realmPlugin('mine', 'example.Mine'),
      },
    ],
    [
      'a package with main, that does not say that it is made of modules',
      {
        'plugins/mine/package.json': '{"main":"it.ts"}',
        'plugins/mine/it.ts': realmPlugin('mine', 'example.Mine', {
          ts: true,
          imports: "import { word } from './word.ts';",
          word: 'word',
        }),
        'plugins/mine/word.ts': "export const word: string = 'sesame';",
      },
    ],
    [
      'a module that imports others beside it',
      {
        'plugins/mine.ts': realmPlugin('mine', 'example.Mine', {
          ts: true,
          imports: "import { word } from './lib/word.ts';",
          word: 'word',
        }),
        'plugins/lib/word.ts': "import { text } from '../text.ts';\nexport const word: string = text;",
        'plugins/text.ts': "export const text = 'sesame';",
      },
    ],
    [
      'a module with a package beside it',
      {
        'plugins/mine.mjs': realmPlugin('mine', 'example.Mine', {
          imports: "import { word } from 'words';",
          word: 'word',
        }),
        'plugins/node_modules/words/package.json': '{"name":"words","type":"module","exports":"./index.js"}',
        'plugins/node_modules/words/index.js': "export const word = 'sesame';",
      },
    ],
  ] as const)('is found and serves the class that it declares: %s', async (_what, files) => {
    const root = await instance({ ...files, 'security.ini': iniWith('example.Mine', 'mine.greeting = hello') });
    expect(await findingsOf(root)).toEqual([]);
    expect(await namesOf(root)).toEqual(['mine']);
    expect(await errorsOf(root)).toEqual([]);
  });

  it('is looked for in the folders of the setting too, and those must be there', async () => {
    const root = await instance({ 'more/b.mjs': realmPlugin('b', 'example.B') });
    const nowhere = join(root, 'nowhere');
    const input = await readSecurityInput(settingsFor(root, [join(root, 'more'), nowhere]));
    expect(input.plugins.map(({ name }) => name)).toEqual(['b']);
    expect(input.findings).toEqual([expect.objectContaining({ code: 'plugin-folder', file: nowhere })]);
  });

  it('is taken in the order of names, and nothing else is taken for a plugin', async () => {
    const root = await instance({
      'plugins/b.mjs': realmPlugin('b', 'example.B'),
      'plugins/a.mjs': realmPlugin('a', 'example.A'),
      'plugins/README.md': 'Realms of ours',
      'plugins/a.test.ts': 'throw new Error("a test");',
      'plugins/a.d.ts': 'declare const a: number;',
      'plugins/old.cjs': 'module.exports = 1;',
      'plugins/.hidden.mjs': 'throw new Error("hidden");',
      'plugins/node_modules/x/index.js': 'throw new Error("a package");',
      'plugins/data/users.csv': 'a,b',
    });
    expect(await findingsOf(root)).toEqual([]);
    expect(await namesOf(root)).toEqual(['a', 'b']);
  });

  it('is one plugin, however many links lead to it', async () => {
    const root = await instance({ 'elsewhere/mine.mjs': realmPlugin('mine', 'example.Mine') });
    await mkdir(join(root, 'plugins'));
    await symlink(join(root, 'elsewhere/mine.mjs'), join(root, 'plugins/a.mjs'));
    await symlink(join(root, 'elsewhere/mine.mjs'), join(root, 'plugins/b.mjs'));
    expect(await findingsOf(root)).toEqual([]);
    expect(await namesOf(root)).toEqual(['mine']);
  });

  it('works where nothing can be written beside it', async () => {
    const root = await instance({ 'node_modules/words/index.js': '', 'a file': '' });
    const files = new Map([['lib/a.js', new TextEncoder().encode('1')]]);
    // Below a file no folder can be made, by no user.
    const copy = await copySources({ base: join(root, 'a file'), files, hash: 'abc' }, 'abc');
    onTestFinished(() => rm(dirname(copy!), { recursive: true, force: true }));
    expect(copy?.startsWith(root)).toBe(false);
    expect(await readFile(join(copy!, 'lib/a.js'), 'utf8')).toBe('1');
    expect(JSON.parse(await readFile(join(copy!, 'package.json'), 'utf8'))).toEqual({ type: 'module' });
    expect(await realpath(join(copy!, 'node_modules'))).toBe(join(root, 'node_modules'));
  });
});

describe('a component that security.ini names by file or package', () => {
  const files = {
    'config/realms/mine.ts': realmPlugin('mine', 'example.Mine', { ts: true }),
    'config/realms/two.mjs': `const create = () => ({ supports: () => false, authenticate: () => ({ answer: 'not-mine' }) });
export default { name: 'two', version: '1', contract: 1,
  realms: { One: { says: '', create }, 'example.Two': { says: '', create } } };`,
    'node_modules/plain-realm/package.json': '{"name":"plain-realm","type":"module","main":"./index.js"}',
    'node_modules/plain-realm/index.js': realmPlugin('plain', 'Plain'),
    'node_modules/@acme/realms/package.json':
      '{"name":"@acme/realms","type":"module","exports":{".":"./index.js","./inner":{"default":"./inner.js"}}}',
    'node_modules/@acme/realms/index.js': realmPlugin('acme', 'Acme'),
    'node_modules/@acme/realms/inner.js': realmPlugin('inner', 'Inner'),
  };

  it.each([
    'file:./realms/mine.ts',
    'file:realms/mine.ts#example.Mine',
    'file:./realms/two.mjs#One',
    'file:./realms/two.mjs#example.Two',
    'plain-realm',
    'plain-realm#Plain',
    '@acme/realms',
    '@acme/realms#Acme',
    '@acme/realms/inner#Inner',
  ])('is found: %s', async (className) => {
    const root = await instance({ ...files, 'config/security.ini': iniWith(className) });
    expect(await errorsOf(root)).toEqual([]);
  });

  it('is found by an address, which begins at no folder', async () => {
    const root = await instance({ 'a/mine.mjs': realmPlugin('mine', 'Mine') });
    await writeFile(join(root, 'security.ini'), iniWith(`file://${root}/a/mine.mjs#Mine`));
    expect(await errorsOf(root)).toEqual([]);
  });

  it('is the same plugin as the one in the ext folder', async () => {
    const root = await instance({
      'plugins/mine.mjs': realmPlugin('mine', 'example.Mine'),
      'security.ini': iniWith('file:./plugins/mine.mjs#example.Mine', 'other = example.Mine'),
    });
    const { plugins, direct } = await readInput(root);
    expect(direct?.loaded?.[0]?.plugin).toBe(plugins[0]);
    expect(await errorsOf(root)).toEqual([]);
  });

  it.each([
    ['file:./gone.ts', 'there is no file config/gone.ts'],
    ['file:./realms', 'the folder config/realms has neither a package.json nor an index module'],
    ['file://other-host/x.ts', 'a path behind "file:"'],
    ['file:./realms/two.mjs', 'it brings 2 components'],
    ['file:./realms/two.mjs#Three', 'it brings no component named "Three"'],
    ['no-such-package#Realm', 'there is no package no-such-package in node_modules of'],
    ['@acme/none', 'there is no package @acme/none in node_modules of'],
    ['@acme/realms/outer', 'Expected an entry for "./outer" among the exports'],
    ['no-such-package', 'Expected a class name that the service or a plugin brings'],
    ['example.Unknown', 'Expected a class name that the service or a plugin brings'],
    ['file:./broken.mjs', 'config/broken.mjs:1:7: Expected the plugin to load: no directory server'],
  ])('is an error at its line when it cannot be had: %s', async (className, sentence) => {
    const root = await instance({
      ...files,
      'config/broken.mjs': 'throw new Error("no directory server");',
      'config/security.ini': iniWith(className),
    });
    expect(await errorsOf(root)).toEqual([expect.stringContaining(sentence)]);
    expect((await errorsOf(root))[0]).toMatch(/^4 unknown-class /);
  });
});

describe('classes of the description', () => {
  it('load as written, whatever lies in the ext folder', async () => {
    const root = await instance({ 'plugins/broken.mjs': 'export default 1;' });
    const findings = await checkSecurity(await readInput(root), checkingHost);
    expect(findings.map(({ severity, code }) => [severity, code])).toEqual([['warning', 'plugin-object']]);
    expect(await realpath(root)).toBe(root);
  });
});
