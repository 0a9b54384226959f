import { ServiceError } from '../../lib/errors.ts';
import { changedMeanwhile } from '../../lib/retry-when-changed.ts';
import type { EventRecord, Statement } from '../../store/contract.ts';
import { happened } from '../events.ts';
import type { Shape } from './load.ts';
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

/** The tag of the first shape of an item. One shape of each version has it. */
export const original = 'original';

/** Of one item. */
const mostShapes = 1000;
export const mostComponents = 1000;
const mostFiles = 1000;

interface Bounds {
  readonly maxMetadataBytes: number;
}

/** What components say, and the key-value metadata of the shapes, in all. */
export const bytesOfItemFit = (itemId: string, { maxMetadataBytes: most }: Bounds): Statement =>
  bytesFit({ itemId, most }, tooMany(itemId, most, 'bytes of components and their metadata'));

/** What one answer tells of the shapes of an item has an end. For the commit after which there is more. */
export const itemFits = (itemId: string, bounds: Bounds): Statement[] => [
  shapesFit({ itemId, most: mostShapes }, tooMany(itemId, mostShapes, 'shapes')),
  componentsFit({ itemId, most: mostComponents }, tooMany(itemId, mostComponents, 'components')),
  filesFit({ itemId, most: mostFiles }, tooMany(itemId, mostFiles, 'files of components')),
  bytesOfItemFit(itemId, bounds),
];

type Told = Pick<Shape, 'id' | 'itemId' | 'tags'>;

/** Notifications of shapes belong to the item. */
export const shapeEvent = (name: 'create' | 'modify' | 'delete', { id, itemId, tags }: Told): EventRecord =>
  happened(`shape/${name}`, itemId, { itemId, shapeId: id, ...(tags.length > 0 && { shapeTag: tags }) });

export const noSuchShape = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'shape', id: id.slice(0, 80) });

export const noSuchTag = (name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'shape-tag', id: name.slice(0, 80) });

export const tooMany = (id: string, most: number, what: string): ServiceError =>
  new ServiceError('bad-value', { context: what, id, explanation: `Expected at most ${most} ${what}` });

const changed = (id: string): ServiceError => changedMeanwhile('Shape', id);

/** What else a change of a shape says about it. */
export interface ShapeChange {
  readonly placeholder?: number;
  readonly mimeTypes?: readonly string[];
}

/** The shape is still the one that was read. */
export const sameShape = ({ id, version }: Shape): Statement[] => [
  shapeThere({ id }, noSuchShape(id)),
  shapeUnchanged(id, version, changed(id)),
];

/** The same, and its changes follow. */
export const changeShape = (shape: Shape, to: ShapeChange = {}): Statement[] => [
  ...sameShape(shape),
  writeShape({
    id: shape.id,
    placeholder: to.placeholder ?? shape.placeholder,
    mimeTypes: to.mimeTypes === undefined ? shape.mimeTypes : JSON.stringify(to.mimeTypes),
  }),
];

/** What a shape has to be for a tag to be given to it. */
type Taggable = Pick<Shape, 'id' | 'itemId' | 'essenceVersion'>;

/** Tags a shape gets. The index of `original` breaks where another request gives it meanwhile. */
export const tagShape = ({ id: shapeId, itemId, essenceVersion }: Taggable, tags: readonly string[]): Statement[] =>
  tags.map((tag) => addTag({ shapeId, tag, itemId, essenceVersion }, changed(shapeId)));

/** One shape of a version is the original: the one that was it so far loses the tag. */
export function takeOriginal(
  shapes: readonly Shape[],
  { id, essenceVersion }: Taggable,
): { readonly changes: readonly Statement[]; readonly events: readonly EventRecord[] } {
  const others = shapes.filter(
    (other) => other.id !== id && other.essenceVersion === essenceVersion && other.tags.includes(original),
  );
  return {
    changes: others.flatMap((other) => [...changeShape(other), removeTag({ shapeId: other.id, tag: original })]),
    events: others.map((other) =>
      shapeEvent('modify', { ...other, tags: other.tags.filter((tag) => tag !== original) }),
    ),
  };
}
