import type { ComponentType } from 'preact';
import type { PageProps } from './router.tsx';
import type { Key } from './texts/index.ts';

interface PageRow {
  /** Below `/ui`. */
  readonly path: string;
  readonly title: Key;
  readonly load: () => Promise<{ readonly default: ComponentType<PageProps> }>;
}

/** All pages. The first row that fits decides. */
export const pages: readonly PageRow[] = [
  { path: '/', title: 'nav.library', load: () => import('./pages/library/page.tsx') },
  { path: '/me', title: 'me.title', load: () => import('./pages/me/page.tsx') },
];
