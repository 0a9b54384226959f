import { appendFile, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { watchFolder } from '../../../src/entry/native/file-storage/watch.ts';

/** A watched folder, and promises of what it tells. */
async function watched() {
  const outside = await mkdtemp(join(tmpdir(), 'portico-watch-'));
  onTestFinished(() => rm(outside, { recursive: true, force: true }));
  const root = join(outside, 'in');
  await mkdir(join(root, 'deep/deeper'), { recursive: true });
  await mkdir(join(root, '.portico'));
  await mkdir(join(outside, 'elsewhere'));
  await symlink(join(outside, 'elsewhere'), join(root, 'link'));
  const told: string[] = [];
  const waits = new Set<() => void>();
  const hear = (word: string) => {
    told.push(word);
    for (const each of waits) each();
  };
  const heard = (word: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (told.includes(word)) resolve();
      };
      waits.add(look);
      look();
    });
  const stop = await watchFolder(root, { changed: hear, ended: () => hear('(ended)') });
  onTestFinished(stop);
  return { root, outside, told, heard };
}

it('tells of files that are written, grow or are moved in, in folders that were there and in new ones', async () => {
  const { root, outside, heard } = await watched();
  await writeFile(join(root, 'a.mov'), 'a');
  await heard('a.mov');
  await writeFile(join(root, 'deep/deeper/b.mov'), 'b');
  await heard('deep/deeper/b.mov');
  await appendFile(join(root, 'deep/deeper/b.mov'), 'b');
  await writeFile(join(outside, 'c.mov'), 'c');
  await rename(join(outside, 'c.mov'), join(root, 'deep/c.mov'));
  await heard('deep/c.mov');
  await mkdir(join(outside, 'card/clips'), { recursive: true });
  await writeFile(join(outside, 'card/clips/d.mov'), 'd');
  await rename(join(outside, 'card'), join(root, 'card'));
  await heard('card/clips/d.mov');
  await writeFile(join(root, 'card/clips/e.mov'), 'e');
  await heard('card/clips/e.mov');
});

it('tells nothing of the folder of the service, nor of what links lead to', async () => {
  const { root, outside, told, heard } = await watched();
  await writeFile(join(root, '.portico/staged'), 's');
  await writeFile(join(outside, 'elsewhere/secret.mov'), 's');
  await writeFile(join(root, 'last.mov'), 'l');
  await heard('last.mov');
  expect(told.filter((path) => /staged|secret/.test(path))).toEqual([]);
});

it('ends when the folder goes, or another one takes its place', async () => {
  const { root, outside, heard } = await watched();
  await rename(root, join(outside, 'was'));
  await mkdir(root);
  await heard('(ended)');
});
