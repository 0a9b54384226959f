import { choice, flag, list, text, whole } from '../../http/parameters/index.ts';
import { jobParameters } from '../../jobs/parameters.ts';

const shared = {
  tag: list(text('Shape tags: a shape is made for each')),
  createPosters: list(text('The times of which posters are made')),
  thumbnailService: text('The resource of thumbnails; all of them keep their pictures in one place'),
  resourceId: text('The transcoder, kept in the data of the job'),
  ...jobParameters,
};

export const transcodeParameters = {
  ...shared,
  createThumbnails: text('Makes thumbnails of the source: true, or the times with commas between', { usual: 'false' }),
  storageId: text('The storage that the files go to; storage rules decide where it is left out'),
  original: text('One of the tags: its shape becomes the original'),
  destinationItem: text('The item that gets the shapes, where it is another one'),
  overrideFastStart: flag('Whether requireFastStart counts for presets that say nothing of it', true),
  requireFastStart: flag('The index stands ahead of the media, so that players begin at once', true),
  fastStartLength: text('Kept in the data of the job: the index always fits'),
};

const size = (what: string) => whole(`Pixels: ${what}`, { least: 1, most: 16_384 });

export const pictureParameters = {
  ...shared,
  tag: list(text('A shape tag: the sizes of its preset count')),
  createThumbnails: text('Makes thumbnails: true, or the times with commas between', { usual: 'false' }),
  thumbnailWidth: size('the largest width of a thumbnail, with thumbnailHeight'),
  thumbnailHeight: size('the largest height of a thumbnail, with thumbnailWidth'),
  thumbnailPeriod: text('A time code: the distance of two thumbnails'),
  posterFormat: choice('The form of posters', ['jpeg', 'jpg', 'png'], { usual: 'jpeg' }),
  posterWidth: size('the largest width of a poster, with posterHeight'),
  posterHeight: size('the largest height of a poster, with posterWidth'),
  sourceTag: list(text('The shape to take pictures of: the first of these tags that one has; else the original')),
  version: whole('The essence version; the latest where it is left out', {}),
};
