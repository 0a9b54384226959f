import type { AuthenticationTokenListDocument, IssuedTokenType } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { ownPath } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import { Pending } from '../../components/empty.tsx';
import { useLoad } from '../../components/load.ts';
import { act } from '../../components/refusal.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/values.tsx';
import { t } from '../../texts/index.ts';

const pageSize = 50;

/** Sessions and tokens of the person at a path of the API. Left out: the own ones. */
export function Sessions({ at = ownPath() }: { readonly at?: string }) {
  const [max, setMost] = useState(pageSize);
  const { value, refusal, reload } = useLoad(`${at} ${max}`, (signal) =>
    get<AuthenticationTokenListDocument>(`${at}/tokens`, { query: { number: max }, signal }),
  );
  const tokens = value?.token ?? [];
  const end = async (path: string, query = {}) => {
    if (await act(() => send('DELETE', `${at}/tokens${path}`, undefined, { query }), t('me.ended'))) await reload();
  };

  const columns: readonly Column<IssuedTokenType>[] = [
    {
      id: 'device',
      title: t('me.device'),
      cell: ({ kind, device, current }) => (
        <span class="row wrap">
          {device ?? t('me.device.unknown')}
          <span class="muted small">{t(kind === 'SESSION' ? 'me.session' : 'me.token')}</span>
          {current && <Mark tone="good">{t('me.current')}</Mark>}
        </span>
      ),
    },
    { id: 'address', title: t('me.address'), cell: ({ address }) => <span class="mono">{address}</span> },
    {
      id: 'way',
      title: t('me.way'),
      cell: ({ way, realm }) => <span title={realm}>{t(`me.way.${way}`)}</span>,
    },
    { id: 'created', title: t('me.created'), cell: ({ created }) => <Time at={created} /> },
    { id: 'used', title: t('me.used'), cell: ({ used }) => <Time at={used} /> },
    { id: 'expires', title: t('me.expires'), cell: ({ expires }) => <Time at={expires} /> },
    {
      id: 'end',
      title: '',
      at: 'end',
      cell: ({ id }) => (
        <Button kind="danger" onClick={() => end(`/${encodeURIComponent(id)}`)}>
          {t('me.end')}
        </Button>
      ),
    },
  ];
  const hasOthers = tokens.some(({ current }) => !current);
  return (
    <section class="card stack" aria-labelledby="sessions">
      <div class="row wrap">
        <h2 id="sessions" class="grow">
          {t(at === ownPath() ? 'me.sessions' : 'me.sessions.of')}
        </h2>
        {hasOthers && (
          <Button kind="danger" onClick={() => end('', { others: true })}>
            {t(at === ownPath() ? 'me.endOthers' : 'me.endAll')}
          </Button>
        )}
      </div>
      {(refusal || !value) && <Pending of={{ refusal, reload }} />}
      {value && tokens.length === 0 && <p class="muted">{t('me.sessions.none')}</p>}
      {tokens.length > 0 && <Table label={t('me.sessions')} columns={columns} rows={tokens} keyOf={({ id }) => id} />}
      {tokens.length >= max && <Button onClick={() => setMost(max + pageSize)}>{t('word.more')}</Button>}
    </section>
  );
}
