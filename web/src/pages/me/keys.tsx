import type { AccessKeyListDocument, AccessKeyType } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, refusalOf, send, sendOnce } from '../../api/client.ts';
import { basic, me, ownPath } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Copy } from '../../components/copy.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Shown } from '../../components/empty.tsx';
import { Field } from '../../components/field.tsx';
import { useLoad } from '../../components/load.ts';
import { act, sentenceOf } from '../../components/refusal.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/values.tsx';
import { t } from '../../texts/index.ts';

/** Access keys of the person at a path of the API. Left out: the own ones. */
export function Keys({ at = ownPath() }: { readonly at?: string }) {
  const list = useLoad(at, (signal) => get<AccessKeyListDocument>(`${at}/key`, { signal }));
  const [making, setMaking] = useState(false);
  const end = ({ id = '' }: AccessKeyType) =>
    act(() => send('DELETE', `${at}/key/${encodeURIComponent(id)}`)).then(list.reload);

  const columns: readonly Column<AccessKeyType>[] = [
    { id: 'name', title: t('word.name'), cell: ({ name }) => name },
    { id: 'id', title: t('me.key.id'), cell: ({ id }) => <span class="mono">{id}</span> },
    { id: 'created', title: t('item.created'), cell: ({ created }) => <Time at={created} /> },
    {
      id: 'end',
      title: '',
      at: 'end',
      cell: (key) => (
        <Button kind="danger" onClick={() => end(key)}>
          {t('me.end')}
        </Button>
      ),
    },
  ];
  return (
    <section class="card stack" aria-labelledby="keys">
      <div class="row">
        <h2 id="keys" class="grow">
          {t('me.keys')}
        </h2>
        <Button icon="plus" onClick={() => setMaking(true)}>
          {t('me.key.new')}
        </Button>
      </div>
      <Shown of={list}>
        {({ key = [] }) =>
          key.length === 0 ? (
            <p class="muted">{t('me.keys.none')}</p>
          ) : (
            <Table label={t('me.keys')} columns={columns} rows={key} keyOf={({ id = '' }) => id} />
          )
        }
      </Shown>
      {making && (
        <NewKey
          at={at}
          onClose={() => {
            setMaking(false);
            void list.reload();
          }}
        />
      )}
    </section>
  );
}

/**
 * A session makes no key, which would outlast it: the password is asked for once more. A session with a second factor, or
 * of a provider, makes keys while its login is recent.
 */
function NewKey({ at, onClose }: { readonly at: string; readonly onClose: () => void }) {
  const [newKey, setNewKey] = useState<AccessKeyType>();
  const [wrong, setWrong] = useState<string>();
  const needsPassword = !me.value!.secondFactor && me.value!.provider === undefined;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const query = { name: String(data.get('name') ?? '') };
    try {
      if (!needsPassword) {
        setNewKey(await send<AccessKeyType>('POST', `${at}/key`, undefined, { query }));
        return;
      }
      const response = await sendOnce('POST', `${at}/key`, undefined, {
        query,
        headers: { authorization: basic(me.value!.userName, String(data.get('password') ?? '')) },
      });
      if (response.ok) setNewKey((await response.json()) as AccessKeyType);
      else setWrong(response.status === 401 ? t('me.password.wrong') : sentenceOf(await refusalOf(response)));
    } catch (error) {
      setWrong(sentenceOf(error));
    }
  };
  return (
    <Dialog title={t('me.key.new')} onClose={onClose}>
      {newKey ? (
        <>
          <p>{t('me.key.made')}</p>
          <dl class="facts">
            <dt>{t('me.key.id')}</dt>
            <dd class="mono">
              {newKey.id} <Copy text={newKey.id ?? ''} />
            </dd>
            <dt>{t('me.key.secret')}</dt>
            <dd class="mono">
              {newKey.secret} <Copy text={newKey.secret ?? ''} />
            </dd>
          </dl>
        </>
      ) : (
        <form class="stack" onSubmit={submit}>
          <Field label={t('word.name')} name="name" required wrong={needsPassword ? undefined : wrong} />
          {needsPassword && (
            <>
              <p class="muted">{t('me.key.needsPassword')}</p>
              <Field
                label={t('me.password.old')}
                name="password"
                type="password"
                autocomplete="current-password"
                required
                wrong={wrong}
              />
            </>
          )}
          <div class="actions">
            <Button onClick={onClose}>{t('word.cancel')}</Button>
            <Button kind="main" type="submit">
              {t('me.key.new')}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
