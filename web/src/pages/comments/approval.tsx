import type { ApprovalDocument, ItemType } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import { useLoad } from '../../components/load.ts';
import { act } from '../../components/refusal.tsx';
import { Time } from '../../components/values.tsx';
import { may } from '../../rights.ts';
import { type Key, t } from '../../texts/index.ts';
import { useNewsOf } from '../item/news.ts';
import { WriteForm } from './thread.tsx';

type Step = Pick<ApprovalDocument, 'state' | 'comment' | 'user' | 'at'>;
type State = NonNullable<Step['state']>;

/** States with their words, the words of who gives them, and how they look. */
const states: Readonly<Record<State, readonly [is: Key, give: Key, tone: 'live' | 'good' | 'bad']>> = {
  'in-review': ['comments.inReview', 'comments.askReview', 'live'],
  approved: ['comments.approved', 'comments.approve', 'good'],
  rejected: ['comments.rejected', 'comments.reject', 'bad'],
};

/** State of the latest version under review, with its history, and buttons for reviewers. */
export function Approval({ item }: { readonly item: ItemType }) {
  const version = Math.max(-1, ...(item.shape ?? []).map(({ essenceVersion = 0 }) => essenceVersion));
  if (version < 0 || !may('approval.read')) return null;
  return <Version key={version} id={item.id ?? ''} version={version} />;
}

function Version({ id, version }: { readonly id: string; readonly version: number }) {
  const path = `/item/${encodeURIComponent(id)}/shape/version/${version}/approval`;
  const { value, reload } = useLoad(path, (signal) => get<ApprovalDocument>(path, { signal }));
  const [isRejecting, setRejecting] = useState(false);
  useNewsOf(id, 'approval/*', reload);
  if (!value) return null;
  const { state, isNeeded, history = [] } = value;
  const canGive = may('approval.write');
  if (!canGive && !isNeeded && state === undefined) return null;
  const give = async (next: State, comment?: string) => {
    await send('PUT', path, { state: next, comment });
    await reload();
  };
  const offered = (Object.keys(states) as State[]).filter((each) => each !== state);
  return (
    <section class="approval stack" aria-label={t('comments.approval')}>
      <header class="row wrap">
        <h2>{t('comments.approval')}</h2>
        <StateMark state={state} />
        {isNeeded && state !== 'approved' && <span class="muted small">{t('comments.approvalNeeded')}</span>}
        <span class="grow" />
        {canGive &&
          !isRejecting &&
          offered.map((each) => (
            <Button
              key={each}
              kind={each === 'approved' ? 'main' : undefined}
              onClick={() => (each === 'rejected' ? setRejecting(true) : void act(() => give(each)))}
            >
              {t(states[each][1])}
            </Button>
          ))}
      </header>
      {isRejecting && (
        <WriteForm
          label={t('comments.reject')}
          isNeeded
          onClose={() => setRejecting(false)}
          work={(readField) => give('rejected', readField('text'))}
        />
      )}
      {history.length > 0 && (
        <details>
          <summary>{t('comments.states', { count: history.length })}</summary>
          <ul class="plain">
            {history.map((step) => (
              <li key={`${step.at} ${step.state}`}>
                <Given {...step} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

const StateMark = ({ state }: Pick<Step, 'state'>) => (
  <Mark tone={state && states[state][2]}>{t(state ? states[state][0] : 'comments.unreviewed')}</Mark>
);

const Given = ({ state, user, at, comment }: Step) => (
  <>
    <div class="row wrap">
      <StateMark state={state} />
      <strong class="name">{user}</strong>
      <span class="muted small">
        <Time at={at} />
      </span>
    </div>
    {comment !== undefined && <p class="comment-text">{comment}</p>}
  </>
);
