import { ServiceError } from '../../../core/lib/errors.ts';
import { serialOf } from '../../../core/lib/serial.ts';
import { runInSlices, yieldTurn } from '../../../core/lib/turn.ts';
import type { CommitPlan, EventRecord, Statement } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { type FieldDefinition, type FieldReader, firstUses } from '../../definitions/public-reading.ts';
import { expectAllowed, isKept } from '../allowed.ts';
import { deletionsIn } from '../deleted-fields.ts';
import { tellNames } from '../inherited/tell.ts';
import { loadMetadata } from '../load.ts';
import { noSuchChangeSet } from '../merge/refusals.ts';
import { type ChangeSet, type Deletions, replay, trim } from '../merge/replay.ts';
import type { MetadataRequest } from '../merge/request.ts';
import type { MetadataState } from '../merge/state.ts';
import { textInSteps } from '../merge/stored.ts';
import { requestOfText, textOfRequest } from '../merge/stored-request.ts';
import { fieldNamesOf } from '../merge/take-out.ts';
import { keepOneForEvents, keepTextForEvents } from '../payload-sql.ts';
import {
  type ChangeSetRow,
  changeSetsOf,
  type MetadataOwner,
  newestChangeSets,
  removeChangeSet,
  updateChangeSet,
} from '../store.ts';
import { checkedRequest, describedAs, type MetadataParts, stateAfter, tellChanges } from '../write.ts';

export const changeSetFrom = ({ id, user, at, delta, epoch, newestDeletion }: ChangeSetRow): ChangeSet => ({
  epoch,
  newestDeletion,
  change: { id, user, at },
  request: requestOfText(delta),
});

/** All change sets of an entity, oldest first. */
export const loadLog = async (reader: Reader, { kind, id }: MetadataOwner): Promise<readonly ChangeSet[]> =>
  setsOf(await changeSetsOf(reader, { kind, id, limit: -1, offset: 0 }));

/** The newest change sets, oldest first. */
export const newestOfLog = async (
  reader: Reader,
  { kind, id }: MetadataOwner,
  limit: number,
): Promise<readonly ChangeSet[]> => setsOf((await newestChangeSets(reader, { kind, id, limit })).toReversed());

async function setsOf(rows: readonly ChangeSetRow[]): Promise<readonly ChangeSet[]> {
  const sets: ChangeSet[] = [];
  const pace = createPace();
  for (const row of rows) {
    await pace(row.delta.length);
    sets.push(changeSetFrom(row));
  }
  return sets;
}

/** Characters of a log processed per tick of the event loop. */
const inOneTurn = 200_000;

/** Yields to the event loop before a part that would exceed the limit. */
function createPace(): (characters: number) => Promise<void> {
  // Starts at the limit, to count the work done before.
  let done = inOneTurn;
  return async (characters) => {
    done += characters;
    if (done <= inOneTurn) return;
    done = characters;
    await yieldTurn();
  };
}

export interface ChangedLog extends CommitPlan {
  readonly state: MetadataState;
  readonly sets: readonly ChangeSet[];
  readonly fields: readonly string[];
}

/** Edit of one change set. Undefined request: deletes it. */
export interface LogEdit {
  readonly id: string;
  readonly request?: MetadataRequest;
}

/**
 * Replaces or deletes change sets, then rebuilds the state from the log, in the order of ids, as if edited ones had
 * always been so. Each keeps its id and sends an event.
 */
export async function changeLog(
  { store, clock }: MetadataParts,
  owner: MetadataOwner,
  edits: readonly LogEdit[],
  asker: FieldReader,
): Promise<ChangedLog> {
  const loaded = await loadMetadata(store, owner);
  const { state: first, newest } = loaded;
  const before = await loadLog(store, owner);
  const requests = edits.flatMap(({ request }) => request ?? []);
  const deletions = await deletionsIn(store, before, requests);
  let state = first;
  let sets = before;
  const events: EventRecord[] = [];
  const fields: string[] = [];
  const seen = new Map<string, FieldDefinition>();
  for (const { id, request } of edits) {
    const old = sets.find(({ change }) => change.id === id);
    if (old === undefined) throw noSuchChangeSet(id);
    if (old.request.system) throw ofTheService(id);
    if (request) expectThere(old, request, deletions);
    const checked = request && (await checkedRequest({ store }, state, request, seen, asker));
    const edited = sets.flatMap((set) => (set === old ? (checked ? [{ ...set, request: checked }] : []) : [set]));
    const replayed = await replay(edited, isKept, deletions);
    await yieldTurn();
    await expectAllowed(store, asker, owner, { before: state, after: replayed.state, says: old.request });
    const changeEvents = await tellChanges(owner, id, state, replayed.state);
    // Events only for change sets with an effect on the state.
    if (changeEvents.fields.length > 0) events.push(...changeEvents.events);
    fields.push(...changeEvents.fields);
    ({ state, sets } = replayed);
  }
  const log = await logAfter(before, sets);
  await yieldTurn();
  if (log.length === 0) return { changes: [], events: [], state, sets, fields };
  const text = await runInSlices(textInSteps(state));
  const after = [...stateAfter(owner, loaded, text, newest, clock.now()), ...tellNames(owner, first, state)];
  const touches = describedAs(owner, text, state);
  return { changes: [...firstUses(seen.values()), ...log, ...after], events, touches, state, sets, fields };
}

/** Removes parts without effect from the named change sets. The state stays equal. Undefined: from all. */
export async function trimLog(
  { store, clock }: MetadataParts,
  owner: MetadataOwner,
  id: string | undefined,
): Promise<ChangedLog> {
  const loaded = await loadMetadata(store, owner);
  const { state, newest, changedAt = clock.now() } = loaded;
  const before = await loadLog(store, owner);
  if (id !== undefined && !before.some(({ change }) => change.id === id)) throw noSuchChangeSet(id);
  const deletions = await deletionsIn(store, before);
  const sets = await trim(before, (each) => id === undefined || each === id, isKept, deletions);
  const log = await logAfter(before, sets);
  await yieldTurn();
  if (log.length === 0) return { changes: [], events: [], state, sets, fields: [] };
  const text = await runInSlices(textInSteps(state));
  const changes = [...log, ...stateAfter(owner, loaded, text, newest, changedAt)];
  return { changes, events: [], state, sets, fields: [] };
}

/** Statements that turn one log into the other. */
async function logAfter(before: readonly ChangeSet[], after: readonly ChangeSet[]): Promise<readonly Statement[]> {
  const requestById = new Map(after.map(({ change, request }) => [change.id, request]));
  const statements: Statement[] = [];
  const pace = createPace();
  for (const { change, request } of before) {
    const serial = serialOf(change.id);
    const left = requestById.get(change.id);
    if (left === undefined) statements.push(keepOneForEvents(serial), removeChangeSet({ serial }));
    if (left === undefined || left === request) continue;
    const delta = textOfRequest(left);
    await pace(2 * delta.length);
    if (delta === textOfRequest(request)) continue;
    statements.push(keepTextForEvents(serial), updateChangeSet({ serial, delta }));
  }
  return statements;
}

/** Refuses values of a field deleted after the change set: a new field of that name has no values so old. */
function expectThere({ change, epoch }: ChangeSet, request: MetadataRequest, deletions: Deletions): void {
  const gone = deletions.between(epoch, deletions.newest);
  for (const name of fieldNamesOf([request])) {
    if (!gone.has(name)) continue;
    const explanation = `Expected a field that was not deleted since the change set ${change.id}: "${name}"`;
    throw new ServiceError('bad-value', { context: 'metadata', id: name, explanation, value: name });
  }
}

/** Refusal to edit a change set of the service. */
const ofTheService = (id: string): ServiceError =>
  new ServiceError('bad-value', {
    context: 'metadata',
    id,
    explanation: 'Expected a change set of a user: the service itself made this one',
  });
