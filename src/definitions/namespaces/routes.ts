import { requireDocument } from '../../http/call.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { done } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import type { CoreContext } from '../../room/context.ts';
import { administrator } from '../../security/subject.ts';
import { namespaceDocument, namespaceListDocument } from './documents.ts';
import { deleteId, deleteNamespace, noSuchNamespace, putNamespace } from './rules.ts';
import { allNamespaces, findNamespace } from './store.ts';

/** Routes for namespaces: patterns of external ids for items, collections and libraries. */
export function namespaceRoutes({ store, limits, render }: CoreContext): readonly Route[] {
  const path = '/external-id/:namespace';
  return [
    route({
      method: 'GET',
      path: '/external-id',
      says: 'All namespaces of external ids, in order of priority.',
      answers: namespaceListDocument,
      access: role(administrator),
      produces: documentTypes,
      handle: async (_call, type) => render(type, namespaceListDocument, { namespace: await allNamespaces(store, {}) }),
    }),
    route({
      method: 'GET',
      path,
      says: 'One namespace of external ids.',
      answers: namespaceDocument,
      access: role(administrator),
      produces: documentTypes,
      async handle(_call, type, params) {
        const row = await findNamespace(store, { name: params.namespace });
        if (row) return render(type, namespaceDocument, row);
        throw noSuchNamespace(params.namespace);
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
      produces: documentTypes,
      async handle(call, type, params) {
        const document = await requireDocument(call, namespaceDocument, limits);
        const { row, work } = putNamespace(params.namespace, document);
        await call.commit(work);
        return render(type, namespaceDocument, row);
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Deletes a namespace and its external ids.',
      access: role(administrator),
      acting: 'refused',
      produces: [],
      async handle(call, _type, params) {
        await call.commit(deleteNamespace(params.namespace));
        return done;
      },
    }),
    route({
      method: 'DELETE',
      path: '/external-id/id/:externalId{opaque}',
      says: 'Removes an external id from every item and collection.',
      access: role(administrator),
      acting: 'refused',
      produces: [],
      async handle(call, _type, params) {
        await call.commit(deleteId(params.externalId));
        return done;
      },
    }),
  ];
}
