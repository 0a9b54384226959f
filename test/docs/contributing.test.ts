import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { readPages } from './pages.ts';

const canApply = spawnSync('git', ['--version']).error === undefined;

/** The recipes that are whole, as diffs with their tests. */
const recipes = (await readPages())
  .filter(({ path }) => path.startsWith('docs/contributing/'))
  .flatMap(({ text }) => [...text.matchAll(/^```diff\n([\s\S]*?)^```$/gm)])
  .map(([, diff = '']) => ({
    diff,
    name: /^\+\+\+ b\/(\S+)$/m.exec(diff)![1]!,
    tests: [...diff.matchAll(/^\+\+\+ b\/(test\/\S+\.test\.ts)$/gm)].map(([, path]) => path!),
  }));

const apply = (diff: string, options: readonly string[], cwd = '.') => {
  const { status, stderr } = spawnSync('git', ['apply', ...options, '-'], { input: diff, encoding: 'utf8', cwd });
  return [status, stderr];
};

/** A copy of this tree with the recipes. Calls `use` with its folder. */
async function withRecipes(use: (folder: string) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-recipes-'));
  try {
    for (const name of await readdir('.')) {
      if (name === 'node_modules') await symlink(join(process.cwd(), name), join(folder, name));
      else if (!/^(?:\.git|dist|portico-data)$/.test(name)) await cp(name, join(folder, name), { recursive: true });
    }
    for (const { diff } of recipes) expect(apply(diff, [], folder)).toEqual([0, '']);
    // The recipes of this test no longer apply to the copy, where they are applied already.
    await rm(join(folder, 'test/docs/contributing.test.ts'));
    use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe.skipIf(!canApply)('a recipe for contributors', () => {
  it('is there for a resource, a type of job and a type of field', () => {
    expect(recipes.map(({ tests }) => tests.length > 0)).toEqual([true, true, true]);
  });

  it.each(recipes)('fits this tree as a diff: $name', ({ diff }) => {
    expect(apply(diff, ['--check'])).toEqual([0, '']);
  });

  // Minutes of both cores: `npm run test:recipes`, and not among the long forms.
  it.runIf(process.env['PORTICO_RECIPES'] === '1')(
    'passes `npm run check` and its own tests, beside the others',
    { timeout: 1_200_000 },
    () =>
      withRecipes((folder) => {
        const tests = recipes.flatMap((recipe) => recipe.tests);
        const { PORTICO_LONG: _long, PORTICO_RECIPES: _recipes, ...env } = process.env;
        const run = (...words: readonly string[]) => {
          const { status, stdout, stderr } = spawnSync('npx', words, { cwd: folder, encoding: 'utf8', env });
          expect([status, status === 0 ? '' : `${stdout}${stderr}`]).toEqual([0, '']);
        };
        run('tsx', 'test/docs/index.ts');
        run('tsx', 'scripts/check.mjs');
        run('vitest', 'run', '--project', 'all', ...tests);
      }),
  );
});
