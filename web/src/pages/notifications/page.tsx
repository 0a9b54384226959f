import type { NotificationDocument, NotificationHealthDocument, URIListDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import { Empty, Pending } from '../../components/empty.tsx';
import { useEvery, useLoad } from '../../components/load.ts';
import { lacksRole } from '../../components/refusal.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/values.tsx';
import { has } from '../../rights.ts';
import { Link } from '../../router.tsx';
import { type Key, t } from '../../texts/index.ts';
import { NewNotification } from './new-notification.tsx';
import {
  addressOf,
  addressOfList,
  eventsOf,
  eventWords,
  idIn,
  type Resource,
  readRole,
  receiverOf,
  resources,
  toneOf,
  wordOf,
  writeRole,
} from './notifications.ts';
import './page.css';

interface Row {
  readonly resource: Resource;
  readonly id: string;
  readonly document: NotificationDocument;
  readonly health: NotificationHealthDocument;
}

/** Notifications of all resources that the caller may read, with the state of each. */
async function rows(signal: AbortSignal): Promise<readonly Row[]> {
  const lists = await Promise.all(
    resources
      .filter((resource) => has(readRole(resource)))
      .map(async (resource) => {
        const { uri = [] } = await get<URIListDocument>(addressOfList(resource), { signal });
        return Promise.all(
          uri.map(idIn).map(async (id) => {
            const at = addressOf(resource, id);
            const [document, health] = await Promise.all([
              get<NotificationDocument>(at, { signal }),
              get<NotificationHealthDocument>(`${at}/health`, { signal }),
            ]);
            return { resource, id, document, health };
          }),
        );
      }),
  );
  return lists.flat();
}

export default function Page() {
  const [making, setMaking] = useState(false);
  const { value, refusal, reload } = useLoad('notifications', rows);
  useEvery(20_000, reload);
  const writable = resources.filter((resource) => has(writeRole(resource)));
  const readable = resources.some((resource) => has(readRole(resource)));
  if (!readable) return <Empty icon="lock" text={lacksRole('_item_notification_read')} />;
  return (
    <div class="page notifications">
      <header class="page-head">
        <h1>{t('nav.notifications')}</h1>
        {writable.length > 0 && (
          <Button kind="main" icon="plus" onClick={() => setMaking(true)}>
            {t('notifications.make')}
          </Button>
        )}
      </header>
      {(refusal || !value) && <Pending of={{ refusal, reload }} rows={5} />}
      {value?.length === 0 && <Empty icon="bell" text={t('notifications.none')} />}
      {value && value.length > 0 && (
        <Table
          label={t('nav.notifications')}
          columns={columns}
          rows={value}
          keyOf={({ resource, id }) => `${resource.name} ${id}`}
        />
      )}
      {making && (
        <NewNotification
          resources={writable}
          onClose={() => setMaking(false)}
          onMade={() => {
            setMaking(false);
            reload();
          }}
        />
      )}
    </div>
  );
}

const columns: readonly Column<Row>[] = [
  {
    id: 'id',
    get title() {
      return t('notifications.column.id');
    },
    cell: ({ resource, id, document }) => (
      <div class="notification-name">
        <Link to={`/notification/${resource.name}/${id}`}>{receiverOf(document) || id}</Link>
        <span class="muted small">
          {t(`notifications.resource.${resource.name}` as Key)} · {id}
        </span>
      </div>
    ),
  },
  {
    id: 'state',
    get title() {
      return t('jobs.column.state');
    },
    cell: ({ health }) => <HealthMark health={health} />,
  },
  {
    id: 'events',
    get title() {
      return t('notifications.column.events');
    },
    cell: ({ document }) => (
      <span class="notification-events" title={eventsOf(document).join(', ')}>
        {eventsOf(document).map(eventWords).join(' · ')}
      </span>
    ),
  },
  {
    id: 'waiting',
    get title() {
      return t('notifications.column.waiting');
    },
    at: 'end',
    cell: ({ health: { waiting, parked } }) =>
      parked > 0 ? t('notifications.waitingParked', { waiting, parked }) : waiting,
  },
  {
    id: 'last',
    get title() {
      return t('notifications.column.last');
    },
    cell: ({ health }) => <Time at={health.lastDelivery} />,
  },
];

export function HealthMark({ health }: { health: NotificationHealthDocument }) {
  const word = wordOf(health);
  return <Mark tone={toneOf(word)}>{t(`notifications.state.${word}`)}</Mark>;
}
