import { urisIfAny } from '../../http/answers.ts';
import { type Route, route, segment } from '../../http/route.ts';
import type { Caller } from '../../security/caller.ts';
import { changeMetadata } from './change.ts';
import { loadMetadata } from './load.ts';
import type { MetadataState } from './merge/state.ts';
import { collectionPlace, entitiesOf, itemPlace, type MetadataResource, ownerIn } from './places.ts';
import type { MetadataContext } from './settings.ts';
import type { MetadataOwner } from './store.ts';

const namesOf = ({ main }: MetadataState): readonly string[] => main?.names ?? [];

/** Routes for the main field groups of items and collections, which clients use as forms. */
export const mainGroupRoutes = (parts: MetadataContext): readonly Route[] =>
  [itemPlace(parts.store), collectionPlace(parts.store)].flatMap((resource) => routesOf(parts, resource));

function routesOf(parts: MetadataContext, resource: MetadataResource): readonly Route[] {
  const { store } = parts;
  const { of } = resource;
  const path = `${resource.path}/field-group`;
  const write = { entities: entitiesOf(resource, 'WRITE'), access: resource.write, acting: 'allowed' } as const;

  async function change(
    caller: Caller,
    owner: MetadataOwner,
    groupsAfter: (names: readonly string[]) => readonly string[],
  ): Promise<void> {
    const request = (state: MetadataState) => ({ spans: [], main: groupsAfter(namesOf(state)) });
    await changeMetadata(parts, resource, caller, owner, request);
  }

  return [
    route({
      method: 'GET',
      path,
      says: `The main field groups ${of}.`,
      entities: entitiesOf(resource, 'READ'),
      answers: urisIfAny,
      access: resource.read,
      handle: async (_call, segments) => namesOf((await loadMetadata(store, ownerIn(resource, segments))).state),
    }),
    route({
      ...write,
      method: 'PUT',
      path: `${path}/:group`,
      says: `Makes a field group the main one ${of}.`,
      handle: (call, segments) => change(call, ownerIn(resource, segments), () => [segment(segments, 'group')]),
    }),
    route({
      ...write,
      method: 'DELETE',
      path: `${path}/:group`,
      says: `Removes a field group from the main ones ${of}.`,
      handle(call, segments) {
        const group = segment(segments, 'group');
        return change(call, ownerIn(resource, segments), (names) => names.filter((name) => name !== group));
      },
    }),
  ];
}
