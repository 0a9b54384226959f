import type { ApprovalDocument, ItemType } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Shown } from '../../components/empty.tsx';
import { Field } from '../../components/field.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { useLoad } from '../../components/load.ts';
import { Menu } from '../../components/menu.tsx';
import { Person } from '../../components/person.tsx';
import { act } from '../../components/refusal.tsx';
import { toast } from '../../components/toast.ts';
import { Time } from '../../components/values.tsx';
import { may, reaches } from '../../rights.ts';
import { setQuery } from '../../router.tsx';
import { type Key, t } from '../../texts/index.ts';
import { stateName } from '../library/narrowed.ts';
import { latestOf, titleOf } from './item.ts';
import { useNewsOf } from './news.ts';
import { pathOfVersions, readVersions, versionName } from './versions.ts';

type Step = Pick<ApprovalDocument, 'state' | 'comment' | 'user' | 'at'>;
type State = NonNullable<Step['state']>;

/** States with the words of who gives them, and how they look. */
const states: Readonly<Record<State, readonly [give: Key, tone: 'live' | 'good' | 'bad']>> = {
  'in-review': ['item.askReview', 'live'],
  approved: ['item.approveWith', 'good'],
  rejected: ['item.reject', 'bad'],
};

/** State of the latest version under review, with what reviewers may make of it. */
export function Approval({ item }: { readonly item: ItemType }) {
  const version = latestOf(item);
  if (version < 0 || !may('approval.read')) return null;
  const canAsk = may('comment.write') && reaches(item, 'WRITE');
  return <Latest key={version} {...{ item, version, canAsk }} />;
}

/** A state that is given with a reason. */
type Reasoned = Exclude<State, 'in-review'>;

interface LatestProps {
  readonly item: ItemType;
  readonly version: number;
  /** Whether the person may ask for a review, and maybe no more. */
  readonly canAsk: boolean;
}

function Latest({ item, version, canAsk }: LatestProps) {
  const id = item.id ?? '';
  const path = `${pathOfVersions(item)}/${version}/approval`;
  const { value, reload } = useLoad(path, (signal) => get<ApprovalDocument>(path, { signal }));
  const [dialog, setDialog] = useState<Reasoned | 'history'>();
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  useNewsOf(id, 'approval/*', reload);
  if (!value) return null;
  const { state, isNeeded, comment: latestReason } = value;
  const canGive = may('approval.write');
  const asks = canAsk && !canGive && state !== 'in-review' && state !== 'approved';
  if (!canGive && !asks && !isNeeded && state === undefined && version === 0) return null;
  const give = async (next: State, comment?: string) => {
    await send('PUT', path, { state: next, comment });
    await reload();
  };
  /** The state before comes back, or else the review that nobody had asked for. */
  const giveAndTell = async (next: State, comment?: string) => {
    await give(next, comment);
    const undo = () => void act(() => give(state ?? 'in-review', latestReason));
    toast(t('item.given', { name: titleOf(item), state: stateName(next) }), { text: t('word.undo'), run: undo });
  };
  // An approval without a reason gets one later.
  const offered = (Object.keys(states) as State[]).filter((each) => each !== state || each === 'approved');
  const close = () => setDialog(undefined);
  return (
    <div class="row approval" role="group" aria-label={t('item.approval')}>
      <Menu
        label={[`${t('item.approval')}: ${stateName(state)}`, latestReason].filter(Boolean).join('\n')}
        kind="quiet"
        at="start"
        items={[
          ...(canGive ? offered : asks ? (['in-review'] as const) : []).map((each) => ({
            text: t(states[each][0]),
            onChoose: () => (each === 'in-review' ? void act(() => giveAndTell(each)) : setDialog(each)),
          })),
          { text: t('item.versions'), onChoose: () => setDialog('history') },
        ]}
      >
        <StateMark state={state} />
        {latestReason && <span class="cut small reason">{latestReason}</span>}
        <Icon name="down" />
      </Menu>
      {asks && <Button onClick={() => void act(() => give('in-review'))}>{t('item.askReview')}</Button>}
      {canGive && state !== 'approved' && (
        <Button kind="main" icon="check" onClick={() => void act(() => giveAndTell('approved'))}>
          <span>{t('item.approve')}</span>
        </Button>
      )}
      {canGive && state !== 'rejected' && (
        <Button icon="x" class="reject" onClick={() => setDialog('rejected')}>
          <span>{t('item.reject')}</span>
        </Button>
      )}
      {(dialog === 'approved' || dialog === 'rejected') && (
        <FormDialog
          title={t(states[dialog][0])}
          action={t(dialog === 'approved' ? 'item.approve' : 'item.reject')}
          onClose={close}
          work={async () => {
            const isWrong = dialog === 'rejected' && reason.trim() === '';
            setMissing(isWrong);
            if (isWrong) return false;
            await giveAndTell(dialog, reason);
            setReason('');
            return true;
          }}
        >
          <Field
            long
            autoFocus
            label={t('item.reason')}
            maxLength={4000}
            value={reason}
            wrong={isMissing ? t('item.reasonNeeded') : undefined}
            onInput={({ currentTarget: { value } }) => {
              // A typed reason outlives the dialog.
              setReason(value);
              setMissing(false);
            }}
          />
        </FormDialog>
      )}
      {dialog === 'history' && (
        <Dialog title={t('item.versions')} onClose={close}>
          {isNeeded && state !== 'approved' && <p class="muted">{t('item.approvalNeeded')}</p>}
          <Versions item={item} onCompare={close} />
        </Dialog>
      )}
    </div>
  );
}

/** The versions of an item, with who gave them which state, when and why. */
function Versions({ item, onCompare }: { readonly item: ItemType; readonly onCompare: () => void }) {
  const versions = useLoad(`${pathOfVersions(item)} states`, (signal) => readVersions(item, signal));
  return (
    <Shown of={versions}>
      {(all) => (
        <>
          <ul class="plain">
            {all.map(({ number, approval: { history = [] } = {} }) => (
              <li key={number}>
                <h3>{versionName(number)}</h3>
                {history.length === 0 && <StateMark state={undefined} />}
                {history.map((step) => (
                  <Given key={`${step.at} ${step.state}`} {...step} />
                ))}
              </li>
            ))}
          </ul>
          {all.length > 1 && (
            <Button
              icon="table"
              onClick={() => {
                onCompare();
                setQuery({ compare: 'latest' });
              }}
            >
              {t('item.compare')}
            </Button>
          )}
        </>
      )}
    </Shown>
  );
}

const StateMark = ({ state }: Pick<Step, 'state'>) => <Mark tone={state && states[state][1]}>{stateName(state)}</Mark>;

const Given = ({ state, user, at, comment }: Step) => (
  <>
    <div class="row wrap">
      <StateMark state={state} />
      <strong class="name">
        <Person user={user} />
      </strong>
      <span class="muted small">
        <Time at={at} />
      </span>
    </div>
    {comment !== undefined && <p class="comment-text">{comment}</p>}
  </>
);
