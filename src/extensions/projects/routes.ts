import { uriListDocument, writeJson } from '../../documents/index.ts';
import { documentIn } from '../../http/body.ts';
import { optionalDocument, requireDocument } from '../../http/call.ts';
import { documentOrText } from '../../http/negotiation.ts';
import { done, located, plain } from '../../http/reply.ts';
import { type Route, route, segment } from '../../http/route.ts';
import { write } from '../../items/contract/collection/kind.ts';
import { type ItemsContext, newCollection } from '../../items/public.ts';
import {
  findAttachment,
  formatsRoute,
  type AttachmentKind as Kind,
  keepAttachment as keep,
  keptRoutes,
  missingAttachment as missing,
  ofCollection,
  deleteAttachment as remove,
} from '../../metadata/public.ts';
import { definitionKind, essenceMappingsDocument, projectDocument } from './documents.ts';

const extraKind: Kind = { kind: 'definition-extradata', noun: 'file of extra data of a project definition', most: 50 };
const assetKind: Kind = { kind: 'definition-asset', noun: 'asset mapping of a project definition', most: 50 };

/** Routes for collections as projects of editing programs: definition files, and mappings of clips. */
export function projectRoutes(parts: ItemsContext): readonly Route[] {
  const { store, limits, clock, render } = parts;
  const place = ofCollection(parts, '_collection_read', '_collection_write');
  const path = `${place.path}/definition`;
  const one = `${path}/:format`;
  const asset = `${one}/asset`;

  return [
    route({
      method: 'POST',
      path: '/collection/project',
      says: 'Creates a collection for a project.',
      reads: ['nothing', projectDocument],
      answers: [uriListDocument, 'text'],
      access: write,
      acting: 'allowed',
      produces: documentOrText,
      async handle(call, type) {
        const { name, metadata } = (await optionalDocument(call, projectDocument, limits)) ?? {};
        const id = await newCollection(parts, call, name, [], { metadata });
        const reply = type === 'text/plain' ? plain(`${id}\r\n`) : render(type, uriListDocument, { uri: [id] });
        return located(reply, call, 'collection', id);
      },
    }),
    formatsRoute(parts, place, { ...definitionKind, path }),
    ...keptRoutes(parts, place, { ...definitionKind, path: one }),
    ...keptRoutes(parts, place, { ...extraKind, path: `${one}/extradata` }),
    route({
      method: 'GET',
      path: asset,
      says: 'The items that are mapped to clips of the project definition.',
      answers: essenceMappingsDocument,
      access: place.read,
      async handle(call, params) {
        const owner = await place.find(call, params, 'READ');
        const name = segment(params, 'format');
        const row = await findAttachment(store, { ...owner, kind: assetKind.kind, name });
        if (!row) throw missing(assetKind.noun, name);
        const mappings = (await documentIn(row.content, essenceMappingsDocument, limits)) ?? {};
        return mappings;
      },
    }),
    route({
      method: 'PUT',
      path: asset,
      says: 'Maps clips of the project definition to items.',
      reads: essenceMappingsDocument,
      access: place.write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const owner = await place.find(call, params, 'WRITE');
        const mappings = await requireDocument(call, essenceMappingsDocument, limits);
        const content = new TextEncoder().encode(writeJson(essenceMappingsDocument, mappings));
        const kept = { mediaType: 'application/json', content };
        await call.commit(
          keep(owner, assetKind, segment(params, 'format'), kept, clock.now(), place.guards(call, owner)),
        );
        return done;
      },
    }),
    route({
      method: 'DELETE',
      path: asset,
      says: 'Removes the mappings of the project definition.',
      access: place.write,
      acting: 'allowed',
      async handle(call, params) {
        const owner = await place.find(call, params, 'WRITE');
        await call.commit(remove(owner, assetKind, segment(params, 'format')));
      },
    }),
  ];
}
