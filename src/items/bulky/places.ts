import type { RequiredLevel } from '../../access/public-reading.ts';
import { noSuchEntity } from '../../entities/find.ts';
import { type Params, segment } from '../../http/route.ts';
import type { AttachmentOwner as Owner } from '../../metadata/public.ts';
import type { Caller } from '../../security/caller.ts';
import {
  componentNamed,
  componentPath,
  componentsOfShapes,
  noSuchShape,
  shapeFor,
  shapePath,
  shapeThere,
} from '../../shapes/public.ts';
import type { Statement } from '../../store/contract.ts';
import { itemAt, itemName } from '../contract/item/kind.ts';
import { itemMustExist } from '../contract/item/store.ts';
import { unlockedFor } from '../contract/lock/rules.ts';
import type { ItemsContext } from '../settings.ts';

/** Kind of entity with bulky metadata, and the guards for a commit that changes it. */
export interface BulkyResource {
  readonly path: string;
  readonly noun: string;
  find(
    call: Caller,
    params: Params,
    level: RequiredLevel,
  ): Promise<{ readonly owner: Owner; readonly guards: readonly Statement[] }>;
}

export function bulkyPlaces({ store, clock }: ItemsContext): readonly BulkyResource[] {
  const guardsOf = (call: Caller, item: string, shape?: string): readonly Statement[] => [
    itemMustExist(item, noSuchEntity(itemName, item)),
    unlockedFor(call, item, clock.now()),
    ...(shape === undefined ? [] : [shapeThere({ id: shape }, noSuchShape(shape))]),
  ];
  const item = itemAt(store);

  return [
    {
      path: '/item/:item',
      noun: 'item',
      async find(call, params, level) {
        const { id } = await item(level, 'METADATA').find(segment(params, 'item'), call, params);
        return { owner: { type: 'item', id }, guards: guardsOf(call, id) };
      },
    },
    {
      path: shapePath,
      noun: 'shape',
      async find(call, params, level) {
        const { id, itemId } = await shapeFor(store, call, params, level);
        return { owner: { type: 'shape', id }, guards: guardsOf(call, itemId, id) };
      },
    },
    {
      path: componentPath,
      noun: 'component',
      async find(call, params, level) {
        const { id: shape, itemId } = await shapeFor(store, call, params, level);
        const rows = await componentsOfShapes(store, { ids: JSON.stringify([shape]) });
        const { id } = componentNamed(rows, segment(params, 'component'));
        return { owner: { type: 'component', id }, guards: guardsOf(call, itemId, shape) };
      },
    },
  ];
}
