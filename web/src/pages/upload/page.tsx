import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import {
  addUploads,
  currentOptions,
  forgetDone,
  pauseUpload,
  removeUpload,
  resumeUpload,
  seeFailed,
} from '../../api/upload.ts';
import { sumsOf, type UploadEntry } from '../../api/upload-list.ts';
import { uploads } from '../../api/uploads.ts';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Icon } from '../../components/icon.tsx';
import { lacksRole } from '../../components/refusal.tsx';
import { useKeys } from '../../keys.ts';
import { has, lacks, may } from '../../rights.ts';
import { Link } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { filesOf } from './files.ts';
import { OptionsForm } from './options-form.tsx';
import { UploadRow } from './row.tsx';
import './page.css';

export default function Page() {
  const chooser = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const over = useSignal(false);
  useKeys({ o: () => chooser.current?.click() }, { o: t('upload.files') });
  useEffect(() => {
    folder.current?.setAttribute('webkitdirectory', '');
  }, []);
  useEffect(seeFailed, [uploads.value]);
  if (lacks('storage'))
    return (
      <div class="page upload">
        <header class="page-head">
          <h1>{t('nav.upload')}</h1>
        </header>
        <Empty icon="storages" text={t('library.noStorage')}>
          {has('_administrator') ? (
            <Link to="/first" class="button main">
              {t('first.do.storage')}
            </Link>
          ) : (
            <p class="muted">{t('library.askStorage')}</p>
          )}
        </Empty>
      </div>
    );
  if (!may('upload')) return <Empty icon="lock" text={lacksRole('_import')} />;

  const take = (files: readonly File[]) => addUploads(files, currentOptions());
  const chosen = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    take([...(currentTarget.files ?? [])]);
    currentTarget.value = '';
  };
  const list = uploads.value;
  const sums = sumsOf(list);

  return (
    <div class="page upload">
      <header class="page-head">
        <h1>{t('nav.upload')}</h1>
        {may('item.edit') && (
          <Link to="/tables" class="button">
            {t('tables.title')}
          </Link>
        )}
      </header>
      <div class="upload-top">
        <div
          class={`upload-drop${over.value ? ' is-over' : ''}`}
          onDragOver={(event) => {
            event.preventDefault();
            over.value = true;
          }}
          onDragLeave={() => {
            over.value = false;
          }}
          onDrop={async (event) => {
            event.preventDefault();
            event.stopPropagation();
            over.value = false;
            take(await filesOf(event.dataTransfer));
          }}
        >
          <Icon name="upload" />
          <p class="of-keys">{t('upload.drop')}</p>
          <div class="upload-choose">
            <Button kind="main" onClick={() => chooser.current?.click()}>
              {t('upload.files')}
            </Button>
            <Button class="of-keys" onClick={() => folder.current?.click()}>
              {t('upload.folder')}
            </Button>
          </div>
          <input ref={chooser} type="file" multiple hidden aria-label={t('upload.files')} onChange={chosen} />
          <input ref={folder} type="file" multiple hidden aria-label={t('upload.folder')} onChange={chosen} />
        </div>
        <OptionsForm />
      </div>
      {list.length === 0 ? (
        <p class="upload-none">{t('upload.none')}</p>
      ) : (
        <section class="upload-list" aria-label={t('storage.files')}>
          <header>
            <p role="status">{sumsText(sums)}</p>
            <AllButtons />
          </header>
          {sums.lost > 0 && (
            <p class="row wrap upload-lost">
              {t('upload.lostNote', { count: sums.lost })}
              <Button onClick={() => chooser.current?.click()}>{t('upload.files')}</Button>
            </p>
          )}
          <ul>
            {list.map((entry) => (
              <UploadRow
                key={entry.id}
                entry={entry}
                onPause={() => pauseUpload(entry.id)}
                onResume={() => (entry.state === 'lost' ? chooser.current?.click() : resumeUpload(entry.id))}
                onRemove={() => void removeUpload(entry.id)}
              />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** Outcome of all files: "5 in the library, 1 failed". */
function sumsText({ files, open, lost, importing, ready, failed, percent }: ReturnType<typeof sumsOf>): string {
  return [
    open > 0 && t('upload.sum', { done: files - open - lost, files, percent }),
    importing > 0 && t('upload.sumImporting', { count: importing }),
    ready > 0 && t('upload.sumReady', { count: ready }),
    failed > 0 && t('upload.sumFailed', { count: failed }),
    lost > 0 && t('upload.sumLost', { count: lost }),
  ]
    .filter(Boolean)
    .join(', ');
}

const each = (entries: readonly UploadEntry[], does: (id: string) => void): void => {
  for (const { id } of entries) does(id);
};

/** Buttons for all files of the list. */
function AllButtons() {
  const of = (...states: readonly string[]) => uploads.value.filter(({ state }) => states.includes(state));
  const going = of('sending', 'waiting');
  const stopped = of('paused', 'failed');
  return (
    <div class="upload-all">
      {going.length > 0 && <Button onClick={() => each(going, pauseUpload)}>{t('upload.pauseAll')}</Button>}
      {stopped.length > 0 && <Button onClick={() => each(stopped, resumeUpload)}>{t('upload.resumeAll')}</Button>}
      {of('done').length > 0 && <Button onClick={forgetDone}>{t('upload.clear')}</Button>}
    </div>
  );
}
