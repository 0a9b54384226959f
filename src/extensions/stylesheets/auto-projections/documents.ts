import { bulkyMetadata } from '../../../assets/items/public.ts';
import { metadata, metadataList } from '../../../assets/metadata/public-reading.ts';
import { shapeType } from '../../../assets/shapes/public-reading.ts';
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
} from '../../../core/documents/describe.ts';
import { simpleMetadata } from '../../../core/documents/shared-documents.ts';

const step = structure(
  'AutoProjectionStepType',
  {
    order: element(integer).says('Order of the steps.'),
    description: element(string),
    script: element(string).says('JavaScript that reads and changes the variable "wrapper".'),
    xslt: element(string).says('A stylesheet that transforms a MetadataWrapperDocument into a MetadataDocument.'),
  },
  exactlyOneOf('script', 'xslt'),
);

/** Input of a step. */
export const metadataWrapperDocument = document('MetadataWrapperDocument', {
  metadata: element(metadata),
  oldMetadata: element(metadataList),
  shape: list(shapeType),
  shapeMetadata: element(simpleMetadata),
  bulkyMetadata: element(bulkyMetadata),
  targetId: element(string),
});
export type MetadataWrapper = Value<typeof metadataWrapperDocument>;

export const autoProjectionRuleDocument = document('AutoProjectionRuleDocument', {
  step: list(step),
  name: element(string).says('Ignored: the name in the path applies.'),
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
  failureMessage: element(string).outputOnly.says('Item and reason of the last failure.'),
});
export type AutoProjectionRule = Value<typeof autoProjectionRuleDocument>;
