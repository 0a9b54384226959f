import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { firstView, offline, waiting } from '../api/client.ts';
import { expiredUser, logOut, me } from '../api/session.ts';
import { Dialog } from '../components/dialog.tsx';
import { Empty } from '../components/empty.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { Toasts } from '../components/toast.tsx';
import { shownKeys, useKeys } from '../keys.ts';
import { pages } from '../pages.ts';
import { may } from '../rights.ts';
import { navigate, Outlet, path } from '../router.tsx';
import { t } from '../texts/index.ts';
import { LoginDialog, LoginPage } from './login.tsx';
import { Navigation, shownPlaces } from './navigation.tsx';
import { SearchBox } from './search-box.tsx';

export function App() {
  return (
    <>
      {me.value ? <Shell /> : <LoginPage />}
      {expiredUser.value !== undefined && <LoginDialog name={expiredUser.value} />}
    </>
  );
}

function Shell() {
  const [list, showList] = useState(false);
  const shown = shownPlaces();
  const goToKeys = Object.fromEntries(shown.map(({ letter, to }) => [`g ${letter}`, () => navigate(to)]));
  const goToTexts = Object.fromEntries(
    shown.map(({ letter, title }) => [`g ${letter}`, t('keys.go', { page: t(title) })]),
  );
  useKeys(
    { ...goToKeys, '/': () => document.getElementById('search')?.focus(), '?': () => showList(true) },
    { ...goToTexts, '/': t('keys.search'), '?': t('keys.help') },
  );
  const hasRoles = (me.value?.role ?? []).length > 0;

  return (
    <div class="shell">
      <a class="skip" href="#main">
        {t('shell.skip')}
      </a>
      <Notices />
      <Navigation />
      <header class="head">
        {may('item.search') ? <SearchBox /> : <div class="grow" />}
        <Tray />
        <Person onKeys={() => showList(true)} />
      </header>
      <main id="main" tabIndex={-1}>
        {hasRoles || path.value === '/me' ? <Outlet pages={pages} /> : <NoRoles />}
      </main>
      <Toasts />
      {list && <KeyList onClose={() => showList(false)} />}
    </div>
  );
}

/** Uploads beside the search. Loaded after the page: the first view does not wait for it. */
function Tray() {
  const [tray, setTray] = useState<ComponentType>();
  // A failed load is tried again once the service is back, and on the next page.
  useEffect(() => {
    if (tray || offline.value || !may('upload')) return;
    firstView
      .then(() => import('../pages/upload/tray.tsx'))
      .then(
        ({ UploadTray }) => setTray(() => UploadTray),
        () => undefined,
      );
  }, [offline.value, path.value]);
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
    <Empty icon="lock" text={t('shell.noRoles', { name: realName || userName })}>
      <p>{t('shell.askForRoles')}</p>
    </Empty>
  );
}

function KeyList({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      <dl class="keys">
        {shownKeys().map(([key, text]) => (
          <div key={key}>
            <dt>
              {key.split(/[ +]/).map((part) => (
                <kbd key={part}>{part}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
