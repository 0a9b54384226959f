import type { StorageMethodListDocument } from 'portico/types';
import { useEffect, useState } from 'preact/hooks';
import { get, Refusal } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Check, Field } from '../../components/field.tsx';
import { RefusalNote } from '../../components/refusal.tsx';
import { t } from '../../texts/index.ts';
import { addressOfFolder, makeStorage, newStorage } from './storages.ts';

interface Props {
  readonly onClose: () => void;
  readonly onMade: (id: string) => void;
}

/** Makes a storage at an address. The service proposes folders that it may use. */
export function NewStorage({ onClose, onMade }: Props) {
  const [name, setName] = useState('');
  const [uri, setUri] = useState('');
  const [proposals, setProposals] = useState<readonly string[]>([]);
  const [watched, setWatched] = useState(true);
  const [refusal, setRefusal] = useState<Refusal>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    get<StorageMethodListDocument>('/storage/proposal').then(
      ({ method = [] }) => {
        setProposals(method.map((each) => each.uri));
        setUri((now) => now || (method[0]?.uri ?? ''));
      },
      () => undefined,
    );
  }, []);
  const make = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setRefusal(undefined);
    try {
      onMade(await makeStorage(newStorage(addressOfFolder(uri), watched), name.trim()));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={t('storages.make')} onClose={onClose}>
      <form class="storage-new" onSubmit={make}>
        <Field label={t('word.name')} value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
        <Field
          label={t('storages.address')}
          hint={t('storages.addressHint')}
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
        <Check
          label={t('storages.watched')}
          checked={watched}
          onChange={({ currentTarget }) => setWatched(currentTarget.checked)}
        />
        {refusal && <RefusalNote error={refusal} />}
        <div class="dialog-buttons">
          <Button onClick={onClose}>{t('word.cancel')}</Button>
          <Button kind="main" type="submit" disabled={busy || uri === ''}>
            {t('storages.make')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
