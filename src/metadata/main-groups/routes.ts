import { uriListDocument } from '../../documents/index.ts';
import type { Call } from '../../http/call.ts';
import { documentOrText } from '../../http/negotiation.ts';
import { done, lines, type Reply } from '../../http/reply.ts';
import { type Params, type Route, route } from '../../http/route.ts';
import { changeMetadata } from '../change.ts';
import { loadMetadata } from '../load.ts';
import type { MetadataState } from '../merge/state.ts';
import { itemPlace } from '../places.ts';
import type { MetadataContext } from '../settings.ts';

const namesOf = ({ main }: MetadataState): readonly string[] => main?.names ?? [];

/** Routes for the main field groups of an item, which clients use as forms. */
export function mainGroupRoutes(parts: MetadataContext): readonly Route[] {
  const { store, render } = parts;
  const place = itemPlace(store);
  const path = '/item/:item/field-group';

  async function change(
    call: Call,
    params: Params,
    groupsAfter: (names: readonly string[]) => readonly string[],
  ): Promise<Reply> {
    const wish = (state: MetadataState) => ({ spans: [], main: groupsAfter(namesOf(state)) });
    await changeMetadata(parts, place, call, params, wish);
    return done;
  }

  return [
    route({
      method: 'GET',
      path,
      says: 'The main field groups of an item.',
      answers: [uriListDocument, 'text'],
      access: place.read,
      produces: documentOrText,
      async handle(call, type, params) {
        const { state } = await loadMetadata(store, await place.find(call, params, 'READ'));
        const uri = namesOf(state);
        if (type === 'text/plain') return lines(uri.map((name) => [name]));
        return render(type, uriListDocument, uri.length > 0 ? { uri } : {});
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/:group`,
      says: 'Adds a field group to the main ones of an item.',
      access: place.write,
      acting: 'allowed',
      produces: [],
      handle: (call, _type, params) => change(call, params, () => [params.group]),
    }),
    route({
      method: 'DELETE',
      path: `${path}/:group`,
      says: 'Removes a field group from the main ones of an item.',
      access: place.write,
      acting: 'allowed',
      produces: [],
      handle: (call, _type, params) =>
        change(call, params, (names) => names.filter((name) => name !== params['group'])),
    }),
  ];
}
