import type { AnnotationType, ItemType } from 'portico/types';
import { useState } from 'preact/hooks';
import { send } from '../../api/client.ts';
import { me } from '../../api/session.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import { Check, Field } from '../../components/field.tsx';
import { FormDialog, type ReadField } from '../../components/form-dialog.tsx';
import { act } from '../../components/refusal.tsx';
import { Time } from '../../components/values.tsx';
import type { Engine } from '../../player/engine.ts';
import { frameAt, lengthText, timecode } from '../../player/frames.ts';
import { may } from '../../rights.ts';
import { t } from '../../texts/index.ts';
import { reaches } from '../item/item.ts';
import { type Thread, timesOf } from './comments.ts';

/** Characters of a text. */
const mostText = 4000;

interface Place {
  readonly item: ItemType;
  /** Path of the comments of the item. */
  readonly path: string;
  /** Undefined: the item has no time. */
  readonly engine: Engine | undefined;
  readonly reload: () => Promise<void>;
}

const isMine = ({ user }: AnnotationType): boolean => user === me.value?.userName;

/** A comment with its replies, and what the person may do with them. */
export function ThreadRow({ comment, replies, ...place }: Thread & Place) {
  const { path, reload, item } = place;
  const [isReplying, setReplying] = useState(false);
  const canWrite = may('comment.write');
  const mayChangeAll = canWrite && reaches(item, 'WRITE');
  const mayChange = mayChangeAll || (canWrite && isMine(comment));
  const isDone = comment.state === 'done';
  return (
    <li data-state={comment.state}>
      <Entry {...{ ...place, comment }}>
        {mayChange ? (
          <Check
            label={t('comments.done')}
            checked={isDone}
            onChange={() =>
              void act(() => send('PUT', `${path}/${comment.id}`, { state: isDone ? 'open' : 'done' })).then(reload)
            }
          />
        ) : (
          <Mark tone={isDone ? 'good' : undefined}>{t(isDone ? 'comments.done' : 'comments.open')}</Mark>
        )}
        {mayChange && (mayChangeAll || replies.every(isMine)) && <Remove {...{ ...place, comment }} />}
      </Entry>
      {replies.length > 0 && (
        <ul class="plain replies" aria-label={t('comments.replies')}>
          {replies.map((reply) => (
            <li key={reply.id}>
              <Entry {...{ ...place, comment: reply }}>
                {(mayChangeAll || (canWrite && isMine(reply))) && <Remove {...{ ...place, comment: reply }} />}
              </Entry>
            </li>
          ))}
        </ul>
      )}
      {canWrite && comment.parent === undefined && !isReplying && (
        <Button kind="quiet" onClick={() => setReplying(true)}>
          {t('comments.reply')}
        </Button>
      )}
      {isReplying && (
        <WriteForm
          label={t('comments.reply')}
          isNeeded
          onClose={() => setReplying(false)}
          work={async (readField) => {
            await send('POST', path, { parent: comment.id, text: readField('text') });
            await reload();
          }}
        />
      )}
    </li>
  );
}

interface EntryProps extends Place {
  readonly comment: AnnotationType;
  /** Controls. */
  readonly children: preact.ComponentChildren;
}

function Entry({ comment, engine, children }: EntryProps) {
  const { user, created, assignedTo, text, rectangle, drawing } = comment;
  const times = timesOf(comment);
  return (
    <>
      <div class="row wrap">
        {times && <When times={times} engine={engine} />}
        <strong class="name">{user}</strong>
        <span class="muted small">
          <Time at={created} />
        </span>
        {assignedTo !== undefined && <Mark tone="live">{t('comments.for', { user: assignedTo })}</Mark>}
        {(rectangle !== undefined || drawing !== undefined) && <Mark>{t('comments.part')}</Mark>}
        <span class="grow" />
        {children}
      </div>
      <p class="comment-text">{text}</p>
    </>
  );
}

/** The time of a comment. Where the item is played, it goes there. */
function When({ times, engine }: { readonly times: readonly number[]; readonly engine: Engine | undefined }) {
  const [first, ...later] = [...new Set(times)].map((seconds) =>
    engine ? timecode(frameAt(seconds, engine.counting.rate), engine.counting) : lengthText(seconds),
  );
  const words = [first, ...later].join(' – ');
  if (!engine) return <span class="mono small">{words}</span>;
  return (
    <Button
      class="mono"
      title={t('comments.goTo')}
      onClick={() => engine.goTo(frameAt(times[0] ?? 0, engine.counting.rate))}
    >
      {words}
    </Button>
  );
}

function Remove({ comment, path, reload }: Place & { readonly comment: AnnotationType }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <IconButton
        icon="trash"
        label={t('comments.delete', { user: comment.user ?? '' })}
        onClick={() => setAsked(true)}
      />
      {isAsked && (
        <FormDialog
          title={t('comments.deleteTitle')}
          action={t('word.delete')}
          onClose={() => setAsked(false)}
          work={async () => {
            await send('DELETE', `${path}/${comment.id}`);
            await reload();
          }}
        >
          <p>{t('records.sure')}</p>
        </FormDialog>
      )}
    </>
  );
}

interface WriteFormProps {
  readonly label: string;
  /** Whether nothing but a text makes it a comment. */
  readonly isNeeded: boolean;
  readonly onClose: () => void;
  readonly work: (readField: ReadField) => Promise<unknown>;
  readonly children?: preact.ComponentChildren;
}

/** Takes a text. It closes when its work is done, and what was typed stays where that is refused. */
export function WriteForm({ label, isNeeded, onClose, work, children }: WriteFormProps) {
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    if (await act(() => work((name) => String(data.get(name) ?? '')))) onClose();
    else setBusy(false);
  };
  return (
    <form class="stack write" aria-label={label} onSubmit={(event) => void submit(event)}>
      <Field long autoFocus label={t('comments.text')} name="text" maxLength={mostText} required={isNeeded} />
      {children}
      <div class="form-buttons">
        <Button onClick={onClose}>{t('word.cancel')}</Button>
        <Button kind="main" type="submit" disabled={busy}>
          {label}
        </Button>
      </div>
    </form>
  );
}
