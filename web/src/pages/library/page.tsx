import { Empty } from '../../components/empty.tsx';
import { has, may } from '../../rights.ts';
import { Link } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { Browser } from './browser.tsx';
import { allItems } from './results.ts';

export default function LibraryPage() {
  return (
    <Browser
      place={allItems}
      base="/"
      title={t('library.title')}
      standardOrder={t('library.newest')}
      empty={
        <Empty icon="library" text={t(has('_administrator') ? 'library.emptyLibrary' : 'library.nothingShared')}>
          {!has('_administrator') && <p class="muted">{t('library.askShare')}</p>}
          {may('upload') && (
            <Link to="/upload" class="button main">
              {t('library.upload')}
            </Link>
          )}
        </Empty>
      }
    />
  );
}
