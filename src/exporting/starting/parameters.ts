import { flag, list, text } from '../../http/parameters/index.ts';
import { jobParameters } from '../../jobs/parameters.ts';

const common = {
  uri: text('Where the files go. With a slash at its end it is a folder'),
  locationName: text('An export location, instead of an address'),
  track: text('Only components of these tracks, such as V1,A. Asterisk: all', { usual: '*' }),
  useOriginalFilename: flag('Names files like the originals of their items, each with its own extension', false),
  useOriginalComponentFilename: flag('Names files like the originals of their components', false),
  metadata: flag('Writes the metadata of the item into a file with the extension xml beside each file', false),
  projection: text('The projection whose outgoing stylesheet makes what the file with the metadata holds'),
  ...jobParameters,
};
const part = {
  start: text('A part of the media begins here, at a time code from its start. A transcoder cuts it out'),
  end: text('A part of the media ends here'),
  allowMissing: flag('What is not there is passed over. Otherwise the job fails', true),
};
const shapes = {
  tag: list(text('Shapes with any of these tags. Without it: those of the location, or the originals')),
  version: text('The essence version: latest, all, latest-per-shapetag, or its number', { usual: 'latest' }),
  template: text('An export template: it chooses the shapes, and names the files in a folder'),
};

export const shapeExport = { ...common, ...part };
export const itemExport = { ...shapeExport, ...shapes };
export const listExport = {
  ...common,
  ...shapes,
  all: flag('The job fails when a file cannot be exported. Otherwise it is passed over', true),
};
