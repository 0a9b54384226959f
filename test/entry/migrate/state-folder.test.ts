import { appendFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Journal, type StoredLine } from '../../../src/entry/migrate/journal.ts';
import { stateFolder } from '../../../src/entry/migrate/state-folder.ts';
import { temporaryDirectory } from '../../support/store.ts';

async function folderOfTest() {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory.remove());
  const path = join(directory.path, 'state');
  const open = async () => {
    const folder = await stateFolder(path);
    onTestFinished(() => folder.close());
    return folder;
  };
  return { path, open };
}

it('a line is found again where it was put, whatever letters are before it', async () => {
  const { path, open } = await folderOfTest();
  const folder = await open();
  const texts = ['a', 'å'.repeat(70_000), '', 'end'];
  const places = await Promise.all(texts.map((text) => folder.append('a.jsonl', text)));
  for (const [at, place] of places.entries()) expect(await folder.lineAt('a.jsonl', place)).toBe(texts[at]);
  const lines: StoredLine[] = [];
  for await (const line of folder.lines('a.jsonl')) lines.push(line);
  expect(lines).toEqual(texts.map((text, at) => ({ text, ...places[at] })));
  if (process.platform !== 'win32') expect((await stat(join(path, 'a.jsonl'))).mode & 0o77).toBe(0);
});

it('a line that a kill has torn is left out, and the next one is whole', async () => {
  const { path, open } = await folderOfTest();
  const noted = { kind: 'item', id: 'VX-9', hash: 'h', parts: { a: 'b' } };
  const first = await Journal.open(await open(), 'http://old/API');
  await first.note({ ...noted, old: 'VX-1' });
  await appendFile(join(path, 'journal.jsonl'), '{"kind":"item","old":"VX-2","id":"VX-');
  const second = await Journal.open(await open(), 'http://old/API');
  await second.note({ ...noted, old: 'VX-3' });
  const third = await Journal.open(await open(), 'http://old/API');
  expect([...third.oldIds('item')]).toEqual(['VX-1', 'VX-3']);
  expect(await third.lastOf('item', 'VX-3')).toEqual({ parts: { a: 'b' } });
});

it('a page is replaced at once, and leaves nothing beside it', async () => {
  const { path, open } = await folderOfTest();
  const folder = await open();
  for (const text of ['one', 'two']) await folder.write('report.html', text);
  expect(await readdir(path)).toEqual(['report.html']);
});
