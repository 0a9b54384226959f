import {
  dateTime,
  document,
  element,
  exactlyOneOf,
  integer,
  list,
  oneOf,
  string,
  structure,
  type Value,
} from '../../documents/describe.ts';

const step = structure(
  'AutoProjectionStepType',
  {
    order: element(integer).says('Steps are carried out in this order.'),
    description: element(string),
    script: element(string).says('JavaScript that reads and changes the variable "wrapper".'),
    xslt: element(string).says('A stylesheet. It is kept, and a rule with one fails.'),
  },
  exactlyOneOf('script', 'xslt'),
);

export const autoProjectionRuleDocument = document('AutoProjectionRuleDocument', {
  step: list(step),
  name: element(string).says('The name of the path counts.'),
  description: element(string),
  inputFilters: element(
    structure('AutoProjectionInputFiltersType', {
      inputFilter: list(oneOf('oldMetadata', 'shapeDocument')),
      bulkyMetadataKeysRegex: element(string),
    }),
  ),
  triggers: element(
    structure('AutoProjectionTriggersType', {
      trigger: list(oneOf('shapeMetadata', 'itemMetadata', 'bulkyMetadata')),
    }),
  ).says('Without the element: itemMetadata.'),
  lastFailure: element(dateTime).outputOnly,
  failureMessage: element(string).outputOnly.says('The item and the reason of the last failure.'),
});
export type AutoProjectionRule = Value<typeof autoProjectionRuleDocument>;
