import { ServiceError } from '../../core/lib/errors.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { Call } from '../../http/call.ts';
import { page, pageOf } from '../../http/parameters/index.ts';
import { anybody, type Route, route } from '../../http/route.ts';
import { type SharedAnnotation, sharedAnnotationDocument, sharedAnnotationListDocument } from './documents.ts';
import { checkOrigin, type Guest } from './guests.ts';
import { documentAs } from './maker.ts';
import type { ShareContext } from './routes.ts';
import { gone } from './rules.ts';
import { commentFits, countComment } from './store.ts';

/** Comments by guests of one share, and those of one answer. */
const mostComments = 1_000;
const mostListed = 100;
const path = '/APInoauth/share/:link/item/:item/annotation';

interface Annotation extends Omit<SharedAnnotation, 'created'> {
  readonly created: string;
  readonly user?: string;
}

interface AnnotationPage {
  readonly hits: number;
  readonly annotation?: readonly Annotation[];
}

/** Authors who are guests have names behind a colon. Names of users stay within the service. */
const guestName = /^guest:(.*)$/s;

function seenByGuests(annotation: Annotation): SharedAnnotation {
  const { id, parent, start, end, rectangle, drawing, text, created, user = '' } = annotation;
  const name = guestName.exec(user)?.[1];
  return { id, parent, start, end, rectangle, drawing, text, name, created: Date.parse(created) };
}

const full = new ServiceError('quota-exceeded', {
  type: 'Share',
  explanation: `Expected fewer than ${mostComments} comments by guests of the share`,
});

/**
 * Comments of guests. The routes of annotations are asked as the maker, who must be allowed to comment.
 * `place`: finds the guest, and the item in its share.
 */
export function commentRoutes(
  parts: ShareContext,
  place: (call: Call, link: string, item: string) => Promise<{ readonly guest: Guest; readonly item: string }>,
): readonly Route[] {
  /** The guest where guests comment. */
  async function commenting(call: Call, link: string, name: string) {
    const { guest, item } = await place(call, link, name);
    if (guest.share.comment === 0) throw gone();
    const { share, use, maker } = guest;
    return { share, maker, at: `/item/${item}/annotation`, as: { share: share.id, name: use.name ?? undefined } };
  }
  return [
    route({
      method: 'GET',
      path,
      says: 'The comments of guests of a share on an item, and the replies to them, oldest first.',
      query: page(mostListed),
      answers: sharedAnnotationListDocument,
      access: anybody,
      async handle(call, { link, item }) {
        const { maker, at, as } = await commenting(call, link, item);
        const { offset, limit } = pageOf(call.query);
        const list = `${at}?first=${offset + 1}&number=${limit}`;
        const { hits, annotation = [] } = await documentAs<AnnotationPage>(parts, call, maker, list, { guest: as });
        return { hits, annotation: annotation.map(seenByGuests) };
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
        const { share, maker, at, as } = await commenting(call, link, item);
        const { parent, start, end, rectangle, drawing, text } = call.body;
        const { id } = share;
        await call.commit(changing(commentFits({ id, most: mostComments }, full), countComment({ id, by: 1 })));
        try {
          const annotation = await documentAs<Annotation>(parts, call, maker, at, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ parent, start, end, rectangle, drawing, text }),
            guest: as,
          });
          return seenByGuests(annotation);
        } catch (error) {
          await call.commit(changing(countComment({ id, by: -1 })));
          throw error;
        }
      },
    }),
  ];
}
