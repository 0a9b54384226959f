import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { checkSecurity } from '../../src/composition/service.ts';
import { checkingHost } from '../../src/entry/plugins/checking-host.ts';
import { defaultIni } from '../../src/security/ini/default-ini.ts';
import { isLong, shareOfRows } from '../support/long.ts';
import { type Block, blocksOf, outputPattern, readAllPages, readPages, unmarkedBlocks } from './pages.ts';
import { hasFfmpeg, newReader } from './reader.ts';

const pages = await readPages();
const patience = 120_000;
const canRun = ['sh', 'curl', 'npm'].every((tool) => spawnSync(tool, ['--version']).error === undefined);

const canFollow = ({ mark }: Block): boolean => hasFfmpeg || mark !== 'test: ffmpeg';
if (!hasFfmpeg) console.log('The blocks that need ffmpeg are left out: it is not on the path');

/** Whether blocks make the user: by a command, a document, a path, a line of `[users]`, or the first start. */
const makes = (blocks: string, user: string): boolean =>
  user === 'admin' || new RegExp(`(?<![\\w:])${user}(?![\\w:])`).test(blocks);

const isStatement = ({ mark }: Block): boolean => mark === 'test: main';
/** Pages that `npm test` follows; the long form follows all. */
const defaultValue = ['README.md', 'docs/guide/first-steps.md'];
const followed = pages
  .filter(({ path }) => isLong || defaultValue.includes(path))
  .map((page) => ({
    path: page.path,
    blocks: blocksOf(page).filter((block) => !isStatement(block) && canFollow(block)),
  }))
  .filter(({ blocks }) => blocks.length > 0);
const statements = pages.flatMap((page) =>
  blocksOf(page)
    .filter(isStatement)
    .map(({ line, text }) => ({ place: `${page.path}, line ${line}`, text })),
);

describe('the blocks of README and docs', () => {
  it('are found', () => {
    const marks = pages.flatMap(({ text }) => text.match(/<!-- test/g) ?? []);
    const outputs = pages.flatMap(({ text }) => text.match(/<!-- output/g) ?? []);
    const blocks = pages.flatMap(blocksOf);
    expect(blocks.length).toBeGreaterThan(30);
    expect(marks).toHaveLength(blocks.length);
    expect(outputs).toHaveLength(blocks.filter(({ output }) => output !== '').length);
  });

  it('are run, or say why not', () => {
    expect(pages.flatMap((page) => unmarkedBlocks(page).map((block) => `${page.path}: ${block}`))).toEqual([]);
  });
});

it.each(pages)('$path asks as users whom an earlier block of it makes', ({ text }) => {
  const login = /(?:-u|--user) ['"]([^\s:'"$]+):/g;
  const blocks = [...text.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);
  const strangers = blocks.flatMap((block, index) => {
    const before = [...blocks.slice(0, index), block].join('\n').replace(login, '');
    return [...block.matchAll(login)].map(([, user]) => user!).filter((user) => !makes(before, user));
  });
  expect(strangers).toEqual([]);
});

it.each(pages)('$path has no receiver that waits for ever for a call', ({ text }) => {
  const blocks = [...text.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);
  expect(blocks.filter((block) => block.includes('.listen(') && !block.includes('AbortSignal.timeout('))).toEqual([]);
});

// Nothing is published: anybody may take the name, and npx runs what it finds there.
it.each(await readAllPages())('$path starts no program of a package that others may publish', ({ text }) => {
  expect(text).not.toMatch(/(?:npx|bunx|npm (?:exec|install|i)|npm:|jsr:)(?: --?\w+)* ?portico\b/);
});

it('is private until it is released, as its pages expect', async () => {
  expect(JSON.parse(await readFile('package.json', 'utf8'))).toMatchObject({ private: true });
});

// Pages run side by side: most of their time is that of other processes.
describe.skipIf(!canRun).concurrent('somebody who follows', () => {
  it.each(shareOfRows(2, followed))('$path gets what it says', { timeout: patience }, async ({ path, blocks }) => {
    const reader = await newReader(blocks.some(({ mark }) => mark === 'test: stopped'));
    try {
      for (const block of blocks) {
        const { code, out, err } = await reader.run(block);
        const place = `${path}, line ${block.line}`;
        expect(code, `${place}: ${err}${out}`).toBe(0);
        expect(out.replaceAll('\r', '').trim(), place).toMatch(outputPattern(block.output));
      }
    } finally {
      await reader.leave();
    }
  });
});

describe('the statements of the docs', () => {
  it('are found', () => expect(statements.length).toBeGreaterThan(3));

  it.each(statements)('work in the built-in security.ini: $place', async ({ text }) => {
    const own = text.includes('securityManager.realms')
      ? defaultIni.replace(/^securityManager\.realms .*$/m, '')
      : defaultIni;
    const whole = own.replace(/^\[urls\]$/m, () => `${text}[urls]`);
    expect(await checkSecurity({ text: whole, file: 'security.ini', plugins: [] }, checkingHost)).toEqual([]);
  });
});
