import type { StorageDocument } from 'portico/types';
import { send } from '../../api/client.ts';
import { Check, Field } from '../../components/field.tsx';
import { FormDialog, type ReadField } from '../../components/form-dialog.tsx';
import { t } from '../../texts/index.ts';
import { nameKey, nameOf } from './storages.ts';

interface Props {
  readonly storage: StorageDocument;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const gigabyte = 1e9;

/** Changes a storage. What stays as it was is not sent. */
export function StorageForm({ storage, onClose, onDone }: Props) {
  const { id = '', capacity = 0, scanInterval = 60, method: methods = [] } = storage;
  const [method] = methods;
  const at = `/storage/${encodeURIComponent(id)}`;
  const gigabytes = String(capacity / gigabyte);
  const ownName = String(storage.metadata?.field?.find(({ key }) => key === nameKey)?.value ?? '');
  const work = async (readField: ReadField) => {
    const name = readField('name').trim();
    const watched = readField('watched') !== '';
    const uri = readField('uri').trim();
    const change: StorageDocument = {
      ...(readField('capacity') !== gigabytes && { capacity: Math.round(Number(readField('capacity')) * gigabyte) }),
      ...(watched !== scanInterval >= 0 && { scanInterval: watched ? 60 : -1 }),
      ...(method && uri !== method.uri && { method: [{ ...(method.id !== undefined && { id: method.id }), uri }] }),
    };
    if (Object.keys(change).length > 0) await send('PUT', at, change);
    if (name === '' && ownName !== '') await send('DELETE', `${at}/metadata/${nameKey}`);
    else if (name !== ownName) await send('PUT', `${at}/metadata/${nameKey}`, name);
    onDone();
  };
  return (
    <FormDialog
      title={t('storage.changeTitle', { storage: nameOf(storage) })}
      action={t('word.save')}
      onClose={onClose}
      work={work}
    >
      <Field label={t('word.name')} name="name" defaultValue={ownName} placeholder={storage.name} />
      {method && (
        <Field label={t('storages.address')} name="uri" required spellcheck={false} defaultValue={method.uri} />
      )}
      <Field
        label={t('storages.capacity')}
        name="capacity"
        type="number"
        min={0}
        step="any"
        required
        defaultValue={gigabytes}
      />
      <Check label={t('storages.watched')} name="watched" defaultChecked={scanInterval >= 0} />
    </FormDialog>
  );
}

/** Asks before a storage goes. With files of items in it the service refuses. */
export function StorageDeletion({ storage, onClose, onDone }: Props) {
  const { id = '' } = storage;
  const work = async () => {
    await send('DELETE', `/storage/${encodeURIComponent(id)}`, undefined, { query: { safe: true } });
    onDone();
  };
  return (
    <FormDialog
      title={t('storage.deleteTitle', { storage: nameOf(storage) })}
      action={t('word.delete')}
      onClose={onClose}
      work={work}
    >
      <p>{t('storage.deleteNote')}</p>
    </FormDialog>
  );
}
