import process from 'node:process';
import { systemRandom } from '../../src/core/lib/random.ts';
import { ownHolding } from '../../src/entry/native/file-storage/held-folder.ts';
import { fileScheme } from '../../src/entry/native/file-storage/scheme.ts';

/** Run in Deno by a test: keeps a file below the root that it is given, and prints what came of it. */
const root = process.argv.at(-1)!;
const random = { randomBytes: (length: number) => systemRandom.bytes(length) };
const scheme = fileScheme({ root, storageRoots: [], minFreeBytes: 1 }, random);
const driver = scheme.open({ uri: `file://${root}/media/` });
const { free } = await driver.check();
const { token } = await driver.stage!(new Response('abc').body!);
await driver.publish!(token, 'in/a.mov', 'create');
const { files } = await driver.list!({ limit: 10 });
const text = await new Response((await driver.read('in/a.mov')).body).text();
await scheme.close?.();
process.stdout.write(JSON.stringify([ownHolding, Number(free) > 0, files.map(({ path }) => path), text]));
