import {
  attribute,
  document,
  type FieldsValue,
  lazy,
  list,
  oneOf,
  type Structure,
  string,
  structure,
} from '../../../core/documents/describe.ts';

const own = {
  name: attribute(string),
  description: attribute(string),
  status: attribute(oneOf('ok', 'warning', 'failed')).required,
  took: attribute(string).says('Milliseconds, as a text for compatibility.'),
};
const message = { message: list(string) };

export interface SelfTest extends FieldsValue<typeof own>, FieldsValue<typeof message> {
  readonly test?: readonly SelfTest[] | undefined;
}

const selfTest: Structure<SelfTest> = structure('SelfTestType', {
  ...message,
  test: list(lazy((): Structure<SelfTest> => selfTest)),
  ...own,
});

export const selfTestDocument = document('SelfTestDocument', selfTest);
