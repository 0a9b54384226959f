import { askerOf } from '../../definitions/public-reading.ts';
import { bytesOfOne, lotsOf } from '../../entities/page-weight.ts';
import { type Call, requireDocument } from '../../http/call.ts';
import { documentTypes, type MediaType } from '../../http/negotiation.ts';
import { flag, text, whole } from '../../http/parameters/index.ts';
import { renderList, renderLots } from '../../http/render-list.ts';
import type { Reply } from '../../http/reply.ts';
import { type Params, type Route, route } from '../../http/route.ts';
import { accountOf } from '../../security/caller.ts';
import type { Reader } from '../../store/statement.ts';
import { isKept } from '../allowed.ts';
import { commitChange, inTurnOf } from '../change.ts';
import { type MetadataDocumentValue, metadataChangeSetDocument, metadataDocument } from '../documents/metadata.ts';
import { hideGone } from '../gone/gone.ts';
import { stateOfChangeSet } from '../merge/log-state.ts';
import { noSuchChangeSet } from '../merge/refusals.ts';
import type { ChangeSet } from '../merge/replay.ts';
import { serialOf } from '../merge/uuid.ts';
import { wishOf } from '../merge/wish-of.ts';
import type { MetadataResource } from '../places.ts';
import { documentsOf, type MetadataView, metadataView, storedView, viewOf } from '../read.ts';
import type { MetadataContext } from '../settings.ts';
import { changeSetSizes, changeSetsAmong, changeSetWith, type MetadataOwner } from '../store.ts';
import { type ChangedLog, changeLog, changeSetFrom, type LogEdit, trimLog } from './change.ts';
import { compareDocuments } from './compare.ts';
import { statesOfSets } from './state-at.ts';

const { revision: _all, ...view } = metadataView;

export function logRoutes(parts: MetadataContext, place: MetadataResource): readonly Route[] {
  const { store, render, limits, settings } = parts;
  const { read, write, of } = place;
  const path = `${place.metadataPath}/changes`;

  async function documentsOfSets(call: Call, of: string, sets: readonly ChangeSet[], shown: MetadataView) {
    const reader = store.reader(accountOf(call));
    const said = sets.map((set) => ({ ...set, state: stateOfChangeSet(set), keepsEmpty: true as const }));
    await hideGone(reader, said);
    const states = new Map(said.map(({ change, state, keepsEmpty }) => [change.id, { state, keepsEmpty }]));
    const by = { site: settings.site, asker: await askerOf(call), of };
    const documents = await documentsOf(reader, place.kind, states, { ...shown, transient: false }, by);
    return sets.map(({ change: { id } }) => ({ id, metadata: withChange(documents.get(id)!, id) }));
  }

  async function answerSets(
    call: Call,
    type: MediaType,
    of: string,
    sets: readonly ChangeSet[],
    shown: MetadataView,
  ): Promise<Reply> {
    const changeSet = await documentsOfSets(call, of, sets, shown);
    return renderList(render, type, metadataChangeSetDocument, { changeSet }, 'changeSet');
  }

  async function answerState(call: Call, type: MediaType, owner: MetadataOwner, { state }: ChangedLog): Promise<Reply> {
    const by = { site: settings.site, asker: await askerOf(call) };
    const documents = await documentsOf(store, owner.kind, new Map([[owner.id, { state }]]), storedView, by);
    return render(type, metadataDocument, documents.get(owner.id)!);
  }

  async function setWith(reader: Reader, { kind, id: owner }: MetadataOwner, id: string): Promise<ChangeSet> {
    const serial = serialOf(id);
    const row = Number.isSafeInteger(serial) ? await changeSetWith(reader, { kind, id: owner, serial }) : undefined;
    if (row?.id === id) return changeSetFrom(row);
    throw noSuchChangeSet(id);
  }

  /** Commits a change of the log, and decides again after a conflict. */
  const change = (call: Call, params: Params, decide: (owner: MetadataOwner) => Promise<ChangedLog>) =>
    inTurnOf(parts, place, call, params, async (owner) => {
      const work = await decide(owner);
      await commitChange(parts, place, call, owner, work);
      return { owner, work };
    });

  const edit = (call: Call, params: Params, edits: readonly LogEdit[]) =>
    change(call, params, async (owner) => changeLog(parts, owner, edits, await askerOf(call)));

  const wishFrom = (document: MetadataDocumentValue) => wishOf(document, { isIgnored: isKept }, undefined);

  const compare = (older: (params: Params) => string | undefined, from: string, says: string) =>
    route({
      method: 'GET',
      path: `${path}/:change/compareTo/${from}`,
      says,
      query: { ...view, valuesByUuid: flag('False: values with equal text are equal', true) },
      answers: metadataDocument,
      access: read,
      async handle(call, params) {
        const owner = await place.find(call, params, 'READ');
        const reader = store.reader(accountOf(call));
        const { before, after } = await statesOfSets(reader, owner, params.change, older(params));
        const shown = { ...viewOf({ ...call.query, revision: undefined }), transient: false };
        const by = { site: settings.site, asker: await askerOf(call), of: owner.id };
        const states = new Map([
          ['before', { state: before }],
          ['after', { state: after }],
        ]);
        const documents = await documentsOf(reader, place.kind, states, shown, by);
        const { valuesByUuid } = call.query;
        const compared = compareDocuments(documents.get('before')!, documents.get('after')!, valuesByUuid);
        return compared;
      },
    });

  return [
    route({
      method: 'GET',
      path,
      says: `The change sets of the metadata ${of}, the oldest first.`,
      query: {
        ...view,
        change: text('Only the change set with this id'),
        first: whole('Index of the first change set, from 1', { usual: 1 }),
        number: whole('Maximum number. 0: all', { usual: 0 }),
      },
      answers: metadataChangeSetDocument,
      access: read,
      produces: documentTypes,
      async handle(call, type, params) {
        const { kind, id } = await place.find(call, params, 'READ');
        const { change: only, first, number, ...shown } = call.query;
        const reader = store.reader(accountOf(call));
        const view = viewOf({ ...shown, revision: undefined });
        if (only !== undefined) return answerSets(call, type, id, [await setWith(reader, { kind, id }, only)], view);
        const page = { kind, id, limit: number || -1, offset: Math.max(first - 1, 0) };
        const sizes = await changeSetSizes(reader, page);
        const lots = lotsOf(sizes, ({ bytes }) => bytes / bytesOfOne, settings.maxPageValues);
        return renderLots(render, type, metadataChangeSetDocument, {}, 'changeSet', lots, async (lot) => {
          const serials = JSON.stringify(lot.map(({ serial }) => serial));
          const rows = await changeSetsAmong(reader, { kind, id, serials });
          return documentsOfSets(call, id, rows.map(changeSetFrom), view);
        });
      },
    }),
    route({
      method: 'PUT',
      path,
      says: `Replaces change sets of the metadata ${of}, and computes the metadata again from all change sets.`,
      reads: metadataChangeSetDocument,
      answers: metadataChangeSetDocument,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type, params) {
        const { changeSet = [] } = await requireDocument(call, metadataChangeSetDocument, limits);
        const edits = changeSet.map(({ id = '', metadata = {} }) => ({ id, wish: wishFrom(metadata) }));
        const { owner, work } = await edit(call, params, edits);
        return answerSets(call, type, owner.id, work.sets, storedView);
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:change`,
      says: `One change set of the metadata ${of}.`,
      query: view,
      answers: metadataChangeSetDocument,
      access: read,
      produces: documentTypes,
      async handle(call, type, params) {
        const owner = await place.find(call, params, 'READ');
        const set = await setWith(store, owner, params.change);
        return answerSets(call, type, owner.id, [set], viewOf({ ...call.query, revision: undefined }));
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/:change`,
      says: `Replaces one change set of the metadata ${of}. It keeps its id, its user and its time.`,
      reads: metadataDocument,
      answers: metadataDocument,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type, params) {
        const wish = wishFrom(await requireDocument(call, metadataDocument, limits));
        const { owner, work } = await edit(call, params, [{ id: params.change, wish }]);
        return answerState(call, type, owner, work);
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/:change`,
      says: `Removes one change set of the metadata ${of}, and computes the metadata again from the others.`,
      answers: metadataDocument,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type, params) {
        const { owner, work } = await edit(call, params, [{ id: params.change }]);
        return answerState(call, type, owner, work);
      },
    }),
    compare(() => undefined, 'previous', `What one change set did to the metadata ${of}.`),
    compare(({ older }) => older, ':older', `What changed in the metadata ${of} between two change sets.`),
    ...[path, `${path}/:change`].map((at) =>
      route({
        method: 'PUT',
        path: `${at}/trim`,
        says:
          at === path
            ? `Removes entries without effect from the change sets of the metadata ${of}.`
            : `Removes entries without effect from one change set of the metadata ${of}.`,
        answers: metadataChangeSetDocument,
        access: write,
        acting: 'allowed',
        produces: documentTypes,
        async handle(call, type, params) {
          const { owner, work } = await change(call, params, (each) => trimLog(parts, each, params['change']));
          return answerSets(call, type, owner.id, work.sets, storedView);
        },
      }),
    ),
  ];
}

/** Document of a change set, with its id as the revision. */
const withChange = (document: MetadataDocumentValue, revision: string): MetadataDocumentValue => ({
  ...document,
  revision,
});
