import { askingOf, isAtLeast, levelsOn, maySee } from '../../assets/access/public-reading.ts';
import { itemName, readItems } from '../../assets/items/contract/entities.ts';
import type { ItemsContext } from '../../assets/items/public.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { Reader } from '../../core/store/statement.ts';
import { list, text } from '../../http/parameters/index.ts';
import { type Route, route } from '../../http/route.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { writesApprovals } from './approval-routes.ts';
import { reviewsAsked } from './approval-sql.ts';
import { stepOf, waitingListDocument, waitingOf } from './documents.ts';
import { namesIn } from './rules.ts';
import { annotationsNaming } from './store.ts';

const maxItems = 100;
/** Annotations of one answer that are counted. */
const maxCounted = 1_000;

/** Open annotations of items that are assigned to the caller or name the caller, newest first. */
async function annotationsFor(reader: Reader, call: Caller, itemIds: readonly string[]) {
  const { user, name } = subjectOf(call);
  const pattern = `%@${name.replace(/[\\%_]/g, '\\$&')}%`;
  const rows = await annotationsNaming(reader, { itemIds, userId: user?.id ?? '', name, pattern, max: maxCounted });
  return rows.filter((row) => row.assignee === name || namesIn(row.text).includes(name));
}

const tooMany = (count: number) =>
  new ServiceError('bad-value', {
    ...{ context: 'parameter', id: 'item' },
    explanation: `Expected at most ${maxItems} items: ${count}`,
  });

/** Why items wait for a caller. */
export const waitingRoute = ({ store }: ItemsContext): Route =>
  route({
    method: 'GET',
    path: '/item/annotation/waiting',
    says: `What waits for the caller on up to ${maxItems} items: open annotations, and reviews. Annotations are for whom they are assigned to or name, and reviews for who may give them.`,
    query: { item: list(text('Ids of items')) },
    answers: waitingListDocument,
    access: readItems,
    async handle(call, _params) {
      const { item = [] } = call.query;
      if (item.length > maxItems) throw tooMany(item.length);
      const asking = await askingOf(call);
      const places = item.map((id) => ({ type: itemName.type, id }));
      const { levelOf } = await levelsOn(store, asking, places);
      const itemIds = places.filter((place) => isAtLeast(levelOf(place), 'READ')).map(({ id }) => id);
      const gives = maySee(asking, 'approval') && (await subjectOf(call).has(writesApprovals));
      const [annotations, reviews] = await Promise.all([
        annotationsFor(call.reader, call, itemIds),
        gives ? reviewsAsked(call.reader, { itemIds }) : [],
      ]);
      return {
        item: itemIds.flatMap((id) => {
          const of = annotations.filter(({ itemId }) => itemId === id);
          const review = reviews.find(({ itemId }) => itemId === id);
          return of.length > 0 || review ? [waitingOf(id, of, review && stepOf(review))] : [];
        }),
      };
    },
  });
