import { runInSlices } from '../../core/lib/turn.ts';
import type { Call } from '../../http/call.ts';
import { noContent, type Reply } from '../../http/reply.ts';
import { type Route, route, segment } from '../../http/route.ts';
import type { JsonObject } from './json.ts';
import { answerListing, type Listing } from './list-routes.ts';
import { type Asked, answersScim, bodyOf, chosen, paged, path, provisions, readsScim } from './message-routes.ts';
import { type Operation, operationsOf } from './patch.ts';

/** Resources of a kind: sentences about their routes, and what happens to one. */
interface Resources extends Listing {
  readonly says: Readonly<Record<'list' | 'create' | 'read' | 'replace' | 'change' | 'remove', string>>;
  create(call: Asked, body: JsonObject): Promise<Reply>;
  read(call: Asked, id: string): Promise<Reply>;
  replace(call: Asked, id: string, body: JsonObject): Promise<Reply>;
  change(call: Asked, id: string, operations: readonly Operation[]): Promise<Reply>;
  remove(call: Call, id: string): Promise<void>;
}

export function resourceRoutes(resources: Resources): readonly Route[] {
  const { kind, says } = resources;
  const all = `${path}${kind.endpoint}`;
  const name = kind.name.toLowerCase();
  const one = `${all}/:${name}`;
  const reading = { answers: answersScim, access: provisions } as const;
  const writing = { ...reading, acting: 'refused', isDangerous: true } as const;
  const sending = { ...writing, query: chosen, reads: readsScim } as const;
  return [
    route({
      ...reading,
      method: 'GET',
      path: all,
      says: says.list,
      query: paged,
      handle: (call) => answerListing(call, resources),
    }),
    route({
      ...sending,
      method: 'POST',
      path: all,
      says: says.create,
      status: 201,
      handle: async (call) => resources.create(call, await bodyOf(call, kind)),
    }),
    route({
      ...reading,
      method: 'GET',
      path: one,
      says: says.read,
      query: chosen,
      handle: (call, segments) => resources.read(call, segment(segments, name)),
    }),
    route({
      ...sending,
      method: 'PUT',
      path: one,
      says: says.replace,
      handle: async (call, segments) => resources.replace(call, segment(segments, name), await bodyOf(call, kind)),
    }),
    route({
      ...sending,
      method: 'PATCH',
      path: one,
      says: says.change,
      status: 204,
      async handle(call, segments) {
        const operations = await runInSlices(operationsOf(await bodyOf(call, kind), kind));
        return resources.change(call, segment(segments, name), operations);
      },
    }),
    route({
      ...writing,
      method: 'DELETE',
      path: one,
      says: says.remove,
      status: 204,
      async handle(call, segments) {
        await resources.remove(call, segment(segments, name));
        return noContent;
      },
    }),
  ];
}
