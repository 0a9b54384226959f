import { useEffect, useMemo, useState } from 'preact/hooks';
import { send } from '../api/client.ts';
import { Button } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { act } from '../components/refusal.tsx';
import { may } from '../rights.ts';
import { Link, navigate } from '../router.tsx';
import { t } from '../texts/index.ts';
import { Places } from './collections/tree.tsx';
import { type SavedSearch, savedSearch } from './library/actions.ts';
import { Browser } from './library/browser.tsx';

function SavedResults({ id }: { id: string }) {
  const [saved, setSaved] = useState<SavedSearch>({ id, name: id, address: '' });
  const place = useMemo(() => ({ path: '/item', query: { library: id } }), [id]);
  useEffect(() => {
    const reading = new AbortController();
    savedSearch(id, reading.signal).then(
      (read) => setSaved({ ...read, name: read.name === '' ? id : read.name }),
      () => undefined,
    );
    return () => reading.abort();
  }, [id]);
  const remove = () =>
    act(
      async () => {
        await send('DELETE', `/library/${id}`);
        navigate('/collections');
      },
      t('saved.deleted', { name: saved.name }),
    );
  return (
    <Browser
      place={place}
      base={`/saved/${id}`}
      title={saved.name}
      standardOrder={t('library.newest')}
      quiet
      empty={<Empty icon="saved" text={t('saved.empty')} />}
      above={
        <p class="place-actions">
          <Link to="/collections" class="up">
            {t('nav.collections')} ›
          </Link>
          {saved.address !== '' && (
            <Link to={`/?${saved.address}`} class="button">
              {t('saved.change')}
            </Link>
          )}
          {may('library.write') && <Button onClick={remove}>{t('word.delete')}</Button>}
        </p>
      }
    />
  );
}

export default function SavedPage({ params: { id = '' } }: { params: { id?: string } }) {
  return (
    <div class="collections" data-open>
      <Places chosen={id} open={[]} />
      <SavedResults key={id} id={id} />
    </div>
  );
}
