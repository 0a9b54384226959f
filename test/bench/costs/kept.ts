import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { each } from '../item-root.ts';
import type { Row } from '../row.ts';
import { tablesIn } from '../size.ts';
import { importFile } from './jobs.ts';
import type { CostWorld } from './world.ts';

const imports = 120;
const kinds: Readonly<Record<string, RegExp>> = {
  jobs: /^job/,
  pictures: /^picture/,
  events: /^event/,
  'audit log': /^audit/,
};

/** Bytes of the database that imports of a picture leave, by kind. Pages of small tables make them uneven. */
export async function benchKeptBytes({ directory, server, costOf }: CostWorld): Promise<Row[]> {
  const picture = new Uint8Array(await readFile('src/entry/sample/files/lake.jpg'));
  const database = join(directory, 'root', 'portico.db');
  const work = () => each(imports, () => importFile(server, 'lake.jpg', picture).then(() => undefined), 4);
  await importFile(server, 'lake.jpg', picture);
  const before = tablesIn(database);
  await costOf(work);
  const grown = [...tablesIn(database)].map(
    ([name, bytes]) => [name, (bytes - (before.get(name) ?? 0)) / imports] as const,
  );
  const bytesOf = (isCounted: (name: string) => boolean) =>
    grown.reduce((sum, [name, bytes]) => sum + (isCounted(name) ? bytes : 0), 0);
  return [
    { name: 'bytes of the database for an import of a picture', value: bytesOf(() => true) },
    ...Object.entries(kinds).map(([kind, pattern]) => ({
      name: `bytes of it for ${kind}`,
      value: bytesOf((name) => pattern.test(name)),
    })),
  ];
}
