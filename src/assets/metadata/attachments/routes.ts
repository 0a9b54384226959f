import { uriListDocument } from '../../../core/documents/index.ts';
import { uris } from '../../../http/answers.ts';
import { raw } from '../../../http/forms.ts';
import { content } from '../../../http/reads.ts';
import { type Route, route, segment } from '../../../http/route.ts';
import type { MetadataContext } from '../settings.ts';
import { type AttachmentResource, attachmentAt, entitiesOf, keptForms, keptReply, ownerIn } from './places.ts';
import { type AttachmentKind, deleteAttachment, keepAttachment, removeAllAttachments } from './rules.ts';
import { namesOfAttachments } from './store.ts';

/** Routes for content stored byte for byte, below a path that ends with `:format`. */
export function keptRoutes(
  { store, clock }: MetadataContext,
  resource: AttachmentResource,
  { path, ...kind }: AttachmentKind & { readonly path: string },
): readonly Route[] {
  const { noun } = kind;
  const writing = { entities: entitiesOf(resource, 'WRITE'), access: resource.write, acting: 'allowed' } as const;
  return [
    route({
      method: 'GET',
      path,
      says: `A ${noun} of the ${resource.type}, with the bytes that were sent.`,
      entities: {
        ...entitiesOf(resource, 'READ'),
        format: attachmentAt(store, kind, (segments) => ownerIn(resource, segments)),
      },
      answers: raw('bytes', keptForms),
      access: resource.read,
      handle: (_call, { format }) => keptReply(format),
    }),
    route({
      ...writing,
      method: 'PUT',
      path,
      says: `Stores a ${noun} of the ${resource.type}.`,
      reads: content,
      async handle(call, segments) {
        const owner = ownerIn(resource, segments);
        const unlocked = resource.unlocked(call, owner.id);
        await call.commit(keepAttachment(owner, kind, segment(segments, 'format'), call.body, clock.now(), unlocked));
      },
    }),
    route({
      ...writing,
      method: 'DELETE',
      path,
      says: `Removes a ${noun} from the ${resource.type}.`,
      handle: (call, segments) =>
        call.commit(deleteAttachment(ownerIn(resource, segments), kind, segment(segments, 'format'))),
    }),
  ];
}

/** Names of the stored formats, one per line. */
export const formatsRoute = (
  { store }: MetadataContext,
  resource: AttachmentResource,
  { path, kind, noun }: AttachmentKind & { readonly path: string },
): Route =>
  route({
    method: 'GET',
    path,
    says: `The formats in which the ${resource.type} has a ${noun}.`,
    entities: entitiesOf(resource, 'READ'),
    answers: raw(['text', uriListDocument]),
    access: resource.read,
    async handle(call, segments) {
      const names = (await namesOfAttachments(store, { ...ownerIn(resource, segments), kind })).map(({ name }) => name);
      return uris.reply(names, call);
    },
  });

/** Deletes all attachments of a kind. */
export const clearRoute = (
  resource: AttachmentResource,
  { path, ...kind }: AttachmentKind & { readonly path: string },
): Route =>
  route({
    method: 'DELETE',
    path,
    says: `Removes every ${kind.noun} from the ${resource.type}.`,
    entities: entitiesOf(resource, 'WRITE'),
    access: resource.write,
    acting: 'allowed',
    handle: (call, segments) => call.commit(removeAllAttachments(ownerIn(resource, segments), kind)),
  });
