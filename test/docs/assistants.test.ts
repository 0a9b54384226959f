import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { assistantsPage, entriesOf, llmsText } from './assistants-page.ts';

const index =
  '| I want to | read |\n|---|---|\n| sing | [a](guide/a.md), [second](guide/b.md) |\n| not `x` | nothing |\n';
const api = '| page | paths |\n|---|---|\n| [songs](api/songs.md) | `/song`, `/tune` |\n';

it('the index of the docs is read row by row, with each page', () => {
  expect(entriesOf(index)).toEqual([
    { wish: 'sing', name: 'a', path: 'guide/a.md' },
    { wish: 'sing', name: 'second', path: 'guide/b.md' },
  ]);
});

it('llms.txt has its title, its summary and its sections, in the order of that format', () => {
  const text = llmsText('# Portico\n\nAn [open](x.md) service.\nMore.\n', index, api);
  expect(text).toMatch(/^# Portico\n\n> An open service\.\n\n/);
  expect([...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual([
    'Docs',
    'Routes',
    'Reference',
    'Optional',
  ]);
  expect(text).toContain('- [guide/b (second)](docs/guide/b.md): Sing\n');
  expect(text).toContain('- [Songs](docs/reference/api/songs.md): `/song`, `/tune`\n');
});

it('the page for assistants says what to read for each wish', () => {
  const page = assistantsPage(index, api);
  expect(page).toContain('| sing | [a](../guide/a.md), [second](../guide/b.md) |');
  expect(page).toContain('- [Songs](api/songs.md): `/song`, `/tune`');
});

it('llms.txt of this tree names each page of the docs, and files that exist', async () => {
  const text = await readFile('llms.txt', 'utf8');
  const files = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, file]) => file!);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  const listed = entriesOf(await readFile('docs/README.md', 'utf8')).filter(({ path }) => !path.startsWith('contrib'));
  expect(listed.length).toBeGreaterThan(40);
  expect(files).toEqual(expect.arrayContaining(listed.map(({ path }) => `docs/${path}`)));
});
