import { readersAmong } from '../../assets/access/public-reading.ts';
import { itemAt, itemName } from '../../assets/items/contract/entities.ts';
import type { ItemRow } from '../../assets/items/contract/store.ts';
import type { ItemsContext } from '../../assets/items/public.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { Reader } from '../../core/store/statement.ts';
import { text } from '../../http/parameters/index.ts';
import { type Route, role, route } from '../../http/route.ts';
import { writesAnnotations } from './change.ts';
import { annotationPeopleDocument } from './documents.ts';
import { namesIn } from './rules.ts';
import { usersBeginning } from './store.ts';

/** Users of one answer. */
const maxPeople = 10;
/** Users who are looked at together, and how often: among many who may not read the item, a longer text finds one. */
const [pageSize, maxPages] = [250, 4];
const maxText = 100;

/** A pattern of LIKE for what begins with a text. */
const beginning = (word: string): string => `${word.replace(/[\\%_]/g, '\\$&')}%`;

/** LIKE ignores the case of ASCII alone, so a first letter is tried in upper case, too. */
const capitalised = (word: string): string => word.charAt(0).toLocaleUpperCase() + word.slice(1);

async function peopleFor(reader: Reader, { id }: Pick<ItemRow, 'id'>, typed: string) {
  const people: { readonly userName: string; readonly realName: string | undefined }[] = [];
  const place = { type: itemName.type, id };
  let after = '';
  for (let page = 0; page < maxPages && people.length < maxPeople; page++) {
    const query = { after, begin: beginning(typed), other: beginning(capitalised(typed)), limit: pageSize };
    const users = await usersBeginning(reader, query);
    const ids = users.flatMap(({ id: user, name }) => (namesIn(`@${name}`).includes(name) ? [user] : []));
    const readers = await readersAmong(reader, place, ids);
    const named = users.filter((user) => readers.has(user.id));
    people.push(...named.map(({ name, realName }) => ({ userName: name, realName: realName ?? undefined })));
    if (users.length < pageSize) break;
    after = users.at(-1)!.name;
  }
  return people.slice(0, maxPeople);
}

const tooLong = () =>
  new ServiceError('bad-value', {
    ...{ context: 'parameter', id: 'text' },
    explanation: `Expected at most ${maxText} characters in the parameter text`,
  });

/** People whom a text may mention. */
export const peopleRoute = ({ store }: ItemsContext): Route =>
  route({
    method: 'GET',
    path: '/item/:item/annotation/people',
    says: `Up to ${maxPeople} users who may read an item, for those who may write annotations on it. A text may mention them, and they may act.`,
    entities: { item: itemAt(store)('READ') },
    query: { text: text('How the name, or a word of the real name, begins', { defaultValue: '' }) },
    answers: annotationPeopleDocument,
    access: role(writesAnnotations),
    async handle(call, { item }) {
      const typed = call.query.text;
      if (typed.length > maxText) throw tooLong();
      return { person: await peopleFor(call.reader, item, typed) };
    },
  });
