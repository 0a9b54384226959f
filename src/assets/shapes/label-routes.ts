import type { Maybe } from '../../core/lib/maybe.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import { baseOf } from '../../http/address.ts';
import { urisIfAny } from '../../http/answers.ts';
import { flag } from '../../http/parameters/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { Caller } from '../../security/caller.ts';
import type { MetadataContext } from '../metadata/public.ts';
import { mustHaveTags } from './allowed.ts';
import { commitShapes } from './change.ts';
import { mimeTypeFrom, mimeTypesOf } from './documents/from-rows.ts';
import type { Shape } from './load.ts';
import { inTurnOfItem, readShapes, shapePath, shapesAt, shapeWithOthers, writeShapes } from './places.ts';
import { changeShape, losingOriginal, original, shapeEvent, tagShape, takeOriginal, tooManyShapes } from './rules.ts';
import { removeTag } from './store.ts';
import type { SystemFields } from './system-fields.ts';
import { fieldsFollowing, originalOf } from './system-fields.ts';
import { requireTags } from './tags.ts';

/** Adds a tag that the shape does not have. `tagGuards`: guards that the tag exists. */
function giveTag(shape: Shape, shapes: readonly Shape[], tag: string, tagGuards: readonly Statement[]): CommitPlan {
  const taken = tag === original ? takeOriginal(shapes, shape) : changing();
  const tags = [...shape.tags, tag];
  return {
    changes: [...tagGuards, ...taken.changes, ...changeShape(shape), ...tagShape(shape, [tag])],
    events: [shapeEvent('modify', { ...shape, tags }), ...taken.events],
  };
}

/** Removes a tag. Undefined: the shape does not have it. */
function takeTag(shape: Shape, tag: string): CommitPlan | undefined {
  if (!shape.tags.includes(tag)) return undefined;
  const tags = shape.tags.filter((each) => each !== tag);
  return {
    changes: [...changeShape(shape), removeTag({ shapeId: shape.id, tag })],
    events: [shapeEvent('modify', { ...shape, tags })],
  };
}

/** Sets the media types. Undefined: no change. */
function setMimeTypes(shape: Shape, from: readonly string[], to: readonly string[]): CommitPlan | undefined {
  if (from.length === to.length) return undefined;
  return { changes: changeShape(shape, { mimeTypes: to }), events: [shapeEvent('modify', shape)] };
}

const maxMimeTypes = 100;

/** Routes for tags and media types of a shape. */
export function labelRoutes(parts: MetadataContext): readonly Route[] {
  const { store } = parts;
  const at = shapesAt(store);
  const tags = `${shapePath}/tag` as const;
  const mimes = `${shapePath}/mime` as const;
  // Some clients encode the slash of a media type, others do not.
  const oneMime = `${mimes}/:mime{.+opaque}` as const;

  /** Changes a shape. Undefined: no commit. */
  const change = (
    call: Caller,
    of: Shape,
    decide: (shape: Shape, shapes: readonly Shape[]) => Maybe<CommitPlan | undefined>,
    follows = false,
  ): Promise<void> =>
    inTurnOfItem(parts, of.itemId, async () => {
      const { shape, shapes } = await shapeWithOthers(store, of);
      const work = await decide(shape, shapes);
      const fields = work && follows ? await fieldsAfter(shape, shapes) : {};
      if (work) await commitShapes(parts, call, shape.itemId, shapes, work, { fields });
    });

  /** System fields after a shape becomes the original, which the metadata describes. */
  async function fieldsAfter(shape: Shape, shapes: readonly Shape[]): Promise<SystemFields> {
    const before = originalOf(shapes);
    if (before === undefined || shape.essenceVersion < before.essenceVersion) return {};
    return fieldsFollowing(parts, shape.itemId, [before], shape);
  }

  const writing = { entities: at.shape('WRITE'), access: writeShapes, acting: 'allowed' } as const;

  return [
    route({
      method: 'GET',
      path: tags,
      says: 'The tags of a shape.',
      entities: at.shape('READ'),
      query: { url: flag('The addresses of the tags instead of their names', false) },
      answers: urisIfAny,
      access: readShapes,
      handle(call, { shape }) {
        const base = call.query.url ? `${baseOf(call)}/shape-tag/` : '';
        return shape.tags.map((tag) => `${base}${tag}`);
      },
    }),
    route({
      method: 'PUT',
      path: `${tags}/:tag`,
      says: 'Adds a tag to a shape. Each version has one original: adding that tag removes it from another shape.',
      ...writing,
      handle: (call, { shape: of, tag }) =>
        change(
          call,
          of,
          async (shape, shapes) => {
            if (shape.tags.includes(tag)) return undefined;
            await mustHaveTags(store, call, shape.itemId, [tag], losingOriginal(shapes, shape, [tag]));
            return giveTag(shape, shapes, tag, await requireTags(store, [tag]));
          },
          tag === original,
        ),
    }),
    route({
      method: 'DELETE',
      path: `${tags}/:tag`,
      says: 'Removes a tag from a shape. A missing tag is no error.',
      ...writing,
      handle: (call, { shape, tag }) => change(call, shape, (now) => takeTag(now, tag)),
    }),
    route({
      method: 'GET',
      path: mimes,
      says: 'The media types of a shape.',
      entities: at.shape('READ'),
      answers: urisIfAny,
      access: readShapes,
      handle: (_call, { shape }) => mimeTypesOf(shape),
    }),
    route({
      method: 'PUT',
      path: oneMime,
      says: 'Adds a media type to a shape.',
      ...writing,
      handle(call, { shape, mime }) {
        const added = mimeTypeFrom(mime, 'path');
        return change(call, shape, (now) => {
          const from = mimeTypesOf(now);
          if (from.length >= maxMimeTypes) throw tooManyShapes(now.id, maxMimeTypes, 'media types');
          return setMimeTypes(now, from, [...new Set([...from, added])]);
        });
      },
    }),
    route({
      method: 'DELETE',
      path: oneMime,
      says: 'Removes a media type from a shape. A missing media type is no error.',
      ...writing,
      handle(call, { shape, mime }) {
        const removed = mimeTypeFrom(mime, 'path');
        return change(call, shape, (now) => {
          const from = mimeTypesOf(now);
          return setMimeTypes(
            now,
            from,
            from.filter((each) => each !== removed),
          );
        });
      },
    }),
  ];
}
