import { changing } from '../../../core/store/commit-plan.ts';
import { baseOf } from '../../../http/address.ts';
import { answer } from '../../../http/answers.ts';
import { page, pageOf } from '../../../http/parameters/index.ts';
import type { PathEntity } from '../../../http/path-entity.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { pageWithin } from '../../../room/entities/page-weight.ts';
import type { TranscodingParts } from '../parts.ts';
import { insertResource, listResources, removeResource, writeResource } from '../store.ts';
import { resourceDocument, resourceListDocument, resourceTypeListDocument } from './documents.ts';
import { anyResource, ownTranscoders, resourceFrom, storedResource } from './load.ts';
import { allTypes, partOf, resourceTypeNamed } from './rules.ts';

const read = role('_resource_read');
const write = role('_resource_write');
const path = '/resource';
const onType = `${path}/:type` as const;
const onResource = `${onType}/:resource` as const;

/** Types of resources in paths, in any case. */
const type: PathEntity<string> = { kind: 'resource-type', find: resourceTypeNamed };

/** Routes for resources of the service. */
export function resourceRoutes(parts: TranscodingParts): readonly Route[] {
  const { store, clock, settings, transcoders } = parts;
  const ofType = { type };
  const stored = { type, resource: storedResource(store) };
  const any = { type, resource: anyResource(parts) };

  return [
    route({
      method: 'GET',
      path,
      says: 'The types of resources.',
      answers: resourceTypeListDocument,
      access: read,
      handle(call) {
        const base = `${baseOf(call)}${path}/`;
        const resourcetype = allTypes.map((each) => ({ type: each, url: `${base}${each}` }));
        return { resourcetype };
      },
    }),
    route({
      method: 'GET',
      path: onType,
      says: 'The resources of a type, the oldest first. The transcoders of this server come last.',
      entities: ofType,
      query: page(settings.maxPage),
      answers: answer(resourceListDocument, { list: 'resource' }),
      access: read,
      async handle(call, { type }) {
        const { offset, limit } = pageOf(call.query);
        const values = { type, offset, limit };
        const rows = await pageWithin(listResources, call.reader, values, settings.maxPageValues);
        const own = type === 'transcoder' && rows.length < limit ? await ownTranscoders(transcoders()) : [];
        return { resource: [...rows.map(resourceFrom), ...own] };
      },
    }),
    route({
      method: 'POST',
      path: onType,
      says: 'Creates a resource. Thumbnails are stored in the database, so the path of their resource is not used.',
      entities: ofType,
      reads: resourceDocument,
      answers: resourceDocument,
      location: ({ id = '' }, { type }) => ['resource', type, id],
      access: write,
      acting: 'allowed',
      async handle(call, { type }) {
        const document = JSON.stringify(partOf(type, call.body));
        const row = { id: await store.nextId('resource'), type, document, createdAt: clock.now() };
        await call.commit(changing(insertResource(row)));
        return resourceFrom(row);
      },
    }),
    route({
      method: 'GET',
      path: onResource,
      says: 'One resource.',
      entities: any,
      answers: resourceDocument,
      access: read,
      handle: (_call, { resource }) => resource,
    }),
    route({
      method: 'PUT',
      path: onResource,
      says: 'Replaces a resource.',
      entities: stored,
      reads: resourceDocument,
      answers: resourceDocument,
      access: write,
      acting: 'allowed',
      async handle(call, { type, resource }) {
        const document = JSON.stringify(partOf(type, call.body));
        await call.commit(changing(writeResource({ id: resource.id, document })));
        return resourceFrom({ ...resource, document });
      },
    }),
    route({
      method: 'DELETE',
      path: onResource,
      says: 'Deletes a resource. Thumbnails stay.',
      entities: stored,
      access: write,
      acting: 'allowed',
      status: 204,
      handle: (call, { resource: { id } }) => call.commit(changing(removeResource({ id }))),
    }),
    route({
      method: 'POST',
      path: `${onResource}/sync`,
      says: 'Updates the state of a resource. A removed transcoder of this server is not found.',
      entities: any,
      access: write,
      acting: 'allowed',
      handle: () => undefined,
    }),
    route({
      method: 'GET',
      path: `${onResource}/status`,
      says: 'Whether a resource can be used: ONLINE or OFFLINE.',
      entities: any,
      answers: 'text',
      access: read,
      handle: (_call, { resource: { state = 'OFFLINE' } }) => state,
    }),
  ];
}
