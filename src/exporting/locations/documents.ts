import { document, element, list, string, structure, type Value } from '../../documents/describe.ts';

const location = structure('ExportLocationType', {
  name: element(string).says('The name in the path. Another one here is ignored.'),
  uri: element(string).says('The address of a folder, with a slash at its end.'),
  uriList: list(string).says('More addresses of the same folder. Kept and given back: exports use the first address.'),
  projection: element(string).says('The projection of sidecars, where a request names none.'),
  tag: list(string).says('The shape tags of an export that names none.'),
  script: element(string).says('JavaScript. The value of its last statement names a file below the location.'),
});

export const exportLocationDocument = document('ExportLocationDocument', location);
export type ExportLocation = Value<typeof exportLocationDocument>;

export const exportLocationListDocument = document('ExportLocationListDocument', { exportLocation: list(location) });
