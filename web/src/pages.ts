import type { PageRow } from './router.tsx';

/** All pages. The first row that fits decides. */
export const pages: readonly PageRow[] = [
  { path: '/', title: 'nav.library', load: () => import('./pages/library/page.tsx') },
  { path: '/me', title: 'me.title', load: () => import('./pages/me/page.tsx') },
];
