import { uriListDocument } from '../../documents/index.ts';
import { baseOf } from '../../http/address.ts';
import type { Call } from '../../http/call.ts';
import { documentOrText, type MediaType } from '../../http/negotiation.ts';
import { flag } from '../../http/parameters/index.ts';
import { done, lines, type Reply } from '../../http/reply.ts';
import { type Params, type Route, route, segment } from '../../http/route.ts';
import type { Maybe } from '../../lib/maybe.ts';
import type { MetadataContext } from '../../metadata/public.ts';
import type { CommitPlan } from '../../store/contract.ts';
import { commitShapes } from '../commit.ts';
import { mimeTypeFrom, mimeTypesOf } from '../documents/from-rows.ts';
import { fieldsFollowing, originalOf } from '../essence.ts';
import type { Shape } from '../load.ts';
import { inTurnOfItem, read, shapeFor, shapeNames, shapePath, shapeWithOthers, write } from '../places.ts';
import { original, tooManyShapes } from '../rules.ts';
import type { SystemFields } from '../system-fields.ts';
import { requireTags } from '../tags/known.ts';
import { giveTag, setMimeTypes, takeTag } from './rules.ts';

const mostMimeTypes = 100;

/** Routes for tags and media types of a shape. */
export function labelRoutes(parts: MetadataContext): readonly Route[] {
  const { store, render } = parts;
  const tags = `${shapePath}/tag`;
  const mimes = `${shapePath}/mime`;
  // Some clients encode the slash of a media type, others do not.
  const oneMime = `${mimes}/:mime{.+opaque}`;

  const list = (type: MediaType, uri: readonly string[]): Reply =>
    type === 'text/plain'
      ? lines(uri.map((each) => [each]))
      : render(type, uriListDocument, uri.length > 0 ? { uri } : {});

  /** Changes a shape. Undefined: no commit. */
  const change = (
    call: Call,
    params: Params,
    decide: (shape: Shape, shapes: readonly Shape[]) => Maybe<CommitPlan | undefined>,
    follows = false,
  ): Promise<Reply> =>
    inTurnOfItem(parts, shapeNames(params).item, async () => {
      const { shape, shapes } = await shapeWithOthers(store, call, shapeNames(params), 'WRITE');
      const work = await decide(shape, shapes);
      const fields = work && follows ? await fieldsAfter(shape, shapes) : {};
      if (work) await commitShapes(parts, call, shape.itemId, shapes, work, { fields });
      return done;
    });

  /** System fields after a shape becomes the original, which the metadata describes. */
  async function fieldsAfter(shape: Shape, shapes: readonly Shape[]): Promise<SystemFields> {
    const before = originalOf(shapes);
    if (before === undefined || shape.essenceVersion < before.essenceVersion) return {};
    return fieldsFollowing(parts, shape.itemId, [before], shape);
  }

  const writing = { access: write, acting: 'allowed', produces: [] } as const;
  const mimeIn = (params: Params): string => mimeTypeFrom(segment(params, 'mime'), 'path');

  return [
    route({
      method: 'GET',
      path: tags,
      says: 'The tags of a shape.',
      query: { url: flag('The addresses of the tags instead of their names', false) },
      answers: [uriListDocument, 'text'],
      access: read,
      produces: documentOrText,
      async handle(call, type, params) {
        const shape = await shapeFor(store, call, params, 'READ');
        const base = call.query.url ? `${baseOf(call)}/shape-tag/` : '';
        return list(
          type,
          shape.tags.map((tag) => `${base}${tag}`),
        );
      },
    }),
    {
      method: 'PUT',
      path: `${tags}/:tag`,
      says: 'Adds a tag to a shape. Each version has one original: adding that tag removes it from another shape.',
      ...writing,
      async handle(call, _type, params) {
        const tag = segment(params, 'tag');
        return change(
          call,
          params,
          async (shape, shapes) => giveTag(shape, shapes, tag, await requireTags(store, [tag])),
          tag === original,
        );
      },
    },
    {
      method: 'DELETE',
      path: `${tags}/:tag`,
      says: 'Removes a tag from a shape. A missing tag is no error.',
      ...writing,
      handle: (call, _type, params) => change(call, params, (shape) => takeTag(shape, segment(params, 'tag'))),
    },
    route({
      method: 'GET',
      path: mimes,
      says: 'The media types of a shape.',
      answers: [uriListDocument, 'text'],
      access: read,
      produces: documentOrText,
      handle: async (call, type, params) => list(type, mimeTypesOf(await shapeFor(store, call, params, 'READ'))),
    }),
    {
      method: 'PUT',
      path: oneMime,
      says: 'Adds a media type to a shape.',
      ...writing,
      async handle(call, _type, params) {
        const mime = mimeIn(params);
        return change(call, params, (shape) => {
          const from = mimeTypesOf(shape);
          if (from.length >= mostMimeTypes) throw tooManyShapes(shape.id, mostMimeTypes, 'media types');
          return setMimeTypes(shape, from, [...new Set([...from, mime])]);
        });
      },
    },
    {
      method: 'DELETE',
      path: oneMime,
      says: 'Removes a media type from a shape. A missing media type is no error.',
      ...writing,
      async handle(call, _type, params) {
        const mime = mimeIn(params);
        return change(call, params, (shape) => {
          const from = mimeTypesOf(shape);
          return setMimeTypes(
            shape,
            from,
            from.filter((each) => each !== mime),
          );
        });
      },
    },
  ];
}
