import { tooManyShapes } from '../../../assets/shapes/public.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { bytesReply } from '../../../http/bytes.ts';
import type { Reply } from '../../../http/reply.ts';
import { type NewPicture, picturesFit, putPicture } from './store.ts';

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
const maxPictures = 1000;

/** Stores a picture of an item that has room for it. */
export function keepPicture(picture: NewPicture): readonly Statement[] {
  const { itemId, kind, essenceVersion: version } = picture;
  return [
    putPicture({ ...picture }),
    picturesFit({ itemId, kind, version, max: maxPictures }, tooManyShapes(itemId, maxPictures, `pictures (${kind})`)),
  ];
}

interface ShownPicture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly version: string;
  readonly modified?: number;
}

/** A picture as bytes. `hash`: version that the address names. */
export function pictureReply(
  { request }: { readonly request: Request },
  { bytes, ...picture }: ShownPicture,
  hash: string | undefined,
): Promise<Reply> {
  // Cacheable for a year: a changed picture has another version.
  const caching = hash === picture.version ? 'private, max-age=31536000, immutable' : 'private, max-age=60';
  return bytesReply(request, {
    ...picture,
    size: bytes.byteLength,
    headers: { 'x-content-type-options': 'nosniff', 'cache-control': caching },
    open: (from, end) => streamOf(bytes.slice(from, end)),
  });
}

const streamOf = (bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
