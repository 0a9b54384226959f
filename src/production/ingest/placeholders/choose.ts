import {
  type ComponentRow,
  componentsOfShapes,
  type ExpectedKind,
  kindFull,
  loadShapes,
  mustHaveShapes,
  noSuchShape,
  shapeAmong,
} from '../../../assets/shapes/public.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { badParameter } from '../../../http/parameters/index.ts';
import type { Caller } from '../../../security/caller.ts';
import type { IngestParts } from '../parts.ts';
import { claimedBy } from '../store.ts';

/** The components of a kind that a placeholder still expects: that with the index, or all of them. */
function expectedOf(
  components: readonly ComponentRow[],
  kind: ExpectedKind,
  index: number | undefined,
): readonly ComponentRow[] {
  const ofKind = components.filter((each) => each.kind === kind);
  if (index === undefined) {
    const open = ofKind.filter(({ expected }) => expected === 1);
    if (open.length === 0) throw kindFull(kind);
    return open;
  }
  const named = ofKind[index];
  if (!named) throw badParameter('index', `Expected an index below ${ofKind.length}`, String(index));
  if (named.expected === 0) throw kindFull(kind);
  return [named];
}

/** Clients read the id of the job out of the last brackets. */
const beingImported = (kind: ExpectedKind, jobId: string): ServiceError =>
  new ServiceError('bad-value', {
    context: 'job',
    explanation: `Expected a component that no job imports now: every ${kind} has one [${jobId}]`,
    value: `${kind.toUpperCase()}_COMPONENT`,
  });

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
  const named = shapeId === undefined ? undefined : await shapeAmong(store, shapes, shapeId);
  if (shapeId !== undefined && !named) throw noSuchShape(shapeId);
  const shape = shapes.find(({ id, placeholder }) => placeholder === 1 && (named?.id ?? id) === id);
  if (!shape) throw kindFull(kind);
  await mustHaveShapes(store, call, [shape], 'WRITE');
  const components = await componentsOfShapes(store, { ids: [shape.id] });
  const open = expectedOf(components, kind, index);
  let jobId = '';
  for (const component of open) {
    const claimed = await claimedBy(store, { type: 'component', id: component.id });
    if (!claimed) return { itemId, shapeId: shape.id, components, component };
    jobId = claimed.jobId;
  }
  throw beingImported(kind, jobId);
}
