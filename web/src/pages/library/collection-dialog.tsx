import type { CollectionListDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { Field } from '../../components/field.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useOnce } from '../../components/load.ts';
import { toast } from '../../components/toast.ts';
import { navigate } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { changeChosen, type DialogProps, makeCollection, undoBy } from './actions.ts';

interface CollectionDialogProps extends DialogProps {
  /** The collection that the items leave. */
  readonly from?: string | undefined;
}

/** The row of a collection that is made. */
const isNew = 'new';

/** Collections whose names have the text, and what Enter takes: what alone fits, or has the very name. */
function fitting({ collection = [] }: CollectionListDocument, name: string, from: string | undefined) {
  const matches = collection
    .filter((each) => each.id !== from && each.name?.toLocaleLowerCase().includes(name.toLocaleLowerCase()))
    .toSorted((one, other) => one.name!.localeCompare(other.name!))
    .slice(0, 100);
  const best = matches.length === 1 ? matches[0] : matches.find((each) => each.name === name);
  return { matches, taken: (name && (matches.length > 0 ? best?.id : isNew)) || '' };
}

/** Adds items to a collection, and with `from` moves them. */
export function CollectionDialog({ chosen, size, from, onClose, onDone }: CollectionDialogProps) {
  const [text, setText] = useState('');
  const [chosenRow, choose] = useState<string>();
  const [reading] = useState(() =>
    get<CollectionListDocument>('/collection', {
      query: { number: '500', count: 'false', content: 'metadata', field: 'title', terse: 'true' },
    }),
  );
  const list = useOnce(() => reading);
  const name = text.trim();
  const { matches, taken } = fitting(list ?? {}, name, from);
  const rows: (readonly [id: string, text: string])[] = [
    ...matches.map(({ id = '', name: itsName = '' }) => [id, itsName] as const),
    ...(list && name !== '' ? [[isNew, t('library.newCollection', { name })] as const] : []),
  ];
  const picked = (list && (chosenRow ?? taken)) || '';
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
      disabled={!(list ? picked : name)}
      size={size}
      onClose={onClose}
      work={async (_readField, onProgress) => {
        // A fast typist presses Enter before the collections are there.
        const all = fitting(await reading, name, from);
        const row = picked || all.taken;
        const id = row === isNew ? await makeCollection(name) : row;
        if (!id) return false;
        const undo = await changeChosen(chosen, { to: id, from }, onProgress);
        const to = all.matches.find((each) => each.id === id)?.name ?? name;
        toast(
          t(from === undefined ? 'library.added' : 'library.moved', { count: size, name: to }),
          { text: t('library.show'), run: () => navigate(`/collection/${id}`) },
          undoBy(undo),
        );
        onDone(from === undefined ? 'collection' : 'move');
        return true;
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
      <div class="choices" role="radiogroup" aria-label={t('nav.collections')}>
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
