import { itemAt, readItems } from '../../assets/items/contract/entities.ts';
import type { ItemRow } from '../../assets/items/contract/store.ts';
import { annotations, type ItemsContext } from '../../assets/items/public.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { after } from '../../core/lib/maybe.ts';
import { runInSlices } from '../../core/lib/turn.ts';
import { baseOf } from '../../http/address.ts';
import type { Answer } from '../../http/answers.ts';
import { type Call, requireDocument, sentText } from '../../http/call.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { flag, page, pageOf } from '../../http/parameters/index.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import { reads } from '../../http/reads.ts';
import { renderList } from '../../http/render-list.ts';
import { located } from '../../http/reply.ts';
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
import {
  type AnnotationSent,
  annotationDocument,
  annotationListDocument,
  documentOf,
  fittingOf,
  narrowing,
} from './documents.ts';
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

const forms = [annotationDocument, 'bytes'] as const;
const types = [...documentTypes, jsonLd];

/** Annotations of one item. */
interface OfItem {
  readonly itemId: string;
  readonly rows: readonly AnnotationRow[];
}

const placeAt = (call: Call, id: string): Place => ({ item: `${baseOf(call)}/item/${encodeURIComponent(id)}` });

async function pageText({ itemId, rows }: OfItem, call: Call, page: Omit<Parameters<typeof pageTexts>[2], 'address'>) {
  const place = placeAt(call, itemId);
  const address = `${place.item}/annotation${call.method === 'POST' ? '' : new URL(call.request.url).search}`;
  return {
    status: 200,
    type: webAnnotationType,
    body: await runInSlices(pageTexts(rows, place, { address, ...page })),
  };
}

const oneAnswer: Answer<AnnotationRow> = {
  ...{ kind: 'answer', forms, types },
  reply(row, call) {
    if (call.type !== jsonLd) return call.render(call.type, annotationDocument, documentOf(row));
    const body = JSON.stringify(webAnnotationOf(row, placeAt(call, row.itemId)));
    return { status: 200, type: webAnnotationType, body };
  },
};

const createdAnswer: Answer<OfItem> = {
  ...oneAnswer,
  reply(created, call) {
    const { itemId, rows } = created;
    const [row] = rows;
    if (row === undefined || sendsPage(call.body as Sent))
      return pageText(created, call, { next: undefined, offset: 0, hits: rows.length, isComplete: true });
    return after(oneAnswer.reply(row, call), (reply) => located(reply, call, 'item', itemId, 'annotation', row.id));
  },
};

const listAnswer: Answer<OfItem & { readonly hits: number; readonly offset: number; readonly limit: number }> = {
  ...{ kind: 'answer', forms: [annotationListDocument, 'bytes'], types },
  reply(list, call) {
    const { itemId, rows, hits, offset, limit } = list;
    if (call.type !== jsonLd) {
      const value = { hits, annotation: rows.map(documentOf) };
      return renderList(call.render, call.type, annotationListDocument, value, 'annotation');
    }
    const address = `${placeAt(call, itemId).item}/annotation?${pageAfter(call.parameters, offset + limit, limit)}`;
    const next = offset + rows.length < hits ? address : undefined;
    return pageText(list, call, { next, offset, hits, isComplete: call.query['complete'] === true });
  },
};

/** A document, or the members of a Web Annotation, or of a page of them. */
type Sent = AnnotationSent | { readonly members: Members };

/** `max`: bytes of what is sent as JSON-LD. */
const readsOne = (max: number) =>
  reads([annotationDocument], async (call): Promise<Sent> => {
    const isJsonLd = /^application\/ld\+json\s*(?:;|$)/i.test(call.request.headers.get('content-type')?.trim() ?? '');
    if (!isJsonLd) return requireDocument(call, annotationDocument);
    const text = await sentText(call, max);
    const members = membersIn(text);
    if (!isPage(members) && text.length > mostBytes)
      throw new ServiceError('body-too-large', { context: 'body', explanation: `Expected at most ${mostBytes} bytes` });
    return { members };
  });

const sendsPage = (sent: Sent): sent is { readonly members: Members } => 'members' in sent && isPage(sent.members);

const commandIn = (sent: Sent, place: Place): AnnotationCommand =>
  'members' in sent ? contentOf(sent.members, place) : commandOf(sent);

/** Routes for comments and drawings on items. */
export function annotationRoutes(parts: ItemsContext): readonly Route[] {
  const { store } = parts;
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

  return [
    route({
      ...annotations.list,
      says: 'The annotations of an item, oldest first. As JSON-LD: a page of Web Annotations.',
      entities: { item: item('READ') },
      query: {
        ...narrowing,
        ...pages,
        complete: flag('Adds `state`, `assignedTo` and `version` to Web Annotations, for an import', false),
      },
      answers: listAnswer,
      access: readItems,
      async handle({ reader, query, guest }, { item: { id } }) {
        const fitting = fittingOf(id, query, guest);
        const { offset, limit } = pageOf(query);
        const rows = await annotationsOfItem(reader, { ...fitting, offset, limit });
        const hits = (await countAnnotations(reader, fitting))!.count;
        return { itemId: id, rows, hits, offset, limit };
      },
    }),
    route({
      ...annotations.create,
      says: 'Creates an annotation of an item, for all who may read it. A page of Web Annotations is imported.',
      entities: { item: item('READ') },
      reads: readsOne(maxPageBytes),
      answers: createdAnswer,
      access: write,
      acting: 'allowed',
      async handle(call, { item }) {
        const place = placeAt(call, item.id);
        const rows = sendsPage(call.body)
          ? await importAnnotations(parts, call, item, call.body.members, place)
          : [await createAnnotation(parts, call, item, commandIn(call.body, place), call.guest)];
        return { itemId: item.id, rows };
      },
    }),
    route({
      method: 'GET',
      path: annotations.change.path,
      says: 'One annotation of an item. As JSON-LD: a Web Annotation.',
      entities: both,
      answers: oneAnswer,
      access: readItems,
      handle: (_call, { annotation }) => annotation,
    }),
    route({
      ...annotations.change,
      says: 'Changes an annotation. Elements that are left out stay as they are, and empty ones are removed. One of another user needs WRITE on the item, but who is assigned may set its state.',
      entities: both,
      reads: readsOne(mostBytes),
      answers: oneAnswer,
      access: changesAnnotations,
      acting: 'allowed',
      handle(call, { item, annotation }) {
        const place = placeAt(call, item.id);
        return changeAnnotation(parts, call, annotation, commandIn(call.body, place), place, call.guest);
      },
    }),
    route({
      ...annotations.delete,
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
