import { badValue } from '../../../core/documents/error.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import { type ComponentKind, numbered, tracksIn } from '../component-kinds.ts';
import { componentStatements, type ShapeParts } from '../create.ts';
import type { Shape } from '../load.ts';
import type { ShapeWithParts } from '../places.ts';
import { changeShape, shapeEvent } from '../rules.ts';
import { type ComponentRow, moveBack, removeComponent, removeUse, useFile, writeComponent } from '../store.ts';

export const ofKind = (components: readonly ComponentRow[], kind: string): readonly ComponentRow[] =>
  components.filter((each) => each.kind === kind);

/** Whether a shape still expects components without this one. */
export const expectsWithout = (components: readonly ComponentRow[], id: string): boolean =>
  components.some((each) => each.expected === 1 && each.id !== id);

/**
 * Adds a component without a file. `index`: position within its kind, from 0; later ones shift. In a placeholder, it is
 * expected.
 */
export function addEmpty(
  { shape, components }: ShapeWithParts,
  { id, kind, index }: { readonly id: string; readonly kind: ComponentKind; readonly index: number | undefined },
  settings: ShapeParts['settings'],
): CommitPlan {
  const { id: shapeId, itemId } = shape;
  const others = ofKind(components, kind);
  if (kind === 'container' && others.length > 0) throw oneContainer(shapeId);
  const position = index === undefined ? undefined : others[index]?.position;
  const at = position ?? (others.at(-1)?.position ?? -1) + 1;
  const properties = numbered(kind, {}, tracksOf(components));
  const component = { kind, properties, files: [], metadata: [], expected: shape.placeholder === 1 };
  return {
    changes: [
      ...changeShape(shape),
      ...(position === undefined ? [] : [moveBack({ shapeId, kind, position })]),
      ...componentStatements(component, { id, shapeId, itemId, position: at }, settings),
    ],
    events: [shapeEvent('modify', shape)],
  };
}

export const oneContainer = (shapeId: string) => badValue('container', 'a shape without a container', shapeId);

export const tracksOf = (components: readonly ComponentRow[]): Set<string> =>
  tracksIn(components.map(({ document }) => JSON.parse(document) as Readonly<Record<string, unknown>>));

/** Gives a component a file. After the last expected one, the shape is no placeholder any more. */
export function attachFile(
  { shape, components }: ShapeWithParts,
  component: ComponentRow,
  fileId: string,
  guards: readonly Statement[],
): CommitPlan {
  const { id: componentId, position, document } = component;
  const placeholder = expectsWithout(components, componentId) ? shape.placeholder : 0;
  const { id: shapeId, itemId } = shape;
  return {
    changes: [
      ...guards,
      ...changeShape(shape, { placeholder }),
      writeComponent({ id: componentId, shapeId, position, expected: 0, document }),
      useFile({ fileId, itemId, shapeId, componentId }),
    ],
    events: [shapeEvent('modify', shape)],
  };
}

/** Removes a file from a component. File and component stay. */
export const detachFile = (shape: Shape, componentId: string, fileId: string): CommitPlan => ({
  changes: [...changeShape(shape), removeUse({ fileId, componentId })],
  events: [shapeEvent('modify', shape)],
});

/** Deletes a component. `released`: work that releases its files. */
export function deleteComponent({ shape, components }: ShapeWithParts, id: string, released: CommitPlan): CommitPlan {
  const placeholder = expectsWithout(components, id) ? shape.placeholder : 0;
  return {
    changes: [
      ...changeShape(shape, { placeholder }),
      ...removeComponent.map((statement) => statement({ id })),
      ...released.changes,
    ],
    events: [shapeEvent('modify', shape), ...released.events],
  };
}
