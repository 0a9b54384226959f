import { choice, list, text } from '../../http/parameters/index.ts';
import { jobParameters } from '../../jobs/parameters.ts';

const formats = ['csv', 'xml', 'json'] as const;
export type Format = (typeof formats)[number];

export const libraryList = {
  destinationUri: text('Where the list goes. With a slash at its end it is a folder', { required: true }),
  outputFormat: choice('A line for each item, or an ItemListDocument', formats, { usual: 'csv' }),
  field: list(text('The fields of each item: "a,b:alias". Without it: title in CSV, all in documents')),
  data: list(text('Documents: "type" adds the definition of each field; other words its data')),
  p: text('Documents: only these parts of each item, by content paths. They take the place of field and data'),
  ...jobParameters,
};
export const itemList = {
  ...libraryList,
  username: text('Only items that this user may read. Administrators name others than themselves'),
  groupname: text('Only items that this group may read. Administrators name groups'),
};
