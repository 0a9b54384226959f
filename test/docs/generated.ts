import { readSettings } from '../../src/composition/settings.ts';
import { withService } from '../../src/entry/commands/session.ts';
import type { Route } from '../../src/http/route.ts';
import type { WorkKind } from '../../src/work/kind.ts';
import { catalogue } from '../support/documents.ts';
import { apiPage } from './api-page.ts';
import { commandsPage } from './commands-page.ts';
import { componentsPage } from './components-page.ts';
import { documentsPage } from './documents-page.ts';
import { errorsPage } from './errors-page.ts';
import { eventsPage } from './events-page.ts';
import { settingsPage } from './settings-page.ts';
import { typesText } from './types-text.ts';
import { wherePage } from './where-page.ts';

/** Every file that `npm run docs` writes, by its path. A test compares them with what is there. */
export async function generated(): Promise<ReadonlyMap<string, string>> {
  let routes: readonly Route[] = [];
  let kinds: readonly WorkKind[] = [];
  await withService({ ...readSettings({}), database: 'memory:' }, async (service) => {
    ({ routes, kinds } = service);
  });
  return new Map([
    ['src/types.ts', typesText(catalogue)],
    ['docs/reference/api.md', apiPage(routes)],
    ['docs/reference/documents.md', documentsPage(catalogue)],
    ['docs/reference/settings.md', settingsPage()],
    ['docs/reference/events.md', eventsPage()],
    ['docs/reference/commands.md', commandsPage()],
    ['docs/reference/errors.md', errorsPage()],
    ['docs/reference/components.md', componentsPage()],
    ['docs/operate/what-runs-where.md', wherePage(kinds)],
  ]);
}
