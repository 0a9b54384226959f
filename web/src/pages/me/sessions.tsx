import type { AuthenticationTokenListDocument, IssuedTokenType } from 'portico/types';
import { useEffect, useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { ownPath } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Skeleton } from '../../components/empty.tsx';
import { RefusalNote } from '../../components/refusal.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast.tsx';
import { Time } from '../../components/values.tsx';
import { t } from '../../texts/index.ts';

/** Sessions and tokens of the person at a path of the API. Left out: the own ones. */
export function Sessions({ at = ownPath() }: { readonly at?: string }) {
  const [tokens, setTokens] = useState<readonly IssuedTokenType[]>();
  const [error, setError] = useState<unknown>();
  const load = () => {
    setError(undefined);
    get<AuthenticationTokenListDocument>(`${at}/tokens`).then(({ token = [] }) => setTokens(token), setError);
  };
  useEffect(load, []);

  const end = async ({ id }: IssuedTokenType) => {
    try {
      await send('DELETE', `${at}/tokens/${encodeURIComponent(id)}`);
      toast(t('me.ended'));
      load();
    } catch (refusal) {
      setError(refusal);
    }
  };

  const columns: readonly Column<IssuedTokenType>[] = [
    { id: 'kind', title: t('me.kind'), cell: ({ kind }) => t(kind === 'SESSION' ? 'me.session' : 'me.token') },
    { id: 'created', title: t('me.created'), cell: ({ created }) => <Time at={created} /> },
    { id: 'expires', title: t('me.expires'), cell: ({ expires }) => <Time at={expires} /> },
    {
      id: 'end',
      title: '',
      at: 'end',
      cell: (token) => (
        <Button kind="danger" onClick={() => end(token)}>
          {t('me.end')}
        </Button>
      ),
    },
  ];
  return (
    <section class="card stack" aria-labelledby="sessions">
      <h2 id="sessions">{t('me.sessions')}</h2>
      {error !== undefined && <RefusalNote error={error} onAgain={load} />}
      {tokens === undefined && error === undefined && <Skeleton />}
      {tokens?.length === 0 && <p class="muted">{t('me.sessions.none')}</p>}
      {tokens !== undefined && tokens.length > 0 && (
        <Table label={t('me.sessions')} columns={columns} rows={tokens} keyOf={({ id }) => id} />
      )}
    </section>
  );
}
