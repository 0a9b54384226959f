import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';
import { generated } from './generated.ts';

/** Path of one file, where only that one is to be written: `npm run graph`. */
const only = process.argv[2];

for (const [path, text] of await generated()) {
  if (only !== undefined && path !== only) continue;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  process.stdout.write(`${path}\n`);
}
