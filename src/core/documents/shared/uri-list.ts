import { document, element, integer, list, string, type Value } from '../describe.ts';

export const uriListDocument = document('URIListDocument', { hits: element(integer), uri: list(string) });
export type UriList = Value<typeof uriListDocument>;
