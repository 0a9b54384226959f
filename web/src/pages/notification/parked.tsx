import type { ParkedListDocument } from 'portico/types';
import { get, send } from '../../api/client.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { useLoad } from '../../components/load.ts';
import { act, RefusalNote } from '../../components/refusal.tsx';
import { Time } from '../../components/values.tsx';
import { t } from '../../texts/index.ts';
import { eventWords } from '../notifications/notifications.ts';

interface Props {
  /** Path of the notification in the API. */
  readonly at: string;
  readonly count: number;
  readonly mayWrite: boolean;
  readonly onChanged: () => void;
}

/** Events that are no longer tried, and can be sent again. */
export function Parked({ at, count, mayWrite, onChanged }: Props) {
  const { value, refusal, reload } = useLoad(`${at} ${count}`, (signal) =>
    get<ParkedListDocument>(`${at}/parked`, { query: { number: 20 }, signal }),
  );
  const doing = async (what: () => Promise<unknown>, done: string) => {
    if (await act(what, done)) onChanged();
  };
  return (
    <section class="notification-parked" aria-label={t('notification.parked')}>
      <header class="page-head">
        <h2>{t('notification.parkedCount', { count })}</h2>
        {mayWrite && (
          <Button
            icon="refresh"
            onClick={() =>
              doing(
                () => send('POST', `${at}/replay`, undefined, { query: { only: 'parked' } }),
                t('notification.allSent'),
              )
            }
          >
            {t('notification.sendAll')}
          </Button>
        )}
      </header>
      {refusal && <RefusalNote error={refusal} onAgain={() => void reload()} />}
      <ul>
        {(value?.event ?? []).map(({ sequence, trigger, entity, happened, reason, attempts }) => (
          <li key={sequence}>
            <span class="grow">
              <strong>
                {eventWords(trigger)}: {entity}
              </strong>{' '}
              <Time at={happened} /> · {t('notification.parkedAfter', { attempts })}
              {reason === 'attempts' ? '' : ` (${reason})`}
            </span>
            {mayWrite && (
              <IconButton
                icon="refresh"
                label={t('notification.sendParked', { sequence })}
                onClick={() =>
                  void doing(() => send('POST', `${at}/parked/${sequence}/retry`), t('notification.sentAgain'))
                }
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
