import type { Caller } from '../../security/caller.ts';
import {
  type ComponentRow,
  componentsOfShapes,
  type ExpectedKind,
  kindFull,
  loadShapes,
  mustHaveShapes,
  noSuchShape,
} from '../../shapes/public.ts';
import { claimedBy } from '../claims/store.ts';
import type { IngestParts } from '../parts.ts';
import { beingImported, expectedOf } from './rules.ts';

export interface ExpectedComponent {
  readonly itemId: string;
  readonly shapeId: string;
  /** The components of the shape. */
  readonly components: readonly ComponentRow[];
  readonly component: ComponentRow;
}

interface ComponentQuery {
  readonly itemId: string;
  readonly kind: ExpectedKind;
  readonly shapeId: string | undefined;
  readonly index: number | undefined;
}

/** The component of a placeholder that a file is for, which no other import has claimed. */
export async function placeFor(
  { store }: Pick<IngestParts, 'store'>,
  call: Caller,
  { itemId, kind, shapeId, index }: ComponentQuery,
): Promise<ExpectedComponent> {
  const shapes = await loadShapes(store, itemId);
  if (shapeId !== undefined && shapes.every(({ id }) => id !== shapeId)) throw noSuchShape(shapeId);
  const shape = shapes.find(({ id, placeholder }) => placeholder === 1 && (shapeId ?? id) === id);
  if (!shape) throw kindFull(kind);
  await mustHaveShapes(store, call, [shape], 'WRITE');
  const components = await componentsOfShapes(store, { ids: JSON.stringify([shape.id]) });
  const open = expectedOf(components, kind, index);
  let jobId = '';
  for (const component of open) {
    const claimed = await claimedBy(store, { type: 'component', id: component.id });
    if (!claimed) return { itemId, shapeId: shape.id, components, component };
    jobId = claimed.jobId;
  }
  throw beingImported(kind, jobId);
}
