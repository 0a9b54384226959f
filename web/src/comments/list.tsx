import { useComputed } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Check } from '../components/field.tsx';
import { LongList } from '../components/long-list.tsx';
import { Menu } from '../components/menu.tsx';
import { Time } from '../components/values.tsx';
import type { Engine } from '../player/engine.ts';
import { frameAt, rangeText } from '../player/frames.ts';
import { lengthText } from '../texts/clock.ts';
import { t } from '../texts/index.ts';
import { type Comment, type Thread, timesOf, withNames } from './comments.ts';
import type { Desk, Filter } from './desk.ts';
import './comments.css';

const filters = { open: 'comments.open', done: 'comments.done', mine: 'comments.mine' } as const;

export const calls = ({ nameOf }: Desk['api'], user: string): string => nameOf?.(user) ?? user;

/** Comments by their time, with the replies to them. */
export function CommentList({ desk }: { readonly desk: Desk }) {
  const { api, threads, shown, isWhole, refusal, filter } = desk;
  const all = threads.value;
  return (
    <section class="comments" aria-label={t('comments.title')} aria-busy={!isWhole.value && !refusal.value}>
      {api.isMine && all && all.length > 0 && (
        <div class="filters" role="group" aria-label={t('comments.shown')}>
          {(Object.keys(filters) as Filter[]).map((name) => (
            <Button
              key={name}
              kind="quiet"
              aria-pressed={filter.value === name}
              onClick={() => {
                filter.value = name;
              }}
            >
              {t(filters[name])}
            </Button>
          ))}
        </div>
      )}
      {refusal.value !== undefined && (
        <p class="row wrap" role="alert">
          <span class="wrong grow">{api.explain(refusal.value)}</span>
          <Button icon="refresh" onClick={() => void desk.reload()}>
            {t('word.again')}
          </Button>
        </p>
      )}
      {shown.value?.length === 0 && (
        <p class="muted small">{t(all?.length === 0 ? 'comments.none' : 'comments.noneHere')}</p>
      )}
      <Threads desk={desk} />
    </section>
  );
}

/** Pixels of a comment of one line. */
const rowHeight = 84;

/** Comments near the window, the one that was asked for, and the first one about a frame that rests. */
function Threads({ desk: { shown, chosen, nowIds, engine }, desk }: { readonly desk: Desk }) {
  const resting = useComputed(() => (engine?.speed.value === 0 ? nowIds.value.split(' ')[0] : undefined));
  return (
    <LongList
      entries={shown.value ?? []}
      idOf={({ comment }) => comment.id}
      guess={rowHeight}
      kept={new Set([chosen.value?.id, resting.value])}
    >
      {(thread, attributes) => <Row key={thread.comment.id} {...{ desk, thread, attributes }} />}
    </LongList>
  );
}

interface RowProps {
  readonly desk: Desk;
  readonly thread: Thread;
}

/** Replies that are shown at once. */
const manyReplies = 50;
/** Choices that have been scrolled to: a row that is drawn again stays where it is. */
const shownChoices = new WeakSet<object>();

/** A comment with its replies, and what the person may do with them. */
function Row({ desk, thread, attributes }: RowProps & { readonly attributes: object }) {
  const [replyCount, setReplyCount] = useState(manyReplies);
  const { comment, replies } = thread;
  const { api, engine, chosen, nowIds } = desk;
  const own = useRef<HTMLLIElement>(null);
  const isDone = comment.state === 'done';
  const isNow = nowIds.value.split(' ').includes(comment.id);
  const request = chosen.value?.id === comment.id ? chosen.value : undefined;
  useEffect(() => {
    if (!request || shownChoices.has(request)) return;
    shownChoices.add(request);
    own.current?.scrollIntoView({ block: 'nearest' });
  }, [request]);
  useEffect(() => {
    const pane = own.current?.closest('.side-scroll');
    // A list that scrolls with the page stays: the picture would move.
    const isOwn = pane && pane.scrollHeight > pane.clientHeight && getComputedStyle(pane).overflowY === 'auto';
    const isFirst = nowIds.peek().split(' ')[0] === comment.id;
    if (isNow && isFirst && isOwn && engine?.speed.peek() === 0) own.current!.scrollIntoView({ block: 'nearest' });
  }, [isNow]);
  return (
    <li
      {...attributes}
      ref={own}
      data-state={comment.state}
      aria-current={isNow || (request && !timesOf(comment)) ? 'true' : undefined}
    >
      <Entry {...{ desk, comment, thread }} />
      <div class="row wrap under">
        {api.send && comment.parent === undefined && (
          <Button
            kind="quiet"
            aria-label={`${t('comments.reply')} ${calls(api, comment.author)}`}
            onClick={() => desk.write(comment.id)}
          >
            {t('comments.reply')}
          </Button>
        )}
        {api.finish && api.mayFinish?.(comment) ? (
          <Check
            label={t('comments.done')}
            checked={isDone}
            onChange={() => void api.finish?.(comment, !isDone).then(desk.reload)}
          />
        ) : (
          isDone && <span class="mark good">{t('comments.done')}</span>
        )}
      </div>
      {replies.length > replyCount && (
        <Button kind="quiet" onClick={() => setReplyCount(replyCount + manyReplies)}>
          {t('comments.earlier', { count: replies.length - replyCount })}
        </Button>
      )}
      {replies.length > 0 && (
        <ul class="plain replies" aria-label={t('comments.replies')}>
          {replies.slice(-replyCount).map((reply) => (
            <li key={reply.id}>
              <Entry {...{ desk, comment: reply, thread }} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

interface EntryProps extends RowProps {
  readonly comment: Comment;
}

function Entry({ desk, comment, thread }: EntryProps) {
  const { api, engine } = desk;
  const { created, assignedTo, text = '', rectangle, drawing } = comment;
  const author = calls(api, comment.author);
  const times = timesOf(comment);
  const actions = [
    ...(api.edit && api.mayEdit?.(comment) ? [{ text: t('comments.edit'), onChoose: () => desk.edit(comment) }] : []),
    ...(api.remove && api.mayRemove?.(comment)
      ? [{ text: t('word.delete'), danger: true, onChoose: () => api.remove?.(comment, thread) }]
      : []),
  ];
  const version = api.versionOf?.(comment);
  const goThere = () => {
    // Marked words are to be copied.
    if (times && getSelection()?.isCollapsed !== false) desk.show(comment);
  };
  return (
    <>
      <div class="row entry-head">
        <div class="row wrap grow">
          {times && <When {...{ times, engine }} onGo={() => desk.show(comment)} />}
          <strong class="name" title={comment.author}>
            {author}
          </strong>
          <span class="muted small">
            <Time at={created} />
          </span>
          {assignedTo !== undefined && (
            <span class="mark live">{t('comments.for', { user: calls(api, assignedTo) })}</span>
          )}
          {version !== undefined && <span class="mark">{version}</span>}
          {(rectangle !== undefined || drawing !== undefined) && <span class="mark">{t('comments.drawn')}</span>}
        </div>
        {actions.length > 0 && <Menu kind="quiet" label={t('comments.actions', { user: author })} items={actions} />}
      </div>
      <Words text={withNames(text, api.nameOf)} onClick={engine && times && goThere} />
    </>
  );
}

/** Characters and lines of a text that is folded at first. */
const [longText, manyLines] = [600, 10];

/** The text of a comment. A long one is folded. */
function Words({ text, onClick }: { readonly text: string; readonly onClick: (() => void) | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > longText || text.split('\n').length > manyLines;
  return (
    <>
      <p class={isLong && !isOpen ? 'comment-text folded' : 'comment-text'} onClick={onClick}>
        {text}
      </p>
      {isLong && (
        <Button kind="quiet" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'comments.less' : 'word.more')}
        </Button>
      )}
    </>
  );
}

interface WhenProps {
  readonly times: readonly number[];
  readonly engine: Engine | undefined;
  readonly onGo: () => void;
}

/** The time of a comment. Where the item is played, it goes there. */
function When({ times: [from = 0, to = from], engine, onGo }: WhenProps) {
  if (!engine)
    return <span class="mono small">{to > from ? `${lengthText(from)} – ${lengthText(to)}` : lengthText(from)}</span>;
  return (
    <Button class="mono" title={t('comments.goTo')} onClick={onGo}>
      {rangeText(frameAt(from, engine.counting.rate), frameAt(to, engine.counting.rate), engine.counting)}
    </Button>
  );
}
