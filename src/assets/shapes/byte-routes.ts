import { ServiceError } from '../../core/lib/errors.ts';
import type { Maybe } from '../../core/lib/maybe.ts';
import { mediaTypes } from '../../core/lib/mime-types.ts';
import { bytesRequest } from '../../http/bytes.ts';
import type { Call } from '../../http/call.ts';
import { command } from '../../http/command.ts';
import { raw } from '../../http/forms.ts';
import { flag, type QueryOf } from '../../http/parameters/index.ts';
import type { Reply } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { download, hasAllBytes, storageDriversOf } from '../../storage/public.ts';
import type { MetadataContext } from '../metadata/public.ts';
import { mediaOfShape, useOfMedia } from '../usage/public.ts';
import { mimeTypesOf } from './documents/from-rows.ts';
import { downloadNameOf } from './download-name.ts';
import type { Shape } from './load.ts';
import { componentPath, readShapes, shapePath, shapesAt } from './places.ts';
import { type ComponentRow, componentsOfShapes, filesNamed, filesOfShapes } from './store.ts';

/** Kinds of components whose file is the whole shape, the best first. */
const wholeKinds: readonly string[] = ['container', 'binary', 'video', 'audio', 'subtitle', 'descriptor'];

export const bytesOfShape = command<Reply>()('GET', `${shapePath}/data`);
export const bytesOfComponent = command<Reply>()('GET', `${componentPath}/data`);

const naming = {
  useOriginalFilename: flag(
    'Names an original as it came. False: as its item. Other shapes are named as their item',
    true,
  ),
};

/** Bytes of shapes, for callers who may read the shape and no files in general. */
export function shapeBytesRoutes(parts: MetadataContext): readonly Route[] {
  const { store, clock } = parts;
  const at = shapesAt(store);
  const places = storageDriversOf(parts);
  const answers = raw('bytes', mediaTypes);

  /** `components`: the best first. The first one that has a file is answered. */
  async function bytesOf(
    call: Call<QueryOf<typeof naming>>,
    shape: Shape,
    components: Maybe<readonly ComponentRow[]>,
  ): Promise<Reply> {
    const [best, uses, use] = await Promise.all([
      components,
      filesOfShapes(store, { ids: [shape.id] }),
      useOfMedia(store, call, mediaOfShape(shape), clock),
    ]);
    for (const { id } of best) {
      const ids = uses.filter(({ componentId }) => componentId === id).map(({ fileId }) => fileId);
      const rows = await filesNamed(store, { ids });
      const row = rows.find(hasAllBytes) ?? rows[0];
      if (!row) continue;
      const { useOriginalFilename } = call.query;
      // Players ask for ranges, again and again. What is stored is asked for whole.
      const isPart = call.request.headers.has('range');
      const name = isPart ? undefined : await downloadNameOf(call.reader, call, shape, row.path, useOriginalFilename);
      const view = { type: mimeTypesOf(shape)[0], name, use };
      return download({ ...parts, places }, bytesRequest(call), row, view);
    }
    const explanation = 'Expected a shape or component with a file';
    throw new ServiceError('no-such-entity', { type: 'File', id: shape.id, explanation });
  }

  async function componentsOf({ id }: Shape): Promise<readonly ComponentRow[]> {
    const rank = ({ kind }: ComponentRow) => wholeKinds.indexOf(kind);
    const components = await componentsOfShapes(store, { ids: [id] });
    return components.toSorted((one, other) => rank(one) - rank(other));
  }

  return [
    route({
      ...bytesOfShape,
      says: 'The bytes of a shape with its media type, or a part of them with the header Range. Video, audio and safe pictures are shown by browsers, other bytes are stored.',
      entities: at.shape('READ'),
      query: naming,
      answers,
      access: readShapes,
      handle: (call, { shape }) => bytesOf(call, shape, componentsOf(shape)),
    }),
    route({
      ...bytesOfComponent,
      says: 'The bytes of a component, as those of a shape.',
      entities: at.component('READ'),
      query: naming,
      answers,
      access: readShapes,
      handle: (call, { shape, component }) => bytesOf(call, shape, [component]),
    }),
  ];
}
