import { choice, list, text } from '../../../http/parameters/index.ts';
import { jobParameters } from '../../../room/jobs/parameters.ts';

export const formats = ['csv', 'xml', 'json'] as const;

export const libraryList = {
  destinationUri: text('Destination of the list. A slash at its end makes it a folder', { required: true }),
  outputFormat: choice('A line for each item, or an ItemListDocument', formats, { usual: 'csv' }),
  field: list(text('Fields of each item: "a,b:alias". Default: title in CSV, all in documents')),
  data: list(text('Documents: "type" adds the definition of each field. Other words add its data')),
  p: text('Documents: only these parts of each item, as content paths. They replace field and data'),
  ...jobParameters,
};
export const itemList = {
  ...libraryList,
  username: text('Only items that this user may read. Administrators name others than themselves'),
  groupname: text('Only items that this group may read. Administrators name groups'),
};
