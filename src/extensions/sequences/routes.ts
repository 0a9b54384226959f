import { readableAmong } from '../../assets/access/public.ts';
import { accessOf } from '../../assets/access/public-reading.ts';
import type { ItemsContext, Sequence } from '../../assets/items/public.ts';
import { itemDocument } from '../../assets/items/public-reading.ts';
import {
  attachmentAt,
  attachmentsOfItem,
  clearRoute,
  entitiesOf,
  formatsRoute,
  keepAttachment as keep,
  keptForms,
  keptReply,
  keptRoutes,
  namesOfAttachments,
  ofCollection,
  ownerIn,
} from '../../assets/metadata/public.ts';
import { writeJson } from '../../core/documents/index.ts';
import { answer } from '../../http/answers.ts';
import { documentIn } from '../../http/body.ts';
import { raw } from '../../http/forms.ts';
import { type Content, content } from '../../http/reads.ts';
import { type Route, route, segment } from '../../http/route.ts';
import type { Caller } from '../../security/caller.ts';
import { sequenceDocument, sequenceListDocument } from './documents.ts';
import { sequenceExportRoutes } from './exporting/routes.ts';
import { expectItems } from './items.ts';
import { sequenceUseRoutes } from './metadata-routes.ts';
import { itemsOf, ownFormat, sequenceFrom, sequenceKind, timelineKind } from './rules.ts';
import { itemsInOrder } from './store.ts';

/** Routes for sequences in any format, timelines, and collections as sequences. */
export function sequenceRoutes(parts: ItemsContext): readonly Route[] {
  const { store, limits, clock } = parts;
  const place = attachmentsOfItem(parts, '_sequence_read', '_sequence_write');
  const path = '/item/:item/sequence';
  const one = `${path}/:format`;
  const timeline = '/item/:item/timeline';

  /**
   * Parses the native format and stores it as JSON, so that clients of JSON and XML can share it. Other formats are
   * stored unchanged.
   */
  async function contentOf(caller: Caller, format: string, sent: Content): Promise<Content> {
    if (format !== ownFormat) return sent;
    const sequence = (await documentIn(sent.content, sequenceDocument, limits)) ?? {};
    await expectItems(store, caller, itemsOf(sequence));
    const content = new TextEncoder().encode(writeJson(sequenceDocument, sequence));
    return { mediaType: 'application/json', content };
  }

  const forReaders = entitiesOf(place, 'READ');
  const [, , remove] = keptRoutes(parts, place, { ...sequenceKind, path: one });

  return [
    route({
      method: 'GET',
      path,
      says: 'The formats in which the item has a sequence.',
      entities: forReaders,
      answers: answer(sequenceListDocument, { list: 'sequence' }),
      access: place.read,
      async handle(_call, segments) {
        const owner = ownerIn(place, segments);
        const names = await namesOfAttachments(store, { ...owner, kind: sequenceKind.kind });
        return { sequence: names.map(({ name }) => ({ id: owner.id, type: name })) };
      },
    }),
    route({
      method: 'GET',
      path: one,
      says: 'A sequence of the item. The format "vidispine" is XML. Other formats have the bytes that were sent.',
      entities: {
        item: place.entity('READ'),
        format: attachmentAt(store, sequenceKind, (segments) => ownerIn(place, segments)),
      },
      answers: raw([sequenceDocument, 'bytes'], keptForms),
      access: place.read,
      async handle({ render }, { item: { id }, format }) {
        if (format.name !== ownFormat) return keptReply(format);
        const sequence = (await documentIn(format.content, sequenceDocument, limits)) ?? {};
        return render('application/xml', sequenceDocument, { ...sequence, id });
      },
    }),
    route({
      method: 'PUT',
      path: one,
      says: 'Stores a sequence of the item. In the format "vidispine", a SequenceDocument of existing items.',
      entities: entitiesOf(place, 'WRITE'),
      reads: content,
      answers: itemDocument,
      access: place.write,
      acting: 'allowed',
      async handle(call, segments) {
        const owner = ownerIn(place, segments);
        const name = segment(segments, 'format');
        const newContent = await contentOf(call, name, call.body);
        await call.commit(keep(owner, sequenceKind, name, newContent, clock.now(), place.unlocked(call, owner.id)));
        return { id: owner.id };
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
    entities: entitiesOf(place, 'READ'),
    access: place.read,
    async handle(call, segments) {
      const { id } = ownerIn(place, segments);
      const { reader } = call;
      const ids = (await itemsInOrder(reader, { id, limit: mostItems })).map((row) => row.id);
      const readable = await readableAmong(reader, await accessOf(reader, call), 'item', ids);
      const sequence: Sequence = sequenceFrom(ids.filter((each) => readable.has(each)));
      return sequence;
    },
  });
}
