import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import type { Shape } from '../load.ts';
import { changeShape, original, shapeEvent, tagShape, takeOriginal } from '../rules.ts';
import { removeTag } from '../store.ts';

/** Adds a tag that the shape does not have. `known`: guards that the tag exists. */
export function giveTag(shape: Shape, shapes: readonly Shape[], tag: string, known: readonly Statement[]): CommitPlan {
  const taken = tag === original ? takeOriginal(shapes, shape) : changing();
  const tags = [...shape.tags, tag];
  return {
    changes: [...known, ...taken.changes, ...changeShape(shape), ...tagShape(shape, [tag])],
    events: [shapeEvent('modify', { ...shape, tags }), ...taken.events],
  };
}

/** Removes a tag. Undefined: the shape does not have it. */
export function takeTag(shape: Shape, tag: string): CommitPlan | undefined {
  if (!shape.tags.includes(tag)) return undefined;
  const tags = shape.tags.filter((each) => each !== tag);
  return {
    changes: [...changeShape(shape), removeTag({ shapeId: shape.id, tag })],
    events: [shapeEvent('modify', { ...shape, tags })],
  };
}

/** Sets the media types. Undefined: no change. */
export function setMimeTypes(shape: Shape, from: readonly string[], to: readonly string[]): CommitPlan | undefined {
  if (from.length === to.length) return undefined;
  return { changes: changeShape(shape, { mimeTypes: to }), events: [shapeEvent('modify', shape)] };
}
