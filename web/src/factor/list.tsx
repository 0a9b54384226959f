import type { RecoveryCodesDocument, SecondFactorListDocument, SecondFactorType } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, send } from '../api/client.ts';
import { loadMe, ownPath } from '../api/session.ts';
import { AskButton } from '../components/ask.tsx';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Pending } from '../components/empty.tsx';
import { Field } from '../components/field.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { useLoad } from '../components/load.ts';
import { act } from '../components/refusal.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Time } from '../components/values.tsx';
import { t } from '../texts/index.ts';
import { Codes, Enrol } from './enrol.tsx';

interface FactorsProps {
  /** Path of the user. Left out: the person, who may add factors. */
  readonly at?: string;
}

type Shown = { readonly add: true } | { readonly rename: SecondFactorType } | { readonly codes: readonly string[] };

/** Passkeys and apps of a person. Administrators remove those of others. */
export function Factors({ at }: FactorsProps) {
  const path = `${at ?? ownPath()}/second-factor`;
  const isOwn = at === undefined;
  const list = useLoad(path, (signal) => get<SecondFactorListDocument>(path, { signal }));
  const [shown, show] = useState<Shown>();
  const close = () => {
    show(undefined);
    void list.reload();
  };
  const pathOf = ({ id = '' }: SecondFactorType) => `${path}/${encodeURIComponent(id)}`;
  const remove = (what: string, action: string) => (
    <AskButton
      kind="danger"
      action={action}
      question={t('factor.removeQuestion')}
      onYes={() => act(() => send('DELETE', what)).then(list.reload)}
    />
  );
  const renew = () =>
    act(async () => {
      const { code = [] } = await send<RecoveryCodesDocument>('POST', `${path}/recovery`);
      show({ codes: code });
    });

  const { factor = [], policy, recoveryCodes = 0 } = list.value ?? {};
  if (list.value && policy === 'off' && factor.length === 0) return null;
  const columns: readonly Column<SecondFactorType>[] = [
    { id: 'name', title: t('word.name'), cell: ({ name }) => name },
    {
      id: 'kind',
      title: t('item.kind'),
      cell: ({ kind }) => t(kind === 'PASSKEY' ? 'factor.passkey' : 'factor.app'),
    },
    { id: 'used', title: t('factor.used'), cell: ({ used }) => (used ? <Time at={used} /> : t('factor.never')) },
    {
      id: 'change',
      title: '',
      at: 'end',
      cell: (row) => (
        <div class="row">
          <Button onClick={() => show({ rename: row })}>{t('factor.rename')}</Button>
          {remove(pathOf(row), t('records.remove'))}
        </div>
      ),
    },
  ];
  return (
    <section class="card stack" aria-labelledby="factors">
      <div class="row wrap">
        <h2 id="factors" class="grow">
          {t('factor.title')}
        </h2>
        {isOwn && policy !== 'off' && (
          <Button icon="plus" onClick={() => show({ add: true })}>
            {t('factor.new')}
          </Button>
        )}
        {!isOwn && factor.length > 0 && remove(path, t('factor.removeAll'))}
      </div>
      {(list.refusal || !list.value) && <Pending of={list} />}
      {list.value && factor.length === 0 && <p class="muted">{t(isOwn ? 'factor.none' : 'factor.noneOfOther')}</p>}
      {factor.length > 0 && (
        <>
          <Table label={t('factor.title')} columns={columns} rows={factor} keyOf={({ id = '' }) => id} />
          <div class="row wrap">
            <p class="muted grow">{t('factor.codesLeft', { count: recoveryCodes })}</p>
            {isOwn && <Button onClick={renew}>{t('factor.newCodes')}</Button>}
          </div>
        </>
      )}
      {shown && 'add' in shown && (
        <Dialog title={t('factor.new')} onClose={close}>
          <Enrol
            offer={(kind) => send('POST', `${path}/offer`, { kind })}
            accept={(answer) => send('POST', path, answer)}
            onDone={() => {
              close();
              loadMe().catch(() => undefined);
            }}
          />
        </Dialog>
      )}
      {shown && 'codes' in shown && (
        <Dialog title={t('factor.newCodes')} onClose={close}>
          <Codes codes={shown.codes} onDone={close} />
        </Dialog>
      )}
      {shown && 'rename' in shown && <Rename of={shown.rename} path={pathOf(shown.rename)} onClose={close} />}
    </section>
  );
}

interface RenameProps {
  readonly of: SecondFactorType;
  readonly path: string;
  readonly onClose: () => void;
}

function Rename({ of: { name = '' }, path, onClose }: RenameProps) {
  return (
    <FormDialog
      title={t('factor.rename')}
      onClose={onClose}
      work={(readField) => send('PUT', path, { name: readField('name') })}
    >
      <Field label={t('word.name')} name="name" defaultValue={name} maxLength={100} required autofocus />
    </FormDialog>
  );
}
