import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { firstView, offline, waiting } from '../api/client.ts';
import { expiredUser, logOut, me } from '../api/session.ts';
import { Empty } from '../components/empty.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { useKeys } from '../keys.ts';
import { pages } from '../pages.ts';
import { may } from '../rights.ts';
import { leaving, navigate, Outlet, path } from '../router.tsx';
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
  const later = useLater();
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
        {later && may('upload') && <later.UploadTray />}
        <Person onKeys={() => showList(true)} />
      </header>
      <main id="main" tabIndex={-1}>
        {hasRoles || path.value === '/me' ? <Outlet pages={pages} /> : <NoRoles />}
      </main>
      {later && <later.Toasts />}
      {later && <later.Renewal />}
      {later && leaving.value && <later.AskToLeave go={leaving.value} />}
      {later && list && <later.KeyList onClose={() => showList(false)} />}
    </div>
  );
}

/** Parts that the first view does not wait for. A failed load is tried again once the service is back, and on the next page. */
function useLater() {
  const [module, setModule] = useState<typeof import('../pages/library/later.ts')>();
  useEffect(() => {
    if (module || offline.value) return;
    firstView.then(() => import('../pages/library/later.ts')).then(setModule, () => undefined);
  }, [offline.value, path.value]);
  return module;
}

/** A phone has none. */
const hasKeys = !matchMedia('(hover: none) and (pointer: coarse)').matches;

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
        ...(hasKeys ? [{ text: t('shell.keys'), icon: 'keyboard' as const, onChoose: onKeys }] : []),
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
  if (offline.value) return <AwayNotice />;
  if (waiting.value === undefined) return null;
  return <Notice icon="clock">{t('shell.waiting', { seconds: waiting.value })}</Notice>;
}

/** Tells what does not answer, also before it is known who asks. */
export function AwayNotice() {
  return <Notice icon="offline">{t(offline.value === 'data' ? 'shell.away' : 'shell.offline')}</Notice>;
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
