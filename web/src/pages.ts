import type { PageRow } from './router.tsx';

/** All pages. The first row that fits decides. */
export const pages: readonly PageRow[] = [
  { path: '/', title: 'nav.library', load: () => import('./pages/library/page.tsx') },
  { path: '/item/{id}', title: 'nav.library', load: () => import('./pages/item/page.tsx') },
  { path: '/collections', title: 'nav.collections', load: () => import('./pages/collections/page.tsx') },
  { path: '/collection/{id}', title: 'nav.collections', load: () => import('./pages/collections/page.tsx') },
  { path: '/saved', title: 'saved.title', load: () => import('./pages/saved/page.tsx') },
  { path: '/saved/{id}', title: 'saved.title', load: () => import('./pages/saved/page.tsx') },
  { path: '/upload', title: 'upload.title', load: () => import('./pages/upload/page.tsx') },
  { path: '/jobs', title: 'jobs.title', load: () => import('./pages/jobs/page.tsx') },
  { path: '/job/{id}', title: 'job.title', load: () => import('./pages/job/page.tsx') },
  { path: '/storages', title: 'storages.title', load: () => import('./pages/storages/page.tsx') },
  { path: '/storage/{id}', title: 'storage.title', load: () => import('./pages/storage/page.tsx') },
  { path: '/notifications', title: 'notifications.title', load: () => import('./pages/notifications/page.tsx') },
  {
    path: '/notification/{entity}/{id}',
    title: 'notification.title',
    load: () => import('./pages/notification/page.tsx'),
  },
  { path: '/quota', title: 'quota.title', load: () => import('./pages/quota/page.tsx') },
  { path: '/exports', title: 'exports.title', load: () => import('./pages/exports/page.tsx') },
  { path: '/settings', title: 'nav.settings', load: () => import('./pages/settings/page.tsx') },
  { path: '/health', title: 'nav.health', load: () => import('./pages/health/page.tsx') },
  { path: '/people', title: 'nav.people', load: () => import('./pages/people/page.tsx') },
  { path: '/user/{user}', title: 'nav.people', load: () => import('./pages/people/page.tsx') },
  { path: '/group/{group}', title: 'nav.people', load: () => import('./pages/people/page.tsx') },
  { path: '/fields', title: 'nav.fields', load: () => import('./pages/fields/page.tsx') },
  { path: '/tags', title: 'nav.tags', load: () => import('./pages/tags/page.tsx') },
  { path: '/tag/{tag}', title: 'nav.tags', load: () => import('./pages/tags/page.tsx') },
  { path: '/first', title: 'first.title', load: () => import('./pages/first/page.tsx') },
  { path: '/me', title: 'me.title', load: () => import('./pages/me/page.tsx') },
];
