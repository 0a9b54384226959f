import { annotations, type Comment } from '../../assets/items/public.ts';
import { GuestRefusal, ServiceError } from '../../core/lib/errors.ts';
import { createSigner } from '../../core/lib/vault.ts';
import { changing, together } from '../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import type { Call } from '../../http/call.ts';
import { page, pageOf, text } from '../../http/parameters/index.ts';
import { anybody, type Route, route } from '../../http/route.ts';
import { subjectOf } from '../../security/caller.ts';
import { type SharedAnnotation, sharedAnnotationDocument, sharedAnnotationListDocument } from './documents.ts';
import { checkOrigin, type Guest } from './guests.ts';
import { forGuest, type Maker } from './maker.ts';
import type { ShareContext } from './routes.ts';
import { shareNotFound } from './rules.ts';
import { commentFits, countComment } from './store.ts';

/** Comments by guests of one share, and those of one answer. */
const maxComments = 1_000;
const maxListed = 100;
const path = '/APInoauth/share/:link/item/:item/annotation';

/** Authors who are guests have names behind a colon. Names of users stay within the service. */
const guestName = /^guest:(.*)$/s;

/** A guest without a name has nothing behind the colon. Of other users a guest learns whether it is the one who shares. */
function seenByGuests(comment: Comment, { caller }: Maker): SharedAnnotation {
  const { id, parent, start, end, rectangle, drawing, text, user } = comment;
  const sent = Object.entries({ parent, start, end, rectangle, drawing, text }).filter(([, value]) => value !== null);
  const guest = guestName.exec(user)?.[1];
  const isMaker = user === subjectOf(caller).name;
  const author = {
    name: guest || undefined,
    ...(guest !== undefined && { guest: true }),
    ...(isMaker && { maker: true }),
  };
  return { id, ...Object.fromEntries(sent), ...author, created: comment.createdAt };
}

/** Names the element of the document of guests, where it refuses a value that a guest sent. */
function ofGuest(error: unknown): never {
  if (!(error instanceof ServiceError && error.status === 400)) throw error;
  const { context = '', explanation = 'Expected values as documents have them' } = error.detail;
  const place = context.replace(/^\/Annotation/, '/SharedAnnotation');
  throw new GuestRefusal('bad-value', { context: place, explanation });
}

const full = new GuestRefusal('quota-exceeded', {
  type: 'Share',
  explanation: `Expected fewer than ${maxComments} comments by guests of the share`,
});

const key = { key: text('The "key" of the answer that created the comment') };

/**
 * Comments of guests. Annotations are written as the maker, who must be allowed to comment.
 * `place`: finds the guest, and the item in its share.
 */
export function commentRoutes(
  parts: ShareContext,
  place: (call: Call, link: string, item: string) => Promise<{ readonly guest: Guest; readonly item: string }>,
): readonly Route[] {
  /** The guest where guests comment. */
  async function commenting(call: Call, link: string, name: string) {
    const { guest, item } = await place(call, link, name);
    if (guest.share.comment === 0) throw shareNotFound();
    const { share, use, maker } = guest;
    const { id } = share;
    const counted = changing(commentFits({ id, max: maxComments }, full), countComment({ id }));
    const as = parts.as({ ...maker.caller, guest: { share: id, name: use.name ?? undefined } });
    return { guest, maker, item, as, also: (work: CommitPlan) => together(work, counted) };
  }
  const { secretKey } = parts;
  const signer = secretKey && createSigner(secretKey, 'comments of guests');
  const signed = ({ share }: Guest, item: string, id: string) => `${share.id} ${item} ${id}`;

  /** A comment that the guest wrote, as its key says. */
  async function ownComment(call: Call<{ readonly key?: string | undefined }>, link: string, item: string, id: string) {
    checkOrigin(call);
    const { guest, ...rest } = await commenting(call, link, item);
    if (!(await signer?.verify(signed(guest, item, id), call.query.key ?? ''))) throw shareNotFound();
    return { ...rest, segments: { item: rest.item, annotation: id } };
  }

  return [
    route({
      method: 'GET',
      path,
      says: 'The comments of guests of a share on an item, and the replies to them, oldest first.',
      query: page(maxListed),
      answers: sharedAnnotationListDocument,
      access: anybody,
      async handle(call, { link, item }) {
        const { maker, as, ...segments } = await commenting(call, link, item);
        const { offset, limit } = pageOf(call.query);
        const query = { first: offset + 1, number: limit };
        const { hits, rows } = await forGuest(as.run(annotations.list, segments, { query }));
        return { hits, annotation: rows.map((each) => seenByGuests(each, maker)) };
      },
    }),
    route({
      method: 'POST',
      path,
      says: 'Comments on an item of a share, with the name of the guest.',
      reads: sharedAnnotationDocument,
      answers: sharedAnnotationDocument,
      access: anybody,
      acting: 'allowed',
      async handle(call, { link, item }) {
        checkOrigin(call);
        const { guest, maker, as, also, ...segments } = await commenting(call, link, item);
        const { parent, start, end, rectangle, drawing, text: words } = call.body;
        const body = { parent, start, end, rectangle, drawing, text: words };
        const { rows } = await forGuest(as.run(annotations.create, segments, { body, also }).catch(ofGuest));
        const [comment] = rows as readonly [Comment];
        return { ...seenByGuests(comment, maker), key: await signer?.sign(signed(guest, item, comment.id)) };
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/:annotation`,
      says: 'Changes the text, the rectangle or the drawing of a comment of the guest, which counts as another comment. Elements that are left out stay as they are, and empty ones are removed.',
      query: key,
      reads: sharedAnnotationDocument,
      answers: sharedAnnotationDocument,
      access: anybody,
      acting: 'allowed',
      async handle(call, { link, item, annotation: id }) {
        const { maker, as, also, segments } = await ownComment(call, link, item, id);
        const { rectangle, drawing, text: words } = call.body;
        const body = { rectangle, drawing, text: words };
        return seenByGuests(await forGuest(as.run(annotations.change, segments, { body, also }).catch(ofGuest)), maker);
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/:annotation`,
      says: 'Deletes a comment of the guest to which nobody has replied.',
      query: key,
      access: anybody,
      acting: 'allowed',
      async handle(call, { link, item, annotation: id }): Promise<void> {
        const { as, segments } = await ownComment(call, link, item, id);
        await forGuest(as.run(annotations.delete, segments));
      },
    }),
  ];
}
