import { document, element, integer, list, string, structure } from '../../documents/describe.ts';

/** Where each thumbnail of an item is on one picture of all of them. */
export const thumbnailSpriteSheetDocument = document('ThumbnailSpriteSheetDocument', {
  etag: element(string).says('Names the sheet: other thumbnails make another one.'),
  url: list(string).says('The address of the picture, a JPEG.'),
  path: list(string).says('Left out: the picture lies in no file.'),
  thumbnail: list(
    structure('ThumbnailSpriteType', {
      width: element(integer),
      height: element(integer),
      x: element(integer).says('Pixels from the left.'),
      y: element(integer).says('Pixels from the top.'),
      timecode: element(string),
      endTimecode: element(string).says('The time of the next one. The last one lasts as long as the one before.'),
    }),
  ),
});
