import {
  type ComponentRow,
  chosenShapes,
  componentKinds,
  componentsOfShapes,
  filesNamed,
  filesOfShapes,
  idsOf,
  loadShapesOf,
  refusedShapes,
  type Shape,
  shapesAllowed,
  versionsFrom,
} from '../../../assets/shapes/public.ts';
import type { ServiceError } from '../../../core/lib/errors.ts';
import { groupBy } from '../../../core/lib/group-by.ts';
import { askEach } from '../../../core/lib/maybe.ts';
import { inSlices, yieldTurn } from '../../../core/lib/turn.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { hook } from '../../../room/hook.ts';
import type { LeasedJob } from '../../../room/jobs/job-type.ts';
import type { Caller } from '../../../security/caller.ts';
import { findStorage, hasAllBytes } from '../../../storage/public.ts';
import type { FileRow } from '../../../storage/public-reading.ts';
import type { ExportParts } from '../parts.ts';
import type { ExportedFile } from '../store.ts';
import type { ExportMemo } from './export-job.ts';

export interface ExportFile {
  readonly itemId: string;
  readonly shape: Shape;
  readonly component: ComponentRow;
  readonly row: FileRow;
}

interface RefusedShape {
  readonly itemId: string;
  readonly refusal: ServiceError;
}

export interface ItemFiles {
  readonly files: readonly ExportFile[];
  /** Items that have nothing to export. */
  readonly missing: readonly string[];
  /** Refusals of shapes whose version is not approved, or which terms of use close. */
  readonly refusals: readonly RefusedShape[];
}

/** Parameters that choose shapes and components. */
type FileSelection = Pick<ExportMemo, 'target' | 'id' | 'tags' | 'version' | 'track' | 'template'>;

const original = ['original'];
const kindNames: readonly string[] = componentKinds;
const priorities = ['HIGHEST', 'HIGH', 'MEDIUM', 'LOW', 'LOWEST'];

/** Parts that find the files of items. */
export type FileParts = Pick<ExportParts, 'store' | 'hooks' | 'clock'>;

/** The files of the chosen shapes of some items: of each component one, and each file once for its shape. */
export async function filesToExport(
  parts: FileParts,
  call: Caller,
  memo: FileSelection,
  itemIds: readonly string[],
): Promise<ItemFiles> {
  const { store } = parts;
  // Items may have thousands of components: the caller's reader reads them off the serving thread.
  const { reader } = call;
  const byItem = groupBy(await loadShapesOf(reader, itemIds), ({ itemId }) => itemId);
  await yieldTurn();
  const allowed = await shapesAllowed(store, call, await shapesAllowed(store, call, byItem, 'SHAPE'), 'URI');
  const wanted = itemIds.flatMap((id) => chosenOf(memo, allowed.get(id) ?? []));
  const refusals = await refusedShapes(parts, call, wanted);
  const chosen = wanted.filter(({ id }) => !refusals.has(id));
  const components = groupBy(await componentsOfShapes(reader, idsOf(chosen)), ({ shapeId }) => shapeId);
  await yieldTurn();
  const uses = groupBy(await filesOfShapes(reader, idsOf(chosen)), ({ componentId }) => componentId);
  await yieldTurn();
  const ids = [...new Set([...uses.values()].flat().map(({ fileId }) => fileId))];
  const rows = await inSlices(ids, async (slice) => filesNamed(reader, { ids: slice }), 1000);
  const fileById = new Map(rows.map((row) => [row.id, row]));
  const rank = await rankOfStorages(store, rows);
  const bestOf = (component: ComponentRow): FileRow | undefined => {
    const copies = (uses.get(component.id) ?? []).flatMap(({ fileId }) => fileById.get(fileId) ?? []);
    return copies.filter(hasAllBytes).sort((one, other) => rank(one) - rank(other))[0];
  };
  const files = chosen.flatMap((shape) => {
    const named = new Map<string, ExportFile>();
    for (const component of inOrder(components.get(shape.id) ?? [])) {
      const row = isOn(component, memo.track) ? bestOf(component) : undefined;
      if (row && !named.has(row.id)) named.set(row.id, { itemId: shape.itemId, shape, component, row });
    }
    return [...named.values()];
  });
  const having = new Set(files.map(({ itemId }) => itemId));
  const refused = wanted.flatMap(({ id, itemId }) => {
    const refusal = refusals.get(id);
    return refusal ? [{ itemId, refusal }] : [];
  });
  return { files, missing: itemIds.filter((id) => !having.has(id)), refusals: refused };
}

export function chosenOf(
  { target, id, tags = original, version, template }: Omit<FileSelection, 'track'>,
  shapes: readonly Shape[],
): readonly Shape[] {
  if (target === 'shape') return shapes.filter((shape) => shape.id === id);
  // A template chooses among all of them.
  const wanted = template === undefined ? tags : undefined;
  return chosenShapes(shapes, { versions: versionsFrom(version), tags: wanted, placeholders: 'false' });
}

/** The container names the file of a shape that has one. */
function inOrder(components: readonly ComponentRow[]): readonly ComponentRow[] {
  const rank = ({ kind }: ComponentRow) => (kind === 'container' ? -1 : kindNames.indexOf(kind));
  return [...components].sort((one, other) => rank(one) - rank(other));
}

/** `track`: all of them, or tracks such as `V1,A` . */
function isOn({ document }: ComponentRow, track: string): boolean {
  const wanted = track.split(',').map((each) => each.trim().toUpperCase());
  if (wanted.includes('*')) return true;
  const { itemTrack } = JSON.parse(document) as { readonly itemTrack?: string };
  return itemTrack !== undefined && wanted.some((each) => each === itemTrack || each === itemTrack.charAt(0));
}

async function rankOfStorages(reader: Reader, rows: readonly FileRow[]): Promise<(row: FileRow) => number> {
  const ids = [...new Set(rows.map(({ storageId }) => storageId))];
  const ranks = new Map(
    await askEach(ids, async (id) => {
      const priority = priorities.indexOf((await findStorage(reader, { id }))?.priority ?? '');
      return [id, priority < 0 ? priorities.indexOf('MEDIUM') : priority] as const;
    }),
  );
  return ({ storageId }) => ranks.get(storageId)!;
}

/** Files that a template defines. */
export interface FilesByTemplate {
  /** The files of one item. */
  ofItem(
    id: string,
    files: readonly ExportFile[],
  ): Promise<{ readonly files: readonly ExportedFile[]; readonly missing: boolean }>;
  /** The files that belong to no item, once those of all items are known. */
  around(): Promise<readonly ExportedFile[]>;
}

/** Templates of exports. */
interface Templates {
  /** Refuses an unknown template. */
  mustExist(name: string): Promise<void>;
  /** Files of an export by its templates. Throws `JobFails`. */
  files(job: LeasedJob, call: Caller, memo: ExportMemo): Promise<FilesByTemplate>;
}

export const exportTemplatesHook = hook<Templates>('export-templates');
