import { dateTime, document, element, integer, list, string, structure } from '../../core/documents/describe.ts';

/** Programs of the original that run beside storages. None of them can join this service. */
export const vxaListDocument = document('VXAListDocument', {
  hits: element(integer),
  vxa: list(
    structure('VXAType', {
      uuid: element(string).required,
      user: element(string),
      name: element(string),
      vxaVersion: element(string).required,
      transcoderVersion: element(string).required,
      status: element(string),
      lastSeen: element(dateTime),
    }),
  ),
});
