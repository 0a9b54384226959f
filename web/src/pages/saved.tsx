import { useEffect, useMemo, useState } from 'preact/hooks';
import { send } from '../api/client.ts';
import { Button } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { RefusalNote } from '../components/refusal.tsx';
import { toast } from '../components/toast.tsx';
import { may } from '../rights.ts';
import { Link, navigate } from '../router.tsx';
import { t } from '../texts/index.ts';
import { type SavedSearch, savedSearch, savedSearches } from './library/actions.ts';
import { Browser } from './library/browser.tsx';

function useSaved(): { list: readonly SavedSearch[] | undefined; failure: unknown } {
  const [list, setList] = useState<readonly SavedSearch[] | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  useEffect(() => {
    const reading = new AbortController();
    savedSearches(reading.signal).then(setList, (refusal) => {
      if (!reading.signal.aborted) setFailure(refusal);
    });
    return () => reading.abort();
  }, []);
  return { list, failure };
}

function SavedList() {
  const { list, failure } = useSaved();
  return (
    <section class="saved-list">
      <h1>{t('saved.title')}</h1>
      {failure !== undefined && <RefusalNote error={failure} />}
      {list?.length === 0 && <Empty icon="saved" text={t('saved.none')} />}
      <ul>
        {(list ?? []).map(({ id, name, address }) => (
          <li key={id}>
            <Link to={`/saved/${id}`}>{name}</Link>
            <span class="muted">{new URLSearchParams(address).get('q') ?? ''}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

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
    send('DELETE', `/library/${id}`).then(() => {
      toast(t('saved.deleted', { name: saved.name }));
      navigate('/saved');
    });
  return (
    <Browser
      place={place}
      base={`/saved/${id}`}
      title={saved.name}
      standardOrder={t('library.newest')}
      empty={<Empty icon="saved" text={t('saved.empty')} />}
      above={
        <p class="place-actions">
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

export default function SavedPage({ params }: { params: { id?: string } }) {
  return params.id === undefined ? <SavedList /> : <SavedResults key={params.id} id={params.id} />;
}
