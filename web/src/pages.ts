import * as library from './pages/library/page.tsx';
import type { PageModule, PageRow } from './router.tsx';

/** Pages of a group come in one file. The library, which most people see first, comes with the shell. */
const item = () => import('./pages/item/page.tsx');
const daily = () => import('./pages/daily.ts');
const house = () => import('./pages/house.ts');

const of =
  <N extends string>(group: () => Promise<Readonly<Record<N, PageModule['default']>>>, name: N) =>
  async (): Promise<PageModule> => ({ default: (await group())[name] });

/** All pages. The first row that fits decides. */
export const pages: readonly PageRow[] = [
  { path: '/', title: 'nav.library', load: async () => library },
  { path: '/item/{id}', title: 'nav.library', load: item },
  { path: '/collections', title: 'nav.collections', load: of(daily, 'collections') },
  { path: '/collection/{id}', title: 'nav.collections', load: of(daily, 'collections') },
  { path: '/saved', title: 'saved.title', load: of(daily, 'saved') },
  { path: '/saved/{id}', title: 'saved.title', load: of(daily, 'saved') },
  { path: '/upload', title: 'upload.title', load: of(daily, 'upload') },
  { path: '/jobs', title: 'jobs.title', load: of(daily, 'jobs') },
  { path: '/job/{id}', title: 'job.title', load: of(daily, 'job') },
  { path: '/me', title: 'me.title', load: of(daily, 'me') },
  { path: '/storages', title: 'storages.title', load: of(house, 'storages') },
  { path: '/storage/{id}', title: 'storage.title', load: of(house, 'storage') },
  { path: '/notifications', title: 'notifications.title', load: of(house, 'notifications') },
  { path: '/notification/{entity}/{id}', title: 'notification.title', load: of(house, 'notification') },
  { path: '/quota', title: 'quota.title', load: of(house, 'quota') },
  { path: '/exports', title: 'exports.title', load: of(house, 'exports') },
  { path: '/settings', title: 'nav.settings', load: of(house, 'settings') },
  { path: '/health', title: 'nav.health', load: of(house, 'health') },
  { path: '/people', title: 'nav.people', load: of(house, 'people') },
  { path: '/user/{user}', title: 'nav.people', load: of(house, 'people') },
  { path: '/group/{group}', title: 'nav.people', load: of(house, 'people') },
  { path: '/fields', title: 'nav.fields', load: of(house, 'fields') },
  { path: '/tags', title: 'nav.tags', load: of(house, 'tags') },
  { path: '/tag/{tag}', title: 'nav.tags', load: of(house, 'tags') },
  { path: '/first', title: 'first.title', load: of(house, 'first') },
];
