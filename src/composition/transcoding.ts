import { type MediaLibrary, pictures } from '../../plugins/transcoders/index.ts';
import { jpegFile, type Pixels, pngFile } from '../production/transcoding/public-reading.ts';
import type { MediaSource, Still, StillOrder } from '../spi/index.ts';

export {
  type Conversion,
  type ConversionPlan,
  containerNames,
  conversionPlan,
  convert,
  cutMedia,
  type Encodes,
  encodesOf,
  type MediaLibrary,
  mediaSeconds,
} from '../../plugins/transcoders/index.ts';

/** Makes stills by the library of an operator, in this process. */
export const stillsWith = (
  library: MediaLibrary,
  source: MediaSource,
  order: StillOrder,
  each: (still: Still) => Promise<void>,
): Promise<void> =>
  pictures(library, source, order, async ({ seconds, ...pixels }) => {
    await each({ seconds, bytes: order.type === 'image/png' ? await pngOf(pixels) : jpegFile(pixels) });
  });

function pngOf({ width, height, data }: Pixels): Promise<Uint8Array<ArrayBuffer>> {
  const rows = new Uint8Array(height * (1 + 3 * width));
  for (let row = 0, to = 0; row < height; row++) {
    to++;
    for (let pixel = row * width * 4; pixel < (row + 1) * width * 4; pixel += 4) {
      rows[to++] = data[pixel]!;
      rows[to++] = data[pixel + 1]!;
      rows[to++] = data[pixel + 2]!;
    }
  }
  return pngFile({ width, height, rows });
}
