import { writeCollections } from '../../assets/items/contract/entities.ts';
import { type ItemsContext, newCollection } from '../../assets/items/public.ts';
import {
  attachmentAt,
  entitiesOf,
  formatsRoute,
  type AttachmentKind as Kind,
  keepAttachment as keep,
  keptRoutes,
  ofCollection,
  ownerIn,
  deleteAttachment as remove,
} from '../../assets/metadata/public.ts';
import { writeJson } from '../../core/documents/index.ts';
import { uris } from '../../http/answers.ts';
import { documentIn } from '../../http/body.ts';
import { optional } from '../../http/reads.ts';
import { type Route, route, segment } from '../../http/route.ts';
import { definitionKind, essenceMappingsDocument, projectDocument } from './documents.ts';

const extraKind: Kind = { kind: 'definition-extradata', noun: 'file of extra data of a project definition', max: 50 };
const assetKind: Kind = { kind: 'definition-asset', noun: 'asset mapping of a project definition', max: 50 };

/** Routes for collections as projects of editing programs: definition files, and mappings of clips. */
export function projectRoutes(parts: ItemsContext): readonly Route[] {
  const { store, limits, clock } = parts;
  const place = ofCollection(parts, '_collection_read', '_collection_write');
  const path = `${place.path}/definition`;
  const one = `${path}/:format`;
  const asset = `${one}/asset`;

  return [
    route({
      method: 'POST',
      path: '/collection/project',
      says: 'Creates a collection for a project.',
      reads: optional(projectDocument),
      answers: uris,
      location: ([id = '']) => ['collection', id],
      access: writeCollections,
      acting: 'allowed',
      async handle(call) {
        const { name, metadata } = call.body ?? {};
        return [await newCollection(parts, call, name, [], { metadata })];
      },
    }),
    formatsRoute(parts, place, { ...definitionKind, path }),
    ...keptRoutes(parts, place, { ...definitionKind, path: one }),
    ...keptRoutes(parts, place, { ...extraKind, path: `${one}/extradata` }),
    route({
      method: 'GET',
      path: asset,
      says: 'The items that are mapped to clips of the project definition.',
      entities: {
        ...entitiesOf(place, 'READ'),
        format: attachmentAt(store, assetKind, (segments) => ownerIn(place, segments)),
      },
      answers: essenceMappingsDocument,
      access: place.read,
      handle: async (_call, { format }) => (await documentIn(format.content, essenceMappingsDocument, limits)) ?? {},
    }),
    route({
      method: 'PUT',
      path: asset,
      says: 'Maps clips of the project definition to items.',
      entities: entitiesOf(place, 'WRITE'),
      reads: essenceMappingsDocument,
      access: place.write,
      acting: 'allowed',
      async handle(call, segments) {
        const owner = ownerIn(place, segments);
        const content = new TextEncoder().encode(writeJson(essenceMappingsDocument, call.body));
        const attached = { mediaType: 'application/json', content };
        const unlocked = place.unlocked(call, owner.id);
        await call.commit(keep(owner, assetKind, segment(segments, 'format'), attached, clock.now(), unlocked));
      },
    }),
    route({
      method: 'DELETE',
      path: asset,
      says: 'Removes the mappings of the project definition.',
      entities: entitiesOf(place, 'WRITE'),
      access: place.write,
      acting: 'allowed',
      handle: (call, segments) => call.commit(remove(ownerIn(place, segments), assetKind, segment(segments, 'format'))),
    }),
  ];
}
