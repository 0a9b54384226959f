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
  place: AttachmentResource,
  { path, ...kind }: AttachmentKind & { readonly path: string },
): readonly Route[] {
  const { noun } = kind;
  const writing = { entities: entitiesOf(place, 'WRITE'), access: place.write, acting: 'allowed' } as const;
  return [
    route({
      method: 'GET',
      path,
      says: `A ${noun} of the ${place.type}, with the bytes that were sent.`,
      entities: {
        ...entitiesOf(place, 'READ'),
        format: attachmentAt(store, kind, (segments) => ownerIn(place, segments)),
      },
      answers: raw('bytes', keptForms),
      access: place.read,
      handle: (_call, { format }) => keptReply(format),
    }),
    route({
      ...writing,
      method: 'PUT',
      path,
      says: `Stores a ${noun} of the ${place.type}.`,
      reads: content,
      async handle(call, segments) {
        const owner = ownerIn(place, segments);
        const unlocked = place.unlocked(call, owner.id);
        await call.commit(keepAttachment(owner, kind, segment(segments, 'format'), call.body, clock.now(), unlocked));
      },
    }),
    route({
      ...writing,
      method: 'DELETE',
      path,
      says: `Removes a ${noun} from the ${place.type}.`,
      handle: (call, segments) =>
        call.commit(deleteAttachment(ownerIn(place, segments), kind, segment(segments, 'format'))),
    }),
  ];
}

/** Names of the stored formats, one per line. */
export const formatsRoute = (
  { store }: MetadataContext,
  place: AttachmentResource,
  { path, kind, noun }: AttachmentKind & { readonly path: string },
): Route =>
  route({
    method: 'GET',
    path,
    says: `The formats in which the ${place.type} has a ${noun}.`,
    entities: entitiesOf(place, 'READ'),
    answers: raw(['text', uriListDocument]),
    access: place.read,
    async handle(call, segments) {
      const names = (await namesOfAttachments(store, { ...ownerIn(place, segments), kind })).map(({ name }) => name);
      return uris.reply(names, call);
    },
  });

/** Deletes all attachments of a kind. */
export const clearRoute = (
  place: AttachmentResource,
  { path, ...kind }: AttachmentKind & { readonly path: string },
): Route =>
  route({
    method: 'DELETE',
    path,
    says: `Removes every ${kind.noun} from the ${place.type}.`,
    entities: entitiesOf(place, 'WRITE'),
    access: place.write,
    acting: 'allowed',
    handle: (call, segments) => call.commit(removeAllAttachments(ownerIn(place, segments), kind)),
  });
