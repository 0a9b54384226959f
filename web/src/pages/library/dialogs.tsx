import type { ExportLocationListDocument, URIListType } from 'portico/types';
import { useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Check, Field } from '../../components/field.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useLoad, useOnce } from '../../components/load.ts';
import { RefusalNote } from '../../components/refusal.tsx';
import { toast } from '../../components/toast.ts';
import { may } from '../../rights.ts';
import { late, leave, navigate } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import type { ShareDialogProps } from '../shares/dialog.tsx';
import type { DialogName, DialogProps } from './actions.ts';
import { chosenIds, deleteItems, exportTo, saveSearch, transcode } from './actions.ts';
import { CollectionDialog } from './collection-dialog.tsx';
import { deletableOf, deleteLater, maxUndone, undoSeconds } from './deletion.ts';
import { moved } from './leaving.ts';

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
        const [metadata, bag] = ['metadata', 'bag'].map((name) => String(readField(name) !== '')) as [string, string];
        const job = await exportTo({ locationName, metadata, bag, useOriginalFilename: 'true' }, chosen);
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
          <Check label={t('library.asBag')} name="bag" />
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
  const canUndo = size <= maxUndone;
  const { value, refusal } = useLoad('', async (signal) => canUndo && deletableOf(chosen, signal));
  const { ids, closed } = value || { ids: undefined, closed: [] };
  const count = ids?.length ?? size;
  // More than a screen of items is deleted only by who reads how many they are.
  const mustType = count > 20;
  return (
    <FormDialog
      title={
        size === 1 && name ? t('library.deleteNamed', { name }) : t('library.deleteTitle', { count: count || size })
      }
      action={t('word.delete')}
      kind="danger"
      disabled={value === undefined || count === 0 || (mustType && typed.trim() !== String(count))}
      size={count}
      onClose={onClose}
      work={async (_readField, onProgress) => {
        const text = t('library.deleted', { count });
        if (ids) deleteLater(ids, text);
        else {
          await deleteItems(chosen, onProgress);
          moved.value = { isUndone: false };
          toast(text);
        }
        onDone('delete');
      }}
    >
      {refusal && <RefusalNote error={refusal} />}
      {closed.length > 0 && <p>{t('library.stays', { count: closed.length, name: closed[0]! })}</p>}
      {count > 0 && (
        <>
          <p>{t('library.deleteNote', { count })}</p>
          <p>{canUndo ? t('library.deleteUndo', { seconds: undoSeconds }) : t('library.deleteForGood')}</p>
        </>
      )}
      {mustType && (
        <Field
          label={t('library.typeNumber', { count })}
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
  const form = useOnce(() => import('../item/more-tabs.tsx'));
  return (
    <Dialog title={t('library.editTitle', { count: size })} wide onClose={() => leave(onClose)}>
      {form && <form.SelectionForm {...{ chosen, size }} onDone={() => onDone('edit')} />}
    </Dialog>
  );
}

/** Access to all chosen items. */
const GiveDialog = late<DialogProps>(async () => (await import('../item/more-tabs.tsx')).AccessDialog, true);

/** Links to one item or collection. */
export const ShareDialog = late<ShareDialogProps>(
  async () => (await import('../item/more-tabs.tsx')).ShareDialog,
  true,
);

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
