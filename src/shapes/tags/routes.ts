import { readJson, readXml, uriListDocument } from '../../documents/index.ts';
import { keyValueRoutes } from '../../entities/key-values/routes.ts';
import { entityAt } from '../../entities/place.ts';
import { baseOf } from '../../http/address.ts';
import { keptDocument } from '../../http/call.ts';
import { documentOrText, documentTypes } from '../../http/negotiation.ts';
import { flag, page, pageOf } from '../../http/parameters/index.ts';
import { done, lines, typed } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import type { MetadataContext } from '../../metadata/public.ts';
import { accountOf } from '../../security/caller.ts';
import { transcodePresetDocument } from '../documents/transcode-preset.ts';
import { noSuchTag } from '../rules.ts';
import { shapeTagKind } from './kinds.ts';
import { deleteTag, setTag } from './rules.ts';
import { findTag, listTags } from './store.ts';

const read = role('_shape_tag_read');
const write = role('_shape_tag_write');
const path = '/shape-tag';
const onTag = `${path}/:tag`;

/** Routes for shape tags and their presets. */
export function shapeTagRoutes(parts: MetadataContext): readonly Route[] {
  const { store, render, limits, settings } = parts;
  return [
    route({
      method: 'GET',
      path,
      says: 'The names of the shape tags.',
      query: { url: flag('The addresses of the tags instead of their names', false), ...page(settings.maxPage) },
      answers: [uriListDocument, 'text'],
      access: read,
      produces: documentOrText,
      async handle(call, type) {
        const rows = await listTags(store.reader(accountOf(call)), { ...pageOf(call.query) });
        const base = call.query.url ? `${baseOf(call)}${path}/` : '';
        const uri = rows.map(({ name }) => `${base}${name}`);
        return type === 'text/plain' ? lines(uri.map((each) => [each])) : render(type, uriListDocument, { uri });
      },
    }),
    route({
      method: 'GET',
      path: onTag,
      says: 'The preset of a shape tag. In the format that was sent, it has the same bytes.',
      answers: transcodePresetDocument,
      access: read,
      produces: documentTypes,
      async handle(_call, type, params) {
        const name = params.tag;
        const row = await findTag(store, { name });
        if (!row) throw noSuchTag(name);
        const { form, document } = row;
        if (type === `application/${form}`) return typed(type, document);
        const from = form === 'json' ? readJson : readXml;
        return render(type, transcodePresetDocument, from(transcodePresetDocument, document, limits));
      },
    }),
    route({
      method: 'PUT',
      path: onTag,
      says: 'Creates a shape tag, or replaces its preset. Unknown elements are stored.',
      reads: transcodePresetDocument,
      access: write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const kept = await keptDocument(call, transcodePresetDocument, limits);
        await call.commit(setTag(params.tag, kept));
        return done;
      },
    }),
    route({
      method: 'DELETE',
      path: onTag,
      says: 'Deletes a shape tag. Existing shapes keep the tag.',
      access: write,
      acting: 'allowed',
      async handle(call, { tag }) {
        await call.commit(deleteTag(tag));
      },
    }),
    ...keyValueRoutes(parts, entityAt(store, shapeTagKind(store), { path: onTag, read, write, acting: 'allowed' })),
  ];
}
