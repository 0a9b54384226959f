import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readSettings } from '../../src/composition/settings.ts';
import { withService } from '../../src/entry/commands/command.ts';
import type { Route } from '../../src/http/route.ts';
import { differencesOf, type Surface } from './compare.ts';
import { surfaceOf } from './surface.ts';

/**
 * `npm run release:surface`: compares what others rely on with the newest release, and fails where a break has no new major
 * version. `--keep VERSION` keeps the surface as that of a release.
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
  process.stdout.write(`${now.promises.length} promises and ${now.demands.length} demands of ${values.keep}\n`);
} else {
  const newest = readdirSync(folder).toSorted(byVersion).at(-1)!;
  const before: Surface = JSON.parse(gunzipSync(readFileSync(`${folder}/${newest}`)).toString());
  const { breaks, additions } = differencesOf(before, now);
  const list = (title: string, facts: readonly string[]) =>
    facts.length === 0 ? '' : `## ${title}\n\n${facts.map((fact) => `- ${fact}\n`).join('')}\n`;
  process.stdout.write(
    `# Since ${newest.replace('.json.gz', '')}\n\n${list('Breaks', breaks)}${list('Additions', additions)}`,
  );
  if (breaks.length > 0 && !values.major) process.exitCode = 1;
}

function byVersion(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
