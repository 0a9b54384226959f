import { useEffect } from 'preact/hooks';
import { Empty, Skeleton } from '../../components/empty.tsx';
import { useLoad } from '../../components/load.ts';
import { RefusalNote } from '../../components/refusal.tsx';
import { navigate } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { favouritesOf } from './favourites.ts';

/** Leads to the collection of the person's favourites, once there is one. */
export default function FavouritesPage() {
  const { value, refusal, reload } = useLoad('favourites', async (signal) => ({ id: await favouritesOf(signal) }));
  useEffect(() => {
    if (value?.id !== undefined) navigate(`/collection/${value.id}`, { replace: true });
  }, [value]);
  if (refusal) return <RefusalNote error={refusal} onAgain={reload} />;
  return value && value.id === undefined ? <Empty icon="star" text={t('library.noFavourites')} /> : <Skeleton />;
}
