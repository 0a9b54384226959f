import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoryStorage } from '../../../src/kit/testing/storage/memory-storage.ts';
import { tryCli } from '../../support/cli.ts';
import { testClock } from '../../support/clock.ts';
import { listenFor, openWorld } from '../../support/matrix.ts';
import { admin, memoryPlugin } from '../../support/service.ts';
import { temporaryDirectory } from '../../support/store.ts';
import { furnish } from './house.ts';

describe('the command', () => {
  beforeEach(() => {
    vi.stubEnv('PORTICO_FROM_PASSWORD', admin[1]);
    onTestFinished(() => void vi.unstubAllEnvs());
  });

  it('plans, copies files whose hashes are compared, and says in a second run that all is as before', async () => {
    const clock = testClock();
    const storage = memoryStorage(() => clock.now());
    const original = await openWorld('fetch', { clock, plugins: [memoryPlugin(storage)] });
    await furnish(original, storage);
    const url = `http://127.0.0.1:${await listenFor(original)}`;
    const directory = await temporaryDirectory();
    onTestFinished(() => directory.remove());
    const media = join(directory.path, 'media');
    await mkdir(media);
    const root = join(directory.path, 'root');
    const environment = { PORTICO_STORAGE_ROOTS: media, PORTICO_LOG_LEVEL: 'error' };
    const cli = (...words: readonly string[]) => tryCli(words, { root, environment });
    expect(await cli('init')).toMatchObject({ code: 0 });

    const state = ['--state', join(directory.path, 'state'), '--rate', '1000'];
    const planned = await cli('migrate-from', url, 'plan', ...state);
    expect(planned).toMatchObject({ code: 0, err: '' });
    expect(planned.out).toMatch(/\n {10}3 {2}items\n/);
    expect(planned.out).toContain('Passwords');
    const proposed = await readFile(join(directory.path, 'state', 'storages.txt'), 'utf8');
    expect(proposed).toContain('VX-1  memory:///in/  keep');
    const table = join(directory.path, 'table.txt');
    await writeFile(table, proposed.replace('memory:///in/  keep', `${pathToFileURL(media).href}/  copy`));

    const first = await cli('migrate-from', url, '--storages', table, ...state);
    expect(first, first.out).toMatchObject({ code: 0, err: '' });
    expect(first.out).toContain('item: 3 made');
    expect(await readFile(join(media, 'deep', 'low b.mp4'), 'utf8')).toBe('bytes of deep/low b.mp4');
    const report = JSON.parse(await readFile(join(directory.path, 'state', 'report.json'), 'utf8'));
    expect(report).toMatchObject({ state: 'complete', failure: [], copiedBytes: 66, withoutPassword: ['ann'] });
    expect(await readFile(join(directory.path, 'state', 'report.html'), 'utf8')).toContain('<td>ann</td>'.slice(4, -5));
    const history = await readFile(join(directory.path, 'state', 'history.jsonl'), 'utf8');
    expect(history).toContain('"kind":"item","id":"VX-1"');

    const second = await cli('migrate-from', url, '--storages', table, ...state);
    expect(second).toMatchObject({ code: 0, err: '' });
    expect(second.out).toContain('item: 3 same');
  });

  it.each([
    [['migrate-from', 'old'], 'Expected an address such as http://old.example.com:8080/API: "old"'],
    [['migrate-from', 'http://127.0.0.1:1', 'now'], 'Expected "plan" or nothing after the address: "now"'],
    [['migrate-from', 'http://127.0.0.1:1', '--rate', '0'], 'Expected a number above 0 in --rate: "0"'],
  ])('says what it expects of %j', async (words, expected) => {
    const directory = await temporaryDirectory();
    onTestFinished(() => directory.remove());
    const { code, err } = await tryCli(words, { root: directory.path });
    expect([code, err]).toEqual([1, `portico: ${expected}\n`]);
  });
});
