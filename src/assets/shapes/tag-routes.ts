import { readJson, readXml } from '../../core/documents/index.ts';
import { baseOf } from '../../http/address.ts';
import { uris } from '../../http/answers.ts';
import { raw } from '../../http/forms.ts';
import { flag, page, pageOf } from '../../http/parameters/index.ts';
import { kept } from '../../http/reads.ts';
import { typed } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { pathEntity } from '../../room/entities/find.ts';
import { keyValueRoutes } from '../../room/entities/key-values/routes.ts';
import { entityAt } from '../../room/entities/place.ts';
import type { MetadataContext } from '../metadata/public.ts';
import { transcodePresetDocument } from './documents/transcode-preset.ts';
import { listTags } from './store.ts';
import { deleteTag, setTag, shapeTagKind } from './tags.ts';

const read = role('_shape_tag_read');
const write = role('_shape_tag_write');
const path = '/shape-tag';
const onTag = `${path}/:tag` as const;

/** Routes for shape tags and their presets. */
export function shapeTagRoutes(parts: MetadataContext): readonly Route[] {
  const { store, settings } = parts;
  return [
    route({
      method: 'GET',
      path,
      says: 'The names of the shape tags.',
      query: { url: flag('The addresses of the tags instead of their names', false), ...page(settings.maxPage) },
      answers: uris,
      access: read,
      async handle(call) {
        const rows = await listTags(call.reader, { ...pageOf(call.query) });
        const base = call.query.url ? `${baseOf(call)}${path}/` : '';
        return rows.map(({ name }) => `${base}${name}`);
      },
    }),
    route({
      method: 'GET',
      path: onTag,
      says: 'The preset of a shape tag. In the format that was sent, it has the same bytes.',
      entities: { tag: pathEntity(store, shapeTagKind(store)) },
      answers: raw(transcodePresetDocument),
      access: read,
      handle(call, { tag: { form, document } }) {
        const { type, limits } = call;
        if (type === `application/${form}`) return typed(type, document);
        const from = form === 'json' ? readJson : readXml;
        return call.render(type, transcodePresetDocument, from(transcodePresetDocument, document, limits));
      },
    }),
    route({
      method: 'PUT',
      path: onTag,
      says: 'Creates a shape tag, or replaces its preset. Unknown elements are stored.',
      reads: kept(transcodePresetDocument),
      access: write,
      acting: 'allowed',
      handle: (call, { tag }) => call.commit(setTag(tag, call.body)),
    }),
    route({
      method: 'DELETE',
      path: onTag,
      says: 'Deletes a shape tag. Existing shapes keep the tag.',
      access: write,
      acting: 'allowed',
      handle: (call, { tag }) => call.commit(deleteTag(tag)),
    }),
    ...keyValueRoutes(parts, entityAt(store, shapeTagKind(store), { path: onTag, read, write, acting: 'allowed' })),
  ];
}
