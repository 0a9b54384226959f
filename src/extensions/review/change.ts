import { askingOf, isAtLeast, isReadableBy, lacking, levelsOn } from '../../assets/access/public-reading.ts';
import { itemName } from '../../assets/items/contract/entities.ts';
import type { ItemRow } from '../../assets/items/contract/store.ts';
import type { ItemsContext } from '../../assets/items/public.ts';
import { loadShapes, shapesToRead } from '../../assets/shapes/public.ts';
import { badValue } from '../../core/documents/error.ts';
import { existing } from '../../core/lib/checks.ts';
import { askEach } from '../../core/lib/maybe.ts';
import { serialOf } from '../../core/lib/serial.ts';
import type { Reader } from '../../core/store/statement.ts';
import { roleMissing } from '../../http/route.ts';
import { findUser } from '../../identity/public-reading.ts';
import type { Guest } from '../../security/arrival.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { type AnnotationSent, authorOf } from './documents.ts';
import { noRegion } from './region.ts';
import { change, checkContent, create, namesIn, noSuchAnnotation, remove } from './rules.ts';
import { type AnnotationRow, findAnnotation } from './store.ts';
import { type Content, membersWithoutContent, type Place } from './web-annotation.ts';

/** Request to create or change an annotation. An absent value stays as it is, and null is none. */
export interface AnnotationCommand extends Partial<Content> {
  readonly state?: AnnotationSent['state'];
  readonly assignedTo?: string | null | undefined;
  readonly version?: number | undefined;
}

/** Role for annotations of one's own. */
export const writesAnnotations = '_annotation_write';

const contentOfDocument = ['start', 'end', 'rectangle', 'drawing', 'text', 'parent'] as const;

/** Command of a document. An empty text is none. */
export function commandOf(sent: AnnotationSent): AnnotationCommand {
  const texts = [...contentOfDocument, 'assignedTo' as const].flatMap((key) => {
    const text = sent[key];
    return text === undefined ? [] : [[key, text === '' ? null : text] as const];
  });
  return { ...Object.fromEntries(texts), state: sent.state, version: sent.version };
}

const place = '/AnnotationDocument';

/** Id of the caller. Empty: nobody that the service knows. */
const userIdOf = (call: Caller): string => subjectOf(call).user?.id ?? '';

/** A user who may read the item. Undefined also for names of nobody, so that nobody learns who is there. */
export async function readerNamed(reader: Reader, itemId: string, name: string) {
  const user = await findUser(reader, { name });
  if (user?.enabled !== 1) return undefined;
  return (await isReadableBy(reader, user.name, { type: itemName.type, id: itemId })) ? user : undefined;
}

async function mentionedIn(reader: Reader, itemId: string, names: readonly string[]): Promise<readonly string[]> {
  const users = await askEach(names, (name) => readerNamed(reader, itemId, name));
  return [...new Set(users.flatMap((user) => user?.name ?? []))];
}

/** The row with what the command says. */
async function applied(
  { store }: ItemsContext,
  call: Caller,
  row: AnnotationRow,
  { state, assignedTo, version, ...content }: AnnotationCommand,
): Promise<AnnotationRow> {
  const next = { ...row, ...content, ...(state !== undefined && { state }) };
  checkContent(next, place);
  const { itemId, parent, members, text, rectangle, drawing } = next;
  if (members === null && text === null && rectangle === null && drawing === null)
    throw badValue(`${place}/text`, 'a text, a rectangle or a drawing');
  if (parent !== null && parent !== row.parent) {
    const above = await findAnnotation(store, { id: parent });
    if (above?.itemId !== itemId || parent === row.id) throw noSuchAnnotation(parent);
    if (above.parent !== null) throw badValue(`${place}/parent`, 'an annotation that is no reply itself', parent);
  }
  return {
    ...next,
    ...(assignedTo !== undefined && (await assigneeOf(store, row, assignedTo))),
    ...(version !== undefined && { essenceVersion: await versionOf(call, itemId, version) }),
  };
}

async function assigneeOf(reader: Reader, { itemId, assignee }: AnnotationRow, name: string | null) {
  if (name === null) return { assigneeId: null, assignee: null };
  if (name === assignee) return {};
  const user = await readerNamed(reader, itemId, name);
  if (!user) throw badValue(`${place}/assignedTo`, 'a user who may read the item', name);
  return { assigneeId: user.id, assignee: user.name };
}

/** Essence versions of which the caller may read a shape. */
export async function versionsOf(call: Caller, itemId: string): Promise<readonly number[]> {
  const shapes = await shapesToRead(call.reader, call, await loadShapes(call.reader, itemId));
  return shapes.map(({ essenceVersion }) => essenceVersion);
}

async function versionOf(call: Caller, itemId: string, version: number): Promise<number> {
  if ((await versionsOf(call, itemId)).includes(version)) return version;
  throw badValue(`${place}/version`, 'an essence version of the item', String(version));
}

interface NewAnnotation extends Pick<AnnotationRow, 'id' | 'serial' | 'itemId'> {
  readonly now: number;
}

/** An annotation by the caller without content. */
export const emptyAnnotation = (call: Caller, { now, ...ids }: NewAnnotation): AnnotationRow => ({
  ...ids,
  parent: null,
  ...noRegion,
  text: null,
  state: 'open',
  essenceVersion: null,
  userId: userIdOf(call),
  user: subjectOf(call).name,
  assigneeId: null,
  assignee: null,
  createdAt: now,
  changedAt: now,
  version: 1,
  members: null,
  origin: null,
});

/** Guests of a share reply to each other alone: other annotations do not exist for them. */
async function mustBeOfGuest(reader: Reader, id: string, userId: string): Promise<void> {
  const above = await findAnnotation(reader, { id });
  if (above?.userId !== userId) throw noSuchAnnotation(id);
}

/** Creates an annotation in the name of the caller, or of a guest for whom the caller is asked. Guests mention nobody. */
export async function createAnnotation(
  parts: ItemsContext,
  call: Caller,
  { id: itemId }: ItemRow,
  command: AnnotationCommand,
  guest?: Guest,
): Promise<AnnotationRow> {
  const { store, clock } = parts;
  const author = guest && authorOf(guest);
  if (author && command.parent) await mustBeOfGuest(store, command.parent, author.userId);
  const versions = command.version === undefined ? await versionsOf(call, itemId) : [];
  const id = await store.nextId('annotation');
  const empty = {
    ...emptyAnnotation(call, { id, serial: serialOf(id), itemId, now: clock.now() }),
    essenceVersion: versions.length === 0 ? null : Math.max(...versions),
    ...author,
  };
  const row = await applied(parts, call, empty, command);
  await call.commit(create(row, guest ? [] : await mentionedIn(store, itemId, namesIn(row.text))));
  return row;
}

/** `guest`: for whom the caller is asked, whose rights then do not count. */
const isBy = (call: Caller, { userId }: AnnotationRow, guest?: Guest): boolean =>
  userId !== '' && userId === (guest ? authorOf(guest).userId : userIdOf(call));

/** Whether the caller has WRITE on the item. */
export async function isEditorOf(
  { store }: Pick<ItemsContext, 'store'>,
  call: Caller,
  { itemId }: Pick<AnnotationRow, 'itemId'>,
): Promise<boolean> {
  const place = { type: itemName.type, id: itemId };
  const { levelOf } = await levelsOn(store, await askingOf(call), [place]);
  return isAtLeast(levelOf(place), 'WRITE');
}

/** Whether the user to whom an annotation is assigned says whether it is done, and nothing else. */
function isStateByAssignee(call: Caller, row: AnnotationRow, { assignedTo, version, ...command }: AnnotationCommand) {
  if (row.assigneeId === null || row.assigneeId !== userIdOf(call) || command.state === undefined) return false;
  const sent = { ...command, state: row.state, assignee: assignedTo, essenceVersion: version };
  return Object.entries(sent).every(([key, value]) => value === undefined || value === row[key as keyof AnnotationRow]);
}

/** Refuses what is of others, unless the caller has WRITE on the item, or is to act and says whether that is done. */
async function mayChange(
  parts: ItemsContext,
  call: Caller,
  row: AnnotationRow,
  command: AnnotationCommand,
  guest?: Guest,
): Promise<void> {
  if (!guest && isStateByAssignee(call, row, command)) return;
  if (!(await subjectOf(call).has(writesAnnotations))) throw roleMissing(writesAnnotations);
  if (isBy(call, row, guest) || (!guest && (await isEditorOf(parts, call, row)))) return;
  throw lacking(itemName, row.itemId, 'WRITE');
}

/** Changes an annotation of the caller, or another one where the caller has WRITE on the item. */
export async function changeAnnotation(
  parts: ItemsContext,
  call: Caller,
  { id }: AnnotationRow,
  command: AnnotationCommand,
  at: Place,
  guest?: Guest,
): Promise<AnnotationRow> {
  const { store, clock } = parts;
  const { row } = await call.change(async () => {
    const before = existing(await findAnnotation(store, { id }), noSuchAnnotation, id);
    await mayChange(parts, call, before, command, guest);
    const after = await applied(parts, call, before, command);
    const isOther = command.members === undefined && contentOfDocument.some((key) => before[key] !== after[key]);
    const row = {
      ...after,
      changedAt: clock.now(),
      ...(isOther && { members: membersWithoutContent(before.members, after, at) }),
    };
    const earlier = new Set(namesIn(before.text));
    const names = namesIn(row.text).filter((name) => !earlier.has(name));
    return { row, ...change(before, row, guest ? [] : await mentionedIn(store, row.itemId, names)) };
  });
  return row;
}

/**
 * Deletes an annotation with its replies. Those of others need WRITE on the item, like the annotation of another. Guests
 * of a share are one author, so theirs have no replies.
 */
export async function deleteAnnotation(
  parts: ItemsContext,
  call: Caller,
  row: AnnotationRow,
  guest?: Guest,
): Promise<void> {
  const isEditor = !guest && (await isEditorOf(parts, call, row));
  if (!isEditor && !isBy(call, row, guest)) throw lacking(itemName, row.itemId, 'WRITE');
  await call.commit(remove(row, isEditor ? undefined : guest ? '' : row.userId));
}
