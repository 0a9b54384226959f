import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { firstView } from '../api/client.ts';
import { Dialog } from '../components/dialog.tsx';
import { Brand, Icon, type IconName } from '../components/icon.tsx';
import { useOnce } from '../components/load.ts';
import { match } from '../match.ts';
import { pages } from '../pages.ts';
import { type Action, may } from '../rights.ts';
import { Link, lastList, path } from '../router.tsx';
import { type Key, t } from '../texts/index.ts';

interface Place {
  readonly to: string;
  readonly title: Key;
  readonly icon: IconName;
  /** The key after `g`. */
  readonly letter: string;
  readonly needs: Action | undefined;
}

interface Group {
  readonly title: 'nav.group.library' | 'nav.group.work' | 'nav.group.administration';
  readonly places: readonly Place[];
}

/** The places of the page. One is shown when its page is there, and the person may use it. */
const groups: readonly Group[] = [
  {
    title: 'nav.group.library',
    places: [
      { to: '/', title: 'nav.library', icon: 'library', letter: 'l', needs: undefined },
      { to: '/for-me', title: 'nav.forMe', icon: 'check', letter: 'm', needs: 'comment.read' },
      { to: '/collections', title: 'nav.collections', icon: 'collections', letter: 'c', needs: 'collection.read' },
      { to: '/uploads', title: 'nav.upload', icon: 'upload', letter: 'u', needs: 'upload' },
      { to: '/links', title: 'nav.links', icon: 'link', letter: 'i', needs: 'share.read' },
    ],
  },
  {
    title: 'nav.group.work',
    places: [
      { to: '/jobs', title: 'nav.jobs', icon: 'jobs', letter: 'j', needs: 'job.read' },
      { to: '/storages', title: 'nav.storages', icon: 'storages', letter: 's', needs: 'storage.read' },
      { to: '/rights', title: 'usage.ending', icon: 'clock', letter: 'r', needs: 'usage.write' },
      { to: '/notifications', title: 'nav.notifications', icon: 'bell', letter: 'n', needs: 'notification.read' },
    ],
  },
  {
    title: 'nav.group.administration',
    places: [
      { to: '/people', title: 'nav.people', icon: 'people', letter: 'p', needs: 'user.read' },
      // The first one that the person may use: the others are its tabs.
      { to: '/settings', title: 'nav.settings', icon: 'settings', letter: ',', needs: 'settings.read' },
      { to: '/fields', title: 'nav.settings', icon: 'settings', letter: ',', needs: 'field.write' },
      { to: '/tags', title: 'nav.settings', icon: 'settings', letter: ',', needs: 'tag.write' },
      { to: '/quota', title: 'nav.settings', icon: 'settings', letter: ',', needs: 'quota.read' },
      { to: '/health', title: 'nav.health', icon: 'health', letter: 'h', needs: 'health.read' },
    ],
  },
];

const isThere = ({ to, needs }: Place): boolean =>
  pages.some((page) => page.path === to) && (needs === undefined || may(needs));

const isFirst = ({ title }: Place, at: number, all: readonly Place[]): boolean =>
  all.findIndex((each) => each.title === title) === at;

const shownGroups = (): readonly Group[] =>
  groups
    .map((group) => ({ ...group, places: group.places.filter(isThere).filter(isFirst) }))
    .filter(({ places }) => places.length > 0);

export const shownPlaces = (): readonly Place[] => shownGroups().flatMap(({ places }) => places);

/** An item is within the list that it was opened from. */
const shownPath = (): string => (path.value.startsWith('/item/') ? lastList.value.replace(/\?.*/, '') : path.value);

/** The page of one storage is within that of all storages, and a page is within the place of its title. */
const isHere = ({ to, title }: Place): boolean =>
  shownPath() === to ||
  (to !== '/' && shownPath().startsWith(`${to.replace(/s$/, '')}/`)) ||
  pages.find((page) => match(page.path, shownPath()))?.title === title;

/** As in the style sheets. */
const phone = matchMedia('(max-width: 799px)');
const isNarrow = signal(phone.matches);
phone.addEventListener('change', () => {
  isNarrow.value = phone.matches;
});

/** Places in the bar of a phone. The menu beside them has all others. */
const max = 4;
const inBar: readonly string[] = ['/', '/collections', '/uploads', '/links'];

export function Navigation() {
  return isNarrow.value ? <PhoneBar /> : <SideBar />;
}

function SideBar() {
  const shown = shownGroups();
  return (
    <nav class="bar" aria-label={t('shell.navigation')}>
      <Link to="/" class="brand" aria-label="Portico">
        <Brand />
        <span>Portico</span>
      </Link>
      <Groups groups={shown} />
    </nav>
  );
}

function Groups({ groups: shown }: { readonly groups: readonly Group[] }) {
  return (
    <>
      {shown.map(({ title, places }) => (
        <div key={title} class="places" role="group" aria-label={t(title)}>
          {title !== 'nav.group.library' && <h2>{t(title)}</h2>}
          <ul>
            {places.map((place) => (
              <Entry key={place.to} place={place} />
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}

const loadCount = () =>
  firstView.then(async () => {
    const { countWaiting, waiting } = await import('../pages/library/later.ts');
    if (may('item.search')) countWaiting();
    return waiting;
  });
let counted: ReturnType<typeof loadCount> | undefined;

/** How many items wait for the person. */
function Waiting() {
  const count = useOnce(() => (counted ??= loadCount()))?.value ?? 0;
  return count > 0 ? (
    <span class="count" title={t('nav.waiting', { count })}>
      {count}
    </span>
  ) : null;
}

function Entry({ place }: { readonly place: Place }) {
  return (
    <li>
      <Link to={place.to} aria-current={isHere(place) ? 'page' : undefined}>
        <Icon name={place.icon} />
        <span>{t(place.title)}</span>
        {place.to === '/for-me' && <Waiting />}
      </Link>
    </li>
  );
}

function PhoneBar() {
  const [isOpen, open] = useState(false);
  useEffect(() => open(false), [path.value]);
  const shown = shownPlaces();
  const first = shown.length <= max + 1 ? shown : shown.filter(({ to }) => inBar.includes(to));
  const isElsewhere = !first.some(isHere) && shown.some(isHere);
  return (
    <nav class="bar" aria-label={t('shell.navigation')}>
      <ul>
        {first.map((place) => (
          <Entry key={place.to} place={place} />
        ))}
        {first.length < shown.length && (
          <li>
            <button
              type="button"
              aria-haspopup="dialog"
              data-here={isElsewhere || undefined}
              onClick={() => open(true)}
            >
              <Icon name="more" />
              <span>{t('nav.menu')}</span>
            </button>
          </li>
        )}
      </ul>
      {isOpen && (
        <Dialog title={t('nav.menu')} onClose={() => open(false)}>
          <Groups groups={shownGroups()} />
        </Dialog>
      )}
    </nav>
  );
}
