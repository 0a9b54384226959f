import { randomFillSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { askJson } from '../item-root.ts';
import type { Row } from '../row.ts';
import { finished, itemOf } from './jobs.ts';
import { type CostWorld, toolCost } from './world.ts';

const mebibytes = 512;

/** An import by address and an export, beside `cp` and `sha1sum`. */
export async function benchCopyCosts({ directory, server, addStorage, costOf }: CostWorld): Promise<Row[]> {
  const file = join(directory, 'film.bin');
  await writeFile(file, randomFillSync(Buffer.allocUnsafe(mebibytes * 1024 * 1024)));
  const copy = toolCost('cp', '--reflink=never', file, join(directory, 'copy.bin'));
  const hash = toolCost('sha1sum', file) + toolCost('sha256sum', file);
  await mkdir(join(directory, 'store'));
  await addStorage(join(directory, 'store'));
  let item = '';
  const imported = await costOf(async () => {
    const { jobId } = await askJson(server, `POST /API/import?uri=${encodeURIComponent(pathToFileURL(file).href)}`);
    await finished(server, jobId!);
    item = await itemOf(server, jobId!);
  });
  const out = join(directory, 'out');
  await mkdir(out);
  const exported = await costOf(async () => {
    const uri = encodeURIComponent(`${pathToFileURL(out).href}/film.bin`);
    const { jobId } = await askJson(server, `POST /API/item/${item}/export?uri=${uri}`);
    await finished(server, jobId!);
  });
  return [
    {
      name: `CPU time of an import of ${mebibytes} MiB, against cp and both hashes; ms`,
      ratio: imported / (copy + hash),
      ceiling: 2,
      value: imported,
    },
    { name: `CPU time of an export of it, against cp; ms`, ratio: exported / copy, ceiling: 12, value: exported },
  ];
}
