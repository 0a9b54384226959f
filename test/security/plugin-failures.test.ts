import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readSecurityInput } from '../../src/entry/plugins/read-input.ts';

const head = "name: 'a', version: '1', contract: 1";
const component = "{ says: 'A', create: () => ({ check: () => ({ verdict: 'pass' }) }) }";
const whole = `export default { ${head}, filters: { 'example.A': ${component} } };`;
const good = whole.replace("'a'", "'good'").replace('example.A', 'example.Good');

/** An attacker's or a careless author's module between two good ones: what is said of it, and who is left. */
async function beside(text: string) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'portico-failures-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, 'plugins'));
  await writeFile(join(root, 'plugins/b.mjs'), text);
  await writeFile(join(root, 'plugins/a-good.mjs'), good);
  await writeFile(join(root, 'plugins/z-good.mjs'), good.replaceAll('ood', 'reat'));
  const { plugins, findings = [] } = await readSecurityInput({ root, pluginFolders: [] }, { within: 2000, sleep });
  expect(findings.every(({ file }) => file === join(root, 'plugins/b.mjs'))).toBe(true);
  return {
    names: plugins.map(({ name }) => name),
    found: findings.map(({ severity, code }) => `${severity} ${code}`),
    message: findings[0]?.message ?? '',
  };
}

const others = ['good', 'great'];

/** Time limits of modules that are loading. A module that calls `hangs` reaches its own; no time passes otherwise. */
const limits = new Set<() => void>();
const sleep = (_milliseconds: number, loaded?: AbortSignal) =>
  new Promise<void>((resolve) => {
    limits.add(resolve);
    loaded?.addEventListener('abort', () => limits.delete(resolve));
  });
const hangs = 'globalThis.hangs();';
Object.assign(globalThis, { hangs: () => limits.forEach((reached) => void reached()) });

describe('a plugin that throws', () => {
  it.each([
    ['an error', 'throw new Error("no directory")', 'Expected the plugin to load: no directory'],
    ['a text', 'throw "no directory"', 'Expected the plugin to load: no directory'],
    ['nothing', 'throw undefined', 'Expected the plugin to load: it threw without saying why'],
    ['null', 'throw null', 'Expected the plugin to load: it threw without saying why'],
    ['a page', `throw new Error("first\\nsecond".padEnd(5000, "x"))`, 'Expected the plugin to load: first'],
    [
      'an error that throws when it is read',
      'throw Object.defineProperty(new Error(), "message", { get() { throw 1; } })',
      'Expected the plugin to load: it threw without saying why',
    ],
    [
      'an error whose stack throws',
      'throw Object.defineProperty(new Error("x"), "stack", { get() { throw 1; } })',
      'Expected the plugin to load: x',
    ],
    [
      'what throws whenever it is looked at',
      'throw new Proxy({}, { get() { throw 1; }, has() { throw 1; }, getPrototypeOf() { throw 1; } })',
      'Expected the plugin to load: it threw a value that cannot be inspected',
    ],
    ['a rejection', 'await Promise.reject(new Error("late"))', 'Expected the plugin to load: late'],
  ])('%s', async (_what, statement, message) => {
    expect(await beside(`${statement};\n${whole}`)).toEqual({
      names: others,
      found: ['warning plugin-throws'],
      message,
    });
  });
});

describe('a plugin that hangs', () => {
  it('for ever at its import is left out after its time limit, and nothing else is', async () => {
    expect(await beside(`${hangs} await new Promise(() => {});\n${whole}`)).toEqual({
      names: others,
      found: ['warning plugin-hangs'],
      message: 'Expected the plugin to load within 2000 ms: it is still loading',
    });
  });

  it('and comes late does not come in', async () => {
    const late = `${hangs} await new Promise((resolve) => { globalThis.comes = resolve; });\n${whole}`;
    expect((await beside(late)).names).toEqual(others);
    (globalThis as unknown as { comes: () => void }).comes();
    await new Promise((resolve) => setTimeout(resolve));
    expect((await beside(good.replaceAll('ood', 'other'))).names).toEqual(['good', 'gother', 'great']);
  });
});

describe('a plugin that is junk', () => {
  const look = '() { throw new Error("look away"); }';
  const hostile = `new Proxy({}, { get${look}, has${look}, ownKeys${look} })`;

  it.each([
    ['a proxy that throws', `export default ${hostile};`, 'plugin-object'],
    ['components that throw', `export default { ${head}, filters: ${hostile} };`, 'plugin-object'],
    [
      'a getter that throws',
      `export default { ${head}, get filters() { throw new Error('look away'); } };`,
      'plugin-object',
    ],
    [
      'properties that contain themselves',
      `const table = {}; table.again = { type: { nested: table }, says: '' };
export default { ${head}, filters: { A: { says: '', properties: table, create() {} } } };`,
      'plugin-component',
    ],
    [
      'a class',
      `export default class { static name = 'a'; static version = '1'; static contract = 1; }`,
      'plugin-object',
    ],
    ['a promise', `export default Promise.resolve({ ${head} });`, 'plugin-contract'],
    ['a contract that is nearly right', `export default { ...{ ${head} }, contract: '1' };`, 'plugin-contract'],
    ['a name of many lines', `export default { ...{ ${head} }, name: 'a\\nerror: forged' };`, 'plugin-name'],
    ['something else than a module', '<?xml version="1.0"?>', 'plugin-syntax'],
    ['bytes', '\0\x01\x02\ufffd', 'plugin-syntax'],
  ])('%s', async (_what, text, code) => {
    const { names, found, message } = await beside(text);
    expect([names, message.split('\n').length]).toEqual([others, 1]);
    // How a test runner reads what is no module is its own affair; test/entry/plugins-defects.test.ts has the runtimes.
    expect(code === 'plugin-syntax' ? found.length : found).toEqual(code === 'plugin-syntax' ? 1 : [`warning ${code}`]);
  });

  it('that changes its mind has been copied by then', async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'portico-failures-')));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    await mkdir(join(root, 'plugins'));
    const text = `let looks = 0;
export default { ${head}, get filters() { return looks++ === 0 ? { A: ${component} } : null; } };`;
    await writeFile(join(root, 'plugins/b.mjs'), text);
    const { plugins } = await readSecurityInput({ root, pluginFolders: [] });
    expect([Object.keys(plugins[0]!.filters!), Object.keys(plugins[0]!.filters!)]).toEqual([['A'], ['A']]);
  });

  it('cannot reach a prototype by its names', async () => {
    const text = `export default { ${head}, filters: JSON.parse('{"__proto__":{"says":""},"constructor":{"says":""}}') };`;
    expect(await beside(text)).toMatchObject({ names: others, found: ['warning plugin-component'] });
    const own = `const create = () => ({ check() {} });
const filters = JSON.parse('{"__proto__":{"says":""}}');
filters['__proto__' in filters ? 'example.A' : 'x'] = { says: '', create };
Object.defineProperty(filters, '__proto__', { value: { says: '', isAdmin: true, create }, enumerable: true });
export default { ${head}, filters };`;
    await beside(own);
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  });
});

describe('a plugin that pollutes', () => {
  it.each([
    ['Object.prototype', 'Object.prototype.isAdmin = true', 'Object.prototype.isAdmin'],
    ['Array.prototype', 'Array.prototype.last = () => 1', 'Array.prototype.last'],
    ['a method that is there', 'Array.prototype.includes = () => true', 'Array.prototype.includes'],
    ['by a getter', 'Object.defineProperty(Object.prototype, "kind", { get: () => 1, configurable: true })', 'kind'],
    ['by a symbol', 'Object.prototype[Symbol.for("x")] = 1', 'Object.prototype.Symbol(x)'],
    ['by taking away', 'delete Array.prototype.at', 'Array.prototype.at'],
    ['a parent', 'Object.setPrototypeOf(Array.prototype, { evil: 1 })', 'the prototype of Array.prototype'],
    ['headers', 'Headers.prototype.get = () => "Basic YWRtaW46"', 'Headers.prototype.get'],
  ])('%s is undone and not used', async (_what, statement, name) => {
    const before = [Array.prototype.includes, Array.prototype.at, Headers.prototype.get];
    const { names, found, message } = await beside(`${statement};\n${whole}`);
    expect([names, found]).toEqual([others, ['warning plugin-pollutes']]);
    expect(message).toContain(name);
    expect([Array.prototype.includes, Array.prototype.at, Headers.prototype.get]).toEqual(before);
    const object: Record<string, unknown> = {};
    expect([object['isAdmin'], object['kind'], Object.getPrototypeOf(Array.prototype)]).toEqual([
      undefined,
      undefined,
      Object.prototype,
    ]);
  });

  it('and then throws or hangs is undone as well', async () => {
    const pollution = 'Object.prototype.isAdmin = true;';
    expect((await beside(`${pollution} throw new Error("x");`)).found).toEqual(['warning plugin-pollutes']);
    expect((await beside(`${pollution} ${hangs} await new Promise(() => {});`)).found).toEqual([
      'warning plugin-pollutes',
    ]);
    expect('isAdmin' in {}).toBe(false);
  });

  it('for good stops the start', async () => {
    const forGood = 'Object.defineProperty(Promise.prototype, "portico of a test", { value: 1 });';
    const { names, found, message } = await beside(`${forGood}\n${whole}`);
    expect([names, found]).toEqual([others, ['error plugin-pollutes']]);
    expect(message).toContain('cannot be put back, so this process must be started again without it');
  });
});
