import { randomFillSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { askJson } from '../item-root.ts';
import type { Row } from '../row.ts';
import { type CostWorld, toolCost, until } from './world.ts';

const mebibytes = 512;

/** An import by address and an export, beside `cp` and `sha1sum`. */
export async function benchCopyCosts({ directory, server, addStorage, costOf }: CostWorld): Promise<Row[]> {
  const file = join(directory, 'film.bin');
  await writeFile(file, randomFillSync(Buffer.allocUnsafe(mebibytes * 1024 * 1024)));
  const copy = toolCost('cp', '--reflink=never', file, join(directory, 'copy.bin'));
  const hash = toolCost('sha1sum', file) + toolCost('sha256sum', file);
  await mkdir(join(directory, 'store'));
  await addStorage(join(directory, 'store'));
  const finished = (id: string) =>
    until(async () => {
      const { status } = await askJson(server, `GET /API/job/${id}`);
      if (status?.startsWith('FAILED') || status?.startsWith('ABORTED'))
        throw new Error(`Expected job ${id} to end well`);
      return status?.startsWith('FINISHED') === true;
    });
  let item = '';
  const imported = await costOf(async () => {
    const { jobId } = await askJson(server, `POST /API/import?uri=${encodeURIComponent(pathToFileURL(file).href)}`);
    await finished(jobId!);
    item = ((await askJson(server, 'GET /API/item?number=1')) as unknown as { item: { id: string }[] }).item[0]!.id;
  });
  const out = join(directory, 'out');
  await mkdir(out);
  const exported = await costOf(async () => {
    const uri = encodeURIComponent(`${pathToFileURL(out).href}/film.bin`);
    const { jobId } = await askJson(server, `POST /API/item/${item}/export?uri=${uri}`);
    await finished(jobId!);
  });
  return [
    {
      name: `CPU time of an import of ${mebibytes} MiB, against cp and both hashes; ms`,
      ratio: imported / (copy + hash),
      value: imported,
    },
    { name: `CPU time of an export of it, against cp; ms`, ratio: exported / copy, value: exported },
  ];
}
