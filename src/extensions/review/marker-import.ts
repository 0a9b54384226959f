import { askerOf } from '../../assets/definitions/public-reading.ts';
import type { ItemRow } from '../../assets/items/contract/store.ts';
import type { ItemsContext } from '../../assets/items/public.ts';
import { isRecord } from '../../core/lib/checks.ts';
import { serialOf } from '../../core/lib/serial.ts';
import { baseText, mediaSeconds } from '../../core/lib/time-code.ts';
import { yieldTurn } from '../../core/lib/turn.ts';
import type { Caller } from '../../security/caller.ts';
import {
  badOtio,
  type MediaTimes,
  mediaOf,
  mediaTimesOf,
  metadataOf,
  nodesIn,
  type OtioNode,
  type OtioRange,
  offsetOf,
  otioRoot,
  ownIn,
  rangeIn,
  schemaOf,
  secondsIn,
  textIn,
  unitsOf,
} from '../sequences/public.ts';
import { emptyAnnotation, readerNamed, versionsOf } from './change.ts';
import { inOrder, planOf } from './import.ts';
import { checkContent } from './rules.ts';
import { type AnnotationRow, findAnnotation, importedAnnotations } from './store.ts';

/** Markers of one file, and annotations of one commit. */
const [maxMarkers, lot] = [1_000, 100];

interface Marked {
  readonly marker: OtioNode;
  readonly range: OtioRange;
  /** Seconds of the range at which the item begins. */
  readonly offset: number;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Clips of a file with the tracks and stacks around them. */
function* clipsIn(
  node: OtioNode,
  around: readonly OtioNode[] = [],
): Generator<{ readonly clip: OtioNode; readonly around: readonly OtioNode[] }> {
  const schema = schemaOf(node, '');
  if (schema === 'Clip') yield { clip: node, around };
  else if (schema === 'Timeline') yield* clipsIn(node['tracks'] as OtioNode, around);
  else for (const child of nodesIn(node, schema)) yield* clipsIn(child, [...around, node]);
}

function* markersOn(node: OtioNode, offset: number): Generator<Marked> {
  for (const marker of listOf(node['markers'])) {
    if (schemaOf(marker, 'markers') !== 'Marker') continue;
    const range = rangeIn((marker as OtioNode)['marked_range'], 'Marker/marked_range');
    if (range) yield { marker: marker as OtioNode, range, offset };
  }
}

/**
 * Markers of an item: all of a file with one clip, or those on the clips that an export of this service made of the item. A
 * clip that is alone begins with what is around it.
 */
function markersOf(root: OtioNode, itemId: string, times: MediaTimes | undefined): readonly Marked[] {
  const clips = [...clipsIn(root)];
  const own = clips.length === 1 ? clips : clips.filter(({ clip }) => ownIn(clip, 'item') === itemId);
  if (own.length === 0) throw badOtio('Clip', 'one clip, or clips of the item', String(clips.length));
  const marked = own.flatMap(({ clip, around }) => {
    const available = rangeIn(mediaOf(clip)['available_range'], 'Clip/available_range');
    const source = rangeIn(clip['source_range'], 'Clip/source_range') ?? available;
    const from = source ? secondsIn(source.start) : 0;
    const to = source ? from + secondsIn(source.length) : 0;
    const offset = offsetOf({ start: available && secondsIn(available.start), from, to }, times);
    const outer = clips.length === 1 ? around.flatMap((node) => [...markersOn(node, offset - from)]) : [];
    return [...outer, ...markersOn(clip, offset)];
  });
  if (marked.length > maxMarkers) throw badOtio('Marker', `at most ${maxMarkers} markers`, String(marked.length));
  return marked;
}

/** Time codes of a marker in an item. One of a single picture has no end. */
function timesOf({ range: { start, length }, offset }: Marked): Pick<AnnotationRow, 'start' | 'end'> {
  const { numerator, denominator } = start.base;
  const from = Math.max(0, Math.round(start.units - (offset * denominator) / numerator));
  const units = Math.round(unitsOf(length, start.base));
  const code = (at: number): string => `${at}@${baseText(numerator, denominator)}`;
  return { start: code(from), end: units > 1 ? code(from + units) : null };
}

/** Whether an annotation begins there, give or take a picture: exports count whole ones, and name people in texts. */
const isAt = ({ start }: AnnotationRow, code: string, { range }: Marked): boolean =>
  Math.abs((mediaSeconds(start ?? '') ?? Number.NaN) - mediaSeconds(code)!) < secondsIn({ ...range.start, units: 1 });

const orNone = (value: unknown): string | null => textIn(value) ?? null;

/** Annotation of a marker, with the names that exports of this service give to it and to what it replies to. */
interface Draft {
  readonly row: AnnotationRow;
  readonly own: string | undefined;
  readonly parent: string | undefined;
}

/**
 * Adds the markers of a file of OpenTimelineIO to an item as annotations, in the name of the caller, without those that are
 * there. Replies find what they reply to in the file, or in the item.
 */
export async function importMarkers(
  parts: ItemsContext,
  call: Caller,
  { id: itemId }: ItemRow,
  text: string,
): Promise<readonly AnnotationRow[]> {
  const { store, clock, fingerprint } = parts;
  const times = (await mediaTimesOf(store, [itemId], await askerOf(call))).get(itemId);
  const versions = await versionsOf(call, itemId);
  const essenceVersion = versions.length === 0 ? null : Math.max(...versions);
  /** Ids here by the names in the file. */
  const idByOwn = new Map<string, string>();
  const drafts: Draft[] = [];
  for (const each of markersOf(otioRoot(text), itemId, times)) {
    const said = metadataOf(each.marker)['portico'];
    const { id: own, parent, rectangle, assignedTo, state } = isRecord(said) ? said : ({} as OtioNode);
    const content = {
      ...{ ...timesOf(each), rectangle: orNone(rectangle), drawing: null },
      text: orNone(each.marker['comment']) ?? orNone(each.marker['name']),
    };
    if (content.text === null && content.rectangle === null) continue;
    checkContent(content, '/Marker');
    const before = typeof own === 'string' ? await findAnnotation(store, { id: own }) : undefined;
    if (before?.itemId === itemId && isAt(before, content.start!, each)) {
      idByOwn.set(before.id, before.id);
      continue;
    }
    const id = await store.nextId('annotation');
    const assignee = typeof assignedTo === 'string' ? await readerNamed(store, itemId, assignedTo) : undefined;
    const row = {
      ...emptyAnnotation(call, { id, serial: serialOf(id), itemId, now: clock.now() }),
      ...{ ...content, essenceVersion, origin: `otio:${fingerprint(JSON.stringify([own ?? null, content]))}` },
      ...(state === 'done' && { state }),
      ...(assignee && { assigneeId: assignee.id, assignee: assignee.name }),
    };
    drafts.push({ row, own: textIn(own), parent: textIn(parent) });
    await yieldTurn();
  }
  const addresses = drafts.map(({ row }) => row.origin!);
  const imported = await importedAnnotations(store, { itemId, here: '', addresses });
  const idByOrigin = new Map(imported.map(({ address, id }) => [address, id]));
  for (const { row, own } of drafts) if (own !== undefined) idByOwn.set(own, idByOrigin.get(row.origin!) ?? row.id);
  const added: AnnotationRow[] = [];
  for (const { row, parent } of drafts) {
    if (!idByOrigin.has(row.origin!)) added.push({ ...row, parent: await parentOf(parts, itemId, parent, idByOwn) });
  }
  const rows = await inOrder(parts, added);
  for (let at = 0; at < rows.length; at += lot) await call.commit(planOf(rows.slice(at, at + lot)));
  return rows;
}

/** Annotation that a marker replies to. One that is not there, or a reply itself, leaves the marker alone. */
async function parentOf(
  { store }: Pick<ItemsContext, 'store'>,
  itemId: string,
  named: string | undefined,
  idByOwn: ReadonlyMap<string, string>,
): Promise<string | null> {
  if (named === undefined) return null;
  const inFile = idByOwn.get(named);
  if (inFile !== undefined) return inFile;
  const row = await findAnnotation(store, { id: named });
  return row?.itemId === itemId && row.parent === null ? row.id : null;
}
