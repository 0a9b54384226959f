/** A make of pictures: how its first bytes look, and what FFmpeg calls it. */
export interface PictureMake {
  readonly format: string;
  readonly codec: string;
  readonly mimeType: string;
}

const make = (format: string, codec: string, mimeType: string): PictureMake => ({ format, codec, mimeType });

const latin = (bytes: Uint8Array, from: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(from, end));

/** By what a file begins with, in hexadecimal. */
const signatures: readonly (readonly [hex: string, PictureMake])[] = [
  ['89504e470d0a1a0a', make('png_pipe', 'png', 'image/png')],
  ['ffd8ff', make('image2', 'mjpeg', 'image/jpeg')],
  ['474946383761', make('gif', 'gif', 'image/gif')],
  ['474946383961', make('gif', 'gif', 'image/gif')],
  ['424d', make('bmp_pipe', 'bmp', 'image/bmp')],
  ['49492a00', make('tiff_pipe', 'tiff', 'image/tiff')],
  ['4d4d002a', make('tiff_pipe', 'tiff', 'image/tiff')],
  ['49492b00', make('tiff_pipe', 'tiff', 'image/tiff')],
  ['4d4d002b', make('tiff_pipe', 'tiff', 'image/tiff')],
  ['38425053', make('psd_pipe', 'psd', 'image/vnd.adobe.photoshop')],
  ['0000000c6a5020200d0a870a', make('j2k_pipe', 'jpeg2000', 'image/jp2')],
  ['ff4fff51', make('j2k_pipe', 'jpeg2000', 'image/jp2')],
  ['ff0a', make('jpegxl_pipe', 'jpegxl', 'image/jxl')],
  ['0000000c4a584c200d0a870a', make('jpegxl_pipe', 'jpegxl', 'image/jxl')],
];

/** Brands of ISO files that hold pictures. Others are films. */
const brands: Readonly<Record<string, PictureMake>> = {
  avif: make('mov,mp4,m4a,3gp,3g2,mj2', 'av1', 'image/avif'),
  avis: make('mov,mp4,m4a,3gp,3g2,mj2', 'av1', 'image/avif'),
  heic: make('mov,mp4,m4a,3gp,3g2,mj2', 'hevc', 'image/heic'),
  heix: make('mov,mp4,m4a,3gp,3g2,mj2', 'hevc', 'image/heic'),
  mif1: make('mov,mp4,m4a,3gp,3g2,mj2', 'hevc', 'image/heif'),
};

/** Format of a picture by its first bytes. Undefined: unknown. */
export function pictureMake(head: Uint8Array): PictureMake | undefined {
  const hex = Array.from(head.subarray(0, 12), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const mimeType = signatures.find(([signature]) => hex.startsWith(signature))?.[1];
  if (mimeType) return mimeType;
  if (latin(head, 0, 4) === 'RIFF' && latin(head, 8, 12) === 'WEBP') return make('webp_pipe', 'webp', 'image/webp');
  if (latin(head, 4, 8) === 'ftyp') return brands[latin(head, 8, 12)];
  return /^(?:\ufeff|ï»¿)?\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--[^>]{0,500}-->\s*)?<svg\s/.test(latin(head, 0, 1024))
    ? make('svg_pipe', 'svg', 'image/svg+xml')
    : undefined;
}
