import { choice, flag, repeated } from '../../../../http/parameters/index.ts';
import { type Route, route } from '../../../../http/route.ts';
import { collectionAt, write } from '../../contract/collection/kind.ts';
import type { ItemsContext } from '../../settings.ts';
import { addToCollection, removeMember } from './change.ts';
import { removedExternalId } from './external-id.ts';
import { addItemsOf } from './items-of.ts';
import { memberNamed, memberTypes } from './named.ts';

export function memberRoutes(parts: ItemsContext): readonly Route[] {
  const path = '/collection/:collection/:member';
  const type = choice('The kind of the member', memberTypes, { usual: 'item' });
  const collection = collectionAt(parts.store)('WRITE');
  return [
    route({
      method: 'PUT',
      path,
      says: 'Adds a member to the end of a collection. An existing member keeps its position.',
      entities: { collection },
      query: {
        type,
        addItems: flag('For a library: adds its items one by one, instead of the library', false),
        metadata: repeated('Metadata of the membership: key=value sets a key, -key removes it'),
      },
      access: write,
      acting: 'allowed',
      async handle(call, { member, collection }) {
        const { metadata, addItems } = call.query;
        const wanted = { type: call.query.type, id: member };
        if (addItems && wanted.type === 'library') {
          await addItemsOf(parts, call, collection, wanted, metadata);
        } else await addToCollection(parts, call, collection, wanted, metadata);
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Removes a member from a collection. The entity stays. If no member has the name, an external id with this name is deleted.',
      entities: { collection },
      query: { type },
      access: write,
      acting: 'allowed',
      async handle(call, { member, collection }) {
        const wanted = { type: call.query.type, id: member };
        if (await removedExternalId(parts, call, collection, wanted)) return;
        const id = await memberNamed(parts.store, wanted);
        await call.commit(removeMember(collection, { ...wanted, id }));
      },
    }),
  ];
}
