import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openStore } from '../../src/core/store/store.ts';
import { prepareRestored } from '../../src/entry/native/backup.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { storeSettings, temporaryDirectory } from '../support/store.ts';

it('a restored database gives no id again that was given behind its backup, also none that was free', async () => {
  const directory = await temporaryDirectory();
  const path = join(directory.path, 'portico.db');
  const open = async (file = path) => openStore(await openDatabase(`file:${file}`), storeSettings({ serialBlock: 8 }));
  const [first, second] = [await open(), await open()];
  await first.migrate();
  expect([await first.nextId('User'), await second.nextId('User')]).toEqual(['VX-1', 'VX-9']);
  await first.close();
  await second.close();
  // A file that was closed stays locked until its statements are collected.
  const copy = join(directory.path, 'copy.db');
  await copyFile(path, copy);
  await copyFile(`${path}-wal`, `${copy}-wal`).catch(() => undefined);
  prepareRestored(copy);
  const restored = await open(copy);
  expect(await restored.nextId('User')).toBe('VX-1000010');
  await restored.close();
  await directory.remove();
});
