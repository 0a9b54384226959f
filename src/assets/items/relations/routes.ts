import { answer } from '../../../http/answers.ts';
import { badParameter, choice, flag, page, pageOf } from '../../../http/parameters/index.ts';
import { linesOf } from '../../../http/reply.ts';
import { type Route, route } from '../../../http/route.ts';
import { pathEntity } from '../../../room/entities/find.ts';
import type { Caller } from '../../../security/caller.ts';
import { readableAmong } from '../../access/public.ts';
import { accessOf } from '../../access/public-reading.ts';
import { itemAt, itemKind, readItems, writeItems } from '../contract/entities.ts';
import type { ItemsContext } from '../settings.ts';
import { documentOf, relateItems, relationAt, relationDocument, relationDocuments, requestsOf } from './change.ts';
import { changeRelation, itemRelationDocument, itemRelationListDocument, pairsOf, removeRelation } from './rules.ts';
import { checkRelationPage, type RelationRow, relationsOfItem, removeRelations } from './store.ts';

const allowDuplicate = flag('Whether to create a relation that already exists', true);
const removed = choice('Direction of the relations, from the item', ['A', 'U', 'S', 'T'], { defaultValue: 'A' });
const words = 'Metadata of the relation: key=value';

/** Routes for relations between items. */
export function itemRelationRoutes(parts: ItemsContext): readonly Route[] {
  const { store, settings } = parts;
  const ofItem = '/item/:item/relation';
  const ofBoth = `${ofItem}/:other` as const;
  const one = '/relation/:relation';
  const pages = page(settings.maxPage);
  const item = itemAt(store);
  const relation = relationAt(store);

  /** Removes relations of an item, or those to another one. */
  const remove = (call: Caller, id: string, other: string, direction: string): Promise<void> =>
    call.commit({ changes: removeRelations({ item: id, other, direction }), events: [] });

  return [
    route({
      method: 'POST',
      path: ofBoth,
      says: 'Creates a relation from an item to another one. Other query parameters become metadata of the relation.',
      entities: { item: item('WRITE'), other: item('READ') },
      query: {
        direction: choice('U: undirected. S: the first item is the source. T: it is the target', ['U', 'S', 'T']),
        allowDuplicate,
      },
      otherNames: words,
      answers: itemRelationDocument,
      access: writeItems,
      acting: 'allowed',
      async handle(call, { item, other }) {
        const { direction } = call.query;
        if (direction === undefined) throw badParameter('direction', 'Expected one of U, S, T');
        const pairs = pairsOf(call.parameters, ['direction', 'allowDuplicate']).filter(([, value]) => value !== '');
        const request = { item: item.id, other: other.id, direction, pairs };
        const [row] = await relateItems(parts, call, [request], call.query.allowDuplicate);
        return relationDocument(store, row!);
      },
    }),
    route({
      method: 'POST',
      path: '/relation',
      says: 'Creates the relations of a document. One invalid relation refuses all.',
      query: { allowDuplicate },
      reads: itemRelationListDocument,
      answers: answer(itemRelationListDocument, { list: 'relation' }),
      access: writeItems,
      acting: 'allowed',
      async handle(call) {
        const requests = await requestsOf(store, call, call.body.relation);
        const rows = await relateItems(parts, call, requests, call.query.allowDuplicate);
        return { relation: await relationDocuments(store, rows) };
      },
    }),
    route({
      method: 'GET',
      path: ofItem,
      says: 'The relations of an item to items that the caller may read. Other query parameters filter by metadata.',
      entities: { item: item('READ') },
      query: {
        direction: choice(
          'Direction of the relations, from the item. D: from it and to it',
          ['A', 'U', 'S', 'T', 'D'],
          {
            defaultValue: 'A',
          },
        ),
        ...pages,
      },
      otherNames: words,
      answers: answer(itemRelationListDocument, {
        list: 'relation',
        text: ({ relation = [] }) => linesOf(relation.map(({ id = '' }) => [id])),
      }),
      access: readItems,
      async handle(call, { item: { id } }) {
        const { reader } = call;
        const pairs = pairsOf(call.parameters, ['direction', ...Object.keys(pages)]);
        const { direction } = call.query;
        const relations = await relationsOfItem(reader, { item: id, direction, pairs, ...pageOf(call.query) });
        const otherOf = ({ source, target }: RelationRow): string => (source === id ? target : source);
        const readable = await readableAmong(reader, await accessOf(reader, call), 'item', relations.map(otherOf));
        const shown = relations.filter((each) => readable.has(otherOf(each)));
        if (call.type === 'text/plain') return { relation: shown.map((row) => documentOf(row)) };
        await checkRelationPage(
          reader,
          shown.map((row) => row.id),
          settings.maxPageValues,
        );
        return { relation: await relationDocuments(reader, shown) };
      },
    }),
    route({
      method: 'DELETE',
      path: ofItem,
      says: 'Removes the relations of an item.',
      entities: { item: item('WRITE') },
      query: { direction: removed },
      access: writeItems,
      acting: 'allowed',
      handle: (call, { item }) => remove(call, item.id, '', call.query.direction),
    }),
    route({
      method: 'DELETE',
      path: ofBoth,
      says: 'Removes the relations of an item to another one.',
      entities: { item: item('WRITE'), other: pathEntity(store, itemKind(store)) },
      query: { direction: removed },
      access: writeItems,
      acting: 'allowed',
      handle: (call, { item, other }) => remove(call, item.id, other.id, call.query.direction),
    }),
    route({
      method: 'GET',
      path: one,
      says: 'One relation.',
      entities: { relation: relation('READ') },
      answers: itemRelationDocument,
      access: readItems,
      handle: (_call, { relation }) => relationDocument(store, relation),
    }),
    route({
      method: 'PUT',
      path: one,
      says: 'Changes direction and metadata of a relation. A parameter without a value removes its key.',
      entities: { relation: relation('WRITE') },
      query: {
        direction: choice('U: undirected. S: keeps the direction. T: reverses it', ['U', 'S', 'T']),
      },
      otherNames: words,
      answers: itemRelationDocument,
      access: writeItems,
      acting: 'allowed',
      async handle(call, { relation }) {
        const pairs = pairsOf(call.parameters, ['direction']);
        const { row, work } = changeRelation(relation, call.query.direction, pairs, settings.maxMetadataBytes);
        await call.commit(work);
        return relationDocument(store, row);
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: 'Removes a relation.',
      entities: { relation: relation('WRITE') },
      access: writeItems,
      acting: 'allowed',
      handle: (call, { relation }) => call.commit(removeRelation(relation)),
    }),
  ];
}
