import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { builtInSecurity, checkSecurity } from '../../src/composition/service.ts';
import { readSettings } from '../../src/composition/settings.ts';
import { CommandError } from '../../src/entry/commands/command.ts';
import { pluginCommands } from '../../src/entry/commands/plugin.ts';
import { checkingHost } from '../../src/entry/plugins/checking-host.ts';
import { readSecurityInput } from '../../src/entry/plugins/read-input.ts';
import { runCli, tryCli } from '../support/cli.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../support/store.ts';

const run = promisify(execFile);
const kinds = ['realm', 'filter', 'info-provider', 'listener', 'matcher', 'action', 'storage'] as const;
/** Tried in this process: a program takes a second to start. */
const mediaKinds = ['prober', 'transcoder'] as const;
const allKinds = [...kinds, ...mediaKinds];

let directory: TemporaryDirectory;
let said: ReadonlyMap<string, string>;
beforeAll(async () => {
  directory = await temporaryDirectory();
  // As an installation makes it.
  await writeFile(join(directory.path, 'package.json'), '{ "dependencies": {} }');
  // Two at once: both write the files that all plugins of the folder share.
  const [first, second, ...others] = kinds;
  const all = await Promise.all([first, second].map((kind) => portico('plugin', ...wordsFor(kind))));
  for (const kind of others)
    all.push(await tryCli(['plugin', ...wordsFor(kind, directory.path)], { root: directory.path }));
  expect(all.map(({ code, err }) => [code, err])).toEqual(kinds.map(() => [0, '']));
  const written = new Map<string, string>(kinds.map((kind, index) => [kind, all[index]!.out]));
  for (const kind of mediaKinds) {
    const folder = join(directory.path, 'plugins');
    written.set(kind, await saidBy('plugin new', [kind, `new-${kind}`, '--folder', folder]));
  }
  said = written;
});
afterAll(() => directory.remove());

const wordsFor = (kind: string, root = '.') => ['new', kind, `new-${kind}`, '--folder', join(root, 'plugins')];

const portico = (...words: readonly string[]) => runCli(words, { root: directory.path });

/** Faster than a process of its own. An option takes one value here. */
async function inProcess(name: string, given: readonly string[]): Promise<void> {
  const [, command] = pluginCommands.find(([each]) => each === name)!;
  const at = given.findIndex((word) => word.startsWith('--'));
  const option = (asked: string) => (at >= 0 && given[at] === asked ? [given[at + 1]!] : []);
  const words = at < 0 ? given : given.slice(0, at);
  await command.run({ words, option, has: () => false, settings: () => readSettings({}) });
}

async function saidBy(name: string, given: readonly string[]): Promise<string> {
  const told: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => told.push(String(text)) > 0);
  try {
    await inProcess(name, given);
  } finally {
    spy.mockRestore();
  }
  return told.join('');
}

describe('portico plugin new', () => {
  it.each(mediaKinds)('writes a %s that keeps the promises of the contract, in this process', async (kind) => {
    const out = await saidBy('plugin test', [join(directory.path, `plugins/new-${kind}.ts`)]);
    expect(out.match(/^FAIL.*/gm)).toBeNull();
    expect(out).toMatch(/\nAll \d+ promises are kept\n$/);
  });

  it.each(kinds)('writes a %s that keeps the promises of the contract', async (kind) => {
    const test = ['plugin', 'test', join(directory.path, `plugins/new-${kind}.ts`)];
    // A single kind runs by the program, which is how authors try their plugins.
    const { code, out, err } = await (kind === 'realm' ? runCli : tryCli)(test, { root: directory.path });
    expect([code, err, out.match(/^FAIL.*/gm)]).toEqual([0, '', null]);
    expect(out).toMatch(/\nAll \d+ promises are kept\n$/);
  });

  it('writes what its own tsconfig.json accepts, of about fifty lines', async () => {
    const tsc = resolve('node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [
      ...[tsc, '-p', join(directory.path, 'plugins')],
      ...['--typeRoots', resolve('node_modules/@types')],
    ]).catch((error) => error);
    expect(stdout).toBe('');
    for (const kind of allKinds) {
      const text = await readFile(join(directory.path, `plugins/new-${kind}.ts`), 'utf8');
      // A driver has five methods, where others have one.
      expect(text.split('\n').length).toBeLessThan(kind === 'storage' ? 60 : 50);
      expect(text.match(/^import (?!type ).*/gm)).toBeNull();
    }
  });

  it('writes a test that runs without any runner but the one of Node', async () => {
    const modules = join(directory.path, 'node_modules');
    await mkdir(modules, { recursive: true });
    await symlink(resolve('.'), join(modules, 'portico'));
    const program = [
      ...['--conditions', 'portico-source', '--import', import.meta.resolve('tsx')],
      ...['--test', 'plugins/new-realm.test.ts'],
    ];
    const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: _context, ...env } = process.env;
    const { stdout } = await run(process.execPath, program, { cwd: directory.path, env });
    expect(stdout).toMatch(/(?:# |ℹ )fail 0/);
    expect(stdout).toMatch(/(?:# |ℹ )pass 1/);
  });

  it.each(allKinds)('says the lines of security.ini for a %s, which "portico check" accepts', async (kind) => {
    const [, main, urls] = /\[main\]\n([\s\S]*?)\n(?:\n\[urls\]\n([\s\S]*))?$/.exec(said.get(kind)!) ?? [];
    const lines = `${main}\n${urls ?? ''}`.split('\n').map((line) => line.split(' = ')[0]);
    const others = builtInSecurity.text.split('\n').filter((line) => !lines.includes(line.split(' = ')[0]!));
    const end = others.indexOf('[urls]');
    // The matcher is for users of the file, whose realm stands among the others unless they are listed.
    const users = '[users]\nalice = 00112233445566778899aabbccddeeff:00\n';
    const text = [
      ...others.slice(0, end),
      main,
      kind === 'matcher' ? users : '',
      '[urls]',
      urls,
      ...others.slice(end + 1),
    ]
      .filter((line) => kind !== 'matcher' || !line?.startsWith('securityManager.realms'))
      .join('\n');
    const settings = { ...readSettings({ PORTICO_ROOT: directory.path }), pluginFolders: [] };
    const input = await readSecurityInput(settings);
    const findings = await checkSecurity({ ...input, text, file: 'security.ini' }, checkingHost);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    // Chains of the file still let the login of the page through.
    expect(findings.filter(({ code }) => /-refused$/.test(code))).toEqual([]);
  });

  it('says a line for a filter that fits the file of first-plugin.md, and keeps the login of the page', async () => {
    const [, main = '', urls = ''] = /\[main\]\n([\s\S]*?)\n\n\[urls\]\n([\s\S]*)$/.exec(said.get('filter')!) ?? [];
    const page = await readFile('docs/plugins/first-plugin.md', 'utf8');
    const [, file = ''] = /cat > portico-data\/security\.ini <<'END'\n([\s\S]*?)\nEND\n/.exec(page) ?? [];
    const without = file.replace(/^.*[pP]eopleRealm.*\n/gm, '').replace(/^strategy = .*\n.*\n/m, '');
    const text = without
      .replace('\n[urls]', () => `${main.split('\n').at(-1)}\n\n[urls]`)
      .replace(/^\/\*\* = .*$/m, urls);
    const input = await readSecurityInput({ ...readSettings({ PORTICO_ROOT: directory.path }), pluginFolders: [] });
    expect(await checkSecurity({ ...input, text, file: 'security.ini' }, checkingHost)).toEqual([]);
  });

  it('overwrites nothing', async () => {
    const before = await readFile(join(directory.path, 'plugins/new-realm.ts'), 'utf8');
    const folder = join(directory.path, 'plugins');
    const again = ['plugin', 'new', 'filter', 'new-realm', '--folder', folder];
    const { code, err } = await tryCli(again, { root: directory.path });
    expect(code).toBe(1);
    expect(err).toMatch(/^portico: Expected no file of that name: ".*new-realm\.ts"\n$/);
    expect(await readFile(join(directory.path, 'plugins/new-realm.ts'), 'utf8')).toBe(before);
  });

  it.each([
    [['realm', '../escape'], 'Expected a name of lower-case letters, digits and single hyphens: "../escape"'],
    [['realm', 'My Realm'], 'Expected a name of lower-case letters, digits and single hyphens: "My Realm"'],
    [['realm', 'service'], 'Expected another name, because "serviceRealm" is an object of the service: "service"'],
    [
      ['relam', 'x'],
      'Expected one of realm, filter, info-provider, listener, matcher, action, storage, prober, transcoder: "relam"',
    ],
  ])('%j is told in one sentence', async (words, sentence) => {
    const told = await tryCli(['plugin', 'new', ...words], { root: directory.path });
    expect(told).toEqual({ code: 1, out: '', err: `portico: ${sentence}\n` });
  });
});

const open = `export default { name: 'open', version: '1', contract: 1, realms: { 'open.Realm': {
  says: 'Lets in everybody who has a name.',
  properties: { least: { type: 'integer', required: true, says: 'How long a name is at least.' } },
  create: ({ least }) => ({
    supports: ({ kind }) => kind === 'password',
    authenticate(credentials) {
      if (credentials.kind !== 'password') return { answer: 'not-mine' };
      Promise.reject(new Error('Forgotten'));
      return credentials.user.length < least ? { answer: 'refused', reason: 'too-short' } : { answer: 'account', account: { name: credentials.user } };
    },
  }) } } };
export const examples = [{ component: 'open.Realm', knows: { user: 'alice', password: 'a long pass phrase' } }];
`;

describe('portico plugin test', () => {
  it('says which promises are broken, each with its reason, and ends with 1', async () => {
    await writeFile(join(directory.path, 'open.mjs'), open);
    const { code, out, err } = await portico('plugin', 'test', 'open.mjs', '--property', 'least=1');
    expect(code).toBe(1);
    expect(err).toMatch(/^portico: Expected every promise to be kept: \d+ of \d+ broken\n$/);
    expect(out).toContain('ok    open.Realm: lets in somebody whom it knows\n');
    expect(out).toContain(
      'FAIL  open.Realm: lets no unknown user in\n      Expected nobody to be let in with a name that it does not know ("nobody-4711"): the account "nobody-4711"\n',
    );
    expect(out).toContain('FAIL  open.Realm: lets nobody in with an empty password\n');
    expect(out).toContain(
      'FAIL  the plugin: leaves no rejected promise behind\n      Expected every promise to be waited for: Error: Forgotten\n',
    );
  });

  it('makes nothing without the properties that it needs', async () => {
    const { code, out } = await portico('plugin', 'test', 'open.mjs');
    expect(code).toBe(1);
    expect(out).toContain(
      'FAIL  open.Realm: can be made\n      Expected example.least, which open.Realm cannot do without: it is not set\n',
    );
  });

  it('takes a package, by its folder', async () => {
    const folder = join(directory.path, 'package');
    await mkdir(folder);
    await writeFile(join(folder, 'package.json'), '{ "type": "module", "exports": "./listener.js" }');
    const text = await readFile(join(directory.path, 'plugins/new-listener.ts'), 'utf8');
    await writeFile(
      join(folder, 'listener.js'),
      text
        .replace(/^import type .*$/gm, '')
        .replace(/ satisfies .*;$/gm, ';')
        .replace(/: AuthenticationListener /, ' '),
    );
    const { code, err } = await portico('plugin', 'test', 'package');
    expect([code, err]).toEqual([0, '']);
  });

  it('says where in which file the syntax is wrong', async () => {
    const folder = join(directory.path, 'broken');
    await mkdir(folder);
    await writeFile(join(folder, 'package.json'), '{ "type": "module", "exports": "./index.ts" }');
    await writeFile(join(folder, 'index.ts'), "import { b } from './b.ts';\nexport default b;\n");
    await writeFile(join(folder, 'b.ts'), 'export const a: number = 1;\nexport const b: number = ;\n');
    expect(await portico('plugin', 'test', 'broken')).toEqual({
      code: 1,
      out: '',
      err: `portico: ${join('broken', 'b.ts')}:2:26: Expected a module without syntax errors: Unexpected ";"\n`,
    });
  });

  it.each([
    [['nowhere.ts'], 'Expected the file or the folder of a plugin: "ROOT/nowhere.ts" is not there'],
    [['throws.mjs'], 'THROWS:1:7: Expected the plugin to load: Out of order'],
    [['empty.mjs'], 'Expected a default export in ROOT/empty.mjs, the plugin: none'],
    [['open.mjs', '--property', 'least'], 'Expected NAME=VALUE after --property: "least"'],
    [['open.mjs', '--property', 'lest=1'], 'Expected a property of a component (least): "lest"'],
  ])('%j is told in one sentence', async ([file, ...more], sentence) => {
    await writeFile(join(directory.path, 'throws.mjs'), "throw new Error('Out of order');\n");
    await writeFile(join(directory.path, 'empty.mjs'), 'export const other = 1;\n');
    await expect(inProcess('plugin test', [join(directory.path, file!), ...more])).rejects.toThrow(
      new CommandError(
        sentence.replace('ROOT', directory.path).replace('THROWS', relative('.', join(directory.path, 'throws.mjs'))),
      ),
    );
  });
});
