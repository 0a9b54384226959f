import { serialOf } from '../../core/lib/serial.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import type { RoomContext } from '../../room/context.ts';
import { add } from '../../room/entities/external-ids/rules.ts';
import { type KeyValue, setKeyValues } from '../../room/entities/key-values/store.ts';
import { type ComponentKind, type ExpectedCounts, expectedKinds, numbered, tracksIn } from './component-kinds.ts';
import { type FileParts, releaseFiles } from './files.ts';
import { idsOf, type Shape } from './load.ts';
import { changeShape, maxComponents, shapeEvent, shapeName, tagShape, tooManyShapes } from './rules.ts';
import { filesOfShapes, insertComponent, insertShape, removeShape, useFile } from './store.ts';

export interface NewComponent {
  readonly kind: ComponentKind;
  /** Properties other than id, files and metadata. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly files: readonly string[];
  readonly metadata: readonly KeyValue[];
  /** True: placeholder that waits for its file. */
  readonly expected?: boolean;
}

export interface NewShape {
  /** Id that was drawn ahead of the shape. */
  readonly id?: string;
  readonly itemId: string;
  readonly essenceVersion: number;
  readonly tags: readonly string[];
  readonly mimeTypes?: readonly string[];
  readonly uuid?: string | undefined;
  /** Expected components of a placeholder, by kind. */
  readonly expected?: ExpectedCounts;
  readonly components?: readonly NewComponent[];
  readonly metadata?: readonly KeyValue[];
  readonly externalIds?: readonly string[];
}

export type ShapeParts = Pick<RoomContext, 'store' | 'clock'> & {
  readonly settings: { readonly maxMetadataBytes: number };
};

/**
 * Prepares a new shape for the commit of the caller. The caller guards that the item and the tags exist, and that no
 * other shape of the version is the original.
 */
export async function newShape(parts: ShapeParts, request: NewShape): Promise<CommitPlan & { readonly id: string }> {
  const { store, clock, settings } = parts;
  const { itemId, essenceVersion, tags, metadata = [], externalIds = [] } = request;
  const { id = await store.nextId('shape') } = request;
  const components = [...(request.components ?? []), ...expectedComponents(request.expected ?? {})];
  const shape = { id, itemId, essenceVersion, tags };
  const changes: Statement[] = [
    insertShape({
      id,
      serial: serialOf(id),
      itemId,
      essenceVersion,
      placeholder: components.some(({ expected }) => expected) ? 1 : 0,
      mimeTypes: JSON.stringify(request.mimeTypes ?? []),
      uuid: request.uuid ?? null,
      createdAt: clock.now(),
      version: 1,
    }),
    ...tagShape(shape, tags),
    ...(metadata.length > 0
      ? setKeyValues('shape', id, { pairs: metadata, mostBytes: settings.maxMetadataBytes }, false)
      : []),
  ];
  for (const externalId of externalIds) changes.push(...(await add(store, shapeName, id, externalId, 'bad-value')));
  const places = new Map<ComponentKind, number>();
  const taken = tracksIn(components.map(({ properties }) => properties));
  for (const component of components) {
    const position = places.get(component.kind) ?? 0;
    places.set(component.kind, position + 1);
    const componentId = await store.nextId('component');
    const properties = numbered(component.kind, component.properties, taken);
    changes.push(
      ...componentStatements(
        { ...component, properties },
        { id: componentId, shapeId: id, itemId, position },
        settings,
      ),
    );
  }
  if (components.length > maxComponents) throw tooManyShapes(id, maxComponents, 'components');
  return { id, changes, events: [shapeEvent('create', shape)] };
}

/** Expected components of a placeholder. */
export const expectedComponents = (counts: ExpectedCounts): readonly NewComponent[] =>
  expectedKinds.flatMap((kind) =>
    Array.from({ length: counts[kind] ?? 0 }, () => ({
      kind,
      properties: {},
      files: [],
      metadata: [],
      expected: true,
    })),
  );

interface ComponentTarget {
  readonly id: string;
  readonly shapeId: string;
  readonly itemId: string;
  /** Position among components of its kind, from 0. */
  readonly position: number;
}

/** Statements for a new component. The properties already include the track. */
export function componentStatements(
  { kind, properties, files, metadata, expected = false }: NewComponent,
  { id, shapeId, itemId, position }: ComponentTarget,
  { maxMetadataBytes }: ShapeParts['settings'],
): Statement[] {
  return [
    insertComponent({ id, shapeId, kind, position, expected: expected ? 1 : 0, document: JSON.stringify(properties) }),
    ...files.map((fileId) => useFile({ fileId, itemId, shapeId, componentId: id })),
    ...(metadata.length > 0
      ? setKeyValues('component', id, { pairs: metadata, mostBytes: maxMetadataBytes }, false)
      : []),
  ];
}

/** Files of a deleted item to keep. With both lists, a file must match both. A `*` in either keeps all. */
export interface RetainedFiles {
  readonly tags?: readonly string[] | undefined;
  readonly storages?: readonly string[] | undefined;
}

/** Deletes shapes and releases their files. */
export async function deleteShapes(
  parts: FileParts,
  shapes: readonly Shape[],
  keep: RetainedFiles,
): Promise<CommitPlan> {
  if (shapes.length === 0) return changing();
  const rows = await filesOfShapes(parts.store, idsOf(shapes));
  const keptIds = keptByTag(shapes, rows, keep.tags);
  const { tags, storages } = keep;
  const released = await releaseFiles(parts, rows, ({ id, storageId }) => {
    if (tags === undefined && storages === undefined) return false;
    if (tags?.includes('*') || storages?.includes('*')) return true;
    return (keptIds?.has(id) ?? true) && (storages?.includes(storageId) ?? true);
  });
  return {
    changes: [
      ...shapes.flatMap((shape) => [
        ...changeShape(shape),
        ...removeShape.map((statement) => statement({ id: shape.id })),
      ]),
      ...released.changes,
    ],
    events: [...shapes.map((shape) => shapeEvent('delete', shape)), ...released.events],
  };
}

/** Files of shapes with any of the tags. Undefined: no filter by tags. */
function keptByTag(
  shapes: readonly Shape[],
  rows: readonly { readonly shapeId: string; readonly fileId: string }[],
  tags: readonly string[] | undefined,
): ReadonlySet<string> | undefined {
  if (tags === undefined) return undefined;
  const tagged = new Set(shapes.filter((shape) => shape.tags.some((tag) => tags.includes(tag))).map(({ id }) => id));
  return new Set(rows.filter(({ shapeId }) => tagged.has(shapeId)).map(({ fileId }) => fileId));
}
