import { readableAmong } from '../../assets/access/public.ts';
import { accessOf } from '../../assets/access/public-reading.ts';
import { askerOf } from '../../assets/definitions/public-reading.ts';
import { itemAt } from '../../assets/items/contract/entities.ts';
import type { ItemsContext } from '../../assets/items/public.ts';
import { changeMetadata, itemPlace, metadataOf, storedView, wishOf } from '../../assets/metadata/public.ts';
import { isKept, type MetadataTimespan } from '../../assets/metadata/public-reading.ts';
import { type Route, route } from '../../http/route.ts';
import { sequenceOf } from './load.ts';
import { cutsOf, missingIn, spansIn } from './spans.ts';

/** Maximum cuts of a sequence whose metadata is read. */
const mostCuts = 1000;
/** Items per read. */
const slice = 50;

/** Routes that apply the sequence of an item. */
export function sequenceUseRoutes(parts: ItemsContext): readonly Route[] {
  const { store, settings } = parts;
  const place = itemPlace(store);

  return [
    route({
      method: 'POST',
      path: '/item/:item/sequence/conform-metadata',
      says: 'Copies timed metadata of the items in a sequence to the item, at their times in the sequence.',
      entities: { item: itemAt(store)('WRITE', 'METADATA') },
      access: place.write,
      acting: 'allowed',
      async handle(call, { item: { id } }) {
        const owner = { kind: 'item', id } as const;
        const cuts = cutsOf(await sequenceOf(parts, id), mostCuts);
        const items = [...new Set(cuts.map(({ item }) => item))];
        const readable = [...(await readableAmong(store, await accessOf(store, call), 'item', items))];
        const by = { site: settings.site, asker: await askerOf(call), inherits: false };
        const wanted: MetadataTimespan[] = [];
        for (let at = 0; at < readable.length; at += slice) {
          const owners = readable.slice(at, at + slice).map((id) => ({ kind: 'item', id }) as const);
          const metadataById = await metadataOf(store, owners, storedView, by);
          for (const cut of cuts) wanted.push(...spansIn(cut, metadataById.get(cut.item) ?? {}));
        }
        const now = (await metadataOf(store, [owner], storedView, by)).get(id) ?? {};
        const wish = wishOf({ timespan: missingIn(now, wanted) }, { isIgnored: isKept });
        if (wish.spans.length > 0) await changeMetadata(parts, place, call, owner, wish);
      },
    }),
  ];
}
