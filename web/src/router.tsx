import { computed, effect, signal } from '@preact/signals';
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { endFirstView, type Refusal } from './api/client.ts';
import { Button } from './components/button.tsx';
import { Empty, Skeleton } from './components/empty.tsx';
import { useOnce } from './components/load.ts';
import { below, match, type Params, type Query, queryOf, searchOf } from './match.ts';
import { type Key, t } from './texts/index.ts';

/** Forms with something typed that is not saved. */
const forms = new Set<object>();

/** Work that waits until the person lets go what is typed and not saved. */
export const leaving = signal<(() => void) | undefined>(undefined);

/** Does it at once, or when the person lets go what is typed and not saved. */
export function leave(go: () => void): void {
  if (forms.size === 0) go();
  else leaving.value = go;
}

addEventListener('beforeunload', (event) => {
  if (forms.size > 0) event.preventDefault();
});

/** While something is typed and not saved, the person is asked before the page changes. */
export function useUnsaved(isTyped: boolean): void {
  const form = useRef({});
  // A key may come before the next frame is drawn.
  useLayoutEffect(() => {
    if (isTyped) forms.add(form.current);
    else forms.delete(form.current);
    return () => void forms.delete(form.current);
  }, [isTyped]);
}

export interface PageProps {
  readonly params: Params;
  readonly query: Query;
}

export interface PageModule {
  readonly default: ComponentType<PageProps>;
}

export interface PageRow {
  /** Below `/ui`. */
  readonly path: string;
  readonly title: Key;
  readonly load: () => Promise<PageModule>;
}

const here = () => ({ path: below(location.pathname), search: location.search });
const place = signal(here());

/** Path of the page below `/ui`. */
export const path = computed(() => place.value.path);
export const query = computed(() => queryOf(place.value.search));

/** Pages that show what the search at the top finds in them. */
export const hasResults = (at: string): boolean =>
  at === '/' || at === '/for-me' || /^\/(?:collection|saved)\/[^/]+$/.test(at);

/** Address of the last list of items with its search: the way back from an item. */
export const lastList = signal('/');
effect(() => {
  if (hasResults(place.value.path)) lastList.value = place.value.path + place.value.search;
});

/** Whether a form of the page stays where it is: behind another tab, too. */
const staysOn = (to: { readonly path: string }): boolean => place.peek().path === to.path;

addEventListener('popstate', () => {
  const to = here();
  if (staysOn(to) || forms.size === 0) place.value = to;
  else {
    // The address has changed already, so the one of the form is put back.
    history.pushState(null, '', `/ui${place.peek().path}${place.peek().search}`);
    leave(() => show(`/ui${to.path}${to.search}`, false));
  }
});

/** Goes to a path below `/ui`: `/item/VX-1?t=12`. */
export function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const address = `/ui${to.startsWith('/') ? to : `/${to}`}`;
  const { pathname } = new URL(address, location.href);
  if (staysOn({ path: below(pathname) })) show(address, replace);
  else leave(() => show(address, replace));
}

function show(address: string, replace: boolean): void {
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  const before = path.peek();
  place.value = here();
  if (path.peek() !== before) scrollTo(0, 0);
}

/** Changes parameters of the address. Empty ones are taken out. Each state of a page has an address. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>, { replace = true } = {}): void {
  const search = searchOf({ ...query.peek(), ...changes });
  if (search !== place.peek().search) navigate(path.peek() + search, { replace });
}

interface LinkProps {
  readonly to: string;
  readonly class?: string;
  readonly children?: ComponentChildren;
  readonly 'aria-current'?: 'page' | undefined;
  readonly 'aria-label'?: string;
  readonly title?: string;
  readonly tabIndex?: number;
}

export function Link({ to, ...props }: LinkProps) {
  const go = (event: MouseEvent) => {
    // Other clicks open a tab or a window, as with all links.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
  };
  return <a {...props} href={`/ui${to}`} onClick={go} />;
}

const loaded = new Map<string, PageModule>();

const rowOf = (pages: readonly PageRow[], now: string) =>
  pages.map((page) => ({ page, params: match(page.path, now) })).find(({ params }) => params);

const load = async (page: PageRow): Promise<void> => void loaded.set(page.path, await page.load());

/** Loads the page of the address while something else is waited for. */
export function loadAhead(pages: readonly PageRow[]): void {
  const entry = rowOf(pages, path.peek());
  // The component that shows the page tells the error.
  if (entry) load(entry.page).catch(() => undefined);
}

/** Gives the focus to a page whose link, or what had the focus, is behind. Its name is read with it. */
function enter(title: string): void {
  const main = document.getElementById('main');
  const focused = document.activeElement;
  main?.setAttribute('aria-label', title);
  const isBehind = focused?.matches(':is(a, button)') && !focused.closest('main, dialog');
  if (focused === document.body || isBehind) main?.focus({ preventScroll: true });
}

/** The page of the address. */
export function Outlet({ pages }: { readonly pages: readonly PageRow[] }) {
  const now = path.value;
  const entry = rowOf(pages, now);
  const [, draw] = useState({});
  const [failed, fail] = useState<Refusal | Error>();
  const key = entry?.page.path;
  const before = useRef(now);
  const module = entry && loaded.get(entry.page.path);

  useEffect(() => {
    fail(undefined);
    if (!entry || module) return;
    load(entry.page).then(() => draw({}), fail);
  }, [key]);

  useEffect(() => {
    // The page of one entity has its name.
    const name = Object.values(entry?.params ?? {}).at(-1);
    document.title = [name, entry && t(entry.page.title), 'Portico'].filter(Boolean).join(' – ');
    // The library tells it by its pictures.
    if (key !== '/') endFirstView();
    if (before.current !== now) enter(document.title);
    before.current = now;
  }, [now]);

  if (!entry) return <Empty icon="search" text={t('page.none', { path: now })} />;
  if (failed && !module) {
    // An update of the service has taken away the files of this page.
    return (
      <Empty icon="refresh" text={t('page.outdated')}>
        <Button onClick={() => location.reload()}>{t('page.again')}</Button>
      </Empty>
    );
  }
  if (!module) return <Skeleton rows={8} />;
  const Page = module.default;
  return <Page key={key} params={entry.params!} query={query.value} />;
}

/** A part that few people need: its code is loaded when it is shown. A dialog leaves no room for itself until then. */
export const late = <P extends object>(load: () => Promise<ComponentType<P>>, isDialog = false) =>
  function Late(props: P) {
    const Part = useOnce(load);
    return Part ? <Part {...props} /> : isDialog ? null : <Skeleton />;
  };
