import { urisIfAny } from '../../http/answers.ts';
import { type Route, route } from '../../http/route.ts';
import type { Caller } from '../../security/caller.ts';
import { itemAt } from '../items/contract/entities.ts';
import { changeMetadata } from './change.ts';
import { loadMetadata } from './load.ts';
import type { MetadataState } from './merge/state.ts';
import { itemPlace } from './places.ts';
import type { MetadataContext } from './settings.ts';

const namesOf = ({ main }: MetadataState): readonly string[] => main?.names ?? [];

/** Routes for the main field groups of an item, which clients use as forms. */
export function mainGroupRoutes(parts: MetadataContext): readonly Route[] {
  const { store } = parts;
  const place = itemPlace(store);
  const item = itemAt(store);
  const path = '/item/:item/field-group';
  const write = { entities: { item: item('WRITE', 'METADATA') }, access: place.write, acting: 'allowed' } as const;

  async function change(
    caller: Caller,
    { id }: { readonly id: string },
    groupsAfter: (names: readonly string[]) => readonly string[],
  ): Promise<void> {
    const request = (state: MetadataState) => ({ spans: [], main: groupsAfter(namesOf(state)) });
    await changeMetadata(parts, place, caller, { kind: 'item', id }, request);
  }

  return [
    route({
      method: 'GET',
      path,
      says: 'The main field groups of an item.',
      entities: { item: item('READ', 'METADATA') },
      answers: urisIfAny,
      access: place.read,
      handle: async (_call, { item: { id } }) => namesOf((await loadMetadata(store, { kind: 'item', id })).state),
    }),
    route({
      ...write,
      method: 'PUT',
      path: `${path}/:group`,
      says: 'Adds a field group to the main ones of an item.',
      handle: (call, { item, group }) => change(call, item, () => [group]),
    }),
    route({
      ...write,
      method: 'DELETE',
      path: `${path}/:group`,
      says: 'Removes a field group from the main ones of an item.',
      handle: (call, { item, group }) => change(call, item, (names) => names.filter((name) => name !== group)),
    }),
  ];
}
