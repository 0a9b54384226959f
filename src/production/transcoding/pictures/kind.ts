import { ServiceError } from '../../../core/lib/errors.ts';

export type PictureKind = 'thumbnail' | 'poster';

export const pictureKinds: readonly PictureKind[] = ['thumbnail', 'poster'];

export const noSuchPicture = (kind: PictureKind, id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: kind, id: id.slice(0, 80) });

/** Bytes of one picture: all of them are held in memory at once. */
export const mostBytes = 5 * 1024 * 1024;

const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const jpeg = [0xff, 0xd8, 0xff];

/** By its first bytes: what a caller says about a picture would be told to browsers as it is. */
export function pictureType(bytes: Uint8Array): 'image/png' | 'image/jpeg' | undefined {
  const begins = (first: readonly number[]) => first.every((byte, at) => bytes[at] === byte);
  if (begins(png)) return 'image/png';
  return begins(jpeg) ? 'image/jpeg' : undefined;
}

/** Limit of pictures of one kind for one version of an item. */
export const mostPictures = 1000;
