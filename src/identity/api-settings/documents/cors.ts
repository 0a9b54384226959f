import {
  careful,
  document,
  element,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';

const header = structure('CORSHeaderType', { key: element(string).required, value: element(string) });

/** The first entry counts, one of whose requests fits. Within a request, all that is given must fit. */
export const corsConfigurationDocument = careful(
  document('CORSConfigurationDocument', {
    entry: list(
      structure('CORSConfigurationEntryType', {
        request: list(
          structure('CORSConfigurationRequestType', {
            origin: list(string),
            originRegex: list(string),
            pathRegex: list(string),
            method: list(string),
            headerRegex: list(header),
          }),
        ),
        response: element(
          structure('CORSConfigurationResponseType', {
            allowOrigin: element(string).required.says(
              'An origin, or "*". If there are several, the answer has the origin of the request.',
            ),
            allowMethods: list(string).says('Each value may be a comma-separated list.'),
            allowHeaders: list(string).says('Each value may be a comma-separated list.'),
            allowOtherHeader: list(header),
            allowMaxAge: element(integer).says('Maximal age in seconds.'),
          }),
        ).required,
      }),
    ),
  }),
);
export type CorsConfiguration = Value<typeof corsConfigurationDocument>;
