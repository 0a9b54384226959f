import { Empty } from '../../components/empty.tsx';
import { useOnce } from '../../components/load.ts';
import { has, lacks, may } from '../../rights.ts';
import { Link } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { Browser } from './browser.tsx';
import { allItems } from './results.ts';

const setUp = () => import('../operator-pages.ts');

/** Checklist of what the service still lacks, loaded for administrators of an empty library. */
function FirstSteps() {
  const loaded = useOnce(setUp);
  return loaded && <loaded.Checklist offersSample />;
}

export default function LibraryPage() {
  const isChief = has('_administrator');
  return (
    <Browser
      place={allItems}
      base="/"
      title={t('nav.library')}
      standardOrder={t('library.newest')}
      empty={
        <Empty
          icon="library"
          text={t(lacks('storage') ? 'library.noStorage' : isChief ? 'library.emptyLibrary' : 'library.nothingShared')}
        >
          {!isChief && <p class="muted">{t(lacks('storage') ? 'library.askStorage' : 'library.askShare')}</p>}
          {may('upload') && (
            <Link to="/uploads" class="button main">
              {t('library.upload')}
            </Link>
          )}
          {isChief && <FirstSteps />}
        </Empty>
      }
    />
  );
}
