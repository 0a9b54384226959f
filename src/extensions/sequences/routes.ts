import { readableAmong } from '../../assets/access/public.ts';
import { accessOf } from '../../assets/access/public-reading.ts';
import { askerOf } from '../../assets/definitions/public-reading.ts';
import { itemAt } from '../../assets/items/contract/entities.ts';
import type { ItemsContext, Sequence } from '../../assets/items/public.ts';
import { itemDocument } from '../../assets/items/public-reading.ts';
import {
  attachmentAt,
  attachmentsOfItem,
  changeMetadata,
  clearRoute,
  entitiesOf,
  formatsRoute,
  itemPlace,
  keepAttachment as keep,
  keptForms,
  keptReply,
  keptRoutes,
  metadataOf,
  metadataRequestOf,
  namesOfAttachments,
  ofCollection,
  ownerIn,
  storedView,
} from '../../assets/metadata/public.ts';
import { isKept, type MetadataTimespan } from '../../assets/metadata/public-reading.ts';
import { writeJson } from '../../core/documents/index.ts';
import { answer } from '../../http/answers.ts';
import { documentIn } from '../../http/body.ts';
import { raw } from '../../http/forms.ts';
import { type Content, content } from '../../http/reads.ts';
import { type Route, route, segment } from '../../http/route.ts';
import type { Caller } from '../../security/caller.ts';
import { sequenceExportRoutes } from './exporting/routes.ts';
import {
  expectItems,
  itemsOf,
  ownFormat,
  sequenceDocument,
  sequenceFrom,
  sequenceKind,
  sequenceListDocument,
  sequenceOf,
  timelineKind,
} from './sequence.ts';
import { cutsOf, missingIn, spansIn } from './spans.ts';
import { itemsInOrder } from './store.ts';

/** Maximum cuts of a sequence whose metadata is read. */
const maxCuts = 1000;
/** Items per read. */
const slice = 50;

/** Routes that apply the sequence of an item. */
function sequenceUseRoutes(parts: ItemsContext): readonly Route[] {
  const { store, settings } = parts;
  const place = itemPlace(store);

  return [
    route({
      method: 'POST',
      path: '/item/:item/sequence/conform-metadata',
      says: 'Copies timed metadata of the items in a sequence to the item, at their times in the sequence.',
      entities: { item: itemAt(store)('WRITE', 'METADATA') },
      access: place.write,
      acting: 'allowed',
      async handle(call, { item: { id } }) {
        const owner = { kind: 'item', id } as const;
        const cuts = cutsOf(await sequenceOf(parts, id), maxCuts);
        const items = [...new Set(cuts.map(({ item }) => item))];
        const readable = [...(await readableAmong(store, await accessOf(store, call), 'item', items))];
        const by = { site: settings.site, asker: await askerOf(call), inherits: false };
        const wanted: MetadataTimespan[] = [];
        for (let at = 0; at < readable.length; at += slice) {
          const owners = readable.slice(at, at + slice).map((id) => ({ kind: 'item', id }) as const);
          const metadataById = await metadataOf(store, owners, storedView, by);
          for (const cut of cuts) wanted.push(...spansIn(cut, metadataById.get(cut.item) ?? {}));
        }
        const now = (await metadataOf(store, [owner], storedView, by)).get(id) ?? {};
        const request = metadataRequestOf({ timespan: missingIn(now, wanted) }, { isIgnored: isKept });
        if (request.spans.length > 0) await changeMetadata(parts, place, call, owner, request);
      },
    }),
  ];
}

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
const maxItems = 10_000;

function collectionRoute(parts: ItemsContext): Route {
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
      const ids = (await itemsInOrder(reader, { id, limit: maxItems })).map((row) => row.id);
      const readable = await readableAmong(reader, await accessOf(reader, call), 'item', ids);
      const sequence: Sequence = sequenceFrom(ids.filter((each) => readable.has(each)));
      return sequence;
    },
  });
}
