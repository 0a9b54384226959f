import { document, element, exactlyOneOf, integer, list, oneOf, string, structure } from '../../documents/describe.ts';

const step = structure(
  'AutoProjectionStepType',
  {
    order: element(integer),
    description: element(string),
    script: element(string).says('JavaScript. It is kept, and not carried out.'),
    xslt: element(string).says('A stylesheet. It is kept, and not carried out.'),
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
  ),
});
