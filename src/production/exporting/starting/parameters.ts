import { flag, list, text } from '../../../http/parameters/index.ts';
import { jobParameters } from '../../../room/jobs/parameters.ts';

const common = {
  uri: text('Destination of the files. A slash at its end makes it a folder'),
  locationName: text('Name of an export location, instead of an address'),
  track: text('Only components of these tracks, such as V1,A. Asterisk: all', { usual: '*' }),
  useOriginalFilename: flag('Names files as the originals of their items, with their own extensions', false),
  useOriginalComponentFilename: flag('Names files as the originals of their components', false),
  metadata: flag('Writes the metadata of the item into a file with the extension xml beside each file', false),
  projection: text('Projection whose outgoing stylesheet transforms the metadata in the file'),
  ...jobParameters,
};
const part = {
  start: text('Start of the exported part: a time code from the start of the media. A transcoder cuts the part'),
  end: text('End of the exported part'),
  allowMissing: flag('Missing shapes are skipped. False: they fail the job', true),
};
const shapes = {
  tag: list(text('Shapes with any of these tags. Default: the tags of the location, or the originals')),
  version: text('The essence version: latest, all, latest-per-shapetag, or its number', { usual: 'latest' }),
  template: text('Name of an export template, which selects shapes and names the files in a folder'),
};

export const shapeExport = { ...common, ...part };
export const itemExport = { ...shapeExport, ...shapes };
export const listExport = {
  ...common,
  ...shapes,
  all: flag('A file that cannot be exported fails the job. False: it is skipped', true),
};
