import { document, element, list, string, structure, type Value } from '../../../core/documents/describe.ts';

const secret = structure('SecretType', {
  alias: element(string).outputOnly,
  key: list(string).outputOnly.says('The keys that have a value. No answer has a value.'),
});

export const secretDocument = document('SecretDocument', secret);
export type SecretKeys = Value<typeof secretDocument>;

export const secretListDocument = document('SecretListDocument', { secret: list(secret) });
