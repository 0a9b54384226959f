import { about, emitterOf, firing } from '../../core/events/event-kinds.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import type { EventRecord, Statement } from '../../core/store/contract.ts';
import type { KindName } from '../../room/entity.ts';
import { latestOf, latestShapes, type Shape } from './load.ts';
import {
  addTag,
  bytesFit,
  componentsFit,
  filesFit,
  removeTag,
  shapesFit,
  shapeThere,
  shapeUnchanged,
  writeShape,
} from './store.ts';

export const shapeName: KindName = { type: 'shape', noun: 'shape' };

export type ShapeState = {
  readonly itemId: string;
  readonly shapeId: string;
  readonly shapeTag?: readonly string[];
};

const shapeKeys = ['itemId', 'shapeId', 'shapeTag'] as const;
const ofShape = (trigger: string) => ({ resource: '/item', says: about('shape', trigger), tells: shapeKeys }) as const;
const shape = { itemId: 'VX-7', shapeId: 'VX-12', shapeTag: ['original', 'lowres'] };

export const shapeEvents = {
  'shape/create': firing<ShapeState>(ofShape('CREATE'), shape),
  'shape/modify': firing<ShapeState>(ofShape('MODIFY'), shape),
  'shape/delete': firing<ShapeState>(ofShape('DELETE'), shape),
};

const emit = emitterOf(shapeEvents);

/** Tag of the first shape of an item. Only one shape per version has it. */
export const original = 'original';

/** Tags of the shape that an import makes, if the caller names none. */
export const importTags: readonly string[] = [original];

/** Limits per item. */
const maxShapes = 1000;
export const maxComponents = 1000;
const maxFiles = 1000;

interface Bounds {
  readonly maxMetadataBytes: number;
}

/** Guard: bytes of component documents and key-value metadata of the shapes of an item. */
export const bytesOfItemFit = (itemId: string, { maxMetadataBytes: max }: Bounds): Statement =>
  bytesFit({ itemId, max }, tooManyShapes(itemId, max, 'bytes of components and their metadata'));

/** Guards for commits that add to an item: one answer shows all of its shapes, so their size is limited. */
export const itemFits = (itemId: string, bounds: Bounds): Statement[] => [
  shapesFit({ itemId, max: maxShapes }, tooManyShapes(itemId, maxShapes, 'shapes')),
  componentsFit({ itemId, max: maxComponents }, tooManyShapes(itemId, maxComponents, 'components')),
  filesFit({ itemId, max: maxFiles }, tooManyShapes(itemId, maxFiles, 'files of components')),
  bytesOfItemFit(itemId, bounds),
];

type ShapeEventFacts = Pick<Shape, 'id' | 'itemId' | 'tags'>;

/** Shape events belong to the item. */
export const shapeEvent = (name: 'create' | 'modify' | 'delete', { id, itemId, tags }: ShapeEventFacts): EventRecord =>
  emit(`shape/${name}`, itemId, { itemId, shapeId: id, ...(tags.length > 0 && { shapeTag: tags }) });

export const noSuchShape = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'shape', id: id.slice(0, 80) });

export const noSuchTag = (name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'shape-tag', id: name.slice(0, 80) });

export const tooManyShapes = (id: string, max: number, what: string): ServiceError =>
  new ServiceError('bad-value', { context: what, id, explanation: `Expected at most ${max} ${what}` });

const changed = (id: string): ServiceError => changedMeanwhile('Shape', id);

/** New properties of a shape, besides its version. */
interface ShapeChange {
  readonly placeholder?: number;
  readonly mimeTypes?: readonly string[];
}

/** Guards: the shape exists and is unchanged. */
export const sameShape = ({ id, version }: Shape): Statement[] => [
  shapeThere({ id }, noSuchShape(id)),
  shapeUnchanged(id, version, changed(id)),
];

/** Changes a shape, with guards that it is unchanged. */
export const changeShape = (shape: Shape, to: ShapeChange = {}): Statement[] => [
  ...sameShape(shape),
  writeShape({
    id: shape.id,
    placeholder: to.placeholder ?? shape.placeholder,
    mimeTypes: to.mimeTypes === undefined ? shape.mimeTypes : JSON.stringify(to.mimeTypes),
  }),
];

/** Properties of a shape needed for adding tags. */
type Taggable = Pick<Shape, 'id' | 'itemId' | 'essenceVersion'>;

/** Adds tags. A unique index fails if another request adds `original` at the same time. */
export const tagShape = ({ id: shapeId, itemId, essenceVersion }: Taggable, tags: readonly string[]): Statement[] =>
  tags.map((tag) => addTag({ shapeId, tag, itemId, essenceVersion }, changed(shapeId)));

/** Shapes that lose the tag `original` to another one of their version, if it gets that tag. */
export const losingOriginal = (
  shapes: readonly Shape[],
  { id, essenceVersion }: Pick<Taggable, 'id' | 'essenceVersion'>,
  tags: readonly string[],
): readonly Shape[] =>
  shapes.filter(
    (other) =>
      tags.includes(original) &&
      other.id !== id &&
      other.essenceVersion === essenceVersion &&
      other.tags.includes(original),
  );

/**
 * Shapes that lose the tag `original` or their place to another one. The first shape of a later version takes the place
 * of all shapes of the latest version in lists.
 */
export const losingTo = (
  shapes: readonly Shape[],
  shape: Pick<Taggable, 'id' | 'essenceVersion'>,
  tags: readonly string[],
): readonly Shape[] =>
  shape.essenceVersion > (latestOf(shapes) ?? shape.essenceVersion)
    ? latestShapes(shapes)
    : losingOriginal(shapes, shape, tags);

/** Removes the tag `original` from the previous shape of the version. */
export function takeOriginal(
  shapes: readonly Shape[],
  shape: Taggable,
): { readonly changes: readonly Statement[]; readonly events: readonly EventRecord[] } {
  const others = losingOriginal(shapes, shape, [original]);
  return {
    changes: others.flatMap((other) => [...changeShape(other), removeTag({ shapeId: other.id, tag: original })]),
    events: others.map((other) =>
      shapeEvent('modify', { ...other, tags: other.tags.filter((tag) => tag !== original) }),
    ),
  };
}
