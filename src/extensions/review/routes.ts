import { itemAt, readItems } from '../../assets/items/contract/entities.ts';
import type { ItemRow } from '../../assets/items/contract/store.ts';
import type { ItemsContext } from '../../assets/items/public.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { runInSlices } from '../../core/lib/turn.ts';
import { baseOf } from '../../http/address.ts';
import { type Call, requireDocument, sentText } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { flag, page, pageOf } from '../../http/parameters/index.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import { renderList } from '../../http/render-list.ts';
import { located, type Reply } from '../../http/reply.ts';
import { access, type Route, role, route } from '../../http/route.ts';
import { subjectOf } from '../../security/caller.ts';
import {
  type AnnotationCommand,
  changeAnnotation,
  commandOf,
  createAnnotation,
  deleteAnnotation,
  writesAnnotations,
} from './change.ts';
import { annotationDocument, annotationListDocument, documentOf, fittingOf, narrowing } from './documents.ts';
import { importAnnotations, isPage, maxPageBytes } from './import.ts';
import { noSuchAnnotation } from './rules.ts';
import {
  type AnnotationRow,
  annotationMustExist,
  annotationsOfItem,
  countAnnotations,
  findAnnotation,
} from './store.ts';
import {
  contentOf,
  jsonLd,
  type Members,
  membersIn,
  mostBytes,
  type Place,
  pageTexts,
  webAnnotationOf,
  webAnnotationType,
} from './web-annotation.ts';

/** The user to whom an annotation is assigned sets its state as a reader of the item. Any other change asks for more. */
const changesAnnotations = access(
  {
    role: writesAnnotations,
    or: { role: readItems.needs.role, for: 'setting the state of what is assigned to the caller' },
  },
  async (call, params) => {
    if (!(await subjectOf(call).has(writesAnnotations))) await readItems(call, params);
  },
);

/** Annotations of one page: each may have a drawing. */
const maxListed = 100;

const types = [...documentTypes, jsonLd];
const answersOne = raw([annotationDocument, 'bytes'], types);
const readsOne = raw([annotationDocument]);

/** Routes for comments and drawings on items. */
export function annotationRoutes(parts: ItemsContext): readonly Route[] {
  const { store, render } = parts;
  const path = '/item/:item/annotation';
  const one = `${path}/:annotation` as const;
  const item = itemAt(store);
  const write = role(writesAnnotations);
  const pages = page(maxListed);

  /** Annotations in paths: those of another item are not there. */
  const annotation: PathEntity<AnnotationRow> = {
    kind: 'annotation',
    async find(id, _call, segments) {
      const row = await findAnnotation(store, { id });
      if (row?.itemId !== (segments['item'] as ItemRow).id) throw noSuchAnnotation(id);
      return row;
    },
    stays: ({ id }) => annotationMustExist(id, noSuchAnnotation(id)),
  };
  const both = { item: item('READ'), annotation };

  const placeOf = (call: Call, { id }: Pick<ItemRow, 'id'>): Place => ({
    item: `${baseOf(call)}/item/${encodeURIComponent(id)}`,
  });

  /** Members of a Web Annotation, or of a page of them where those are read, too. Undefined: another form. */
  async function membersSent(call: Call, max = mostBytes): Promise<Members | undefined> {
    const isJsonLd = /^application\/ld\+json\s*(?:;|$)/i.test(call.request.headers.get('content-type')?.trim() ?? '');
    if (!isJsonLd) return undefined;
    const text = await sentText(call, max);
    const members = membersIn(text);
    if (!isPage(members) && text.length > mostBytes)
      throw new ServiceError('body-too-large', { context: 'body', explanation: `Expected at most ${mostBytes} bytes` });
    return members;
  }

  async function commandIn(call: Call, members: Members | undefined, place: Place): Promise<AnnotationCommand> {
    return members ? contentOf(members, place) : commandOf(await requireDocument(call, annotationDocument));
  }

  async function pageText(place: Place, rows: readonly AnnotationRow[], page: Parameters<typeof pageTexts>[2]) {
    return { status: 200, type: webAnnotationType, body: await runInSlices(pageTexts(rows, place, page)) };
  }

  function answerOne(call: Call, row: AnnotationRow, place: Place): Reply {
    if (call.type !== jsonLd) return render(call.type, annotationDocument, documentOf(row));
    return { status: 200, type: webAnnotationType, body: JSON.stringify(webAnnotationOf(row, place)) };
  }

  return [
    route({
      method: 'GET',
      path,
      says: 'The annotations of an item, oldest first. As JSON-LD: a page of Web Annotations.',
      entities: { item: item('READ') },
      query: {
        ...narrowing,
        ...pages,
        complete: flag('Adds `state`, `assignedTo` and `version` to Web Annotations, for an import', false),
      },
      answers: raw([annotationListDocument, 'bytes'], types),
      access: readItems,
      async handle(call, { item }) {
        const { reader, query } = call;
        const fitting = fittingOf(item.id, query, call.guest);
        const { offset, limit } = pageOf(query);
        const rows = await annotationsOfItem(reader, { ...fitting, offset, limit });
        const hits = (await countAnnotations(reader, fitting))!.count;
        if (call.type !== jsonLd) {
          const value = { hits, annotation: rows.map(documentOf) };
          return renderList(render, call.type, annotationListDocument, value, 'annotation');
        }
        const place = placeOf(call, item);
        const next = pageAfter(call.parameters, offset + limit, limit);
        const address = `${place.item}/annotation`;
        return pageText(place, rows, {
          address: `${address}${new URL(call.request.url).search}`,
          next: offset + rows.length < hits ? `${address}?${next}` : undefined,
          offset,
          hits,
          isComplete: query.complete,
        });
      },
    }),
    route({
      method: 'POST',
      path,
      says: 'Creates an annotation of an item, for all who may read it. A page of Web Annotations is imported.',
      entities: { item: item('READ') },
      reads: readsOne,
      answers: answersOne,
      access: write,
      acting: 'allowed',
      async handle(call, { item }) {
        const place = placeOf(call, item);
        const members = await membersSent(call, maxPageBytes);
        if (members && isPage(members)) {
          const rows = await importAnnotations(parts, call, item, members, place);
          const page = { address: `${place.item}/annotation`, next: undefined, offset: 0, hits: rows.length };
          return pageText(place, rows, { ...page, isComplete: true });
        }
        const row = await createAnnotation(parts, call, item, await commandIn(call, members, place), call.guest);
        return located(answerOne(call, row, place), call, 'item', item.id, 'annotation', row.id);
      },
    }),
    route({
      method: 'GET',
      path: one,
      says: 'One annotation of an item. As JSON-LD: a Web Annotation.',
      entities: both,
      answers: answersOne,
      access: readItems,
      handle: (call, { item, annotation }) => answerOne(call, annotation, placeOf(call, item)),
    }),
    route({
      method: 'PUT',
      path: one,
      says: 'Changes an annotation. Elements that are left out stay as they are, and empty ones are removed. One of another user needs WRITE on the item, but who is assigned may set its state.',
      entities: both,
      reads: readsOne,
      answers: answersOne,
      access: changesAnnotations,
      acting: 'allowed',
      async handle(call, { item, annotation }) {
        const place = placeOf(call, item);
        const row = await changeAnnotation(
          parts,
          call,
          annotation,
          await commandIn(call, await membersSent(call), place),
          place,
          call.guest,
        );
        return answerOne(call, row, place);
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: 'Deletes an annotation with its replies. What is of other users needs WRITE on the item.',
      entities: both,
      access: write,
      acting: 'allowed',
      handle: (call, { annotation }) => deleteAnnotation(parts, call, annotation, call.guest),
    }),
  ];
}

/** Query of the next page, with the filters of this one. */
function pageAfter(parameters: Call['parameters'], offset: number, limit: number): URLSearchParams {
  const next = new URLSearchParams();
  for (const [name, values] of parameters) for (const each of values) next.append(name, each);
  next.set('first', `${offset + 1}`);
  next.set('number', `${limit}`);
  return next;
}
