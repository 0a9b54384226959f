import { serialOf } from '../../../core/lib/serial.ts';
import { runInSlices } from '../../../core/lib/turn.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { answer } from '../../../http/answers.ts';
import { raw } from '../../../http/forms.ts';
import { flag, text, whole } from '../../../http/parameters/index.ts';
import { renderLots, renderWhole } from '../../../http/render-list.ts';
import { type Route, route, segment } from '../../../http/route.ts';
import { bytesOfOne, lotsOf } from '../../../room/entities/page-weight.ts';
import { accountOf, type Caller } from '../../../security/caller.ts';
import { askerOf } from '../../definitions/public-reading.ts';
import { isKept } from '../allowed.ts';
import { commitChange, inTurnOf } from '../change.ts';
import { hideGone } from '../deleted-fields.ts';
import { type MetadataDocumentValue, metadataChangeSetDocument, metadataDocument } from '../documents.ts';
import { noSuchChangeSet } from '../merge/refusals.ts';
import type { ChangeSet } from '../merge/replay.ts';
import { metadataRequestInSteps } from '../merge/request.ts';
import type { MetadataState } from '../merge/state.ts';
import { entitiesOf, type MetadataResource, ownerIn } from '../places.ts';
import { documentsOf, type MetadataView, metadataView, storedView, viewOf } from '../read.ts';
import type { MetadataContext } from '../settings.ts';
import { changeSetSizes, changeSetsAmong, changeSetWith, type MetadataOwner } from '../store.ts';
import { type ChangedLog, changeLog, changeSetFrom, type LogEdit, trimLog } from './change.ts';
import { compareDocuments, stateOfChangeSet, statesOfSets } from './states.ts';

const { revision: _all, ...view } = metadataView;

const changeSets = answer(metadataChangeSetDocument, { list: 'changeSet' });

export function logRoutes(parts: MetadataContext, resource: MetadataResource): readonly Route[] {
  const { store, settings } = parts;
  const { of } = resource;
  const path = `${resource.metadataPath}/changes`;
  const reading = { entities: entitiesOf(resource, 'READ'), access: resource.read } as const;
  const writing = { entities: entitiesOf(resource, 'WRITE'), access: resource.write, acting: 'allowed' } as const;

  async function documentsOfSets(caller: Caller, of: string, sets: readonly ChangeSet[], shown: MetadataView) {
    const reader = store.reader(accountOf(caller));
    const said: (ChangeSet & { readonly state: MetadataState; readonly keepsEmpty: true })[] = [];
    for (const set of sets) said.push({ state: await runInSlices(stateOfChangeSet(set)), keepsEmpty: true, ...set });
    await hideGone(reader, said);
    const states = new Map(said.map(({ change, state, keepsEmpty }) => [change.id, { state, keepsEmpty }]));
    const by = { site: settings.site, asker: await askerOf(caller), of };
    const documents = await documentsOf(
      reader,
      resource.kind,
      states,
      { ...shown, transient: false, displayName: false },
      by,
    );
    return sets.map(({ change: { id } }) => ({ id, metadata: withChange(documents.get(id)!, id) }));
  }

  async function documentOfState(caller: Caller, owner: MetadataOwner, { state }: ChangedLog) {
    const by = { site: settings.site, asker: await askerOf(caller) };
    const documents = await documentsOf(store, owner.kind, new Map([[owner.id, { state }]]), storedView, by);
    return documents.get(owner.id)!;
  }

  async function setWith(reader: Reader, { kind, id: owner }: MetadataOwner, id: string): Promise<ChangeSet> {
    const serial = serialOf(id);
    const row = Number.isSafeInteger(serial) ? await changeSetWith(reader, { kind, id: owner, serial }) : undefined;
    if (row?.id === id) return changeSetFrom(row);
    throw noSuchChangeSet(id);
  }

  /** Commits a change of the log, and decides again after a conflict. */
  const change = (caller: Caller, owner: MetadataOwner, decide: () => Promise<ChangedLog>): Promise<ChangedLog> =>
    inTurnOf(parts, resource, caller, owner, async () => {
      const changed = await decide();
      await commitChange(parts, caller, owner, changed);
      return changed;
    });

  const edit = (caller: Caller, owner: MetadataOwner, edits: readonly LogEdit[]): Promise<ChangedLog> =>
    change(caller, owner, async () => changeLog(parts, owner, edits, await askerOf(caller)));

  const requestFrom = (document: MetadataDocumentValue) =>
    runInSlices(metadataRequestInSteps(document, { isIgnored: isKept }, undefined));

  const compare = (from: 'previous' | ':older', says: string) =>
    route({
      ...reading,
      method: 'GET',
      path: `${path}/:change/compareTo/${from}`,
      says,
      query: { ...view, valuesByUuid: flag('False: values with equal text are equal', true) },
      answers: metadataDocument,
      async handle(call, segments) {
        const owner = ownerIn(resource, segments);
        const { reader } = call;
        const older = from === ':older' ? segment(segments, 'older') : undefined;
        const { before, after } = await statesOfSets(reader, owner, segment(segments, 'change'), older);
        const shown = { ...viewOf({ ...call.query, revision: undefined }), transient: false, displayName: false };
        const by = { site: settings.site, asker: await askerOf(call), of: owner.id };
        const states = new Map([
          ['before', { state: before }],
          ['after', { state: after }],
        ]);
        const documents = await documentsOf(reader, resource.kind, states, shown, by);
        const { valuesByUuid } = call.query;
        return runInSlices(compareDocuments(documents.get('before')!, documents.get('after')!, valuesByUuid));
      },
    });

  const trim = (at: string, says: string) =>
    route({
      ...writing,
      method: 'PUT',
      path: `${at}/trim`,
      says,
      answers: changeSets,
      async handle(call, segments) {
        const owner = ownerIn(resource, segments);
        const one: unknown = segments['change'];
        const { sets } = await change(call, owner, () =>
          trimLog(parts, owner, one === undefined ? undefined : String(one)),
        );
        return { changeSet: await documentsOfSets(call, owner.id, sets, storedView) };
      },
    });

  return [
    route({
      ...reading,
      method: 'GET',
      path,
      says: `The change sets of the metadata ${of}, the oldest first.`,
      query: {
        ...view,
        change: text('Only the change set with this id'),
        first: whole('Index of the first change set, from 1', { defaultValue: 1 }),
        number: whole('Maximum number. 0: all', { defaultValue: 0 }),
      },
      answers: raw(metadataChangeSetDocument),
      async handle(call, segments) {
        const { kind, id } = ownerIn(resource, segments);
        const { change: only, first, number, ...shown } = call.query;
        const { reader } = call;
        const view = viewOf({ ...shown, revision: undefined });
        if (only !== undefined) {
          const changeSet = await documentsOfSets(call, id, [await setWith(reader, { kind, id }, only)], view);
          return renderWhole(call.render, call.type, metadataChangeSetDocument, { changeSet });
        }
        const page = { kind, id, limit: number || -1, offset: Math.max(first - 1, 0) };
        const sizes = await changeSetSizes(reader, page);
        const lots = lotsOf(sizes, ({ bytes }) => bytes / bytesOfOne, settings.maxPageValues);
        return renderLots(call.render, call.type, metadataChangeSetDocument, {}, 'changeSet', lots, async (lot) => {
          const serials = lot.map(({ serial }) => serial);
          const rows = await changeSetsAmong(reader, { kind, id, serials });
          return documentsOfSets(call, id, rows.map(changeSetFrom), view);
        });
      },
    }),
    route({
      ...writing,
      method: 'PUT',
      path,
      says: `Replaces change sets of the metadata ${of}, and computes the metadata again from all change sets.`,
      reads: metadataChangeSetDocument,
      answers: changeSets,
      async handle(call, segments) {
        const owner = ownerIn(resource, segments);
        const { changeSet = [] } = call.body;
        const edits: LogEdit[] = [];
        for (const { id = '', metadata = {} } of changeSet) edits.push({ id, request: await requestFrom(metadata) });
        const { sets } = await edit(call, owner, edits);
        return { changeSet: await documentsOfSets(call, owner.id, sets, storedView) };
      },
    }),
    route({
      ...reading,
      method: 'GET',
      path: `${path}/:change`,
      says: `One change set of the metadata ${of}.`,
      query: view,
      answers: changeSets,
      async handle(call, segments) {
        const owner = ownerIn(resource, segments);
        const set = await setWith(store, owner, segment(segments, 'change'));
        const shown = viewOf({ ...call.query, revision: undefined });
        return { changeSet: await documentsOfSets(call, owner.id, [set], shown) };
      },
    }),
    route({
      ...writing,
      method: 'PUT',
      path: `${path}/:change`,
      says: `Replaces one change set of the metadata ${of}. It keeps its id, its user and its time.`,
      reads: metadataDocument,
      answers: metadataDocument,
      async handle(call, segments) {
        const owner = ownerIn(resource, segments);
        const edits = [{ id: segment(segments, 'change'), request: await requestFrom(call.body) }];
        return documentOfState(call, owner, await edit(call, owner, edits));
      },
    }),
    route({
      ...writing,
      method: 'DELETE',
      path: `${path}/:change`,
      says: `Removes one change set of the metadata ${of}, and computes the metadata again from the others.`,
      answers: metadataDocument,
      async handle(call, segments) {
        const owner = ownerIn(resource, segments);
        return documentOfState(call, owner, await edit(call, owner, [{ id: segment(segments, 'change') }]));
      },
    }),
    compare('previous', `What one change set did to the metadata ${of}.`),
    compare(':older', `What changed in the metadata ${of} between two change sets.`),
    trim(path, `Removes entries without effect from the change sets of the metadata ${of}.`),
    trim(`${path}/:change`, `Removes entries without effect from one change set of the metadata ${of}.`),
  ];
}

/** Document of a change set, with its id as the revision. */
const withChange = (document: MetadataDocumentValue, revision: string): MetadataDocumentValue => ({
  ...document,
  revision,
});
