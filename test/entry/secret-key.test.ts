import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readSettings } from '../../src/composition/settings.ts';
import { secretKeyOf } from '../../src/entry/secret-key.ts';
import { tryCli } from '../support/cli.ts';
import { temporaryDirectory } from '../support/store.ts';

async function rooted(more: Record<string, string> = {}) {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory.remove());
  const root = join(directory.path, 'instance');
  return { root, file: join(root, 'secret.key'), settings: readSettings({ PORTICO_ROOT: root, ...more }) };
}
const given = Buffer.alloc(32, 5).toString('base64');

describe('the key for secrets', () => {
  it('is made once, for its owner alone', async () => {
    const { root, file, settings } = await rooted();
    const key = await secretKeyOf(settings);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readFile(file, 'utf8')).trim()).toBe(key!.reveal());
    expect(Buffer.from(key!.reveal(), 'base64')).toHaveLength(32);
    expect((await secretKeyOf(settings))!.reveal()).toBe(key!.reveal());
    expect(await readdir(root)).toEqual(['secret.key']);
  });

  it('is one, although several processes start at once', async () => {
    const { root, settings } = await rooted();
    const keys = await Promise.all(Array.from({ length: 8 }, () => secretKeyOf(settings)));
    expect(new Set(keys.map((key) => key!.reveal())).size).toBe(1);
    expect(await readdir(root)).toEqual(['secret.key']);
  });

  it('is the setting where there is one, and no file is made', async () => {
    const { root, settings } = await rooted({ PORTICO_SECRET_KEY: given });
    expect((await secretKeyOf(settings))!.reveal()).toBe(given);
    await expect(readdir(root)).rejects.toThrow('ENOENT');
  });

  it('stops the start where the file is damaged: a new one would lock out what is stored', async () => {
    const { file, settings } = await rooted();
    await secretKeyOf(settings);
    await writeFile(file, 'short');
    await expect(secretKeyOf(settings)).rejects.toThrow('Expected 32 bytes in base64');
    await expect(secretKeyOf(settings)).rejects.not.toThrow('short');
  });

  it('is not made up for a database that others use too', async () => {
    for (const database of ['http://127.0.0.1:8081', 'libsql://db.example']) {
      const { root, settings } = await rooted({ PORTICO_DATABASE: database });
      expect(await secretKeyOf(settings)).toBeUndefined();
      await expect(readdir(root)).rejects.toThrow('ENOENT');
    }
  });

  it('lives as long as a database in memory', async () => {
    const { root, settings } = await rooted({ PORTICO_DATABASE: 'memory:' });
    expect(Buffer.from((await secretKeyOf(settings))!.reveal(), 'base64')).toHaveLength(32);
    await expect(readdir(root)).rejects.toThrow('ENOENT');
  });
});

describe('a lost key', () => {
  it.each(['another one', 'none'])(
    'is told by portico check, with %s in its place, until portico accept-key takes it',
    async (found) => {
      const { root, file } = await rooted();
      const portico = (...words: string[]) => tryCli(words, { root });
      expect((await portico('init')).code).toBe(0);
      expect(await portico('check')).toMatchObject({ code: 0, err: '' });
      expect(await portico('accept-key')).toEqual({
        ...{ code: 0, err: '' },
        out: 'The key is the one that the database knows\n',
      });

      if (found === 'none') await rm(file);
      else await writeFile(file, given);
      const { code, out, err } = await portico('check');
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain(
        `: warning: Expected the secret key that this database was first used with, found ${found}: stored passwords`,
      );
      expect(out).toContain('or run "portico accept-key" and store the secrets again');
      expect(out).not.toContain(given);

      const accepted = await portico('accept-key');
      expect([accepted.code, accepted.out]).toEqual([
        0,
        'The key is accepted. Secrets that were stored under another one stay unreadable: store them again\n',
      ]);
      expect(await portico('check')).toMatchObject({ code: 0, err: '' });
    },
  );
});
