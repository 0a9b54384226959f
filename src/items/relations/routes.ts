import { mayRead, mayWrite, readableAmong } from '../../access/public.ts';
import { accessOf } from '../../access/public-reading.ts';
import { type Call, requireDocument } from '../../http/call.ts';
import { documentOrText, documentTypes, type MediaType } from '../../http/negotiation.ts';
import { badParameter, choice, flag, page, pageOf } from '../../http/parameters/index.ts';
import { renderList } from '../../http/render-list.ts';
import { done, lines, type Reply } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { retryWhenChanged } from '../../lib/retry-when-changed.ts';
import { accountOf } from '../../security/caller.ts';
import { itemName, itemNamed, read, write } from '../contract/item/kind.ts';
import type { ItemsContext } from '../settings.ts';
import { relateItems, relationDocuments, relationNamed, relationWish } from './change.ts';
import { itemRelationDocument, itemRelationListDocument } from './documents.ts';
import { changeRelation, pairsOf, removeRelation } from './rules.ts';
import { checkRelationPage, type RelationRow, relationsOfItem, removeRelations } from './store.ts';

const allowDuplicate = flag('Whether to create a relation that already exists', true);
const removed = choice('Direction of the relations, from the item', ['A', 'U', 'S', 'T'], { usual: 'A' });
const words = 'Metadata of the relation: key=value';

/** Routes for relations between items. */
export function itemRelationRoutes(parts: ItemsContext): readonly Route[] {
  const { store, settings, limits, render } = parts;
  const ofItem = '/item/:item/relation';
  const ofBoth = `${ofItem}/:other`;
  const one = '/relation/:relation';
  const pages = page(settings.maxPage);

  async function answer(type: MediaType, row: RelationRow): Promise<Reply> {
    const [document] = await relationDocuments(store, [row]);
    return render(type, itemRelationDocument, document!);
  }

  async function removeFor(call: Call, item: string, other: string | undefined, direction: string): Promise<Reply> {
    const row = await itemNamed(store, item);
    await mayWrite(store, call, itemName, row);
    const second = other === undefined ? '' : (await itemNamed(store, other)).id;
    await call.commit({ changes: removeRelations({ item: row.id, other: second, direction }), events: [] });
    return done;
  }

  return [
    route({
      method: 'POST',
      path: ofBoth,
      says: 'Creates a relation from an item to another one. Other query parameters become metadata of the relation.',
      query: {
        direction: choice('U: undirected. S: the first item is the source. T: it is the target', ['U', 'S', 'T']),
        allowDuplicate,
      },
      otherNames: words,
      answers: itemRelationDocument,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type, params) {
        const { direction } = call.query;
        if (direction === undefined) throw badParameter('direction', 'Expected one of U, S, T');
        const pairs = pairsOf(call.parameters, ['direction', 'allowDuplicate']).filter(([, value]) => value !== '');
        const wish = { item: params.item, other: params.other, direction, pairs };
        const [row] = await relateItems(parts, call, [wish], call.query.allowDuplicate);
        return answer(type, row!);
      },
    }),
    route({
      method: 'POST',
      path: '/relation',
      says: 'Creates the relations of a document. One invalid relation refuses all.',
      query: { allowDuplicate },
      reads: itemRelationListDocument,
      answers: itemRelationListDocument,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type) {
        const { relation = [] } = await requireDocument(call, itemRelationListDocument, limits);
        const rows = await relateItems(parts, call, relation.map(relationWish), call.query.allowDuplicate);
        const made = await relationDocuments(store, rows);
        return renderList(render, type, itemRelationListDocument, { relation: made }, 'relation');
      },
    }),
    route({
      method: 'GET',
      path: ofItem,
      says: 'The relations of an item to items that the caller may read. Other query parameters filter by metadata.',
      query: {
        direction: choice(
          'Direction of the relations, from the item. D: from it and to it',
          ['A', 'U', 'S', 'T', 'D'],
          {
            usual: 'A',
          },
        ),
        ...pages,
      },
      otherNames: words,
      answers: [itemRelationListDocument, 'text'],
      access: read,
      produces: documentOrText,
      async handle(call, type, params) {
        const row = await itemNamed(store, params.item);
        await mayRead(store, call, itemName, row);
        const reader = store.reader(accountOf(call));
        const pairs = JSON.stringify(pairsOf(call.parameters, ['direction', ...Object.keys(pages)]));
        const { direction } = call.query;
        const found = await relationsOfItem(reader, { item: row.id, direction, pairs, ...pageOf(call.query) });
        const otherOf = ({ source, target }: RelationRow): string => (source === row.id ? target : source);
        const readable = await readableAmong(reader, await accessOf(reader, call), 'item', found.map(otherOf));
        const shown = found.filter((each) => readable.has(otherOf(each)));
        if (type === 'text/plain') return lines(shown.map(({ id }) => [id]));
        await checkRelationPage(
          reader,
          shown.map(({ id }) => id),
          settings.maxPageValues,
        );
        const relation = await relationDocuments(reader, shown);
        return renderList(render, type, itemRelationListDocument, { relation }, 'relation');
      },
    }),
    route({
      method: 'DELETE',
      path: ofItem,
      says: 'Removes the relations of an item.',
      query: { direction: removed },
      access: write,
      acting: 'allowed',
      produces: [],
      handle: (call, _type, params) => removeFor(call, params.item, undefined, call.query.direction),
    }),
    route({
      method: 'DELETE',
      path: ofBoth,
      says: 'Removes the relations of an item to another one.',
      query: { direction: removed },
      access: write,
      acting: 'allowed',
      produces: [],
      handle: (call, _type, params) => removeFor(call, params.item, params.other, call.query.direction),
    }),
    route({
      method: 'GET',
      path: one,
      says: 'One relation.',
      answers: itemRelationDocument,
      access: read,
      produces: documentTypes,
      async handle(call, type, params) {
        return answer(type, await relationNamed(parts, call, params.relation, 'READ'));
      },
    }),
    route({
      method: 'PUT',
      path: one,
      says: 'Changes direction and metadata of a relation. A parameter without a value removes its key.',
      query: {
        direction: choice('U: undirected. S: keeps the direction. T: reverses it', ['U', 'S', 'T']),
      },
      otherNames: words,
      answers: itemRelationDocument,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type, params) {
        const pairs = pairsOf(call.parameters, ['direction']);
        const id = await retryWhenChanged(async () => {
          const row = await relationNamed(parts, call, params.relation, 'WRITE');
          const work = changeRelation(row, call.query.direction, pairs, settings.maxMetadataBytes);
          await call.commit(work);
          return row.id;
        });
        return answer(type, await relationNamed(parts, call, id, 'WRITE'));
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: 'Removes a relation.',
      access: write,
      acting: 'allowed',
      async handle(call, { relation }) {
        await call.commit(removeRelation(await relationNamed(parts, call, relation, 'WRITE')));
      },
    }),
  ];
}
