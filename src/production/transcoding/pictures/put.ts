import { tooManyShapes } from '../../../assets/shapes/public.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { mostPictures } from './kind.ts';
import { type NewPicture, picturesFit, putPicture } from './store.ts';

/** Stores a picture of an item that has room for it. */
export function keepPicture(picture: NewPicture): readonly Statement[] {
  const { itemId, kind, essenceVersion: version } = picture;
  return [
    putPicture({ ...picture }),
    picturesFit(
      { itemId, kind, version, most: mostPictures },
      tooManyShapes(itemId, mostPictures, `pictures (${kind})`),
    ),
  ];
}
