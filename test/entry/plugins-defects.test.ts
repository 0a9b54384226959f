import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bundled } from '../support/instance.ts';
import { errorsOf, type Files, findingsOf, iniWith, instance, put, readInput, realmPlugin } from './plugins-support.ts';

const good = { 'plugins/zz-good.mjs': realmPlugin('good', 'example.Good') };
const plugin = (more: string) => `export default { name: 'a', version: '1', contract: 1, ${more} };`;
const realm = (component: string) => plugin(`realms: { 'example.A': ${component} }`);

/** Content of the file, and the finding about it. */
const defects: readonly (readonly [string, string, string])[] = [
  ['no default export', 'export const realm = 1;', 'plugin-export Expected a default export, the plugin: only realm'],
  ['nothing at all', '', 'plugin-export Expected a default export, the plugin: none'],
  ['a function', 'export default () => ({});', 'plugin-object Expected an object as default export: a function'],
  ['null', 'export default null;', 'plugin-object Expected an object as default export: null'],
  ['a list', 'export default [];', 'plugin-object Expected an object as default export: a list'],
  ['a text', 'export default "realm";', 'plugin-object Expected an object as default export: "realm"'],
  [
    'no contract',
    'export default { name: "a", version: "1" };',
    'plugin-contract Expected contract 1, which this version has: the plugin names none',
  ],
  [
    'another contract',
    'export default { name: "a", version: "1", contract: 2 };',
    'plugin-contract Expected contract 1, which this version has: the plugin is written against 2',
  ],
  [
    'no name',
    'export default { version: "1", contract: 1 };',
    'plugin-name Expected a name, a text without blanks: none',
  ],
  [
    'a name with blanks',
    'export default { name: "my realm", version: "1", contract: 1 };',
    'plugin-name Expected a name, a text without blanks: "my realm"',
  ],
  [
    'our name',
    'export default { name: "portico", version: "1", contract: 1 };',
    'plugin-name Expected another name: "portico" is reserved for the service',
  ],
  [
    'no version',
    'export default { name: "a", contract: 1 };',
    'plugin-version Expected a version, a text that is not empty: none',
  ],
  [
    'a version that is a number',
    'export default { name: "a", version: 1, contract: 1 };',
    'plugin-version Expected a version, a text that is not empty: 1',
  ],
  [
    'nothing that it brings',
    plugin('realm: {}'),
    'plugin-empty Expected at least one component in realms, filters, logins, listeners, userInfoProviders, matchers, actions, storages, searchEngines, probers, transcoders: only realm, which is called "realms"',
  ],
  ['a list of components', plugin('realms: []'), 'plugin-component Expected an object of components in realms: a list'],
  ['no component', realm('1'), 'plugin-component Expected a component in realms["example.A"]: 1'],
  [
    'a component without create',
    realm('{ says: "A" }'),
    'plugin-component Expected a method create in realms["example.A"]: none',
  ],
  [
    'properties that are no table',
    realm('{ create() {}, properties: null }'),
    'plugin-component Expected a table of properties in realms["example.A"]: null',
  ],
  [
    'a property without a type',
    realm('{ create() {}, properties: { url: {} } }'),
    'plugin-component Expected a type of realms["example.A"].url, one of string, secret, boolean, integer, duration, url, list, map, { reference }, { references }, { choice }, { nested }: none',
  ],
  [
    'a prober with a secret, which would be sent to another process',
    plugin('probers: { "example.A": { create() {}, properties: { key: { type: "secret" } } } }'),
    'plugin-component Expected a type of probers["example.A"].key, one of string, boolean, integer, duration, url, list, { choice } for a prober: "secret"',
  ],
];

describe('a plugin with a defect is told in one finding, and the others load', () => {
  it.each(defects)('%s', async (_what, text, said) => {
    const root = await instance({ ...good, 'plugins/a.mjs': text });
    expect(await findingsOf(root)).toEqual([`plugins/a.mjs:1:1 ${said}`]);
    expect((await readInput(root)).plugins.map(({ name }) => name)).toEqual(['good']);
  });

  it('a name that another one has, with both files', async () => {
    const root = await instance({
      'plugins/a.mjs': realmPlugin('same', 'example.A'),
      'plugins/b/index.js': realmPlugin('same', 'example.B'),
    });
    expect(await findingsOf(root)).toEqual([
      'plugins/b:1:1 plugin-name-taken Expected a unique plugin name: plugins/a.mjs already has "same"',
    ]);
  });

  it('a class name that another one has stops the start', async () => {
    const root = await instance({
      'plugins/a.mjs': realmPlugin('a', 'example.Same'),
      'plugins/b.mjs': realmPlugin('b', 'example.Same'),
    });
    expect(await errorsOf(root)).toEqual([expect.stringContaining('"example.Same" is taken by a')]);
  });

  it.each<[string, Files, string]>([
    [
      'whose package.json is none',
      { 'plugins/a/package.json': '{' },
      'plugins/a:1:1 plugin-package Expected a JSON object in package.json: something else',
    ],
    [
      'whose entry is missing',
      { 'plugins/a/package.json': '{"main":"./gone.js"}' },
      'plugins/a:1:1 plugin-package Expected the module that package.json names: there is no "./gone.js"',
    ],
    [
      'whose entry is outside',
      { 'plugins/a/package.json': '{"main":"../../x.js"}', 'x.js': '' },
      'plugins/a:1:1 plugin-package Expected an entry inside the package: "../../x.js" in its package.json',
    ],
    [
      'without an export that applies',
      { 'plugins/a/package.json': '{"exports":{"browser":"./a.js"}}', 'plugins/a/a.js': '' },
      'plugins/a:1:1 plugin-package Expected an entry among the exports of package.json: no entry applies',
    ],
  ])('a package %s', async (_what, files, said) => {
    const root = await instance({ ...good, ...files });
    expect(await findingsOf(root)).toEqual([said]);
  });

  it('matters where security.ini refers to it', async () => {
    const root = await instance({ 'plugins/a.mjs': realm('{}'), 'security.ini': iniWith('example.A') });
    expect(await errorsOf(root)).toEqual([expect.stringMatching(/^4 unknown-class .*"example\.A"$/)]);
  });
});

/** Runtimes on their own: a test runner imports modules in a way of its own. */
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const program = here('./plugins-program.ts');
const deno = here('../../node_modules/deno/deno');
const node24 = here('../runtime/node_modules/node24/bin/node');
type Words = readonly string[] | (() => Promise<readonly string[]>);
const runtimes: readonly (readonly [string, string, Words, boolean])[] = [
  [
    'this Node',
    process.execPath,
    async () => [await bundled(new URL('./plugins-program.ts', import.meta.url))],
    !('Deno' in globalThis),
  ],
  ['a later Node', node24, [program], existsSync(node24)],
  ['Deno', deno, ['run', '-A', program], existsSync(deno)],
];

describe.each(runtimes.filter(([, , , there]) => there))('on %s', (_name, command, words) => {
  interface Said {
    readonly plugins: readonly string[];
    readonly findings: readonly { severity: string; file: string; line: number; code: string; message: string }[];
  }

  async function run(root: string): Promise<Said> {
    const { NODE_OPTIONS: _, ...env } = process.env;
    const given = typeof words === 'function' ? await words() : words;
    const { stdout } = await promisify(execFile)(command, [...given, root], { env });
    return JSON.parse(stdout);
  }

  it('plugins of several files load, and defects are told with file and line', async () => {
    const root = await instance({
      'config/security.ini': iniWith('example.Good', 'other = file:../plugins/typed.ts'),
      ...good,
      'plugins/typed.ts': realmPlugin('typed', 'example.Typed', {
        ts: true,
        imports: "import { word } from './lib/word.ts';",
        word: 'word',
      }),
      'plugins/lib/word.ts': "interface A { readonly b: number }\nexport const word: string = 'sesame';",
      'plugins/packed/package.json': '{"exports":"./src/index.mts"}',
      'plugins/packed/src/index.mts': realmPlugin('packed', 'example.Packed', {
        ts: true,
        imports: "import { word } from './word.mts';",
        word: 'word',
      }),
      'plugins/packed/src/word.mts': "export const word: string = 'sesame';",
      'plugins/syntax.mjs': 'const a = 1;\nexport default { a: ] };',
      'plugins/syntax.ts': 'interface A {\n  b: number;\n}\nexport default { a: 1; };',
      'plugins/syntax-inside/index.ts': "import { b } from './b.ts';\nexport default b;",
      'plugins/syntax-inside/b.ts': '\nexport const b: number = ;',
      'plugins/throws.ts': '// A comment\n\nthrow new TypeError("no\\nserver.");',
      'plugins/missing.mjs': 'import x from "not-installed";\nexport default x;',
      'plugins/unlinked.mjs': 'import { nothing } from "./zz-good.mjs";\nexport default nothing;',
      'plugins/json.mjs': '\nexport default JSON.parse("{");',
      'plugins/hangs.mjs': 'await new Promise(() => {});\nexport default {};',
    });
    const { plugins, findings } = await run(root);
    expect(plugins).toEqual(['packed', 'typed', 'good']);
    const told = findings.map(({ file, line, code }) => `${file.replace(`${root}/`, '')}:${line} ${code}`).sort();
    expect(told).toEqual([
      'config/security.ini:1 blocked-paths',
      'config/security.ini:1 blocked-paths',
      'config/security.ini:1 blocked-paths',
      'config/security.ini:5 unused-realm',
      'config/security.ini:6 passwords-told',
      'plugins/hangs.mjs:1 plugin-hangs',
      'plugins/json.mjs:2 plugin-throws',
      'plugins/missing.mjs:1 plugin-import',
      'plugins/syntax-inside/b.ts:2 plugin-syntax',
      'plugins/syntax.mjs:2 plugin-syntax',
      'plugins/syntax.ts:4 plugin-syntax',
      'plugins/throws.ts:3 plugin-throws',
      'plugins/unlinked.mjs:1 plugin-syntax',
    ]);
    const throws = findings.find(({ file }) => file.endsWith('throws.ts'))!;
    expect(throws.message).toBe('Expected the plugin to load: no');
    for (const { message } of findings) expect(message).not.toMatch(/\.portico-|\n|tsx-namespace|node:internal/);
  });

  it('leaves nothing behind', async () => {
    const root = await instance(good);
    await put(root, { 'plugins/a.ts': realmPlugin('a', 'example.A', { ts: true }) });
    expect((await run(root)).plugins).toEqual(['a', 'good']);
    expect((await readdir(`${root}/plugins`)).sort()).toEqual(['a.ts', 'zz-good.mjs']);
  });
});
