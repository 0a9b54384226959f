import { type Signal, signal } from '@preact/signals';
import type { SharedAnnotationListDocument, SharedAnnotationType } from 'portico/types';
import { store, stored } from '../browser-storage.ts';
import type { Comment } from '../comments/comments.ts';
import { type CommentsApi, createDesk, type Desk } from '../comments/desk.ts';
import type { Engine } from '../player/engine.ts';
import { t } from '../texts/index.ts';
import { ask, type OpenShare, send } from './guest.ts';

const maxInPage = 100;

/** Keys of the comments of this browser, by their ids. */
type OwnKeys = Readonly<Record<string, string>>;
const ownPlace = ({ guest }: OpenShare): string => `portico.comments ${guest.id}`;
const ownKeys = (share: OpenShare): OwnKeys => (stored(ownPlace(share)) as OwnKeys | undefined) ?? {};
const ownAddress = (share: OpenShare, path: string, id: string): string =>
  `${path}/${encodeURIComponent(id)}?key=${encodeURIComponent(ownKeys(share)[id] ?? '')}`;

function commentOf(
  { id = '', name, guest = false, maker = false, ...rest }: SharedAnnotationType,
  share: OpenShare,
): Comment {
  const sender = share.guest.from ?? t('guest.service');
  const author = name ?? (guest ? t('word.someGuest') : maker ? sender : t('guest.colleague'));
  return { ...rest, id, author: Object.hasOwn(ownKeys(share), id) ? t('guest.you', { name: author }) : author };
}

/** Asks for the newest comment alone, and reads all after a change. */
export function newsFor(share: OpenShare, id: string, desk: Desk): () => Promise<boolean> {
  return async () => {
    const threads = desk.threads.peek();
    if (!threads) return false;
    const count = threads.reduce((sum, { replies }) => sum + 1 + replies.length, 0);
    const path = share.atItem(id, `/annotation?first=${count + 1}&number=1`);
    const { hits = 0 } = await ask<SharedAnnotationListDocument>(path);
    if (hits === count || !desk.isWhole.peek()) return false;
    await desk.reload();
    return true;
  };
}

/** Comments as guests read and write them. */
function apiFor(
  share: OpenShare,
  id: string,
  notice: GuestDesk['notice'],
  onRemove: (path: string, comment: Comment) => Promise<void>,
): CommentsApi {
  const path = share.atItem(id, '/annotation');
  const replied = new Set<string>();
  const isOwn = ({ id: each }: Comment) => Boolean(ownKeys(share)[each]);
  return {
    async read(first, signal) {
      const page = `${path}?first=${first}&number=${maxInPage}`;
      const { annotation = [], hits = 0 } = await ask<SharedAnnotationListDocument>(page, { signal });
      for (const { parent } of annotation) if (parent !== undefined) replied.add(parent);
      if (first + annotation.length > hits) share.tellComments(id, hits);
      return { comments: annotation.map((each) => commentOf(each, share)), hits };
    },
    async send({ assignedTo: _, ...content }) {
      await share.sign();
      const sent = await send<SharedAnnotationType>('POST', path, content);
      notice.value = undefined;
      if (sent.id !== undefined) store(ownPlace(share), { ...ownKeys(share), [sent.id]: sent.key ?? '' });
      return sent;
    },
    edit: (each, { assignedTo: _, ...content }) => send('PUT', ownAddress(share, path, each), content),
    mayEdit: isOwn,
    remove(comment) {
      if (replied.has(comment.id)) notice.value = { text: t('guest.commentStays') };
      else void onRemove(path, comment);
    },
    mayRemove: isOwn,
    explain: (error) => t(error === 507 ? 'guest.enough' : error === 404 ? 'guest.gone' : 'guest.failed'),
  };
}

interface GuestDesk {
  readonly desk: Desk;
  /** How the last wish to delete ended. Undefined: there was none, or a comment was sent since. `undo`: sends it again. */
  readonly notice: Signal<{ readonly text: string; readonly undo?: () => void } | undefined>;
}

/** The comments of an item, as a guest of the share has them. */
export function deskFor(share: OpenShare, item: string, engine: Engine | undefined, hasPicture: boolean): GuestDesk {
  const notice: GuestDesk['notice'] = signal(undefined);
  const api: CommentsApi = apiFor(share, item, notice, async (path, { id, ...comment }) => {
    const { ok } = await fetch(ownAddress(share, path, id), { method: 'DELETE' });
    const { text = '', parent, start, end, rectangle, drawing } = comment;
    const again = () => api.send?.({ text, parent, start, end, rectangle, drawing }).then(desk.reload);
    await desk.reload();
    // A refused guest may try again.
    notice.value = ok
      ? { text: t('guest.deleted'), undo: () => void again()?.catch(() => undefined) }
      : { text: t('guest.commentStays') };
  });
  const desk: Desk = createDesk({ ...{ engine, hasPicture, item, api }, person: `share ${share.guest.id}` });
  return { desk, notice };
}
