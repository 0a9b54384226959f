import { uris } from '../../../http/answers.ts';
import { type Route, route } from '../../../http/route.ts';
import { collectionAt, write } from '../../../items/contract/collection/kind.ts';
import type { ItemsContext } from '../../../items/public.ts';
import { projectVersionDocument } from './documents.ts';
import { newVersion } from './new-version.ts';

/** Routes for project versions, each a collection in its project. */
export const projectVersionRoutes = (parts: ItemsContext): readonly Route[] => [
  route({
    method: 'POST',
    path: '/collection/:collection/version',
    says: 'Creates a version of a project: a collection in it with the items, sequences and metadata of the document.',
    entities: { collection: collectionAt(parts.store)('WRITE') },
    reads: projectVersionDocument,
    answers: uris,
    location: ([id = '']) => ['collection', id],
    access: write,
    acting: 'allowed',
    handle: async (call, { collection: project }) => [await newVersion(parts, call, { project, document: call.body })],
  }),
];
