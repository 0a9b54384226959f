import {
  attribute,
  document,
  element,
  type FieldsValue,
  integer,
  lazy,
  list,
  oneOf,
  type Structure,
  string,
  structure,
} from '../../documents/describe.ts';

const own = {
  status: attribute(oneOf('ok', 'warning', 'failed')).required,
  name: attribute(string),
  took: attribute(integer).says('Milliseconds.'),
  description: element(string),
  message: list(string),
};

export interface SelfTest extends FieldsValue<typeof own> {
  readonly test?: readonly SelfTest[] | undefined;
}

const selfTest: Structure<SelfTest> = structure('SelfTestType', {
  ...own,
  test: list(lazy((): Structure<SelfTest> => selfTest)),
});

export const selfTestDocument = document('SelfTestDocument', selfTest);
