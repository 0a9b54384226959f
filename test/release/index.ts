import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { rooms } from '../../src/composition/rooms.ts';
import { readSettings } from '../../src/composition/settings.ts';
import { hashOf } from '../../src/core/store/migrations.ts';
import { withService } from '../../src/entry/commands/command.ts';
import type { Route } from '../../src/http/route.ts';
import { mergeExtensions, mergeMigrations } from '../../src/room/merge-rooms.ts';
import { keepClient } from './client.ts';
import { byVersion, differencesOf, type Surface } from './compare.ts';
import { surfaceOf } from './surface.ts';

/**
 * `npm run release:surface`: compares what others rely on with the newest release, and fails where a break has no new major
 * version. `--keep VERSION` keeps the surface and the typed client as those of a release, and the hashes of its first schemas.
 */
const { values } = parseArgs({ options: { keep: { type: 'string' }, major: { type: 'boolean' } } });
const folder = 'test/release/surfaces';

let routes: readonly Route[] = [];
await withService({ ...readSettings({}), database: 'memory:' }, async (service) => {
  ({ routes } = service);
});
const now = surfaceOf(routes);
if (values.keep !== undefined) {
  writeFileSync(`${folder}/${values.keep}.json.gz`, gzipSync(JSON.stringify(now), { level: 9 }));
  await keepHashes();
  keepClient(values.keep);
  process.stdout.write(`${now.promises.length} promises and ${now.demands.length} demands of ${values.keep}\n`);
} else {
  const kept = readdirSync(folder).map((name) => name.replace('.json.gz', ''));
  const newest = kept.toSorted(byVersion).at(-1)!;
  const before: Surface = JSON.parse(gunzipSync(readFileSync(`${folder}/${newest}.json.gz`)).toString());
  const { breaks, additions } = differencesOf(before, now);
  const list = (title: string, facts: readonly string[]) =>
    facts.length === 0 ? '' : `## ${title}\n\n${facts.map((fact) => `- ${fact}\n`).join('')}\n`;
  process.stdout.write(`# Since ${newest}\n\n${list('Breaks', breaks)}${list('Additions', additions)}`);
  if (breaks.length > 0 && !values.major) process.exitCode = 1;
}

/** The hash of a schema that was released stays: databases have it. */
async function keepHashes(): Promise<void> {
  const path = 'src/core/store/released-hashes.ts';
  const chains = [{ migrations: mergeMigrations(rooms) }, ...mergeExtensions(rooms)];
  const lines = await Promise.all(
    chains.map(
      async ({ migrations: [first] }) =>
        `  ${/^\w+$/.test(first!.name) ? first!.name : `'${first!.name}'`}: '${await hashOf(first!)}',\n`,
    ),
  );
  const [head] = readFileSync(path, 'utf8').split('{');
  writeFileSync(path, `${head}{\n${lines.join('')}};\n`);
}
