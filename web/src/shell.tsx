import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { offline, waiting } from './api/client.ts';
import { asked, logOut, me } from './api/session.ts';
import { shownKeys, useKeys } from './keys.ts';
import { Brand } from './kit/brand.tsx';
import { Dialog } from './kit/dialog.tsx';
import { Empty } from './kit/empty.tsx';
import { Icon, type IconName } from './kit/icon.tsx';
import { Menu } from './kit/menu.tsx';
import { centre } from './kit/tabs.tsx';
import { Toasts } from './kit/toast.tsx';
import { LoginDialog, LoginPage } from './login.tsx';
import { match } from './match.ts';
import { pages } from './pages.ts';
import { type Action, may } from './rights.ts';
import { Link, navigate, Outlet, path } from './router.tsx';
import { SearchBox } from './search-box.tsx';
import { type Key, t } from './texts/index.ts';

interface Place {
  readonly to: string;
  readonly title: Key;
  readonly icon: IconName;
  /** The key after `g`. */
  readonly letter: string;
  readonly needs: Action | undefined;
}

/** The bar. A place is shown when its page is there, and the person may use it. */
const places: readonly Place[] = [
  { to: '/', title: 'nav.library', icon: 'library', letter: 'l', needs: undefined },
  { to: '/collections', title: 'nav.collections', icon: 'collections', letter: 'c', needs: 'collection.read' },
  { to: '/saved', title: 'saved.title', icon: 'saved', letter: 'f', needs: 'library.read' },
  { to: '/upload', title: 'nav.upload', icon: 'upload', letter: 'u', needs: 'upload' },
  { to: '/jobs', title: 'nav.jobs', icon: 'jobs', letter: 'j', needs: 'job.read' },
  { to: '/storages', title: 'nav.storages', icon: 'storages', letter: 's', needs: 'storage.read' },
  { to: '/notifications', title: 'nav.notifications', icon: 'bell', letter: 'n', needs: 'notification.read' },
  { to: '/quota', title: 'quota.title', icon: 'chart', letter: 'q', needs: 'quota.read' },
  { to: '/exports', title: 'exports.title', icon: 'share', letter: 'e', needs: 'export.write' },
  { to: '/people', title: 'nav.people', icon: 'people', letter: 'p', needs: 'user.read' },
  { to: '/fields', title: 'nav.fields', icon: 'fields', letter: 'd', needs: 'field.write' },
  { to: '/tags', title: 'nav.tags', icon: 'tag', letter: 't', needs: 'tag.write' },
  { to: '/settings', title: 'nav.settings', icon: 'settings', letter: ',', needs: 'settings.read' },
  { to: '/health', title: 'nav.health', icon: 'health', letter: 'h', needs: 'health.read' },
];

const isThere = ({ to, needs }: Place): boolean =>
  pages.some((page) => page.path === to) && (needs === undefined || may(needs));

/** The page of one storage is within that of all storages, and a page is within the place of its title. */
const isHere = ({ to, title }: Place): boolean =>
  path.value === to ||
  (to !== '/' && path.value.startsWith(`${to.replace(/s$/, '')}/`)) ||
  pages.find((page) => match(page.path, path.value))?.title === title;

export function App() {
  return (
    <>
      {me.value ? <Shell /> : <LoginPage />}
      {asked.value !== undefined && <LoginDialog name={asked.value} />}
      <Toasts />
    </>
  );
}

function Shell() {
  const [list, showList] = useState(false);
  const shown = places.filter(isThere);
  const goes = Object.fromEntries(shown.map(({ letter, to }) => [`g ${letter}`, () => navigate(to)]));
  const says = Object.fromEntries(shown.map(({ letter, title }) => [`g ${letter}`, t('keys.go', { page: t(title) })]));
  useKeys(
    { ...goes, '/': () => document.getElementById('search')?.focus(), '?': () => showList(true) },
    { ...says, '/': t('keys.search'), '?': t('keys.help') },
  );
  const bar = useRef<HTMLElement>(null);
  useLayoutEffect(() => centre(bar.current, '[aria-current]'), [path.value]);
  const hasRoles = (me.value?.role ?? []).length > 0;

  return (
    <div class="shell">
      <a class="skip" href="#main">
        {t('shell.skip')}
      </a>
      <Notices />
      <nav class="bar" ref={bar} aria-label={t('shell.navigation')}>
        <Link to="/" class="brand" aria-label="Portico">
          <Brand />
          <span>Portico</span>
        </Link>
        <ul>
          {shown.map((place) => (
            <li key={place.to}>
              <Link to={place.to} aria-current={isHere(place) ? 'page' : undefined}>
                <Icon name={place.icon} />
                <span>{t(place.title)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <header class="head">
        {may('item.search') ? <SearchBox /> : <div class="grow" />}
        <Tray />
        <Person onKeys={() => showList(true)} />
      </header>
      <main id="main" tabIndex={-1}>
        {hasRoles || path.value === '/me' ? <Outlet pages={pages} /> : <NoRoles />}
      </main>
      {list && <KeyList onClose={() => showList(false)} />}
    </div>
  );
}

/** Uploads beside the search. Loaded after the page: the first view does not wait for it. */
function Tray() {
  const [tray, setTray] = useState<ComponentType>();
  useEffect(() => {
    if (!may('upload')) return undefined;
    const timer = setTimeout(
      () => void import('./pages/upload/tray.tsx').then(({ UploadTray }) => setTray(() => UploadTray)),
      500,
    );
    return () => clearTimeout(timer);
  }, []);
  const Loaded = tray;
  return Loaded ? <Loaded /> : null;
}

function Person({ onKeys }: { readonly onKeys: () => void }) {
  const { userName, realName } = me.value!;
  const name = realName || userName;
  const letters = [...name.split(/\s+/)].map((part) => [...part][0] ?? '');
  const initials = [letters[0], letters.length > 1 ? letters.at(-1) : ''].join('').toUpperCase();
  return (
    <Menu
      label={t('shell.person', { name })}
      kind="quiet"
      items={[
        { text: t('shell.profile'), icon: 'person', onChoose: () => navigate('/me') },
        { text: t('shell.keys'), icon: 'keyboard', onChoose: onKeys },
        { text: t('shell.logOut'), icon: 'logout', onChoose: () => void logOut() },
      ]}
    >
      <span class="avatar" aria-hidden="true" data-initials={initials} />
      <span class="who cut">{name}</span>
      <Icon name="down" />
    </Menu>
  );
}

function Notices() {
  if (offline.value) return <Notice icon="offline">{t('shell.offline')}</Notice>;
  if (waiting.value === undefined) return null;
  return <Notice icon="clock">{t('shell.waiting', { seconds: waiting.value })}</Notice>;
}

function Notice({ icon, children }: { readonly icon: IconName; readonly children: ComponentChildren }) {
  return (
    <div class="notice" role="status">
      <Icon name={icon} />
      <span>{children}</span>
    </div>
  );
}

function NoRoles() {
  const { userName, realName } = me.value!;
  return (
    <Empty icon="lock" text={t('rights.none', { name: realName || userName })}>
      <p>{t('rights.ask')}</p>
    </Empty>
  );
}

function KeyList({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      <dl class="keys">
        {shownKeys().map(([key, says]) => (
          <div key={key}>
            <dt>
              {key.split(/[ +]/).map((part) => (
                <kbd key={part}>{part}</kbd>
              ))}
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
