import { choice, flag, list, text, whole } from '../../../http/parameters/index.ts';
import { jobParameters } from '../../../room/jobs/parameters.ts';

const shared = {
  tag: list(text('Shape tags: the job creates a shape for each')),
  createPosters: list(text('Times of the posters')),
  thumbnailService: text('Thumbnail resource. All of them store pictures in the same place'),
  resourceId: text('Transcoder, stored in the data of the job'),
  ...jobParameters,
};

export const transcodeParameters = {
  ...shared,
  createThumbnails: text('Creates thumbnails of the source: true, or comma-separated times', { usual: 'false' }),
  storageId: text('Storage for the files. Default: by storage rules'),
  original: text('Tag whose shape becomes the original'),
  destinationItem: text('Another item for the shapes'),
  overrideFastStart: flag('Whether requireFastStart applies to presets without the setting', true),
  requireFastStart: flag('Writes the index before the media, so that players start at once', true),
  fastStartLength: text('Stored in the data of the job, without effect'),
};

const size = (what: string) => whole(`Maximum ${what}, in pixels`, { least: 1, most: 16_384 });

export const pictureParameters = {
  ...shared,
  tag: list(text('A shape tag whose preset has the sizes')),
  createThumbnails: text('Creates thumbnails: true, or comma-separated times', { usual: 'false' }),
  thumbnailWidth: size('width of a thumbnail'),
  thumbnailHeight: size('height of a thumbnail'),
  thumbnailPeriod: text('Interval between thumbnails, as a time code'),
  posterFormat: choice('Image format of posters', ['jpeg', 'jpg', 'png'], { usual: 'jpeg' }),
  posterWidth: size('width of a poster'),
  posterHeight: size('height of a poster'),
  sourceTag: list(text('Source shape: the first one with one of these tags, in this order. Default: the original')),
  version: whole('The essence version. Default: the latest', {}),
};
