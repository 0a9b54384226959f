import { badValue } from '../../../core/documents/error.ts';
import { groupBy } from '../../../core/lib/group-by.ts';
import { yieldTurn } from '../../../core/lib/turn.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { checkKey, keyValuesFrom, metadataOf } from '../../../room/entities/key-values/rules.ts';
import { type KeyValue, keyValuesOf } from '../../../room/entities/key-values/store.ts';
import type { Caller } from '../../../security/caller.ts';
import { type FileView, listedFiles, plainFileView, withoutAddresses } from '../../../storage/public.ts';
import type { File } from '../../../storage/public-reading.ts';
import { closedByTerms, mediaOfShape } from '../../usage/public.ts';
import { type ComponentKind, componentKinds } from '../component-kinds.ts';
import type { NewComponent } from '../create.ts';
import { idsOf, type Shape, withTags } from '../load.ts';
import { noSuchShape } from '../rules.ts';
import { type ComponentRow, componentsOfShapes, filesNamed, filesOfShapes, shapesNamed } from '../store.ts';
import type { Component, ShapeOf } from './shape.ts';

interface ShapeView {
  /** Include components that a placeholder still expects. */
  readonly includePlaceholder: boolean;
  readonly files: FileView;
}

/** Documents of shapes, in the order of the rows. */
export async function shapeDocuments(
  reader: Reader,
  shapes: readonly Shape[],
  view: ShapeView = { includePlaceholder: false, files: plainFileView },
): Promise<readonly ShapeOf[]> {
  if (shapes.length === 0) return [];
  const components = await loadComponents(reader, shapes, view.files);
  const metadata = await keyValuesOf(
    reader,
    'shape',
    shapes.map(({ id }) => id),
  );
  const byShape = groupBy(components, ({ row }) => row.shapeId);
  const documents = shapes.map((shape) => {
    const shown = (byShape.get(shape.id) ?? []).filter(({ row }) => view.includePlaceholder || row.expected === 0);
    const mimeType = mimeTypesOf(shape);
    const pairs = metadataOf(metadata.get(shape.id));
    return {
      id: shape.id,
      // Empty shapes have no essence, and so no time of creation.
      ...(shown.length > 0 && { created: shape.createdAt }),
      ...(shape.uuid !== null && { uuid: shape.uuid }),
      essenceVersion: shape.essenceVersion,
      tag: shape.tags,
      ...(mimeType.length > 0 && { mimeType }),
      ...partsOf(shown),
      ...(pairs && { metadata: pairs }),
    };
  });
  if (components.length > light) await yieldTurn();
  return documents;
}

/** Components of a shape, without their files and metadata: one read. */
export async function shapeParts(reader: Reader, shape: Pick<Shape, 'id'>): Promise<Partial<ShapeOf>> {
  const rows = (await componentsOfShapes(reader, idsOf([shape]))).filter(({ expected }) => expected === 0);
  return partsOf(rows.map((row) => ({ row, files: [], metadata: [] })));
}

/** Documents of shapes for a caller: of those that terms of use close now, without the addresses of their files. */
export async function shapeDocumentsFor(
  reader: Reader,
  caller: Caller,
  shapes: readonly Shape[],
  view: ShapeView = { includePlaceholder: false, files: plainFileView },
): Promise<readonly ShapeOf[]> {
  const closed = await closedByTerms(reader, caller, shapes.map(mediaOfShape), caller.came);
  if (closed.size === 0) return shapeDocuments(reader, shapes, view);
  const [open, hidden] = [false, true].map((isClosed) => shapes.filter(({ id }) => closed.has(id) === isClosed));
  const documents = [
    ...(await shapeDocuments(reader, open!, view)),
    ...(await shapeDocuments(reader, hidden!, { ...view, files: withoutAddresses(view.files) })),
  ];
  const byId = new Map(documents.map((document) => [document.id, document]));
  return shapes.map(({ id }) => byId.get(id)!);
}

/** Document of one shape with its files. 404 if it was deleted meanwhile. */
export async function storedShape(reader: Reader, id: string): Promise<ShapeOf> {
  const shapes = await withTags(reader, await shapesNamed(reader, idsOf([{ id }])));
  const [document] = await shapeDocuments(reader, shapes);
  if (document) return document;
  throw noSuchShape(id);
}

export const mimeTypesOf = ({ mimeTypes }: Pick<Shape, 'mimeTypes'>): readonly string[] =>
  JSON.parse(mimeTypes) as string[];

/** Components by element of a ShapeDocument, with at most one container. */
function partsOf(components: readonly LoadedComponent[]): Partial<ShapeOf> {
  const byKind = groupBy(components, ({ row }) => row.kind as ComponentKind);
  return Object.fromEntries(
    componentKinds.flatMap((kind) => {
      const documents = (byKind.get(kind) ?? []).map(componentOf);
      if (documents.length === 0) return [];
      return [[`${kind}Component`, kind === 'container' ? documents[0] : documents]];
    }),
  );
}

interface LoadedComponent {
  readonly row: ComponentRow;
  readonly files: readonly File[];
  readonly metadata: readonly { readonly key: string; readonly value: string }[];
}

export function componentOf({ row, files, metadata }: LoadedComponent): Component {
  return {
    ...(files.length > 0 && { file: files }),
    id: row.id,
    ...(metadata.length > 0 && { metadata: metadata.map(({ key, value }) => ({ key, value })) }),
    ...(JSON.parse(row.document) as Component),
  };
}

/** Maximum components to load without yielding. */
const light = 100;

/** Components sorted by kind, and then by stream. `only`: id of a single component. */
export async function loadComponents(
  reader: Reader,
  shapes: readonly Pick<Shape, 'id'>[],
  view: FileView,
  only?: string,
): Promise<readonly LoadedComponent[]> {
  const wanted = (id: string) => only === undefined || id === only;
  const rows = (await componentsOfShapes(reader, idsOf(shapes))).filter(({ id }) => wanted(id));
  // Yields to the event loop between the reads of many components, and before writing.
  const pause = async () => (rows.length > light ? yieldTurn() : undefined);
  await pause();
  const uses = (await filesOfShapes(reader, idsOf(shapes))).filter(({ componentId }) => wanted(componentId));
  await pause();
  const files = await filesById(reader, [...new Set(uses.map(({ fileId }) => fileId))], view);
  const metadata = await keyValuesOf(
    reader,
    'component',
    rows.map(({ id }) => id),
  );
  await pause();
  const byComponent = groupBy(uses, ({ componentId }) => componentId);
  return componentKinds.flatMap((kind) =>
    rows
      .filter((row) => row.kind === kind)
      .map((row) => ({
        row,
        files: (byComponent.get(row.id) ?? []).flatMap(({ fileId }) => files.get(fileId) ?? []),
        metadata: metadata.get(row.id) ?? [],
      })),
  );
}

/** Loads files in slices, since a file may have many URIs. */
async function filesById(reader: Reader, ids: readonly string[], view: FileView): Promise<ReadonlyMap<string, File>> {
  const files = new Map<string, File>();
  for (let at = 0; at < ids.length; at += light) {
    if (at > 0) await yieldTurn();
    const rows = await filesNamed(reader, { ids: ids.slice(at, at + light) });
    for (const file of await listedFiles(reader, rows, view)) files.set(file.id!, file);
  }
  return files;
}

/** Parsed document of a new shape. Ids in it belong to another shape, and are ignored. */
export interface ShapeFrom {
  readonly uuid: string | undefined;
  readonly tags: readonly string[];
  readonly mimeTypes: readonly string[];
  readonly components: readonly NewComponent[];
  readonly metadata: readonly KeyValue[];
}

const at = (name: string): string => `/ShapeDocument/${name}`;

export function shapeFrom(document: ShapeOf | undefined, mostBytes: number): ShapeFrom {
  const { uuid, tag = [], mimeType = [], metadata } = document ?? {};
  if (uuid !== undefined && !/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(uuid)) {
    throw badValue(at('uuid'), 'a uuid', uuid);
  }
  return {
    uuid,
    tags: [...new Set(tag)],
    mimeTypes: [...new Set(mimeType.map((each) => mimeTypeFrom(each, at('mimeType'))))],
    components: componentKinds.flatMap((kind) => {
      const content = document?.[`${kind}Component`] ?? [];
      const all: readonly Component[] = Array.isArray(content) ? content : [content];
      return all.map((each) => newComponentFrom(kind, each));
    }),
    metadata: keyValuesFrom(metadata, at('metadata/field/key'), mostBytes).pairs,
  };
}

function newComponentFrom(kind: ComponentKind, document: Component): NewComponent {
  const { file = [], id: _id, metadata = [], ...properties } = document;
  const place = at(`${kind}Component`);
  const files = file.map(({ id }) => {
    if (id) return id;
    throw badValue(`${place}/file/id`, 'the id of a file');
  });
  return {
    kind,
    properties,
    files: [...new Set(files)],
    metadata: metadata.map(({ key, value }): KeyValue => {
      checkKey(key, `${place}/metadata/key`);
      return [key, value, 'add'];
    }),
  };
}

export function mimeTypeFrom(text: string, place: string): string {
  const token = "[\\w!#$&^.+'*`|~%-]{1,127}";
  if (new RegExp(`^${token}/${token}$`).test(text)) return text.toLowerCase();
  throw badValue(place, 'a media type such as "video/mp4"', text);
}
