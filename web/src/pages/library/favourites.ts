import type { URIListDocument } from 'portico/types';
import { get, Refusal } from '../../api/client.ts';
import { preferences, setPreference } from '../../api/session.ts';
import { t } from '../../texts/index.ts';
import { type ChosenItems, changeChosen, makeCollection } from './actions.ts';

/** Preference that names the collection of the person's favourites. */
export const favouritesKey = 'favourites';

/** The collection of the person's favourites. Undefined: there is none yet, or it was deleted. */
async function favouritesOf(): Promise<string | undefined> {
  const id = (await preferences()).get(favouritesKey);
  if (!id) return undefined;
  try {
    await get(`/collection/${id}`, { query: { number: 0 } });
    return id;
  } catch (error) {
    if (error instanceof Refusal && [403, 404].includes(error.status)) return undefined;
    throw error;
  }
}

/** Adds items to the favourites. The first ones make the collection, and the person owns it. */
export async function addFavourites(chosen: ChosenItems): Promise<string> {
  let id = await favouritesOf();
  if (id === undefined) {
    id = await makeCollection(t('nav.favourites'));
    await setPreference(favouritesKey, id);
  }
  await changeChosen(chosen, { to: id });
  return id;
}

/** The collection of favourites, where it has the item. */
export async function favouritesWith(item: string, signal: AbortSignal): Promise<string | undefined> {
  const id = (await preferences()).get(favouritesKey);
  if (!id) return undefined;
  const { uri = [] } = await get<URIListDocument>(`/item/${item}/collections`, { query: { number: 1000 }, signal });
  return uri.some((each) => each.split('/').at(-1) === id) ? id : undefined;
}
