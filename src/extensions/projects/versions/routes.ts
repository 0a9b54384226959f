import { mustHave } from '../../../access/public-reading.ts';
import { uriListDocument } from '../../../documents/index.ts';
import { requireDocument } from '../../../http/call.ts';
import { documentOrText } from '../../../http/negotiation.ts';
import { located, plain } from '../../../http/reply.ts';
import { type Route, route } from '../../../http/route.ts';
import { collectionName, collectionNamed, write } from '../../../items/contract/collection/kind.ts';
import type { ItemsContext } from '../../../items/public.ts';
import { projectVersionDocument } from './documents.ts';
import { newVersion } from './new-version.ts';

/** Routes for project versions, each a collection in its project. */
export function projectVersionRoutes(parts: ItemsContext): readonly Route[] {
  const { store, limits, render } = parts;
  return [
    route({
      method: 'POST',
      path: '/collection/:collection/version',
      says: 'Creates a version of a project: a collection in it with the items, sequences and metadata of the document.',
      reads: projectVersionDocument,
      answers: [uriListDocument, 'text'],
      access: write,
      acting: 'allowed',
      produces: documentOrText,
      async handle(call, type, params) {
        const project = await collectionNamed(store, params.collection);
        await mustHave(store, call, collectionName, project, 'WRITE');
        const document = await requireDocument(call, projectVersionDocument, limits);
        const id = await newVersion(parts, call, { project, document });
        const reply = type === 'text/plain' ? plain(`${id}\r\n`) : render(type, uriListDocument, { uri: [id] });
        return located(reply, call, 'collection', id);
      },
    }),
  ];
}
