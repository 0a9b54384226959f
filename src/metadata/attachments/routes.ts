import { uriListDocument } from '../../documents/index.ts';
import { documentTypes, textOnly } from '../../http/negotiation.ts';
import { done, lines } from '../../http/reply.ts';
import { type Route, route, segment } from '../../http/route.ts';
import type { MetadataContext } from '../settings.ts';
import { keptForms, keptReply, sentContent } from './content.ts';
import type { AttachmentResource } from './places.ts';
import { type Kind, keep, missing, remove, removeAllAttachments } from './rules.ts';
import { findAttachment, namesOfAttachments } from './store.ts';

/** Routes for content stored byte for byte, below a path that ends with `:format`. */
export function keptRoutes(
  parts: MetadataContext,
  place: AttachmentResource,
  { path, ...kind }: Kind & { readonly path: string },
): readonly Route[] {
  const { store, limits, clock } = parts;
  const { noun } = kind;
  return [
    route({
      method: 'GET',
      path,
      says: `A ${noun} of the ${place.noun}, with the bytes that were sent.`,
      answers: 'bytes',
      access: place.read,
      produces: keptForms,
      async handle(call, _type, params) {
        const owner = await place.find(call, params, 'READ');
        const name = segment(params, 'format');
        const row = await findAttachment(store, { ...owner, kind: kind.kind, name });
        if (!row) throw missing(noun, name);
        return keptReply(row);
      },
    }),
    route({
      method: 'PUT',
      path,
      says: `Stores a ${noun} of the ${place.noun}.`,
      reads: 'bytes',
      access: place.write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const owner = await place.find(call, params, 'WRITE');
        const content = await sentContent(call, limits.bytes);
        await call.commit(
          keep(owner, kind, segment(params, 'format'), content, clock.now(), place.guards(call, owner)),
        );
        return done;
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: `Removes a ${noun} from the ${place.noun}.`,
      access: place.write,
      acting: 'allowed',
      async handle(call, params) {
        const owner = await place.find(call, params, 'WRITE');
        await call.commit(remove(owner, kind, segment(params, 'format')));
      },
    }),
  ];
}

/** Names of the stored formats, one per line. */
export const formatsRoute = (
  { store, render }: MetadataContext,
  place: AttachmentResource,
  { path, kind, noun }: Kind & { readonly path: string },
): Route =>
  route({
    method: 'GET',
    path,
    says: `The formats in which the ${place.noun} has a ${noun}.`,
    answers: ['text', uriListDocument],
    access: place.read,
    produces: [...textOnly, ...documentTypes],
    async handle(call, type, params) {
      const owner = await place.find(call, params, 'READ');
      const names = (await namesOfAttachments(store, { ...owner, kind })).map(({ name }) => name);
      return type === 'text/plain' ? lines(names.map((name) => [name])) : render(type, uriListDocument, { uri: names });
    },
  });

/** Deletes all attachments of a kind. */
export const clearRoute = (place: AttachmentResource, { path, ...kind }: Kind & { readonly path: string }): Route =>
  route({
    method: 'DELETE',
    path,
    says: `Removes every ${kind.noun} from the ${place.noun}.`,
    access: place.write,
    acting: 'allowed',
    async handle(call, params) {
      await call.commit(removeAllAttachments(await place.find(call, params, 'WRITE'), kind));
    },
  });
