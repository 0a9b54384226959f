import type { AnnotationListDocument, AnnotationPeopleDocument, AnnotationType, ItemType } from 'portico/types';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { addressOf, get, Refusal, send } from '../../api/client.ts';
import { me } from '../../api/session.ts';
import { type Comment, mentionsIn, withNames } from '../../comments/comments.ts';
import { Composer } from '../../comments/composer.tsx';
import { type CommentsApi, createDesk, type Desk } from '../../comments/desk.ts';
import { CommentList } from '../../comments/list.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { personName } from '../../components/person.tsx';
import { act, sentenceOf } from '../../components/refusal.tsx';
import { toast } from '../../components/toast.ts';
import type { Engine } from '../../player/engine.ts';
import { may, reaches } from '../../rights.ts';
import { lastList } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { latestOf } from './item.ts';
import { useNewsOf } from './news.ts';
import { versionName } from './versions.ts';

const pathOf = (id: string): string => `/item/${encodeURIComponent(id)}/annotation`;
const formats = ['csv', 'edl', 'fcpxml', 'otio', 'vtt'] as const;
const maxInPage = 100;

const commentOf = ({ id = '', user = '', ...rest }: AnnotationType): Comment => ({ ...rest, id, author: user });

/** A comment that a person wants away. */
interface Removal {
  readonly comment: Comment;
  /** Replies that go, too. */
  readonly replies: number;
  readonly isAllowed: boolean;
}

/** Whether a comment is assigned to the person, or names the person. */
function isForMe({ assignedTo, text }: Comment): boolean {
  const name = me.value?.userName ?? '';
  return assignedTo === name || mentionsIn(text).includes(name);
}

/** Comments as members read and write them. `onRemove`: asks the person first. */
function apiFor(item: ItemType, onRemove: (removal: Removal) => void): CommentsApi {
  const path = pathOf(item.id ?? '');
  const writes = may('comment.write');
  const name = me.value?.userName;
  const isBy = ({ author }: Comment) => author === name;
  const mayAll = writes && reaches(item, 'WRITE');
  const latest = latestOf(item);
  const mayRemove = (comment: Comment) => mayAll || (writes && isBy(comment));
  const setDone = async ({ id }: Comment, isDone: boolean): Promise<void> => {
    if (!(await act(() => send('PUT', `${path}/${id}`, { state: isDone ? 'done' : 'open' })))) return;
    const undo = { text: t('word.undo'), run: () => void setDone({ id, author: '' }, !isDone) };
    toast(t(isDone ? 'item.commentDone' : 'item.commentOpen'), undo);
  };
  return {
    async read(first, signal) {
      const query = { first, number: maxInPage };
      const { annotation = [], hits = 0 } = await get<AnnotationListDocument>(path, { query, signal });
      return { comments: annotation.map(commentOf), hits };
    },
    send: writes ? (content) => send<AnnotationType>('POST', path, content) : undefined,
    edit: (id, content) => send('PUT', `${path}/${id}`, content),
    mayEdit: (comment) => writes && isBy(comment),
    finish: setDone,
    mayFinish: (comment) => mayAll || (writes && isBy(comment)) || comment.assignedTo === name,
    remove: (comment, { comment: first, replies: all }) => {
      const replies = comment === first ? all : [];
      onRemove({ comment, replies: replies.length, isAllowed: mayAll || replies.every(isBy) });
    },
    mayRemove,
    isMine: (comment) => isBy(comment) || isForMe(comment),
    people: async (text, signal) => {
      const { person = [] } = await get<AnnotationPeopleDocument>(`${path}/people`, { query: { text }, signal });
      return person.map(({ userName = '', realName }) => ({ name: userName, realName }));
    },
    nameOf: personName,
    versionOf: ({ version, parent }) =>
      version === undefined || version >= latest || parent !== undefined ? undefined : versionName(version),
    explain: sentenceOf,
  };
}

/** Shows the comment by which an item is in "For me". */
function showMine(desk: Desk): void {
  const thread = desk.threads
    .peek()
    ?.find(({ comment, replies }) => [comment, ...replies].some((each) => each.state !== 'done' && isForMe(each)));
  if (thread) desk.show(thread.comment);
}

interface CommentsOfItem {
  /** Undefined: the person may not read comments, or the instance has none. */
  readonly desk: Desk | undefined;
  readonly dialog: preact.ComponentChildren;
}

/** The comments of an item, which its stage and its tab share. */
export function useComments(item: ItemType, engine: Engine | undefined, hasPicture: boolean): CommentsOfItem {
  const id = item.id ?? '';
  const [toRemove, setToRemove] = useState<Removal>();
  const desk = useMemo(
    () =>
      may('comment.read')
        ? createDesk({
            ...{ engine, hasPicture, item: id, person: me.value?.userName ?? '' },
            api: apiFor(item, setToRemove),
          })
        : undefined,
    [id, engine, hasPicture, reaches(item, 'WRITE'), latestOf(item)],
  );
  useEffect(() => void desk?.reload().then(() => lastList.value.startsWith('/for-me') && showMine(desk)), [desk]);
  useNewsOf(id, 'annotation/*', () => desk?.reload());
  const refusal = desk?.refusal.value;
  return {
    // An instance may leave comments out.
    desk: refusal instanceof Refusal && refusal.status === 404 ? undefined : desk,
    dialog: toRemove && (
      <RemovalDialog
        removal={toRemove}
        onClose={() => setToRemove(undefined)}
        onYes={async () => {
          await send('DELETE', `${pathOf(id)}/${toRemove.comment.id}`);
          await desk?.reload();
        }}
      />
    ),
  };
}

interface RemovalDialogProps {
  readonly removal: Removal;
  readonly onClose: () => void;
  readonly onYes: () => Promise<unknown>;
}

/** Asks before a comment goes, or says why it stays. */
function RemovalDialog({ removal: { comment, replies, isAllowed }, onClose, onYes }: RemovalDialogProps) {
  const title = t('item.deleteComment');
  const quote = comment.text && (
    <blockquote class="comment-text quoted">{withNames(comment.text, personName)}</blockquote>
  );
  if (!isAllowed)
    return (
      <Dialog title={title} onClose={onClose}>
        {quote}
        <p>{t('item.commentStays')}</p>
      </Dialog>
    );
  return (
    <FormDialog title={title} action={t('word.delete')} onClose={onClose} work={onYes}>
      {quote}
      <p>{replies > 0 ? t('item.deleteReplies', { count: replies }) : t('records.sure')}</p>
    </FormDialog>
  );
}

/** Comments of the item, with the composer at the foot. */
export function CommentsTab({ desk, id }: { readonly desk: Desk; readonly id: string }) {
  // Exports have the comments that are listed.
  const { value: filter } = desk.filter;
  const state = filter === 'mine' ? undefined : filter;
  return (
    <>
      <div class="side-scroll">
        <CommentList desk={desk} />
        {!desk.api.send && <p class="muted small">{t('item.readsOnly')}</p>}
        {state && (desk.shown.value?.length ?? 0) > 0 && (
          <p class="row wrap small muted">
            {t('item.markers')}
            {formats.map((format) => (
              <a key={format} href={addressOf(`${pathOf(id)}/markers`, { format, state })} download={`${id}.${format}`}>
                {format.toUpperCase()}
              </a>
            ))}
          </p>
        )}
      </div>
      <Composer desk={desk} />
    </>
  );
}
