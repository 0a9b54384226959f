import { extensionNames, withDependents } from '../../src/composition/extensions.ts';
import { readSettings } from '../../src/composition/settings.ts';
import type { WorkKind } from '../../src/core/work/work-kind.ts';
import { withService } from '../../src/entry/commands/command.ts';
import type { Route } from '../../src/http/route.ts';
import { graphOf, svgOf } from '../architecture/graph.ts';
import { sourcesIn } from '../architecture/sources.ts';
import { catalogue } from '../support/declared.ts';
import { apiPages } from './api-page.ts';
import { assistantFiles } from './assistants-page.ts';
import { edgePage } from './calls-page.ts';
import { callsText } from './client-text.ts';
import { commandsPage } from './commands-page.ts';
import { componentsPage } from './components-page.ts';
import { documentsPage } from './documents-page.ts';
import { errorsPage } from './errors-page.ts';
import { eventsPage } from './events-page.ts';
import { extensionRoutesText, extensionsPage } from './extensions-page.ts';
import { settingsPage } from './settings-page.ts';
import { typesText } from './types-text.ts';
import { wherePage } from './where-page.ts';
import { type WingOf, wingsOfRoutes } from './wings.ts';

/** Wings of `src` and their imports. */
const picture = 'docs/pictures/architecture.svg';

/** Every file that `npm run docs` writes, by its path. A test compares them with what is there. */
export async function generated(): Promise<ReadonlyMap<string, string>> {
  let routes: readonly Route[] = [];
  let kinds: readonly WorkKind[] = [];
  let wingOf: WingOf | undefined;
  await withService({ ...readSettings({}), database: 'memory:' }, async (service) => {
    ({ routes, kinds } = service);
    wingOf = await wingsOfRoutes(service.groups);
  });
  const lost = await routesLost(routes);
  const api = apiPages(routes, wingOf!);
  return new Map([
    ['src/types.ts', typesText(catalogue)],
    ['src/client/calls.ts', callsText(routes)],
    ['src/composition/extension-routes.ts', extensionRoutesText(lost)],
    ['docs/reference/extensions.md', extensionsPage(lost)],
    ...api,
    ...(await assistantFiles(api.get('docs/reference/api.md')!)),
    ['docs/reference/documents.md', documentsPage(catalogue)],
    ['docs/reference/settings.md', settingsPage()],
    ['docs/reference/events.md', eventsPage()],
    ['docs/reference/commands.md', commandsPage()],
    ['docs/reference/errors.md', errorsPage()],
    ['docs/reference/components.md', componentsPage()],
    ['docs/operate/what-runs-where.md', wherePage(kinds)],
    await edgePage(),
    [picture, svgOf(graphOf(sourcesIn('src')))],
  ]);
}

/** Routes that go with each extension, but for those of extensions that are built on it. */
async function routesLost(routes: readonly Route[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const keyOf = ({ method, path, says }: Route) => `${method} ${path} ${says}`;
  const missing = new Map<string, ReadonlySet<string>>();
  for (const name of extensionNames) {
    await withService({ ...readSettings({}), database: 'memory:', without: [name] }, async (service) => {
      const left = new Set(service.routes.map(keyOf));
      const lost = routes.filter((route) => !left.has(keyOf(route)));
      missing.set(name, new Set(lost.map(({ method, path }) => `${method} ${path}`).sort()));
    });
  }
  return new Map(
    extensionNames.map((name) => {
      const others = withDependents([name]).filter((each) => each !== name);
      const own = [...missing.get(name)!].filter((line) => !others.some((other) => missing.get(other)!.has(line)));
      return [name, own];
    }),
  );
}
