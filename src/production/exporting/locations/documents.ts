import { document, element, list, string, structure, type Value } from '../../../core/documents/describe.ts';

const location = structure('ExportLocationType', {
  name: element(string).says('The name in the path. In requests it is ignored.'),
  uri: element(string).says('The address of a folder, with a slash at its end.'),
  uriList: list(string).says('More addresses of the same folder. Stored only: exports use the first address.'),
  projection: element(string).says('Default projection of sidecars.'),
  tag: list(string).says('Default shape tags of an export.'),
  script: element(string).says('JavaScript. The value of its last statement names a file below the location.'),
});

export const exportLocationDocument = document('ExportLocationDocument', location);
export type ExportLocation = Value<typeof exportLocationDocument>;

export const exportLocationListDocument = document('ExportLocationListDocument', { exportLocation: list(location) });
