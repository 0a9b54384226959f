import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { checkSecurity } from '../../src/composition/service.ts';
import { checkingHost } from '../../src/entry/plugins/checking-host.ts';
import { defaultIni } from '../../src/security/ini/default-ini.ts';
import { isLong, shareOfRows } from '../support/long.ts';
import { type Block, blocksOf, outputPattern, readPages, unmarkedBlocks } from './pages.ts';
import { hasFfmpeg, newReader } from './reader.ts';

const pages = await readPages();
const patience = 120_000;
const canRun = ['sh', 'curl', 'npm'].every((tool) => spawnSync(tool, ['--version']).error === undefined);

/** What this machine lacks is left out. */
const canFollow = ({ mark }: Block): boolean => hasFfmpeg || mark !== 'test: ffmpeg';
if (!hasFfmpeg) console.log('The blocks that need ffmpeg are left out: it is not on the path');

const isStatement = ({ mark }: Block): boolean => mark === 'test: main';
/** Pages that `npm test` follows; the long form follows all. */
const usual = ['README.md', 'docs/guide/first-steps.md'];
const followed = pages
  .filter(({ path }) => isLong || usual.includes(path))
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
