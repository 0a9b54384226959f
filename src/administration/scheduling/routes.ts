import { changing } from '../../core/store/commit-plan.ts';
import type { Call } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { choice, flag, page, pageOf } from '../../http/parameters/index.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import { anyCaller, type Route, roleMissing, route } from '../../http/route.ts';
import type { RoomContext } from '../../room/context.ts';
import { pageWithin } from '../../room/entities/page-weight.ts';
import { subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import { listedRequest, scheduledRequestDocument, scheduledRequestListDocument, wholeRequest } from './documents.ts';
import { keptReply, noResponse, notFound, type RequestRow, resource, states } from './rules.ts';
import type { SchedulingSettings } from './settings.ts';
import { allRequests, deleteRequest, deleteRequestsOf, findRequest, requestsOf, requestThere } from './store.ts';

const state = choice('Only requests in this state', states);
const keptForms = ['application/octet-stream', ...documentTypes, 'text/plain'];

/** Each user sees and deletes its own requests; an administrator any. */
export function schedulingRoutes(parts: RoomContext<SchedulingSettings>): readonly Route[] {
  const { store, settings } = parts;
  const path = `${resource}/:request`;
  const statesOf = (given: (typeof states)[number] | undefined) => JSON.stringify(given ? [given] : states);
  /** Id of the caller. Empty for a caller known only to a realm, who has no scheduled requests. */
  const idOf = (call: Call): string => subjectOf(call).user?.id ?? '';

  /** Finds a request of the caller. 404 for other users, except administrators. */
  async function requestNamed(text: string, call: Call): Promise<RequestRow> {
    const row = /^\d{1,15}$/.test(text) ? await findRequest(store, { id: Number(text) }) : undefined;
    if (!row || (row.userId !== idOf(call) && !(await subjectOf(call).has(administrator)))) throw notFound(text);
    return row;
  }

  const entities: { readonly request: PathEntity<RequestRow> } = {
    request: { kind: 'request', find: requestNamed, stays: ({ id }) => requestThere({ id }, notFound(String(id))) },
  };

  return [
    route({
      method: 'GET',
      path: resource,
      says: 'The scheduled requests of the caller, the newest first.',
      query: {
        ...page(settings.maxPage, 100),
        state,
        all: flag('Requests of all users, for administrators', false),
      },
      answers: scheduledRequestListDocument,
      access: anyCaller,
      async handle(call) {
        const { query } = call;
        if (query.all && !(await subjectOf(call).has(administrator))) throw roleMissing(administrator);
        const { reader } = call;
        const asking = { ...pageOf(query), states: statesOf(query.state), userId: idOf(call) };
        const rows = await pageWithin(query.all ? allRequests : requestsOf, reader, asking, settings.maxPageValues);
        return { scheduledRequest: rows.map(listedRequest) };
      },
    }),
    route({
      method: 'DELETE',
      path: resource,
      says: 'Deletes the scheduled requests of the caller. Waiting ones are not carried out.',
      query: { state },
      access: anyCaller,
      acting: 'allowed',
      async handle(call) {
        const changes = [deleteRequestsOf({ userId: idOf(call), states: statesOf(call.query.state) })];
        await call.commit({ changes, events: [] });
      },
    }),
    route({
      method: 'GET',
      path,
      says: 'A scheduled request with its result.',
      entities,
      answers: scheduledRequestDocument,
      access: anyCaller,
      handle: (_call, { request }) => wholeRequest(request),
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Deletes a scheduled request. A waiting one is not carried out.',
      entities,
      access: anyCaller,
      acting: 'allowed',
      handle: (call, { request: { id } }) => call.commit(changing(deleteRequest({ id }))),
    }),
    route({
      method: 'GET',
      path: `${path}/response`,
      says: 'The body of the answer to a scheduled request that was carried out.',
      entities,
      answers: raw('bytes', keptForms),
      access: anyCaller,
      handle(_call, { request: { id, contentType, response } }) {
        if (!response) throw noResponse(String(id));
        return keptReply(contentType, response);
      },
    }),
  ];
}
