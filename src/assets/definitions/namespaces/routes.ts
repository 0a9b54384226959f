import { type Route, role, route } from '../../../http/route.ts';
import type { CoreContext } from '../../../room/context.ts';
import { administrator } from '../../../security/subject.ts';
import { namespaceDocument, namespaceListDocument } from './documents.ts';
import { deleteId, deleteNamespace, noSuchNamespace, putNamespace } from './rules.ts';
import { allNamespaces, findNamespace } from './store.ts';

/** Routes for namespaces: patterns of external ids for items, collections and libraries. */
export function namespaceRoutes({ store }: CoreContext): readonly Route[] {
  const path = '/external-id/:namespace';
  return [
    route({
      method: 'GET',
      path: '/external-id',
      says: 'All namespaces of external ids, in order of priority.',
      answers: namespaceListDocument,
      access: role(administrator),
      handle: async () => ({ namespace: await allNamespaces(store, {}) }),
    }),
    route({
      method: 'GET',
      path,
      says: 'One namespace of external ids.',
      answers: namespaceDocument,
      access: role(administrator),
      async handle(_call, { namespace }) {
        const row = await findNamespace(store, { name: namespace });
        if (row) return row;
        throw noSuchNamespace(namespace);
      },
    }),
    route({
      method: 'PUT',
      path,
      says: 'Creates or changes a namespace. Existing external ids stay as they are.',
      reads: namespaceDocument,
      answers: namespaceDocument,
      access: role(administrator),
      acting: 'refused',
      async handle(call, { namespace }) {
        const document = call.body;
        const { row, work } = putNamespace(namespace, document);
        await call.commit(work);
        return row;
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Deletes a namespace and its external ids.',
      access: role(administrator),
      acting: 'refused',
      async handle(call, { namespace }) {
        await call.commit(deleteNamespace(namespace));
      },
    }),
    route({
      method: 'DELETE',
      path: '/external-id/id/:externalId{opaque}',
      says: 'Removes an external id from every item and collection.',
      access: role(administrator),
      acting: 'refused',
      async handle(call, { externalId }) {
        await call.commit(deleteId(externalId));
      },
    }),
  ];
}
