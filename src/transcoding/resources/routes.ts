import { pageWithin } from '../../entities/page-weight.ts';
import { baseOf } from '../../http/address.ts';
import { requireDocument } from '../../http/call.ts';
import { documentTypes, textOnly } from '../../http/negotiation.ts';
import { page, pageOf } from '../../http/parameters/index.ts';
import { renderList } from '../../http/render-list.ts';
import { located, noContent, plain } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { accountOf } from '../../security/caller.ts';
import { changing } from '../../store/commit-plan.ts';
import type { TranscodingParts } from '../parts.ts';
import {
  resourceDocument,
  resourceListDocument,
  resourceTypeListDocument,
  type TranscodingResource,
} from './documents.ts';
import { ownTranscoders, resourceFrom } from './load.ts';
import { allTypes, noSuchResource, partOf, resourceTypeNamed } from './rules.ts';
import {
  findResource,
  insertResource,
  listResources,
  removeResource,
  resourceMustExist,
  writeResource,
} from './store.ts';

const read = role('_resource_read');
const write = role('_resource_write');
const path = '/resource';
const onType = `${path}/:type`;
const onResource = `${onType}/:resource`;

/** Routes for resources of the service. */
export function resourceRoutes(parts: TranscodingParts): readonly Route[] {
  const { store, clock, limits, render, settings, transcoders } = parts;

  async function resourceNamed(typeName: string, id: string): Promise<TranscodingResource> {
    const type = resourceTypeNamed(typeName);
    const row = await findResource(store, { type, id });
    if (row) return resourceFrom(row);
    const own = type === 'transcoder' ? await ownTranscoders(transcoders()) : [];
    const found = own.find((each) => each.id === id);
    if (found) return found;
    throw noSuchResource(id);
  }

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
      query: page(settings.maxPage),
      answers: resourceListDocument,
      access: read,
      produces: documentTypes,
      async handle(call, type, params) {
        const wanted = resourceTypeNamed(params.type);
        const { offset, limit } = pageOf(call.query);
        const values = { type: wanted, offset, limit };
        const rows = await pageWithin(listResources, store.reader(accountOf(call)), values, settings.maxPageValues);
        const own = wanted === 'transcoder' && rows.length < limit ? await ownTranscoders(transcoders()) : [];
        const resource = [...rows.map(resourceFrom), ...own];
        return renderList(render, type, resourceListDocument, { resource }, 'resource');
      },
    }),
    route({
      method: 'POST',
      path: onType,
      says: 'Creates a resource. Thumbnails are stored in the database, so the path of their resource is not used.',
      reads: resourceDocument,
      answers: resourceDocument,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type, params) {
        const wanted = resourceTypeNamed(params.type);
        const document = JSON.stringify(partOf(wanted, await requireDocument(call, resourceDocument, limits)));
        const row = { id: await store.nextId('resource'), type: wanted, document, createdAt: clock.now() };
        await call.commit(changing(insertResource(row)));
        return located(render(type, resourceDocument, resourceFrom(row)), call, 'resource', wanted, row.id);
      },
    }),
    route({
      method: 'GET',
      path: onResource,
      says: 'One resource.',
      answers: resourceDocument,
      access: read,
      produces: documentTypes,
      handle: async (_call, type, params) =>
        render(type, resourceDocument, await resourceNamed(params.type, params.resource)),
    }),
    route({
      method: 'PUT',
      path: onResource,
      says: 'Replaces a resource.',
      reads: resourceDocument,
      answers: resourceDocument,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type, params) {
        const wanted = resourceTypeNamed(params.type);
        const id = params.resource;
        const row = await findResource(store, { type: wanted, id });
        if (!row) throw noSuchResource(id);
        const document = JSON.stringify(partOf(wanted, await requireDocument(call, resourceDocument, limits)));
        await call.commit(changing(resourceMustExist(id, noSuchResource(id)), writeResource({ id, document })));
        return render(type, resourceDocument, resourceFrom({ ...row, document }));
      },
    }),
    route({
      method: 'DELETE',
      path: onResource,
      says: 'Deletes a resource. Thumbnails stay.',
      access: write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const id = params.resource;
        const row = await findResource(store, { type: resourceTypeNamed(params.type), id });
        if (!row) throw noSuchResource(id);
        await call.commit(changing(resourceMustExist(id, noSuchResource(id)), removeResource({ id })));
        return noContent;
      },
    }),
    route({
      method: 'POST',
      path: `${onResource}/sync`,
      says: 'Updates the state of a resource. A removed transcoder of this server is not found.',
      access: write,
      acting: 'allowed',
      async handle(_call, { type, resource }) {
        await resourceNamed(type, resource);
      },
    }),
    route({
      method: 'GET',
      path: `${onResource}/status`,
      says: 'Whether a resource can be used: ONLINE or OFFLINE.',
      answers: 'text',
      access: read,
      produces: textOnly,
      handle: async (_call, _type, params) =>
        plain((await resourceNamed(params.type, params.resource)).state ?? 'OFFLINE'),
    }),
  ];
}
