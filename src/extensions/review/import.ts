import type { ItemRow } from '../../assets/items/contract/store.ts';
import type { ItemsContext } from '../../assets/items/public.ts';
import { badValue } from '../../core/documents/error.ts';
import { isRecord } from '../../core/lib/checks.ts';
import { serialOf } from '../../core/lib/serial.ts';
import { yieldTurn } from '../../core/lib/turn.ts';
import { findUser } from '../../identity/public-reading.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import { emptyAnnotation, readerNamed, versionsOf } from './change.ts';
import { checkContent, create } from './rules.ts';
import { type AnnotationRow, importedAnnotations, parentsAmong } from './store.ts';
import { addressOf, checkMembers, contentOf, context, type Members, type Place, renamed } from './web-annotation.ts';

/** Annotations of one page, and bytes of it. */
const maxImported = 100;
export const maxPageBytes = 1_048_576;

/** An annotation of a page with the id that it gets here. */
interface Imported {
  readonly sent: Members;
  /** Id at the place where the page comes from. */
  readonly address: string | undefined;
  readonly id: string;
}

export const isPage = ({ type }: Members): boolean => [type].flat().includes('AnnotationPage');

function itemsOf({ items }: Members): readonly Members[] {
  const list: readonly unknown[] = Array.isArray(items) ? items : [];
  if (list.length === 0) throw badValue('items', 'a list of Web Annotations');
  if (list.length > maxImported) throw badValue('items', `at most ${maxImported} annotations`, String(list.length));
  return list.map((each, at) => {
    if (!isRecord(each)) throw badValue(`items/${at}`, 'a Web Annotation', JSON.stringify(each));
    checkMembers(each, `items/${at}`);
    return each;
  });
}

/** Address of the item that a page comes from. */
function sourceOf({ partOf }: Members): string | undefined {
  const collection = isRecord(partOf) ? partOf['id'] : partOf;
  return typeof collection === 'string' ? /^(.+)\/annotation$/.exec(collection)?.[1] : undefined;
}

/**
 * Adds the annotations of a page to an item, without those that are there. Replies find what they reply to within the
 * page, and among earlier imports. Authors and times are those of the page for administrators alone.
 */
export async function importAnnotations(
  parts: ItemsContext,
  call: Caller,
  { id: itemId }: ItemRow,
  page: Members,
  place: Place,
): Promise<readonly AnnotationRow[]> {
  const { store } = parts;
  const sent = itemsOf(page);
  const addresses = new Set<string>();
  // Replies may name what came with an earlier page.
  for (const { id, target } of sent) {
    const note = (address: string): string => {
      addresses.add(address);
      return address;
    };
    renamed([id, target], note);
  }
  const here = addressOf(place, '');
  const rows = await importedAnnotations(store, { itemId, here, addresses: [...addresses] });
  const idByAddress = new Map(rows.map(({ address, id }) => [address, id]));
  const added: Imported[] = [];
  for (const each of sent) {
    const address = typeof each['id'] === 'string' ? each['id'] : undefined;
    if (address !== undefined && idByAddress.has(address)) continue;
    const id = await store.nextId('annotation');
    if (address !== undefined) idByAddress.set(address, id);
    added.push({ sent: each, address, id });
  }
  const source = sourceOf(page);
  const rename = (address: string): string => {
    const id = idByAddress.get(address);
    if (id !== undefined) return addressOf(place, id);
    const [item = '', ...fragment] = address.split('#');
    return item === source ? [place.item, ...fragment].join('#') : address;
  };
  const drafts: AnnotationRow[] = [];
  const authorOf = await authors(parts, call);
  const versions = new Set(await versionsOf(call, itemId));
  for (const [at, each] of added.entries()) {
    drafts.push(await rowOf(parts, call, { ...each, at, itemId, place, rename, versions, authorOf }));
    await yieldTurn();
  }
  await call.commit(planOf(await inOrder(parts, drafts)));
  return drafts;
}

type AuthorOf = (sent: Members) => Promise<Partial<AnnotationRow>>;

/** Author and times of an annotation. Nobody but an administrator writes in the name of another. */
async function authors({ store, clock }: ItemsContext, call: Caller): Promise<AuthorOf> {
  if (!(await subjectOf(call).has(administrator))) return async () => ({});
  const timeOf = (value: unknown): number | undefined => {
    const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    return time >= 0 && time <= clock.now() ? time : undefined;
  };
  return async ({ creator, created, modified }) => {
    const createdAt = timeOf(created);
    const changedAt = timeOf(modified) ?? createdAt;
    const [name] = [creator].flat().flatMap((each) => (isRecord(each) ? (each['nickname'] ?? each['name']) : each));
    const isName = typeof name === 'string' && name !== '' && name.length <= 255;
    const user = isName ? await findUser(store, { name }) : undefined;
    return {
      ...(isName && { userId: user?.id ?? '', user: user?.name ?? name }),
      ...(createdAt !== undefined && { createdAt }),
      ...(changedAt !== undefined && { changedAt }),
    };
  };
}

interface Importing extends Imported {
  readonly at: number;
  readonly itemId: string;
  readonly place: Place;
  readonly rename: (address: string) => string;
  readonly versions: ReadonlySet<number>;
  readonly authorOf: AuthorOf;
}

/** Row of an annotation. Versions that are not here, and users who may not read the item, are left out. */
async function rowOf(
  parts: ItemsContext,
  call: Caller,
  { sent, id, address, at, itemId, place, rename, versions, authorOf }: Importing,
): Promise<AnnotationRow> {
  const { state, assignedTo, version, ...members } = sent;
  const target = renamed(members['target'], rename);
  const content = contentOf({ '@context': context, ...members, target }, place, `items/${at}`);
  checkContent(content, `items/${at}`);
  const assignee = typeof assignedTo === 'string' ? await readerNamed(parts.store, itemId, assignedTo) : undefined;
  return {
    ...emptyAnnotation(call, { id, serial: serialOf(id), itemId, now: parts.clock.now() }),
    ...content,
    origin: address ?? null,
    ...(state === 'done' && { state }),
    ...(typeof version === 'number' && versions.has(version) && { essenceVersion: version }),
    ...(assignee && { assigneeId: assignee.id, assignee: assignee.name }),
    ...(await authorOf(sent)),
  };
}

/** Replies behind what they reply to. Throws for replies to replies. */
export async function inOrder(
  { store }: ItemsContext,
  rows: readonly AnnotationRow[],
): Promise<readonly AnnotationRow[]> {
  const added = new Map(rows.map((row) => [row.id, row]));
  const ids = rows.flatMap(({ parent }) => (parent === null || added.has(parent) ? [] : [parent]));
  const above = new Map((await parentsAmong(store, { ids })).map((row) => [row.id, row]));
  for (const { id, parent, itemId } of rows) {
    if (parent === null) continue;
    const row = added.get(parent) ?? above.get(parent);
    if (row?.itemId !== itemId || row.parent !== null || parent === id)
      throw badValue('items/target', 'an annotation of the item that is no reply itself', parent);
  }
  return [...rows.filter(({ parent }) => parent === null), ...rows.filter(({ parent }) => parent !== null)];
}

export function planOf(rows: readonly AnnotationRow[]) {
  const plans = rows.map((row) => create(row, []));
  return {
    changes: plans.flatMap(({ changes }) => changes),
    events: plans.flatMap(({ events }) => events),
  };
}
