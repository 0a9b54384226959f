import { useMemo } from 'preact/hooks';
import { Empty } from '../../components/empty.tsx';
import { forMe } from '../../for-me.ts';
import { t } from '../../texts/index.ts';
import { Browser } from './browser.tsx';

/** Reviews and comments that wait for the person. */
export default function ForMePage() {
  const place = useMemo(() => ({ path: '/item', query: {}, within: forMe() }), []);
  return (
    <Browser
      place={place}
      base="/for-me"
      title={t('nav.forMe')}
      standardOrder={t('library.newest')}
      quiet
      empty={
        <Empty icon="check" text={t('library.nothingForMe')}>
          <p class="muted">{t('library.forMeNote')}</p>
        </Empty>
      }
    />
  );
}
