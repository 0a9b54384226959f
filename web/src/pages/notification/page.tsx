import type { NotificationDocument, NotificationHealthDocument } from 'portico/types';
import { Fragment } from 'preact';
import { get, send } from '../../api/client.ts';
import { AskButton } from '../../components/ask.tsx';
import { Button } from '../../components/button.tsx';
import { Empty, Pending } from '../../components/empty.tsx';
import { useEvery, useLoad } from '../../components/load.ts';
import { act } from '../../components/refusal.tsx';
import { Time } from '../../components/values.tsx';
import { has } from '../../rights.ts';
import { Link, navigate, type PageProps } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import {
  addressOf,
  eventsOf,
  eventWords,
  hostOf,
  receiverOf,
  resourceNamed,
  writeRole,
} from '../notifications/notifications.ts';
import { HealthMark } from '../notifications/page.tsx';
import { Attempts } from './attempts.tsx';
import { Parked } from './parked.tsx';
import './page.css';

export default function Page({ params }: PageProps) {
  const resource = resourceNamed(params['entity']);
  const id = params['id'] ?? '';
  if (!resource)
    return <Empty icon="search" text={t('page.none', { path: `/notification/${params['entity']}/${id}` })} />;
  return (
    <Notification
      key={`${resource.name} ${id}`}
      at={addressOf(resource, id)}
      id={id}
      mayWrite={has(writeRole(resource))}
    />
  );
}

interface Props {
  /** Path of the notification in the API. */
  readonly at: string;
  readonly id: string;
  readonly mayWrite: boolean;
}

function Notification({ at, id, mayWrite }: Props) {
  const { value, refusal, reload } = useLoad(at, async (signal) => {
    const [document, health] = await Promise.all([
      get<NotificationDocument>(at, { signal }),
      get<NotificationHealthDocument>(`${at}/health`, { signal }),
    ]);
    return { document, health, read: Date.now() };
  });
  useEvery(4_000, reload);
  if (!value) return <Pending of={{ refusal, reload }} rows={8} />;
  const { document, health } = value;
  const blocked = health.blocked && t('notifications.blocked', { host: hostOf(document) });
  const doing = async (what: () => Promise<unknown>, done: string) => {
    if (await act(what, done)) reload();
  };
  return (
    <div class="page notification">
      <p class="page-back">
        <Link to="/notifications">{t('nav.notifications')}</Link>
      </p>
      <header class="page-head">
        <h1 class="notification-receiver">{receiverOf(document) || id}</h1>
        <HealthMark health={health} />
        {mayWrite && (
          <div class="page-buttons">
            <Button onClick={() => doing(() => send('POST', `${at}/test`), blocked ?? t('notification.testSent'))}>
              {t('notification.test')}
            </Button>
            {health.state === 'active' ? (
              <Button icon="pause" onClick={() => doing(() => send('POST', `${at}/pause`), t('notification.paused'))}>
                {t('notification.pause')}
              </Button>
            ) : (
              <Button icon="play" onClick={() => doing(() => send('POST', `${at}/resume`), t('notification.resumed'))}>
                {t('notification.resume')}
              </Button>
            )}
            <AskButton
              kind="danger"
              action={t('item.delete')}
              question={t('notification.deleteQuestion', { notification: id })}
              onYes={() =>
                void act(async () => {
                  await send('DELETE', at);
                  navigate('/notifications');
                }, t('notification.deleted'))
              }
            />
          </div>
        )}
      </header>
      {blocked && (
        <p class="note" role="alert">
          {blocked}
        </p>
      )}
      <Facts document={document} health={health} />
      {health.parked > 0 && <Parked at={at} count={health.parked} mayWrite={mayWrite} onChanged={reload} />}
      <Attempts
        at={at}
        mayWrite={mayWrite}
        news={`${health.delivered} ${health.failed} ${health.parked}`}
        onSent={reload}
      />
    </div>
  );
}

function Facts({ document, health }: { document: NotificationDocument; health: NotificationHealthDocument }) {
  const rows = [
    [
      'events',
      eventsOf(document)
        .map((name) => `${eventWords(name)} (${name})`)
        .join(', '),
    ],
    ['since', <Time at={health.since} />],
    ['reason', health.reason],
    ['resume', health.resume && <Time at={health.resume} />],
    ['missing', health.missing],
    ['waiting', health.waitingMore ? t('notification.moreThan', { count: health.waiting }) : health.waiting],
    ['nextAttempt', health.nextAttempt && <Time at={health.nextAttempt} />],
    ['delivered', health.delivered],
    ['failed', health.failed],
    ['lost', health.lost > 0 ? health.lost : undefined],
    ['failingSince', health.failingSince && <Time at={health.failingSince} />],
    ['lastDelivery', health.lastDelivery && <Time at={health.lastDelivery} />],
    ['lastFailure', health.lastFailure && <Time at={health.lastFailure} />],
  ] as const;
  return (
    <dl class="facts">
      {rows.map(([name, value]) =>
        value === undefined || value === '' ? null : (
          <Fragment key={name}>
            <dt>{t(`notification.fact.${name}`)}</dt>
            <dd>{value}</dd>
          </Fragment>
        ),
      )}
    </dl>
  );
}
