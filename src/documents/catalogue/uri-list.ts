import { document, list, string, type Value } from '../describe.ts';

export const uriListDocument = document('URIListDocument', { uri: list(string) });
export type UriList = Value<typeof uriListDocument>;
