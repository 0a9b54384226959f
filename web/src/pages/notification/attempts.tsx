import type { DeliveryDocument, DeliveryListDocument } from 'portico/types';
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Empty, Pending } from '../../components/empty.tsx';
import { useLoad } from '../../components/load.ts';
import { act, RefusalNote } from '../../components/refusal.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/values.tsx';
import { type Key, t } from '../../texts/index.ts';
import { deliveryTone, eventWords } from '../notifications/notifications.ts';

interface Props {
  /** Path of the notification in the API. */
  readonly at: string;
  readonly mayWrite: boolean;
  /** Changes when there are new attempts. */
  readonly news: string;
  readonly onSent: () => void;
}

const states = ['', 'delivered', 'failed', 'parked', 'dropped'];

/** Attempts, the newest first, each with what the receiver answered. */
export function Attempts({ at, mayWrite, news, onSent }: Props) {
  const [state, setState] = useState('');
  const [shown, setShown] = useState<DeliveryDocument>();
  const { value, refusal, reload } = useLoad(`${at} ${state} ${news}`, (signal) =>
    get<DeliveryListDocument>(`${at}/delivery`, { query: { number: 50, state: state || undefined }, signal }),
  );
  const again = async ({ id }: DeliveryDocument) => {
    if (!(await act(() => send('POST', `${at}/delivery/${id}/retry`), t('notification.sentAgain')))) return;
    onSent();
    reload();
  };
  const rows = value?.delivery ?? [];
  const columns: readonly Column<DeliveryDocument>[] = [
    {
      id: 'state',
      title: t('notification.column.state'),
      cell: (each) => <Mark tone={deliveryTone(each.state)}>{t(`notification.outcome.${each.state}` as Key)}</Mark>,
    },
    { id: 'when', title: t('notification.column.when'), cell: ({ started }) => <Time at={started} /> },
    {
      id: 'event',
      title: t('notification.column.event'),
      cell: ({ trigger, entity }) => `${eventWords(trigger)}: ${entity}`,
    },
    { id: 'attempt', title: t('notification.column.attempt'), at: 'end', cell: ({ attempt }) => attempt },
    {
      id: 'answer',
      title: t('notification.column.answer'),
      cell: ({ status, error, duration }) => `${status ?? error ?? ''} · ${duration} ms`,
    },
    {
      id: 'actions',
      title: t('item.actions'),
      at: 'end',
      cell: (each) => (
        <span class="row notification-actions">
          <IconButton icon="eye" label={t('notification.look', { id: each.id })} onClick={() => setShown(each)} />
          {mayWrite && each.event !== undefined && (
            <IconButton
              icon="refresh"
              label={t('notification.again', { id: each.id })}
              onClick={() => void again(each)}
            />
          )}
        </span>
      ),
    },
  ];
  return (
    <section class="stack">
      <header class="page-head">
        <h2>{t('notification.attempts')}</h2>
        <select
          class="input"
          aria-label={t('notification.column.state')}
          value={state}
          onChange={({ currentTarget }) => setState(currentTarget.value)}
        >
          {states.map((each) => (
            <option key={each} value={each}>
              {each === '' ? t('notification.allOutcomes') : t(`notification.outcome.${each}` as Key)}
            </option>
          ))}
        </select>
      </header>
      {(refusal || !value) && <Pending of={{ refusal, reload }} />}
      {value && rows.length === 0 && <Empty icon="bell" text={t('notification.noAttempts')} />}
      {rows.length > 0 && (
        <Table label={t('notification.attempts')} columns={columns} rows={rows} keyOf={({ id }) => String(id)} />
      )}
      {shown && (
        <Attempt
          at={at}
          attempt={shown}
          onClose={() => setShown(undefined)}
          onAgain={mayWrite && shown.event !== undefined ? () => void again(shown) : undefined}
        />
      )}
    </section>
  );
}

interface AttemptProps {
  readonly at: string;
  readonly attempt: DeliveryDocument;
  readonly onClose: () => void;
  readonly onAgain?: (() => void) | undefined;
}

function Attempt({ at, attempt, onClose, onAgain }: AttemptProps) {
  const { value = attempt, refusal } = useLoad(String(attempt.id), (signal) =>
    get<DeliveryDocument>(`${at}/delivery/${attempt.id}`, { signal }),
  );
  const rows = [
    ['event', `${eventWords(value.trigger)}: ${value.entity} (${value.trigger})`],
    ['attempt', value.attempt],
    ['when', <Time at={value.started} />],
    ['duration', `${value.duration} ms`],
    ['address', value.address],
    ['status', value.status],
    ['error', value.error],
  ] as const;
  return (
    <Dialog title={t('notification.attemptTitle', { id: attempt.id })} wide onClose={onClose}>
      <dl class="facts">
        {rows.map(([name, text]) =>
          text === undefined ? null : (
            <Fragment key={name}>
              <dt>{t(`notification.attempt.${name}`)}</dt>
              <dd>{text}</dd>
            </Fragment>
          ),
        )}
      </dl>
      {value.explanation && <p class="notification-explanation">{value.explanation}</p>}
      {value.answer !== undefined && (
        <>
          <h3>{t('notification.answer')}</h3>
          <pre class="service-text" tabIndex={0}>
            {value.answer}
          </pre>
        </>
      )}
      {refusal && <RefusalNote error={refusal} />}
      {onAgain && (
        <div class="dialog-buttons">
          <Button
            kind="main"
            icon="refresh"
            onClick={() => {
              onClose();
              onAgain();
            }}
          >
            {t('notification.sendAgain')}
          </Button>
        </div>
      )}
    </Dialog>
  );
}
