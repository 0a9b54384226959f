import type { StorageListDocument, StorageMethodListDocument } from 'portico/types';
import { useEffect, useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { Check, Field } from '../../components/field.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { t } from '../../texts/index.ts';
import { addressOfFolder, freeFolder, makeStorage, newStorage } from './storages.ts';

interface Props {
  readonly onClose: () => void;
  readonly onMade: (id: string) => void;
}

/** Makes a storage at an address. The service proposes folders that it may use. */
export function NewStorage({ onClose, onMade }: Props) {
  const [uri, setUri] = useState('');
  const [proposals, setProposals] = useState<readonly string[]>([]);
  useEffect(() => {
    Promise.all([get<StorageMethodListDocument>('/storage/proposal'), get<StorageListDocument>('/storage')]).then(
      ([{ method = [] }, { storage = [] }]) => {
        const proposed = method.map((each) => each.uri);
        setProposals(proposed);
        setUri((now) => now || freeFolder(proposed, storage));
      },
      () => undefined,
    );
  }, []);
  return (
    <FormDialog
      title={t('storages.make')}
      class="storage-new"
      onClose={onClose}
      work={async (readField) =>
        onMade(
          await makeStorage(newStorage(addressOfFolder(uri), readField('watched') !== ''), readField('name').trim()),
        )
      }
    >
      <Field label={t('word.name')} name="name" />
      <Field
        label={t('storages.address')}
        hint={proposals.length > 0 ? t('storages.below', { folders: proposals.join(', ') }) : t('storages.addressHint')}
        required
        value={uri}
        list="storage-proposals"
        onInput={({ currentTarget }) => setUri(currentTarget.value)}
      />
      <datalist id="storage-proposals">
        {proposals.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <Check label={t('storages.watched')} name="watched" defaultChecked />
    </FormDialog>
  );
}
