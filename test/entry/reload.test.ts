import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkingHost } from '../../src/entry/plugins/checking-host.ts';
import { watchSecurity } from '../../src/entry/plugins/watch.ts';
import { registryOf } from '../../src/security/ini/registry.ts';
import type { SecurityInput } from '../../src/security/ini/security-parts.ts';
import type { Realm } from '../../src/spi/index.ts';
import { iniWith, instance, put, readInput, realmPlugin, settingsFor } from './plugins-support.ts';

const secret = (text: string) => ({ reveal: () => text });

/** Whether the realm of that class lets a user in who says that word. */
async function letsIn({ plugins, direct }: SecurityInput, className: string, word: string): Promise<boolean> {
  const entry = registryOf(plugins, direct).registry.find(className);
  const realm = (await entry!.component!.create({}, { ...checkingHost, name: 'mine' })) as Realm;
  const host = { users: { verifyPassword: () => Promise.reject() }, signal: new AbortController().signal };
  const credentials = { kind: 'password', user: 'ann', password: secret(word) } as const;
  return (await realm.authenticate(credentials, host as never)).answer === 'account';
}

describe('reading again', () => {
  it.each([
    ['mine.mjs', false],
    ['mine.ts', true],
    ['mine/index.js', false],
    ['mine/index.ts', true],
  ])('sees changed code in %s', async (file, ts) => {
    const root = await instance({ [`plugins/${file}`]: realmPlugin('mine', 'Mine', { ts }) });
    expect(await letsIn(await readInput(root), 'Mine', 'sesame')).toBe(true);
    for (const word of ['second', 'third', 'sesame']) {
      await put(root, { [`plugins/${file}`]: realmPlugin('mine', 'Mine', { ts, word: `"${word}"` }) });
      const input = await readInput(root);
      expect([input.findings, await letsIn(input, 'Mine', word)]).toEqual([[], true]);
    }
  });

  it.each([
    ['plugins/mine/index.ts', './lib/word.ts', 'plugins/mine/lib/word.ts'],
    ['plugins/mine.ts', './lib/word.ts', 'plugins/lib/word.ts'],
    ['plugins/mine.ts', '../shared/word.ts', 'shared/word.ts'],
    ['plugins/mine.ts', './word.js', 'plugins/word.ts'],
  ])('sees changed code in what %s imports from %s', async (entry, specifier, other) => {
    // Deno and later versions of Node take a path as it is written; only tsx knows that .js may mean .ts.
    if (
      specifier.endsWith('.js') &&
      ('Deno' in globalThis || (process.features as { typescript?: unknown }).typescript)
    )
      return;
    const imports = `import { word } from '${specifier}';`;
    const root = await instance({
      [entry]: realmPlugin('mine', 'Mine', { ts: true, imports, word: 'word' }),
      [other]: "export const word: string = 'first';",
    });
    const before = await readInput(root);
    expect(before.plugins.map(({ name }) => name)).toEqual(['mine']);
    expect(await letsIn(before, 'Mine', 'first')).toBe(true);
    await put(root, { [other]: "export const word: string = 'second';" });
    expect(await letsIn(await readInput(root), 'Mine', 'second')).toBe(true);
    expect(await letsIn(before, 'Mine', 'first'), 'what runs goes on as it was').toBe(true);
  });

  it('sees changed code in what security.ini refers to, also in an installed package', async () => {
    const root = await instance({
      'security.ini': iniWith('file:./mine.ts', 'packed = mine-realm'),
      'mine.ts': realmPlugin('mine', 'Mine', { ts: true }),
      'node_modules/mine-realm/package.json': '{"type":"module"}',
      'node_modules/mine-realm/index.js': realmPlugin('packed', 'Packed'),
    });
    const before = await readInput(root);
    expect(await letsIn(before, 'file:./mine.ts', 'sesame')).toBe(true);
    expect(await letsIn(before, 'mine-realm', 'sesame')).toBe(true);
    await put(root, {
      'mine.ts': realmPlugin('mine', 'Mine', { ts: true, word: '"second"' }),
      'node_modules/mine-realm/index.js': realmPlugin('packed', 'Packed', { word: '"third"' }),
    });
    const after = await readInput(root);
    expect(await letsIn(after, 'file:./mine.ts', 'second')).toBe(true);
    expect(await letsIn(after, 'mine-realm', 'third')).toBe(true);
  });

  it('sees changed data that a module finds by its own address', async () => {
    const imports = `import { readFileSync } from 'node:fs';
const word = readFileSync(new URL('./word.txt', import.meta.url), 'utf8');`;
    const root = await instance({
      'plugins/mine.mjs': realmPlugin('mine', 'Mine', { imports, word: 'word' }),
      'plugins/word.txt': 'first',
    });
    expect(await letsIn(await readInput(root), 'Mine', 'first')).toBe(true);
    await put(root, { 'plugins/word.txt': 'second' });
    expect(await letsIn(await readInput(root), 'Mine', 'second')).toBe(true);
  });

  it('keeps the module of a plugin that has not changed', async () => {
    const root = await instance({ 'plugins/mine.mjs': realmPlugin('mine', 'Mine') });
    const before = await readInput(root);
    await put(root, { 'security.ini': '[main]\n', 'plugins/other.mjs': realmPlugin('other', 'Other') });
    const after = await readInput(root);
    expect(after.plugins.map(({ name }) => name)).toEqual(['mine', 'other']);
    expect(after.plugins[0]).toBe(before.plugins[0]);
  });

  it('says why a plugin that has become bad cannot be had, and what runs goes on as it was', async () => {
    const root = await instance({ 'security.ini': iniWith('Mine'), 'plugins/mine.mjs': realmPlugin('mine', 'Mine') });
    const before = await readInput(root);
    await put(root, { 'plugins/mine.mjs': 'export default {' });
    const after = await readInput(root);
    expect(after.plugins).toEqual([]);
    expect(after.findings).toEqual([expect.objectContaining({ code: expect.stringMatching(/^plugin-/) })]);
    expect(await letsIn(before, 'Mine', 'sesame')).toBe(true);
    await put(root, { 'plugins/mine.mjs': realmPlugin('mine', 'Mine') });
    expect(await letsIn(await readInput(root), 'Mine', 'sesame')).toBe(true);
  });

  it('tries again what failed for the moment only', async () => {
    const root = await instance({
      'plugins/mine.mjs': `import { existsSync } from 'node:fs';
if (!existsSync(new URL('../../../ready', import.meta.url))) throw new Error('not ready');
${realmPlugin('mine', 'Mine')}`,
    });
    expect((await readInput(root)).findings).toEqual([expect.objectContaining({ code: 'plugin-throws' })]);
    await put(root, { ready: '', 'plugins/ready': '' });
    expect((await readInput(root)).findings).toEqual([]);
  });
});

describe('--watch', () => {
  const quiet = 100;

  /** Counts calls; `next` waits for one more than there are. */
  function watching(root: string) {
    let calls = 0;
    let wake = () => {};
    const stop = watchSecurity(
      settingsFor(root),
      () => {
        calls++;
        wake();
      },
      { quiet },
    );
    onTestFinished(stop);
    return {
      stop,
      calls: () => calls,
      next: () => new Promise<void>((resolve) => (wake = resolve)),
    };
  }
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  it.each<[string, (root: string) => Promise<unknown>]>([
    ['security.ini is edited', (root) => writeFile(join(root, 'security.ini'), '[main]\n# changed')],
    [
      'security.ini is replaced, as editors do it',
      async (root) => {
        await writeFile(join(root, 'security.ini.new'), '[main]\n# changed');
        await rename(join(root, 'security.ini.new'), join(root, 'security.ini'));
      },
    ],
    ['security.ini is removed', (root) => rm(join(root, 'security.ini'))],
    ['a plugin is edited', (root) => writeFile(join(root, 'plugins/mine.mjs'), '// changed')],
    ['a file of a package is edited', (root) => writeFile(join(root, 'plugins/packed/lib/a.js'), '// changed')],
    ['a plugin is dropped', (root) => writeFile(join(root, 'plugins/new.mjs'), '// new')],
    ['a plugin is removed', (root) => rm(join(root, 'plugins/mine.mjs'))],
    ['what security.ini refers to is edited', (root) => writeFile(join(root, 'realms/direct.mjs'), '// changed')],
    [
      'an ext folder appears',
      async (root) => {
        await mkdir(join(root, 'lib/ext'), { recursive: true });
        await writeFile(join(root, 'lib/ext/new.mjs'), '// new');
      },
    ],
    ['a security.ini of the folder config appears', (root) => put(root, { 'config/security.ini': '[main]' })],
  ])('calls back when %s', async (_what, change) => {
    const root = await instance({
      'security.ini': iniWith('file:./realms/direct.mjs'),
      'realms/direct.mjs': realmPlugin('direct', 'Direct'),
      'plugins/mine.mjs': realmPlugin('mine', 'Mine'),
      'plugins/packed/index.js': realmPlugin('packed', 'Packed'),
      'plugins/packed/lib/a.js': '',
    });
    const { next, calls } = watching(root);
    await pause(3 * quiet);
    const called = next();
    await change(root);
    await called;
    await pause(4 * quiet);
    expect(calls()).toBe(1);
  });

  it('does not call back for what is none of it, nor after it has ended', async () => {
    const root = await instance({ 'security.ini': '[main]', 'plugins/mine.mjs': realmPlugin('mine', 'Mine') });
    const { stop, calls } = watching(root);
    await pause(3 * quiet);
    await put(root, { 'portico.db-wal': 'rows', 'plugins/.portico-abc/x/mine.mjs': '', 'notes.txt': '' });
    await readInput(root);
    await pause(6 * quiet);
    expect(calls()).toBe(0);
    stop();
    await put(root, { 'security.ini': '[main]\n# changed' });
    await pause(4 * quiet);
    expect(calls()).toBe(0);
  });

  it('calls back once at a time, and again for what changed meanwhile', async () => {
    const root = await instance({ 'security.ini': '[main]' });
    let running = 0;
    let max = 0;
    let calls = 0;
    const stop = watchSecurity(
      settingsFor(root),
      async () => {
        calls++;
        max = Math.max(max, ++running);
        if (calls === 1) await put(root, { 'security.ini': '[main]\n# once more' });
        await pause(4 * quiet);
        running--;
      },
      { quiet },
    );
    onTestFinished(stop);
    await pause(3 * quiet);
    await put(root, { 'security.ini': '[main]\n# changed' });
    await expect.poll(() => calls).toBe(2);
    expect(max).toBe(1);
  });
});
