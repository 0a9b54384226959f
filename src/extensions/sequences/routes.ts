import { readableAmong } from '../../access/public.ts';
import { accessOf } from '../../access/public-reading.ts';
import { writeJson } from '../../documents/index.ts';
import { documentIn } from '../../http/body.ts';
import type { Call } from '../../http/call.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { renderList } from '../../http/render-list.ts';
import { type Route, route } from '../../http/route.ts';
import type { ItemsContext, Sequence } from '../../items/public.ts';
import { itemDocument } from '../../items/public-reading.ts';
import {
  attachmentsOfItem,
  type Content,
  clearRoute,
  findAttachment,
  formatsRoute,
  keepAttachment as keep,
  keptForms,
  keptReply,
  keptRoutes,
  missingAttachment as missing,
  namesOfAttachments,
  ofCollection,
  sentContent,
} from '../../metadata/public.ts';
import { accountOf } from '../../security/caller.ts';
import { sequenceDocument, sequenceListDocument } from './documents.ts';
import { sequenceExportRoutes } from './exporting/routes.ts';
import { expectItems } from './items.ts';
import { sequenceUseRoutes } from './metadata-routes.ts';
import { itemsOf, ownFormat, sequenceFrom, sequenceKind, timelineKind } from './rules.ts';
import { itemsInOrder } from './store.ts';

/** Routes for sequences in any format, timelines, and collections as sequences. */
export function sequenceRoutes(parts: ItemsContext): readonly Route[] {
  const { store, limits, clock, render } = parts;
  const place = attachmentsOfItem(parts, '_sequence_read', '_sequence_write');
  const path = '/item/:item/sequence';
  const one = `${path}/:format`;
  const timeline = '/item/:item/timeline';
  const { kind, noun } = sequenceKind;

  /**
   * Parses the native format and stores it as JSON, so that clients of JSON and XML can share it. Other formats are
   * stored unchanged.
   */
  async function contentOf(call: Call, format: string): Promise<Content> {
    const sent = await sentContent(call, limits.bytes);
    if (format !== ownFormat) return sent;
    const sequence = (await documentIn(sent.content, sequenceDocument, limits)) ?? {};
    await expectItems(store, call, itemsOf(sequence));
    const content = new TextEncoder().encode(writeJson(sequenceDocument, sequence));
    return { mediaType: 'application/json', content };
  }

  const [, , remove] = keptRoutes(parts, place, { ...sequenceKind, path: one });

  return [
    route({
      method: 'GET',
      path,
      says: 'The formats in which the item has a sequence.',
      answers: sequenceListDocument,
      access: place.read,
      produces: documentTypes,
      async handle(call, type, params) {
        const owner = await place.find(call, params, 'READ');
        const names = await namesOfAttachments(store, { ...owner, kind });
        const sequence = names.map(({ name }) => ({ id: owner.id, type: name }));
        return renderList(render, type, sequenceListDocument, { sequence }, 'sequence');
      },
    }),
    route({
      method: 'GET',
      path: one,
      says: 'A sequence of the item. The format "vidispine" is XML. Other formats have the bytes that were sent.',
      answers: [sequenceDocument, 'bytes'],
      access: place.read,
      produces: keptForms,
      async handle(call, _type, params) {
        const owner = await place.find(call, params, 'READ');
        const name = params.format;
        const row = await findAttachment(store, { ...owner, kind, name });
        if (!row) throw missing(noun, name);
        if (name !== ownFormat) return keptReply(row);
        const sequence = (await documentIn(row.content, sequenceDocument, limits)) ?? {};
        return render('application/xml', sequenceDocument, { ...sequence, id: owner.id });
      },
    }),
    route({
      method: 'PUT',
      path: one,
      says: 'Stores a sequence of the item. In the format "vidispine", a SequenceDocument of existing items.',
      reads: 'bytes',
      answers: itemDocument,
      access: place.write,
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type, params) {
        const owner = await place.find(call, params, 'WRITE');
        const name = params.format;
        const content = await contentOf(call, name);
        await call.commit(keep(owner, sequenceKind, name, content, clock.now(), place.guards(call, owner)));
        return render(type, itemDocument, { id: owner.id });
      },
    }),
    remove!,
    formatsRoute(parts, place, { ...timelineKind, path: timeline }),
    clearRoute(place, { ...timelineKind, path: timeline }),
    ...keptRoutes(parts, place, { ...timelineKind, path: `${timeline}/:format` }),
    collectionRoute(parts),
    ...sequenceUseRoutes(parts),
    ...sequenceExportRoutes(parts),
  ];
}

/** Maximum items of a collection to be exported as a sequence. */
const mostItems = 10_000;

function collectionRoute(parts: ItemsContext): Route {
  const { store } = parts;
  const place = ofCollection(parts, '_collection_read', '_collection_write');
  return route({
    method: 'GET',
    path: `${place.path}/sequence-document`,
    says: 'The items of the collection that the caller may read, one after the other, as a sequence.',
    answers: sequenceDocument,
    access: place.read,
    async handle(call, params) {
      const { id } = await place.find(call, params, 'READ');
      const reader = store.reader(accountOf(call));
      const ids = (await itemsInOrder(reader, { id, limit: mostItems })).map((row) => row.id);
      const readable = await readableAmong(reader, await accessOf(reader, call), 'item', ids);
      const sequence: Sequence = sequenceFrom(ids.filter((each) => readable.has(each)));
      return sequence;
    },
  });
}
