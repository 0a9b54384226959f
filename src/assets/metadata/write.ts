import { lacksRight, ServiceError } from '../../core/lib/errors.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { serialOf } from '../../core/lib/serial.ts';
import { runInSlices, yieldTurn } from '../../core/lib/turn.ts';
import type { CommitPlan, EventRecord, Statement, Touch } from '../../core/store/contract.ts';
import type { Reader } from '../../core/store/statement.ts';
import type { RoomContext } from '../../room/context.ts';
import { checkValue } from '../definitions/public.ts';
import {
  type FieldDefinition,
  type FieldReader,
  firstUses,
  loadFields,
  loadGroups,
  noSuchField,
  noSuchFieldGroup,
} from '../definitions/public-reading.ts';
import {
  allowedRequest,
  expectAllowed,
  isKept,
  isTransient,
  type NewOwner,
  reachesFurther,
  withoutReach,
} from './allowed.ts';
import type { MetadataDocumentValue } from './documents.ts';
import { metadataEvent } from './events.ts';
import { forgetNames, tellNames } from './inherited/tell.ts';
import { type LoadedNow, loadMetadata, longText, newMetadata, type StateRow } from './load.ts';
import { removeLocks } from './locks/store.ts';
import { endOfText, toldByState } from './log-text-sql.ts';
import { Addresses } from './merge/addresses.ts';
import { changesBetween } from './merge/changes.ts';
import { merge } from './merge/merge.ts';
import { namedIn, nameOf, withValues } from './merge/names.ts';
import { referenceOf } from './merge/payload.ts';
import { tooManyValues } from './merge/refusals.ts';
import type { MetadataRequest } from './merge/request.ts';
import { metadataRequestOf } from './merge/request.ts';
import { type Change, countValues, type MetadataState, maxValues } from './merge/state.ts';
import { logTextIn, rowsOfText, textInSteps } from './merge/stored.ts';
import { textOfRequest } from './merge/stored-request.ts';
import { keepForEvents } from './payload-sql.ts';
import type { MetadataSettings } from './settings.ts';
import {
  expectState,
  insertChangeSet,
  type MetadataOwner,
  removeChangeSets,
  removeState,
  writeState,
} from './store.ts';
import { expectTargets } from './targets.ts';

export interface MetadataParts extends Pick<RoomContext, 'store' | 'clock'> {
  readonly settings: Pick<MetadataSettings, 'maxStateBytes'>;
}

/** Change set to be written. */
export interface ChangeSetRequest {
  /** Name of the user. */
  readonly by: string;
  /** True: the service itself, which may write system fields. */
  readonly system?: boolean;
  readonly document: MetadataDocumentValue;
}

export interface PreparedMetadata extends CommitPlan {
  readonly state: MetadataState;
  /** The state as it is stored, with the deletion of a field that it knows of. */
  readonly stored: Pick<StateRow, 'doc' | 'epoch'>;
  /** Ids of the change sets. Requests that change nothing create none. */
  readonly changeSets: readonly string[];
  /** Names of the changed fields. */
  readonly fields: readonly string[];
  /** Keys of all groups, fields and values that the requests address. */
  readonly touched: ReadonlySet<string>;
}

/** Change set of the service with values of system fields. */
export function systemChange(values: Readonly<Record<string, string | readonly string[]>>): ChangeSetRequest {
  const field = Object.entries(values).map(([name, given]) => ({
    name,
    value: [given].flat().map((value) => ({ value })),
  }));
  return { by: 'system', system: true, document: { timespan: [{ field }] } };
}

/**
 * Prepares change sets for one commit: the new state with a version guard, and a log row and event for each. Call
 * within `changeInTurn`.
 */
export async function prepareMetadata(
  parts: MetadataParts,
  owner: ChangedOwner,
  requests: readonly ChangeSetRequest[],
  rights?: WriteRights,
): Promise<PreparedMetadata> {
  const requestsToMerge = requests.map(({ by, system, document }) => ({
    by,
    request: metadataRequestOf(document, { system, isIgnored: system ? isTransient : isKept }),
  }));
  return prepareRequests(parts, owner, requestsToMerge, rights);
}

interface RequestedRequest {
  readonly by: string;
  /** MetadataRequest, or function of the current state. */
  readonly request: MetadataRequest | ((state: MetadataState) => MetadataRequest);
}

interface ChangedOwner extends MetadataOwner {
  /** The entity is created with the metadata: it has neither metadata nor access entries yet. */
  readonly isNew?: true;
}

interface WriteRights {
  readonly asker: FieldReader;
  /** True: skips fields that the caller may not write, instead of refusing the change. */
  readonly skipForbidden: boolean;
}

export async function prepareRequests(
  { store, clock, settings }: MetadataParts,
  { isNew, ...owner }: ChangedOwner,
  asked: readonly RequestedRequest[],
  rights?: WriteRights,
): Promise<PreparedMetadata> {
  const before = isNew ? await newMetadata(store) : await loadMetadata(store, owner);
  const now = clock.now();
  const { epoch } = before;
  let { state, newest } = before;
  const log: LogRow[] = [];
  const events: EventRecord[] = [];
  const changeSets: string[] = [];
  const touched = new Set<string>();
  const fields = new Set<string>();
  const seen = new Map<string, FieldDefinition>();
  let text = await runInSlices(textInSteps(state));
  for (const { by, request: requestOrMaker } of asked) {
    const request = typeof requestOrMaker === 'function' ? requestOrMaker(state) : requestOrMaker;
    const isAsked = rights !== undefined && request.system === undefined;
    const within = isNew ? undefined : owner;
    const allowed = isAsked
      ? await allowedRequest(store, state, request, {
          asker: rights.asker,
          skipForbidden: rights.skipForbidden,
          owner: within,
        })
      : { request, isKept };
    const checked = await checkedRequest({ store }, state, allowed.request, seen, isAsked ? rights.asker : undefined);
    // Instances allocate ids from separate ranges, so the new id must exceed all previous ones of the entity.
    const change: Change = { id: await store.nextId('change-set', newest), user: by, at: now };
    const options = { change, strict: true, isKept: request.system ? isWritable : allowed.isKept };
    if (isLong(text, request)) await yieldTurn();
    let merged = await runInSlices(merge(state, checked, options));
    if (isLong(text, request)) await yieldTurn();
    if (isAsked && reachesFurther(request)) {
      const isLeftOut = await isForbidden(store, rights, within, { before: state, after: merged.state });
      if (isLeftOut) merged = await runInSlices(merge(state, withoutReach(checked), options));
    }
    for (const key of merged.touched) touched.add(key);
    const after = merged.changed ? await runInSlices(textInSteps(merged.state)) : text;
    if (after === text) continue;
    const isLonger = request.reshape === undefined && after.length > text.length;
    if (isLonger && after.length > settings.maxStateBytes) throw tooLarge(owner, settings);
    if (isLonger && countValues(merged.state) > maxValues) throw tooManyValues(maxValues, owner.id);
    text = after;
    const serial = serialOf(change.id);
    const delta = textOfRequest(merged.request);
    const { kind: ownerType, id: ownerId } = owner;
    log.push({ serial, id: change.id, ownerType, ownerId, user: by, at: now, delta, epoch });
    if (isLong(text, request)) await yieldTurn();
    const changeEvents = await tellChanges(owner, change.id, state, merged.state, merged.request);
    events.push(...changeEvents.events);
    for (const name of changeEvents.fields) fields.add(name);
    changeSets.push(change.id);
    state = merged.state;
    newest = serial;
  }
  const logRows = before.version === 0 ? toldIn(text, log) : log;
  const changes: Statement[] = logRows.map((row) => insertChangeSet(row));
  if (changeSets.length > 0) changes.push(...firstUses(seen.values()), ...stateAfter(owner, before, text, newest, now));
  if (changeSets.length > 0) changes.push(...tellNames(owner, before.state, state));
  const changed = before.version === 0 ? undefined : [...fields];
  const touches = changeSets.length > 0 ? describedAs(owner, text, state, changed) : [];
  const stored = { doc: text, epoch };
  return { changes, events, touches, state, stored, changeSets, touched, fields: [...fields] };
}

type LogRow = Parameters<typeof insertChangeSet>[0];

/** Rows of the log whose values the new state tells anyway. */
function toldIn(doc: string, log: readonly LogRow[]): readonly LogRow[] {
  if (log.length === 0 || doc.length > longText) return log;
  const rows = rowsOfText(doc);
  return log.map((row) => {
    const place = rows.c.findIndex(([id]) => id === row.id);
    const spans = place < 0 ? undefined : logTextIn(rows, place);
    const isSystem = row.user === 'system' && row.delta.endsWith(endOfText(true));
    const isTold = spans !== undefined && row.delta === `[${spans}${endOfText(isSystem)}`;
    return isTold ? { ...row, delta: toldByState(place, isSystem) } : row;
  });
}

/** Whether a change concerns fields that the caller may not write, where such changes are left out. Otherwise throws. */
async function isForbidden(
  reader: Reader,
  { asker, skipForbidden }: WriteRights,
  owner: NewOwner,
  states: Parameters<typeof expectAllowed>[3],
): Promise<boolean> {
  try {
    await expectAllowed(reader, asker, owner, states);
    return false;
  } catch (error) {
    if (skipForbidden && lacksRight(error)) return true;
    throw error;
  }
}

/** Touch for participants: metadata of an entity after a commit. `changed`: fields with changed values. */
export const describedAs = (
  { kind, id }: MetadataOwner,
  text: string,
  state: MetadataState,
  changed?: readonly string[],
): readonly Touch[] => [{ kind, id, aspect: 'metadata', now: text, value: state, ...(changed && { changed }) }];

/** Whether steps are long enough to yield to the event loop between them. */
const isLong = (text: string, { spans }: MetadataRequest): boolean =>
  text.length > longText ||
  spans.length + spans.reduce((sum, { fields, groups }) => sum + fields.length + groups.length, 0) > 200;

const tooLarge = ({ id }: MetadataOwner, { maxStateBytes }: MetadataParts['settings']): ServiceError =>
  new ServiceError('bad-value', {
    context: 'metadata',
    id,
    explanation: `Expected at most ${maxStateBytes} characters of metadata (maxStateBytes): found more`,
  });

/** Statements that replace a state, guarded by its version. */
export const stateAfter = (
  { kind, id }: MetadataOwner,
  { version, epoch }: Pick<LoadedNow, 'version' | 'epoch'>,
  doc: string,
  newest: number,
  now: number,
): readonly Statement[] => [
  expectState({ kind, id, version, epoch }, changedMeanwhile('Metadata', id)),
  writeState({ kind, id, newest, now, doc, epoch }),
];

const isWritable = (): boolean => false;

/** Changed fields of a change set, and its event. Global metadata has no event. `request`: stored in the same commit. */
export async function tellChanges(
  { kind, id }: MetadataOwner,
  changeSetId: string,
  before: MetadataState,
  after: MetadataState,
  request?: MetadataRequest,
): Promise<{ readonly events: readonly EventRecord[]; readonly fields: readonly string[] }> {
  const changes = await runInSlices(changesBetween(before, after));
  const fields = changes.map(({ field }) => field);
  if (kind === 'global') return { events: [], fields };
  const payload = { changeSetId, changes };
  const event =
    kind === 'item'
      ? metadataEvent('metadata/modify', id, { itemId: id, ...payload })
      : kind === 'collection'
        ? metadataEvent('collection/metadata/modify', id, { collectionId: id, ...payload })
        : metadataEvent('document/modify', id, { document: id, ...payload });
  const stored = request && referenceOf(serialOf(changeSetId), event.payload, request);
  return { events: [stored === undefined ? event : { ...event, stored }], fields };
}

/**
 * Normalises values by the definitions of their fields. Throws on invalid values and undefined fields. `seen` collects
 * the definitions, for `firstUses` in the same commit. `asker`: user who must be able to read the targets of
 * references.
 */
export async function checkedRequest(
  { store }: Pick<MetadataParts, 'store'>,
  state: MetadataState,
  request: MetadataRequest,
  seen?: Map<string, FieldDefinition>,
  asker?: FieldReader,
): Promise<MetadataRequest> {
  const addresses = new Addresses(state);
  const named = namedIn(request, addresses);
  const [fields, groups] = await Promise.all([
    loadFields(store, [...named.fields]),
    loadGroups(store, [...named.groups]),
  ]);
  for (const name of named.fields) if (!fields.has(name)) throw noSuchField(name);
  for (const [name, definition] of fields) seen?.set(name, definition);
  for (const name of named.groups) if (!groups.has(name)) throw noSuchFieldGroup(name);
  await expectTargets(store, [...named.references], asker);
  const checked = withValues(request, (field, text) => {
    const definition = fields.get(nameOf(field, addresses) ?? '');
    return definition === undefined ? text : checkValue(definition, text);
  });
  return runInSlices(checked);
}

/** Deletes all metadata in the commit that deletes an entity. */
export const forgetMetadata = ({ kind, id }: MetadataOwner): readonly Statement[] => [
  removeState({ kind, id }),
  keepForEvents({ kind, id }),
  removeChangeSets({ kind, id }),
  removeLocks({ ownerType: kind, ownerId: id }),
  ...forgetNames({ kind, id }),
];
