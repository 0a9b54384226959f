import type { StorageDocument, StorageListDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import { Empty, Pending } from '../../components/empty.tsx';
import { useEvery, useLoad } from '../../components/load.ts';
import { Bar, Time } from '../../components/values.tsx';
import { may } from '../../rights.ts';
import { Link } from '../../router.tsx';
import { sizeText, t } from '../../texts/index.ts';
import { NewStorage } from './new-storage.tsx';
import { isFailing, lastScan, nameOf, placeWords, storageTone, storageWords, usageOf } from './storages.ts';
import './page.css';

export default function Page() {
  const [making, setMaking] = useState(false);
  const { value, refusal, reload } = useLoad('storages', (signal) =>
    get<StorageListDocument>('/storage', { query: { displayName: true }, signal }),
  );
  useEvery(15_000, reload);
  const storages = value?.storage ?? [];
  return (
    <div class="page storages">
      <header class="page-head">
        <h1>{t('storages.title')}</h1>
        <div class="row wrap">
          <Link to="/fixity" class="button">
            {t('fixity.title')}
          </Link>
          {may('storage.write') && (
            <Button kind="main" onClick={() => setMaking(true)}>
              {t('storages.make')}
            </Button>
          )}
        </div>
      </header>
      {(refusal || !value) && <Pending of={{ refusal, reload }} />}
      {value && storages.length === 0 && <Empty icon="storages" text={t('storages.none')} />}
      <ul class="storages-grid">
        {storages.map((storage) => (
          <StorageCard key={storage.id} storage={storage} />
        ))}
      </ul>
      {making && (
        <NewStorage
          onClose={() => setMaking(false)}
          onMade={() => {
            setMaking(false);
            reload();
          }}
        />
      )}
    </div>
  );
}

function StorageCard({ storage }: { storage: StorageDocument }) {
  const { id = '', state, method = [] } = storage;
  const scan = lastScan(storage);
  const failing = method.find(isFailing);
  return (
    <li class="storage-card">
      <header>
        <h2>
          <Link to={`/storage/${id}`}>{nameOf(storage)}</Link>
        </h2>
        <Mark tone={storageTone(state)}>{storageWords(state)}</Mark>
      </header>
      <p class="storage-uri">{method.map(({ uri }) => placeWords(uri)).join(', ')}</p>
      <Capacity storage={storage} />
      <p class="storage-scan">
        {scan ? (
          <>
            {t('storage.lastScan')} <Time at={scan} />
          </>
        ) : (
          t('storage.neverScanned')
        )}
      </p>
      {failing && <p class="storage-failure">{failing.failureMessage}</p>}
    </li>
  );
}

/** How full a storage is, in a bar and in words. Files of others on its disk count there, and not among its own bytes. */
export function Capacity({ storage }: { storage: StorageDocument }) {
  const { id = '', capacity, freeCapacity } = storage;
  const usage = usageOf(storage);
  const key = [id, capacity, freeCapacity].join();
  const { value: own } = useLoad(key, (signal) => get(`/storage/${encodeURIComponent(id)}/usedspace`, { signal }));
  return (
    <div class="storage-usage">
      {usage && (
        <Bar value={usage.percent / 100} label={t('storage.usageOf', { storage: nameOf(storage) })} tone={usage.tone} />
      )}
      {own !== undefined && <p class="storage-own">{t('storage.own', { size: sizeText(Number(own)) })}</p>}
      <p>
        {usage
          ? t(storage.autoDetect ? 'storage.usageOfDisk' : 'storage.usage', {
              ...{ used: sizeText(usage.used), capacity: sizeText(usage.capacity), percent: usage.percent },
            })
          : t('storage.noCapacity')}
      </p>
    </div>
  );
}
