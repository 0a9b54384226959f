import { askerOf } from '../definitions/public-reading.ts';
import { baseOf } from '../http/address.ts';
import { type Call, optionalDocument, requireDocument } from '../http/call.ts';
import { documentTypes, type MediaType } from '../http/negotiation.ts';
import { badParameter, flag, text } from '../http/parameters/index.ts';
import { done, type Reply } from '../http/reply.ts';
import { type Params, type Route, route } from '../http/route.ts';
import { accountOf } from '../security/caller.ts';
import { isKept } from './allowed.ts';
import { type ChangedMetadata, changeMetadata } from './change.ts';
import {
  type MetadataDocumentValue,
  type MetadataListValue,
  metadataDocument,
  metadataEntryDocument,
  metadataEntryListDocument,
  metadataListDocument,
  terseMetadataListDocument,
} from './documents/metadata.ts';
import { documentOfEntries, type EntryInput, entryIn, entryRemoval } from './entries.ts';
import { putDocument } from './global-documents/change.ts';
import { documentPlace } from './global-documents/place.ts';
import { loadMetadata, ownersOf } from './load.ts';
import { metadataLockRoutes } from './locks/routes.ts';
import { logRoutes } from './log/routes.ts';
import { stateAt } from './log/state-at.ts';
import { noSuchMetadataEntry } from './merge/refusals.ts';
import type { MetadataState } from './merge/state.ts';
import { spanTexts, uuidIn, wishOf } from './merge/wish-of.ts';
import { collectionPlace, globalPlace, itemPlace, type MetadataResource } from './places.ts';
import { type Projection, projectedReply, projectionNamed, projections, sentThrough } from './projections.ts';
import {
  documentsOf,
  type MetadataQuery,
  metadataView,
  storedView,
  terseOf,
  terseView,
  textsOf,
  viewOf,
} from './read.ts';
import type { MetadataContext } from './settings.ts';
import type { MetadataOwner } from './store.ts';

const outputs = {
  projection: text('Projection whose incoming stylesheet transforms the body into metadata', {
    usual: 'default',
  }),
  'output-projection': text('Projection whose outgoing stylesheet transforms the answer'),
  'output-project': text('The same, as older clients write it'),
};

/** Routes for metadata of items, collections, global documents, and global metadata. */
export function metadataRoutes(parts: MetadataContext): readonly Route[] {
  const { store } = parts;
  const places = [itemPlace(store), collectionPlace(store), documentPlace(store), globalPlace];
  return [
    ...places.flatMap((place) => [
      ...routesOf(parts, place),
      ...logRoutes(parts, place),
      ...metadataLockRoutes(parts, place),
    ]),
    ...entryRoutes(parts, places),
  ];
}

function routesOf(parts: MetadataContext, place: MetadataResource): readonly Route[] {
  const { store, render, limits, settings } = parts;
  const path = place.metadataPath;
  const { read, write, of } = place;
  const isItem = place.kind === 'item';
  const answers = isItem ? metadataListDocument : metadataDocument;

  const listOf = (metadata: MetadataDocumentValue, id?: string): MetadataListValue => ({
    item: [{ metadata, ...(id !== undefined && { id }) }],
  });

  const answer = (type: MediaType, metadata: MetadataDocumentValue, id?: string): Reply =>
    isItem ? render(type, metadataListDocument, listOf(metadata, id)) : render(type, metadataDocument, metadata);

  /** Applies a projection to an answer. */
  async function project(projection: Projection, metadata: MetadataDocumentValue, id?: string): Promise<Reply> {
    const metadataList = listOf(metadata, id);
    const { outgoing } = parts.hooks.need(projections);
    const made = isItem
      ? await outgoing(projection, metadataListDocument, metadataList, { metadataList })
      : await outgoing(projection, metadataDocument, metadata, { metadataList });
    return projectedReply(projection, made);
  }

  /** Answer to a change: no computed values, and no id. */
  async function answerChange(
    call: Call,
    type: MediaType,
    { owner, prepared: { state, touched } }: ChangedMetadata,
    onlyChanges = false,
    projection?: Projection,
  ): Promise<Reply> {
    const by = { site: settings.site, asker: await askerOf(call), inherits: !onlyChanges };
    const shown = new Map([[owner.id, { state, ...(onlyChanges && { touched }) }]]);
    const document = (await documentsOf(store, owner.kind, shown, storedView, by)).get(owner.id)!;
    return projection ? project(projection, document) : answer(type, document);
  }

  async function readView(
    call: Call<MetadataQuery & { readonly terse?: boolean }>,
    type: MediaType,
    params: Params,
  ): Promise<Reply> {
    const view = viewOf(call.query);
    const reader = store.reader(accountOf(call));
    const owner = await place.find(call, params, 'READ');
    const projection = await projectionNamed(parts, reader, call.query.projection, 'outgoing', accountOf(call));
    if (projection && call.query.terse) throw badParameter('terse', 'Expected it without a projection');
    // Old revisions show no metadata of current collections.
    const by = { site: settings.site, asker: await askerOf(call), inherits: !view.revision };
    const texts = call.query.terse || projection ? undefined : await textsOf(reader, owner, view, by);
    if (texts) return answer(type, texts, owner.id);
    const loaded = view.revision ? await stateAt(reader, owner, view.revision) : await loadMetadata(store, owner);
    const documents = await documentsOf(reader, owner.kind, new Map([[owner.id, loaded]]), view, by);
    const document = documents.get(owner.id)!;
    if (projection) return project(projection, document, owner.id);
    if (!call.query.terse) return answer(type, document, owner.id);
    const item = [{ id: owner.id, values: terseOf(document) }];
    return render(type, terseMetadataListDocument, { item });
  }

  const changeEntries = async (call: Call, type: MediaType, params: Params, given: readonly EntryInput[]) => {
    const wish = (state: MetadataState) => wishOf(documentOfEntries(state, given), { isIgnored: isKept });
    return answerChange(call, type, await changeMetadata(parts, place, call, params, wish));
  };

  return [
    route({
      method: 'GET',
      path,
      says: `The metadata ${of}.`,
      query: { ...metadataView, ...(isItem && terseView) },
      answers: isItem ? [metadataListDocument, terseMetadataListDocument] : metadataDocument,
      access: read,
      produces: documentTypes,
      handle: readView,
    }),
    route({
      method: 'PUT',
      path,
      says: `Merges a document into the metadata ${of}, as one change set. Other values stay.`,
      query: {
        ...outputs,
        revision: text('Comma-separated ids of the change sets that the caller has read'),
        onlyReturnChanges: flag('Answers only the groups and fields in the document', false),
        skipForbidden: flag('Leaves out fields that the caller may not write, instead of refusing them', false),
      },
      reads: metadataDocument,
      answers,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type, params) {
        const { onlyReturnChanges, skipForbidden, revision, projection } = call.query;
        const output = call.query['output-projection'] ?? call.query['output-project'];
        const [ahead, behind] = await Promise.all([
          projectionNamed(parts, store, projection, 'incoming', accountOf(call)),
          projectionNamed(parts, store, output, 'outgoing', accountOf(call)),
        ]);
        const document = ahead
          ? await sentThrough(parts, call, ahead)
          : ((await optionalDocument(call, metadataDocument, limits)) ?? {});
        const wish = wishOf(document, { isIgnored: isKept }, revision ?? document.revision);
        const change = place.kind === 'document' ? putDocument : changeMetadata;
        const told = (made: ChangedMetadata) => answerChange(call, type, made, onlyReturnChanges, behind);
        let projected: Reply | undefined;
        // Runs the stylesheet before the commit: if it fails, nothing changes, and the caller can retry.
        const tell = async (made: ChangedMetadata) => {
          projected = await told(made);
        };
        const changed = await change(parts, place, call, params, wish, skipForbidden, behind && tell);
        return projected ?? told(changed);
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/move`,
      says: `Moves a field or group of the first level to another timespan of the metadata ${of}.`,
      query: {
        uuid: text('The uuid of the field or group', { required: true }),
        start: text('A time code', { usual: '-INF' }),
        end: text('A time code', { usual: '+INF' }),
      },
      answers,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type, params) {
        const { uuid, start, end } = call.query;
        const move = { uuid: uuidIn(uuid, 'uuid'), ...spanTexts(start, end) };
        const changed = await changeMetadata(parts, place, call, params, { spans: [], moves: [move] });
        return answerChange(call, type, changed);
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/entry`,
      says: `Changes groups, fields and values of the metadata ${of} by their uuids.`,
      reads: metadataEntryListDocument,
      answers,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type, params) {
        const { entry: entries = [] } = await requireDocument(call, metadataEntryListDocument, limits);
        const given = entries.map(({ uuid, ...entry }) => ({ uuid: uuid ?? uuidWithin(entry), entry }));
        return changeEntries(call, type, params, given);
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/entry/:uuid`,
      says: `Changes one group, field or value of the metadata ${of} by its uuid.`,
      reads: metadataEntryDocument,
      answers,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type, params) {
        const entry = await requireDocument(call, metadataEntryDocument, limits);
        return changeEntries(call, type, params, [{ uuid: params.uuid, entry }]);
      },
    }),
  ];
}

/** Uuid of an entry, which may be inside the field, group or value. */
const uuidWithin = ({ field, group, value }: EntryInput['entry']): string => (field ?? group ?? value)?.uuid ?? '';

/** Routes for a group, field or value of any entity, by its uuid. */
function entryRoutes(parts: MetadataContext, places: readonly MetadataResource[]): readonly Route[] {
  const { store, render, settings } = parts;
  const path = '/metadata/:uuid';

  /** Entity of the entry, since access to it is checked as well. */
  async function placeOf(uuid: string): Promise<{ readonly place: MetadataResource; readonly owner: MetadataOwner }> {
    const owner = (await ownersOf(store, [uuid])).get(uuid);
    const place = places.find(({ kind }) => kind === owner?.kind);
    if (owner && place) return { owner, place };
    throw noSuchMetadataEntry(uuid);
  }

  const namesOf = ({ kind, id }: MetadataOwner): Params => ({ [kind]: id });

  return [
    route({
      method: 'GET',
      path,
      says: 'One group, field or value of any metadata, by its uuid.',
      answers: metadataEntryDocument,
      access: globalPlace.read,
      produces: documentTypes,
      async handle(call, type, params) {
        const uuid = uuidIn(params.uuid, 'uuid');
        const { place, owner } = await placeOf(uuid);
        await place.find(call, namesOf(owner), 'READ');
        const by = { site: settings.site, asker: await askerOf(call) };
        const shown = new Map([[owner.id, await loadMetadata(store, owner)]]);
        const document = (await documentsOf(store, owner.kind, shown, storedView, by)).get(owner.id)!;
        const entry = entryIn(document, uuid);
        if (!entry) throw noSuchMetadataEntry(uuid);
        const { kind, id } = owner;
        const source = { id, type: kind, loc: `${baseOf(call)}/${kind}/${id}` };
        return render(type, metadataEntryDocument, { ...entry, ...(kind !== 'global' && { source }) });
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Removes one group, field or value from the metadata that it is in.',
      access: globalPlace.write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const uuid = uuidIn(params.uuid, 'uuid');
        const { place, owner } = await placeOf(uuid);
        const wish = (state: MetadataState) => wishOf(entryRemoval(state, uuid), { isIgnored: isKept });
        await changeMetadata(parts, place, call, namesOf(owner), wish);
        return done;
      },
    }),
  ];
}
