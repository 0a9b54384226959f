import { itemMustExist } from '../../items/contract/item/store.ts';
import { itemGone, tooManyShapes } from '../../shapes/public.ts';
import type { Statement } from '../../store/contract.ts';
import { mostPictures } from './kind.ts';
import { type NewPicture, picturesFit, putPicture } from './store.ts';

/** A picture of an item that is there, and that has room for it. */
export function keepPicture(picture: NewPicture): readonly Statement[] {
  const { itemId, kind, essenceVersion: version } = picture;
  return [
    itemMustExist(itemId, itemGone(itemId)),
    putPicture({ ...picture }),
    picturesFit(
      { itemId, kind, version, most: mostPictures },
      tooManyShapes(itemId, mostPictures, `pictures (${kind})`),
    ),
  ];
}
