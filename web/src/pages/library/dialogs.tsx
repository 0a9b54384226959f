import type { CollectionListDocument, ExportLocationListDocument, URIListType } from 'portico/types';
import { useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Check, Field } from '../../components/field.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useOnce } from '../../components/load.ts';
import { toast } from '../../components/toast.ts';
import { may } from '../../rights.ts';
import { leave, navigate } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import type { ShareDialogProps } from '../shares/dialog.tsx';
import type { DialogName, DialogProps } from './actions.ts';
import {
  changeChosen,
  chosenIds,
  deleteItems,
  exportTo,
  makeCollection,
  saveSearch,
  transcode,
  undoBy,
} from './actions.ts';
import { deleteLater, mostUndone, undoSeconds } from './deletion.ts';
import { moved } from './leaving.ts';

interface CollectionDialogProps extends DialogProps {
  /** The collection that the items leave. */
  readonly from?: string | undefined;
}

/** The row of a collection that is made. */
const isNew = 'new';

/** Adds items to a collection, and with `from` moves them. */
export function CollectionDialog({ chosen, size, from, onClose, onDone }: CollectionDialogProps) {
  const [text, setText] = useState('');
  const [chosenRow, choose] = useState<string>();
  const list = useOnce((signal) =>
    get<CollectionListDocument>('/collection', {
      query: { number: '500', count: 'false', content: 'metadata', field: 'title', terse: 'true' },
      signal,
    }),
  );
  const name = text.trim();
  const matches = (list?.collection ?? [])
    .filter((each) => each.id !== from && each.name?.toLocaleLowerCase().includes(name.toLocaleLowerCase()))
    .toSorted((one, other) => one.name!.localeCompare(other.name!))
    .slice(0, 100);
  const rows: (readonly [id: string, text: string])[] = [
    ...matches.map(({ id = '', name: itsName = '' }) => [id, itsName] as const),
    ...(list && name !== '' ? [[isNew, t('library.newCollection', { name })] as const] : []),
  ];
  // Enter takes what alone fits, or has the very name.
  const fits = rows.length === 1 ? isNew : matches.find((each) => matches.length === 1 || each.name === name)?.id;
  const picked = chosenRow ?? ((name !== '' && list && fits) || '');
  /** The arrows go through the rows while the text is typed. */
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || rows.length === 0) return;
    event.preventDefault();
    const at = rows.findIndex(([id]) => id === picked) + step;
    const [id] = rows.at(at < 0 ? -1 : at % rows.length)!;
    choose(id);
    document.getElementById(`to-${id}`)?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <FormDialog
      title={from === undefined ? t('library.addTitle', { count: size }) : t('library.move')}
      action={t(from === undefined ? 'word.add' : 'library.move')}
      disabled={picked === ''}
      size={size}
      onClose={onClose}
      work={async (_readField, onProgress) => {
        const id = picked === isNew ? await makeCollection(name) : picked;
        const undo = await changeChosen(chosen, { to: id, from }, onProgress);
        const to = matches.find((each) => each.id === id)?.name ?? name;
        toast(
          t(from === undefined ? 'library.added' : 'library.moved', { count: size, name: to }),
          { text: t('library.show'), run: () => navigate(`/collection/${id}`) },
          undoBy(undo),
        );
        onDone(from === undefined ? 'collection' : 'move');
      }}
    >
      <Field
        label={t('library.collectionName')}
        value={text}
        autofocus
        autocomplete="off"
        onKeyDown={walk}
        onInput={(event) => {
          setText(event.currentTarget.value);
          choose(undefined);
        }}
      />
      <div class="choices" role="radiogroup" aria-label={t('library.collections')}>
        {rows.map(([id, words]) => (
          <label key={id} id={`to-${id}`}>
            <input type="radio" name="collection" checked={picked === id} onChange={() => choose(id)} />
            <span>{words}</span>
          </label>
        ))}
      </div>
    </FormDialog>
  );
}

const SaveDialog = ({ chosen, address, onClose, onDone }: DialogProps) => (
  <FormDialog
    title={t('library.saveTitle')}
    action={t('word.save')}
    onClose={onClose}
    work={async (readField) => {
      const name = readField('name').trim();
      const id = await saveSearch(name, chosen, address);
      toast(t('library.saved', { name }), { text: t('library.show'), run: () => navigate(`/saved/${id}`) });
      onDone('save');
    }}
  >
    <Field label={t('word.name')} name="name" defaultValue={chosen.search.text} required autofocus />
    <p class="muted">{t('library.saveNote')}</p>
  </FormDialog>
);

/** Choices of a select, of which the first one chooses nothing. */
const choicesOf = (names: readonly string[]) =>
  [['', t('library.choose')], ...names.map((name) => [name, name])] as [string, string][];

function ExportDialog({ chosen, size, onClose, onDone }: DialogProps) {
  const places = useOnce((signal) => get<ExportLocationListDocument>('/export-location', { signal }));
  const names = (places?.exportLocation ?? []).map(({ name = '' }) => name);
  const hasNone = places !== undefined && names.length === 0;
  return (
    <FormDialog
      title={t('library.exportTitle', { count: size })}
      action={t('library.export')}
      disabled={hasNone}
      size={size}
      onClose={onClose}
      work={async (readField) => {
        const locationName = readField('place');
        const metadata = String(readField('metadata') !== '');
        const job = await exportTo({ locationName, metadata, useOriginalFilename: 'true' }, chosen);
        toast(
          t('library.exporting', { count: size }),
          may('job.read') ? { text: t('library.showJob'), run: () => navigate(`/job/${job}`) } : undefined,
        );
        onDone('export');
      }}
    >
      {hasNone ? (
        <p>{t('library.noPlaces')}</p>
      ) : (
        <>
          <Field label={t('library.place')} name="place" required options={choicesOf(names)} />
          <Check label={t('library.withMetadata')} name="metadata" />
        </>
      )}
    </FormDialog>
  );
}

function TranscodeDialog({ chosen, size, onClose, onDone }: DialogProps) {
  const tags = useOnce((signal) => get<URIListType>('/shape-tag', { signal }));
  return (
    <FormDialog
      title={t('library.transcodeTitle', { count: size })}
      action={t('library.transcode')}
      size={size}
      onClose={onClose}
      work={async (readField, onProgress) => {
        const tag = readField('tag');
        await transcode(tag, chosen, onProgress);
        toast(t('library.transcoding', { count: size, tag }));
        onDone('transcode');
      }}
    >
      <Field label={t('library.tag')} name="tag" required options={choicesOf(tags?.uri ?? [])} />
    </FormDialog>
  );
}

function DeleteDialog({ chosen, size, name, onClose, onDone }: DialogProps) {
  const [typed, setTyped] = useState('');
  // More than a screen of items is deleted only by who reads how many they are.
  const mustType = size > 20;
  const canUndo = size <= mostUndone;
  return (
    <FormDialog
      title={size === 1 && name ? t('library.deleteNamed', { name }) : t('library.deleteTitle', { count: size })}
      action={t('word.delete')}
      kind="danger"
      disabled={mustType && typed.trim() !== String(size)}
      size={size}
      onClose={onClose}
      work={async (_readField, onProgress) => {
        const text = t('library.deleted', { count: size });
        if (canUndo) deleteLater(await chosenIds(chosen, mostUndone), text);
        else {
          await deleteItems(chosen, onProgress);
          moved.value = { isUndone: false };
          toast(text);
        }
        onDone('delete');
      }}
    >
      <p>{t('library.deleteNote', { count: size })}</p>
      <p>{canUndo ? t('library.deleteUndo', { seconds: undoSeconds }) : t('library.deleteForGood')}</p>
      {mustType && (
        <Field
          label={t('library.typeNumber', { count: size })}
          inputMode="numeric"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  );
}

/** Metadata of all chosen items. The form is loaded when somebody asks for it. */
function EditDialog({ chosen, size, onClose, onDone }: DialogProps) {
  const form = useOnce(() => import('../item/form/selection-form.tsx'));
  return (
    <Dialog title={t('library.editTitle', { count: size })} wide onClose={() => leave(onClose)}>
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

/** Links to the chosen items. */
function ShareChosen({ chosen, size, name, onClose }: DialogProps) {
  const { all, ids } = chosen.selection;
  const [id = ''] = ids;
  if (!all && size === 1) return <ShareDialog of="item" id={id} name={name ?? id} onClose={onClose} />;
  const title = t('library.items', { count: size });
  return <ShareDialog of="selection" items={() => chosenIds(chosen, size)} name={title} onClose={onClose} />;
}

export const dialogs = {
  share: ShareChosen,
  edit: EditDialog,
  access: GiveDialog,
  collection: CollectionDialog,
  move: (props) => <CollectionDialog {...props} from={props.collection} />,
  save: SaveDialog,
  export: ExportDialog,
  transcode: TranscodeDialog,
  delete: DeleteDialog,
} satisfies Record<DialogName, (props: DialogProps) => unknown>;
