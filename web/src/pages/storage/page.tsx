import type { FileListDocument, StorageDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { AskButton } from '../../components/ask.tsx';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import { Pending } from '../../components/empty.tsx';
import { useEvery, useLoad } from '../../components/load.ts';
import { act } from '../../components/refusal.tsx';
import { toast } from '../../components/toast.ts';
import { Time } from '../../components/values.tsx';
import { has, may } from '../../rights.ts';
import { Link, navigate, type PageProps } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { Capacity } from '../storages/page.tsx';
import { StorageDeletion, StorageForm } from '../storages/storage-form.tsx';
import {
  isFailing,
  type Method,
  nameOf,
  placeWords,
  storageTone,
  storageWords,
  waitsForApproval,
} from '../storages/storages.ts';
import { Files } from './files.tsx';
import './page.css';

export default function Page({ params, query }: PageProps) {
  const id = params['id']!;
  const at = `/storage/${encodeURIComponent(id)}`;
  const {
    value: storage,
    refusal,
    reload,
  } = useLoad(id, (signal) => get<StorageDocument>(at, { query: { displayName: true }, signal }));
  const [dialogName, setDialogName] = useState<'change' | 'delete'>();
  useEvery(5_000, reload);
  if (!storage) return <Pending of={{ refusal, reload }} rows={8} />;
  const { state, method = [] } = storage;
  const doing = async (what: () => Promise<unknown>, done: string) => {
    if (await act(what, done)) reload();
  };
  return (
    <div class="page storage">
      <p class="page-back">
        <Link to="/storages">{t('storages.title')}</Link>
      </p>
      <header class="page-head">
        <h1 class="any-name">{nameOf(storage)}</h1>
        <Mark tone={storageTone(state)}>{storageWords(state)}</Mark>
        {may('storage.write') && (
          <div class="page-buttons">
            <Link to={`/fixity?storage=${id}`} class="button">
              {t('fixity.title')}
            </Link>
            <Button onClick={() => setDialogName('change')}>{t('people.change')}</Button>
            <Button onClick={() => doing(() => send('POST', `${at}/rescan`), t('storage.scanStarted'))}>
              {t('storage.scan')}
            </Button>
            {state === 'EVACUATING' ? (
              <Button onClick={() => doing(() => send('DELETE', `${at}/evacuate`), t('storage.evacuationEnded'))}>
                {t('storage.endEvacuation')}
              </Button>
            ) : (
              <AskButton
                action={t('storage.evacuate')}
                question={t('storage.evacuateQuestion', { storage: nameOf(storage) })}
                onYes={() => void doing(() => send('PUT', `${at}/evacuate`), t('storage.evacuationBegun'))}
              />
            )}
            <Button kind="danger" onClick={() => setDialogName('delete')}>
              {t('word.delete')}
            </Button>
          </div>
        )}
      </header>
      {dialogName === 'change' && (
        <StorageForm
          storage={storage}
          onClose={() => setDialogName(undefined)}
          onDone={() => {
            toast(t('word.saved'));
            reload();
          }}
        />
      )}
      {dialogName === 'delete' && (
        <StorageDeletion
          storage={storage}
          onClose={() => setDialogName(undefined)}
          onDone={() => {
            navigate('/storages');
            toast(t('storage.deleted', { storage: nameOf(storage) }));
          }}
        />
      )}
      <Capacity storage={storage} />
      {waitsForApproval(storage) && may('storage.write') && (
        <div class="storage-approval" role="alert">
          <p>{t('storage.approval')}</p>
          <Button
            onClick={() =>
              doing(() => send('POST', `${at}/rescan`, undefined, { query: { confirm: true } }), t('storage.approved'))
            }
          >
            {t('storage.approve')}
          </Button>
        </div>
      )}
      <Methods methods={method} />
      {has('_file_read') && (
        <>
          <LostFiles id={id} />
          <Files id={id} query={query} />
        </>
      )}
    </div>
  );
}

function Methods({ methods }: { methods: readonly Method[] }) {
  return (
    <section class="storage-methods" aria-label={t('storage.methods')}>
      <h2>{t('storage.methods')}</h2>
      <ul>
        {methods.map((method) => {
          const { id, uri, read, write, browse, lastSuccess, failureMessage } = method;
          const uses = [read && t('storage.reads'), write && t('storage.writes'), browse && t('storage.scans')].filter(
            Boolean,
          );
          const failing = isFailing(method);
          return (
            <li key={id ?? uri}>
              <Mark tone={failing ? 'bad' : 'good'}>
                {failing ? t('storage.methodFails') : t('storage.methodWorks')}
              </Mark>
              <code title={uri}>{placeWords(uri)}</code>
              <span>{uses.join(', ')}</span>
              {lastSuccess && (
                <span>
                  {t('storage.lastSuccess')} <Time at={lastSuccess} />
                </span>
              )}
              {failing && <p class="storage-failure">{failureMessage}</p>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Files whose bytes the last scans did not find. */
function LostFiles({ id }: { id: string }) {
  const { value } = useLoad(id, (signal) =>
    get<FileListDocument>(`/storage/${encodeURIComponent(id)}/file`, {
      query: { state: 'LOST,MISSING', number: 10 },
      signal,
    }),
  );
  const { file = [], hits = 0 } = value ?? {};
  if (hits === 0) return null;
  return (
    <section class="storage-lost" aria-label={t('storage.lost')}>
      <h2>{t('storage.lostCount', { count: hits })}</h2>
      <ul>
        {file.map((each) => (
          <li key={each.id}>
            <code>{each.path}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}
