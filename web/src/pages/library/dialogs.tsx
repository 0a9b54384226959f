import type { CollectionListDocument, ExportLocationListDocument, URIListType } from 'portico/types';
import { useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useOnce } from '../../components/load.ts';
import { RefusalNote } from '../../components/refusal.tsx';
import { toast } from '../../components/toast.tsx';
import { may } from '../../rights.ts';
import { mayLeave, navigate } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import type { ShareDialogProps } from '../shares/dialog.tsx';
import type { DialogName, DialogProps } from './actions.ts';
import { addToCollection, deleteItems, exportTo, makeCollection, saveSearch, transcode } from './actions.ts';

interface Work {
  readonly done: number | undefined;
  readonly failure: unknown;
  readonly isBusy: boolean;
  run(action: (onProgress: (done: number) => void) => Promise<void>): void;
}

function useWork(): Work {
  const [state, setState] = useState<Omit<Work, 'run'>>({ done: undefined, failure: undefined, isBusy: false });
  return {
    ...state,
    run(action) {
      setState({ done: undefined, failure: undefined, isBusy: true });
      action((done) => setState({ done, failure: undefined, isBusy: true })).then(
        () => setState({ done: undefined, failure: undefined, isBusy: false }),
        (failure) => setState({ done: undefined, failure, isBusy: false }),
      );
    },
  };
}

/** Progress, and what was refused. */
function Outcome({ work, size }: { work: Work; size: number }) {
  if (work.failure !== undefined) return <RefusalNote error={work.failure} />;
  if (!work.isBusy) return null;
  return (
    <p role="status">
      <progress {...(work.done === undefined ? {} : { value: work.done, max: size })} />{' '}
      {work.done === undefined ? t('library.working') : t('word.doneOf', { done: work.done, size })}
    </p>
  );
}

function Foot({
  work,
  label,
  danger,
  disabled,
  onClose,
}: {
  work: Work;
  label: string;
  danger?: boolean;
  disabled?: boolean;
  onClose: () => void;
}) {
  return (
    <footer class="row end">
      <Button onClick={onClose}>{t('word.cancel')}</Button>
      <Button type="submit" kind={danger ? 'danger' : 'main'} disabled={work.isBusy || disabled === true}>
        {label}
      </Button>
    </footer>
  );
}

function submits(run: () => void) {
  return (event: Event) => {
    event.preventDefault();
    run();
  };
}

export function CollectionDialog({ chosen, size, onClose, onDone }: DialogProps) {
  const [text, setText] = useState('');
  const [picked, setPicked] = useState('');
  const work = useWork();
  const list = useOnce((signal) =>
    get<CollectionListDocument>('/collection', {
      query: { number: '500', count: 'false', content: 'metadata', field: 'title', terse: 'true' },
      signal,
    }),
  );
  const matches = (list?.collection ?? []).filter(({ name = '' }) =>
    name.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase()),
  );
  const run = () =>
    work.run(async (onProgress) => {
      const id = picked === '' ? await makeCollection(text.trim()) : picked;
      await addToCollection(id, chosen, onProgress);
      const name = list?.collection?.find((each) => each.id === id)?.name ?? text.trim();
      toast(t('library.added', { count: size, name }), {
        text: t('library.show'),
        run: () => navigate(`/collection/${id}`),
      });
      onDone('collection');
    });
  return (
    <Dialog title={t('library.addTitle', { count: size })} onClose={onClose}>
      <form class="stack" onSubmit={submits(run)}>
        <label class="field">
          <span>{t('library.collectionName')}</span>
          <input
            class="input"
            value={text}
            autofocus
            onInput={(event) => {
              setText(event.currentTarget.value);
              setPicked('');
            }}
          />
        </label>
        <div class="choices" role="radiogroup" aria-label={t('library.collections')}>
          {matches.slice(0, 100).map(({ id = '', name }) => (
            <label key={id}>
              <input type="radio" name="collection" checked={picked === id} onChange={() => setPicked(id)} />
              <span>{name}</span>
              <span class="muted">{id}</span>
            </label>
          ))}
        </div>
        {picked === '' && text.trim() !== '' && <p class="muted">{t('library.willMake', { name: text.trim() })}</p>}
        <Outcome work={work} size={size} />
        <Foot work={work} label={t('word.add')} disabled={picked === '' && text.trim() === ''} onClose={onClose} />
      </form>
    </Dialog>
  );
}

function SaveDialog({ chosen, address, onClose, onDone }: DialogProps) {
  const [name, setName] = useState(chosen.search.text);
  const work = useWork();
  const run = () =>
    work.run(async () => {
      const id = await saveSearch(name.trim(), chosen, address);
      toast(t('library.saved', { name: name.trim() }), {
        text: t('library.show'),
        run: () => navigate(`/saved/${id}`),
      });
      onDone('save');
    });
  return (
    <Dialog title={t('library.saveTitle')} onClose={onClose}>
      <form class="stack" onSubmit={submits(run)}>
        <label class="field">
          <span>{t('word.name')}</span>
          <input
            class="input"
            value={name}
            required
            autofocus
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <p class="muted">{t('library.saveNote')}</p>
        <Outcome work={work} size={0} />
        <Foot work={work} label={t('word.save')} disabled={name.trim() === ''} onClose={onClose} />
      </form>
    </Dialog>
  );
}

function ExportDialog({ chosen, size, onClose, onDone }: DialogProps) {
  const [place, setPlace] = useState('');
  const [metadata, setMetadata] = useState(false);
  const work = useWork();
  const places = useOnce((signal) => get<ExportLocationListDocument>('/export-location', { signal }));
  const run = () =>
    work.run(async () => {
      const job = await exportTo(
        { locationName: place, metadata: String(metadata), useOriginalFilename: 'true' },
        chosen,
      );
      toast(
        t('library.exporting', { count: size }),
        may('job.read') ? { text: t('library.showJob'), run: () => navigate(`/job/${job}`) } : undefined,
      );
      onDone('export');
    });
  const names = (places?.exportLocation ?? []).map(({ name = '' }) => name);
  return (
    <Dialog title={t('library.exportTitle', { count: size })} onClose={onClose}>
      <form class="stack" onSubmit={submits(run)}>
        {places && names.length === 0 ? (
          <p>{t('library.noPlaces')}</p>
        ) : (
          <>
            <label class="field">
              <span>{t('library.place')}</span>
              <select class="input" value={place} required onChange={(event) => setPlace(event.currentTarget.value)}>
                <option value="">{t('library.choose')}</option>
                {names.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
            <label class="check">
              <input
                type="checkbox"
                checked={metadata}
                onChange={(event) => setMetadata(event.currentTarget.checked)}
              />
              <span>{t('library.withMetadata')}</span>
            </label>
          </>
        )}
        <Outcome work={work} size={size} />
        <Foot work={work} label={t('library.export')} disabled={place === ''} onClose={onClose} />
      </form>
    </Dialog>
  );
}

function TranscodeDialog({ chosen, size, onClose, onDone }: DialogProps) {
  const [tag, setTag] = useState('');
  const work = useWork();
  const tags = useOnce((signal) => get<URIListType>('/shape-tag', { signal }));
  const run = () =>
    work.run(async (onProgress) => {
      await transcode(tag, chosen, onProgress);
      toast(t('library.transcoding', { count: size, tag }));
      onDone('transcode');
    });
  return (
    <Dialog title={t('library.transcodeTitle', { count: size })} onClose={onClose}>
      <form class="stack" onSubmit={submits(run)}>
        <label class="field">
          <span>{t('library.tag')}</span>
          <select class="input" value={tag} required onChange={(event) => setTag(event.currentTarget.value)}>
            <option value="">{t('library.choose')}</option>
            {(tags?.uri ?? []).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <Outcome work={work} size={size} />
        <Foot work={work} label={t('library.transcode')} disabled={tag === ''} onClose={onClose} />
      </form>
    </Dialog>
  );
}

function DeleteDialog({ chosen, size, onClose, onDone }: DialogProps) {
  const [typed, setTyped] = useState('');
  const work = useWork();
  // More than a screen of items is deleted only by who reads how many they are.
  const mustType = size > 20;
  const run = () =>
    work.run(async (onProgress) => {
      await deleteItems(chosen, onProgress);
      toast(t('library.deleted', { count: size }));
      onDone('delete');
    });
  return (
    <Dialog title={t('library.deleteTitle', { count: size })} onClose={onClose}>
      <form class="stack" onSubmit={submits(run)}>
        <p>{t('library.deleteNote')}</p>
        {mustType && (
          <label class="field">
            <span>{t('library.typeNumber', { count: size })}</span>
            <input
              class="input"
              inputMode="numeric"
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          </label>
        )}
        <Outcome work={work} size={size} />
        <Foot
          work={work}
          label={t('word.delete')}
          danger
          disabled={mustType && typed.trim() !== String(size)}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

/** Metadata of all chosen items. The form is loaded when somebody asks for it. */
function EditDialog({ chosen, size, onClose, onDone }: DialogProps) {
  const form = useOnce(() => import('../item/form/selection-form.tsx'));
  return (
    <Dialog title={t('library.editTitle', { count: size })} wide onClose={() => mayLeave() && onClose()}>
      {form && <form.SelectionForm {...{ chosen, size }} onDone={() => onDone('edit')} />}
    </Dialog>
  );
}

/** Access to all chosen items. Loaded when somebody asks for it. */
function GiveDialog(props: DialogProps) {
  const loaded = useOnce(() => import('../access/access-dialog.tsx'));
  return loaded ? <loaded.AccessDialog {...props} /> : null;
}

/** Links to one item or collection. Loaded when somebody asks for them. */
export function ShareDialog(props: ShareDialogProps) {
  const loaded = useOnce(() => import('../shares/dialog.tsx'));
  return loaded ? <loaded.ShareDialog {...props} /> : null;
}

export const dialogs = {
  edit: EditDialog,
  access: GiveDialog,
  collection: CollectionDialog,
  save: SaveDialog,
  export: ExportDialog,
  transcode: TranscodeDialog,
  delete: DeleteDialog,
} satisfies Record<DialogName, (props: DialogProps) => unknown>;
