import { timeCode } from '../../../assets/shapes/public-reading.ts';
import { document, element, integer, list, string, structure } from '../../../core/documents/describe.ts';

/** Where each thumbnail of an item is on one picture of all of them. */
export const thumbnailSpriteSheetDocument = document('ThumbnailSpriteSheetDocument', {
  etag: element(string).says('Hash of the sheet. It changes with the thumbnails.'),
  url: list(string).says('The address of the picture, a JPEG.'),
  path: list(string).says('Absent: the picture is no file.'),
  thumbnail: list(
    structure('ThumbnailSpriteType', {
      width: element(integer),
      height: element(integer),
      x: element(integer).says('Pixels from the left.'),
      y: element(integer).says('Pixels from the top.'),
      timecode: element(timeCode),
      endTimecode: element(timeCode).says(
        'Time of the next thumbnail. The last one has the duration of the one before.',
      ),
    }),
  ),
});
