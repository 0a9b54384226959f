import type { Description, Value } from '../../core/documents/index.ts';
import { existing } from '../../core/lib/checks.ts';
import type { Maybe } from '../../core/lib/maybe.ts';
import { runInSlices } from '../../core/lib/turn.ts';
import { baseOf } from '../../http/address.ts';
import type { Call } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { badParameter, flag, text } from '../../http/parameters/index.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import { optionalOrText } from '../../http/reads.ts';
import { renderWhole } from '../../http/render-list.ts';
import type { Reply } from '../../http/reply.ts';
import { type Params, type Route, route, segment } from '../../http/route.ts';
import { refusedNow } from '../../room/entities/find.ts';
import type { Entity } from '../../room/entity.ts';
import { accountOf, type Caller } from '../../security/caller.ts';
import type { RequiredLevel } from '../access/public-reading.ts';
import { askerOf } from '../definitions/public-reading.ts';
import { isKept } from './allowed.ts';
import { type ChangedMetadata, changeMetadata, type RequestOrMaker } from './change.ts';
import { documentPlace, putDocument } from './document-routes.ts';
import {
  type MetadataDocumentValue,
  type MetadataListValue,
  metadataDocument,
  metadataEntryDocument,
  metadataEntryListDocument,
  metadataListDocument,
  type terse,
  terseMetadataListDocument,
} from './documents.ts';
import { documentOfEntries, type EntryInput, entryIn, entryRemoval } from './entries.ts';
import { loadMetadata, metadataAhead, ownersOf } from './load.ts';
import { metadataLockRoutes } from './locks/routes.ts';
import { logRoutes } from './log/routes.ts';
import { stateAt } from './log/states.ts';
import { noSuchMetadataEntry } from './merge/refusals.ts';
import { metadataRequestInSteps, metadataRequestOf, spanTexts, uuidIn } from './merge/request.ts';
import type { MetadataState } from './merge/state.ts';
import { collectionPlace, entitiesOf, globalPlace, itemPlace, type MetadataResource, ownerIn } from './places.ts';
import {
  namesProjection,
  type Projection,
  projectedReply,
  projectionNamed,
  projections,
  sentThrough,
} from './projections.ts';
import {
  documentsOf,
  itemAhead,
  type MetadataQuery,
  metadataTold,
  metadataView,
  storedView,
  terseOf,
  terseView,
  viewOf,
} from './read.ts';
import type { MetadataContext } from './settings.ts';
import type { MetadataOwner } from './store.ts';

const outputs = {
  projection: text('Projection whose incoming stylesheet transforms the body into metadata', {
    defaultValue: 'default',
  }),
  'output-projection': text('Projection whose outgoing stylesheet transforms the answer'),
  'output-project': text('The same, as older clients write it'),
};

/** Routes for metadata of items, collections, global documents, and global metadata. */
export function metadataRoutes(parts: MetadataContext): readonly Route[] {
  const { store } = parts;
  const places = [itemPlace(store), collectionPlace(store), documentPlace(store), globalPlace];
  return [
    ...places.flatMap((resource) => [
      ...routesOf(parts, resource),
      ...logRoutes(parts, resource),
      ...metadataLockRoutes(parts, resource),
    ]),
    ...entryRoutes(parts, places),
  ];
}

function routesOf(parts: MetadataContext, resource: MetadataResource): readonly Route[] {
  const { store, settings } = parts;
  const path = resource.metadataPath;
  const { of } = resource;
  const [isItem, isDocument] = [resource.kind === 'item', resource.kind === 'document'];
  const answers = isItem ? metadataListDocument : metadataDocument;
  const ahead = (params: Params) =>
    resource.entity && metadataAhead(store, resource.kind, segment(params, resource.kind));
  const readAhead = (params: Params) =>
    Promise.all([ahead(params), isItem && itemAhead(store, segment(params, 'item'))]);
  const writing = {
    entities: entitiesOf(resource, 'WRITE'),
    access: resource.write,
    acting: 'allowed',
    ahead,
  } as const;

  const refused = (call: Call, { id }: MetadataOwner) => refusedNow(resource.entity?.('READ'), resource, id, call);

  const listOf = (metadata: MetadataDocumentValue, id?: string): MetadataListValue => ({
    item: [{ metadata, ...(id !== undefined && { id }) }],
  });

  const rendered = ({ render, type }: Call, metadata: MetadataDocumentValue, id?: string): Maybe<Reply> =>
    isItem
      ? renderWhole(render, type, metadataListDocument, listOf(metadata, id))
      : renderWhole(render, type, metadataDocument, metadata);

  const renderedTerse = ({ render, type }: Call, { values }: Value<typeof terse>, id: string): Maybe<Reply> =>
    renderWhole(render, type, terseMetadataListDocument, { item: [{ id, values }] });

  /** Applies a projection to an answer. */
  async function project(projection: Projection, metadata: MetadataDocumentValue, id?: string): Promise<Reply> {
    const metadataList = listOf(metadata, id);
    const { outgoing } = parts.hooks.need(projections);
    const output = isItem
      ? await outgoing(projection, metadataListDocument, metadataList, { metadataList })
      : await outgoing(projection, metadataDocument, metadata, { metadataList });
    return projectedReply(projection, output);
  }

  /** Metadata after a change: no computed values. */
  async function changedDocument(
    caller: Caller,
    { owner, prepared: { state, touched }, inheritable }: ChangedMetadata,
    onlyChanges = false,
  ): Promise<MetadataDocumentValue> {
    const by = { site: settings.site, asker: await askerOf(caller), inherits: !onlyChanges, inheritable };
    const shown = new Map([[owner.id, { state, ...(onlyChanges && { touched }) }]]);
    return (await documentsOf(store, owner.kind, shown, storedView, by)).get(owner.id)!;
  }

  /** The reply to a change, from the stored form where all of it is shown. */
  async function changedReply(
    call: Call,
    { owner, prepared: { stored }, inheritable }: ChangedMetadata,
  ): Promise<Reply> {
    const row = { ...stored, version: 0, newest: 0, changedAt: undefined, newestDeletion: stored.epoch };
    const states = new Map([[owner.id, row]]);
    const by = { site: settings.site, asker: await askerOf(call), inheritable, known: states };
    const answers = await metadataTold(store, [owner], storedView, { ...by, isTerse: false, type: call.type });
    // The change is done, also where its maker has lost the rights meanwhile.
    return rendered(call, answers.get(owner.id)?.metadata ?? {});
  }

  async function readView(
    call: Call<MetadataQuery & { readonly terse?: boolean }>,
    segments: Readonly<Record<string, Entity>>,
  ): Promise<Reply> {
    const view = viewOf(call.query);
    const { reader } = call;
    const owner = ownerIn(resource, segments);
    const projection = await projectionNamed(parts, reader, call.query.projection, 'outgoing', accountOf(call));
    if (projection && call.query.terse) throw badParameter('terse', 'Expected it without a projection');
    // Old revisions show no metadata of current collections.
    const by = { site: settings.site, asker: await askerOf(call) };
    if (!view.revision) {
      const isTerse = call.query.terse ?? false;
      const type = projection ? undefined : call.type;
      const answers = await metadataTold(reader, [owner], view, { ...by, isTerse, type });
      const answer = answers.get(owner.id) ?? (await refused(call, owner));
      if (projection) return project(projection, answer.metadata!, owner.id);
      return answer.terse ? renderedTerse(call, answer.terse, owner.id) : rendered(call, answer.metadata!, owner.id);
    }
    const state = await stateAt(reader, owner, view.revision);
    const documents = await documentsOf(reader, owner.kind, new Map([[owner.id, state]]), view, by);
    const document = documents.get(owner.id)!;
    if (projection) return project(projection, document, owner.id);
    if (!call.query.terse) return rendered(call, document, owner.id);
    return renderedTerse(call, { values: terseOf(document) }, owner.id);
  }

  /** Changes the metadata, and answers it as the routes without projections do. */
  async function changed(caller: Caller, owner: MetadataOwner, request: RequestOrMaker) {
    const metadata = await changedDocument(caller, await changeMetadata(parts, resource, caller, owner, request));
    return isItem ? listOf(metadata) : metadata;
  }

  const changeEntries = (caller: Caller, owner: MetadataOwner, given: readonly EntryInput[]) =>
    changed(caller, owner, (state) => metadataRequestOf(documentOfEntries(state, given), { isIgnored: isKept }));

  return [
    route({
      method: 'GET',
      path,
      says: `The metadata ${of}.`,
      entities: entitiesOf(resource, 'READ'),
      query: { ...metadataView, ...(isItem && terseView) },
      answers: raw<Description>(isItem ? [metadataListDocument, terseMetadataListDocument] : metadataDocument),
      access: resource.read,
      ahead: readAhead,
      handle: readView,
    }),
    route({
      ...writing,
      method: 'PUT',
      path,
      says: `Merges a document into the metadata ${of}, as one change set. Other values stay.`,
      // The route creates missing documents.
      entities: isDocument ? {} : writing.entities,
      query: {
        ...outputs,
        revision: text('Comma-separated ids of the change sets that the caller has read'),
        onlyReturnChanges: flag('Answers only the groups and fields in the document', false),
        skipForbidden: flag('Leaves out fields that the caller may not write, instead of refusing them', false),
      },
      reads: optionalOrText(metadataDocument, ({ projection }) => namesProjection(projection)),
      answers: raw(answers),
      async handle(call, segments) {
        const { onlyReturnChanges, skipForbidden, revision, projection } = call.query;
        const output = call.query['output-projection'] ?? call.query['output-project'];
        const [ahead, behind] = await Promise.all([
          projectionNamed(parts, store, projection, 'incoming', accountOf(call)),
          projectionNamed(parts, store, output, 'outgoing', accountOf(call)),
        ]);
        const { body } = call;
        const document = (typeof body === 'string' ? ahead && (await sentThrough(parts, ahead, body)) : body) ?? {};
        const request = await runInSlices(
          metadataRequestInSteps(document, { isIgnored: isKept }, revision ?? document.revision),
        );
        let projected: Reply | undefined;
        // Runs the stylesheet before the commit: if it fails, nothing changes, and the caller can retry.
        const before = async (made: ChangedMetadata) => {
          projected = behind && (await project(behind, await changedDocument(call, made, onlyReturnChanges)));
        };
        const options = { skipForbidden, before: behind && before };
        const outcome = isDocument
          ? await putDocument(parts, call, segment(segments, 'document'), request, options)
          : await changeMetadata(parts, resource, call, ownerIn(resource, segments), request, options);
        if (projected) return projected;
        if (!onlyReturnChanges) return changedReply(call, outcome);
        return rendered(call, await changedDocument(call, outcome, onlyReturnChanges));
      },
    }),
    route({
      ...writing,
      method: 'PUT',
      path: `${path}/move`,
      says: `Moves a field or group of the first level to another timespan of the metadata ${of}.`,
      query: {
        uuid: text('The uuid of the field or group', { required: true }),
        start: text('A time code', { defaultValue: '-INF' }),
        end: text('A time code', { defaultValue: '+INF' }),
      },
      answers,
      handle(call, segments) {
        const { uuid, start, end } = call.query;
        const move = { uuid: uuidIn(uuid, 'uuid'), ...spanTexts(start, end) };
        return changed(call, ownerIn(resource, segments), { spans: [], moves: [move] });
      },
    }),
    route({
      ...writing,
      method: 'PUT',
      path: `${path}/entry`,
      says: `Changes groups, fields and values of the metadata ${of} by their uuids.`,
      reads: metadataEntryListDocument,
      answers,
      handle(call, segments) {
        const { entry: entries = [] } = call.body;
        const addressed = entries.map(({ uuid, ...entry }) => ({ uuid: uuid ?? uuidWithin(entry), entry }));
        return changeEntries(call, ownerIn(resource, segments), addressed);
      },
    }),
    route({
      ...writing,
      method: 'PUT',
      path: `${path}/entry/:uuid`,
      says: `Changes one group, field or value of the metadata ${of} by its uuid.`,
      reads: metadataEntryDocument,
      answers,
      handle: (call, segments) =>
        changeEntries(call, ownerIn(resource, segments), [{ uuid: segment(segments, 'uuid'), entry: call.body }]),
    }),
  ];
}

/** Uuid of an entry, which may be inside the field, group or value. */
const uuidWithin = ({ field, group, value }: EntryInput['entry']): string => (field ?? group ?? value)?.uuid ?? '';

/** A group, field or value by its uuid, with the metadata that it is in. */
interface LocatedEntry {
  readonly uuid: string;
  readonly resource: MetadataResource;
  readonly owner: MetadataOwner;
}

/** Routes for a group, field or value of any entity, by its uuid. */
function entryRoutes(parts: MetadataContext, places: readonly MetadataResource[]): readonly Route[] {
  const { store, settings } = parts;
  const path = '/metadata/:uuid';

  /**
   * Entries in paths, by the level on the entity that has them. No guard: the state that a change replaces has the
   * entry, and is deleted with its entity.
   */
  const entryAt = (level: RequiredLevel): PathEntity<LocatedEntry> => ({
    kind: 'metadata-entry',
    level,
    operation: 'METADATA',
    async find(name, caller, segments) {
      const uuid = uuidIn(name, 'uuid');
      const owner = (await ownersOf(store, [uuid])).get(uuid);
      const resource = places.find(({ kind }) => kind === owner?.kind);
      if (!owner || !resource) throw noSuchMetadataEntry(uuid);
      await resource.entity?.(level).find(owner.id, caller, segments);
      return { uuid, resource, owner };
    },
  });

  return [
    route({
      method: 'GET',
      path,
      says: 'One group, field or value of any metadata, by its uuid.',
      entities: { uuid: entryAt('READ') },
      answers: metadataEntryDocument,
      access: globalPlace.read,
      async handle(call, { uuid: { uuid, owner } }) {
        const { kind, id } = owner;
        const by = { site: settings.site, asker: await askerOf(call) };
        const shown = new Map([[id, await loadMetadata(store, owner)]]);
        const document = (await documentsOf(store, kind, shown, storedView, by)).get(id)!;
        const entry = existing(entryIn(document, uuid), noSuchMetadataEntry, uuid);
        const source = { id, type: kind, loc: `${baseOf(call)}/${kind}/${id}` };
        return { ...entry, ...(kind !== 'global' && { source }) };
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Removes one group, field or value from the metadata that it is in.',
      entities: { uuid: entryAt('WRITE') },
      access: globalPlace.write,
      acting: 'allowed',
      async handle(call, { uuid: { uuid, resource, owner } }) {
        const request = (state: MetadataState) => metadataRequestOf(entryRemoval(state, uuid), { isIgnored: isKept });
        await changeMetadata(parts, resource, call, owner, request);
      },
    }),
  ];
}
