import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { ask } from '../item-root.ts';
import type { Row } from '../row.ts';
import { tick } from '../usage.ts';
import { type CostWorld, toolCost, until } from './world.ts';

/** `PORTICO_BENCH_FILES=100000` makes more of them. */
const count = Number(process.env['PORTICO_BENCH_FILES'] ?? 10_000);
const filesInFolder = 100;
const bare = fileURLToPath(new URL('bare-scan.ts', import.meta.url));

/** Files at rest, each with bytes of its own. */
async function fill(folder: string): Promise<void> {
  for (let at = 0; at < count; at += filesInFolder) {
    const inner = join(folder, `folder-${at}`);
    await mkdir(inner, { recursive: true });
    const files = Array.from({ length: Math.min(filesInFolder, count - at) }, (_, file) => join(inner, `${file}.mov`));
    await Promise.all(
      files.map(async (path, file) => {
        await writeFile(path, Buffer.alloc(1024, `${at + file} `));
        await utimes(path, 1_700_000_000, 1_700_000_000);
      }),
    );
  }
}

/** A first scan with hashes beside a program that only walks, hashes and inserts; a second one beside `find`. */
export async function benchScanCosts({ directory, server, addStorage, costOf }: CostWorld): Promise<Row[]> {
  const folder = join(directory, 'files');
  await fill(folder);
  const walk = toolCost(process.execPath, '--import', 'tsx', bare, folder, join(directory, 'bare.db'));
  const find = toolCost('find', folder, '-printf', '%p %s %T@ %i\n');
  const database = new Database(join(directory, 'root', 'portico.db'), { readonly: true });
  const numberOf = (sql: string) => Number((database.prepare(sql).raw(true).get() as [number | null])[0]);
  let id = '';
  const first = await costOf(async () => {
    id = await addStorage(folder);
    await ask(server, `POST /API/storage/${id}/rescan`, undefined, '*/*');
    await until(async () => numberOf('SELECT COUNT(*) FROM file WHERE hash IS NOT NULL') === count);
  });
  const ended = () => numberOf('SELECT MAX(ended_at) FROM storage_scan');
  const before = ended();
  const second = await costOf(async () => {
    await ask(server, `POST /API/storage/${id}/rescan`, undefined, '*/*');
    await until(async () => ended() > before);
  });
  database.close();
  const among = `${count.toLocaleString('en')} files`;
  return [
    {
      name: `CPU time of a first scan of ${among}, against a bare walk with hashes; ms`,
      ratio: first / walk,
      ceiling: 10,
      value: first,
    },
    {
      name: `CPU time of a second scan of them, against find; ms`,
      ratio: second / Math.max(find, tick),
      value: second,
    },
  ];
}
