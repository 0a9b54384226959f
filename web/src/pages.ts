import * as library from './pages/library/page.tsx';
import type { PageModule, PageRow } from './router.tsx';

/** Pages of a group come in one file. The library, which most people see first, comes with the shell. */
const item = () => import('./pages/item/page.tsx');
const userPages = () => import('./pages/user-pages.ts');
const operatorPages = () => import('./pages/operator-pages.ts');
const whenAsked = () => import('./pages/when-asked.ts');

const of =
  <N extends string>(group: () => Promise<Readonly<Record<N, PageModule['default']>>>, name: N) =>
  async (): Promise<PageModule> => ({ default: (await group())[name] });

/** All pages. The first row that fits decides. */
export const pages: readonly PageRow[] = [
  { path: '/', title: 'nav.library', load: async () => library },
  { path: '/item/{id}', title: 'nav.library', load: item },
  { path: '/for-me', title: 'nav.forMe', load: of(userPages, 'forMe') },
  { path: '/collections', title: 'nav.collections', load: of(userPages, 'collections') },
  { path: '/collection/{id}', title: 'nav.collections', load: of(userPages, 'collections') },
  { path: '/saved/{id}', title: 'nav.collections', load: of(userPages, 'saved') },
  { path: '/links', title: 'nav.links', load: of(userPages, 'links') },
  { path: '/uploads', title: 'nav.upload', load: of(userPages, 'upload') },
  { path: '/jobs', title: 'nav.jobs', load: of(userPages, 'jobs') },
  { path: '/job/{id}', title: 'jobs.column.job', load: of(userPages, 'job') },
  { path: '/rights', title: 'usage.ending', load: of(whenAsked, 'ending') },
  { path: '/tables', title: 'tables.title', load: of(whenAsked, 'tables') },
  { path: '/table/{table}', title: 'tables.title', load: of(whenAsked, 'tables') },
  { path: '/me', title: 'me.title', load: of(userPages, 'me') },
  { path: '/storages', title: 'storages.title', load: of(operatorPages, 'storages') },
  { path: '/storage/{id}', title: 'storage.title', load: of(operatorPages, 'storage') },
  { path: '/fixity', title: 'nav.storages', load: of(operatorPages, 'fixity') },
  { path: '/notifications', title: 'nav.notifications', load: of(operatorPages, 'notifications') },
  { path: '/notification/{entity}/{id}', title: 'notification.title', load: of(operatorPages, 'notification') },
  ...['/settings', '/fields', '/tags', '/exports', '/quota', '/embedded'].map(
    (path): PageRow => ({ path, title: 'nav.settings', load: of(operatorPages, 'settings') }),
  ),
  { path: '/health', title: 'nav.health', load: of(operatorPages, 'health') },
  { path: '/people', title: 'nav.people', load: of(operatorPages, 'people') },
  { path: '/user/{user}', title: 'nav.people', load: of(operatorPages, 'people') },
  { path: '/group/{group}', title: 'nav.people', load: of(operatorPages, 'people') },
  { path: '/tag/{tag}', title: 'nav.settings', load: of(operatorPages, 'tags') },
  { path: '/first', title: 'first.title', load: of(operatorPages, 'first') },
];
