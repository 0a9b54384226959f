import { choice, repeated } from '../../../http/parameters/index.ts';
import { done } from '../../../http/reply.ts';
import { type Route, route } from '../../../http/route.ts';
import type { AssetParts } from '../../parts.ts';
import { write } from '../kinds.ts';
import { addMember, removeMember } from './change.ts';
import { removedExternalId } from './external-id.ts';
import { memberNamed, memberTypes } from './named.ts';

export function memberRoutes(parts: AssetParts): readonly Route[] {
  const path = '/collection/:collection/:member';
  const type = choice('The kind of the member', memberTypes, { usual: 'item' });
  return [
    route({
      method: 'PUT',
      path,
      says: 'Adds a member to a collection, as the last one. One that is there stays where it is.',
      query: {
        type,
        metadata: repeated('Metadata of the membership: key=value sets a key, -key removes it'),
      },
      access: write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const { metadata } = call.query;
        await addMember(parts, call, params['collection']!, { type: call.query.type, id: params['member']! }, metadata);
        return done;
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Takes a member out of a collection. The member itself stays. What names none may be an external id to delete.',
      query: { type },
      access: write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const wanted = { type: call.query.type, id: params['member']! };
        if (await removedExternalId(parts, call, params['collection']!, wanted)) return done;
        const id = await memberNamed(parts.store, wanted);
        await removeMember(parts, call, params['collection']!, { ...wanted, id });
        return done;
      },
    }),
  ];
}
