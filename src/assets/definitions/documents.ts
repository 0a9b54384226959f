import {
  attribute,
  boolean,
  decimal,
  document,
  element,
  integer,
  type Lazy,
  lazy,
  list,
  oneOf,
  string,
  structure,
  type Value,
} from '../../core/documents/describe.ts';
import { pair, simpleMetadata } from '../../core/documents/shared-documents.ts';
import { fieldTypes } from './types.ts';

export const schemaElement = structure('MetadataSchemaElementType', {
  reference: attribute(boolean).says('Whether the member may be a reference.'),
  min: attribute(integer),
  max: attribute(integer).says('Largest number of values. -1: unlimited.'),
  name: attribute(string),
});

const wholeLimits = { minInclusive: element(integer), maxInclusive: element(integer) };

const constraint = structure('MetadataFieldConstraintType', {
  dataset: element(string),
  parent: element(string),
  levelProperty: element(string),
  levelValue: element(string),
  value: element(string),
  validationGroup: element(string),
});

const inheritanceRule = structure('MetadataInheritanceRuleType', {
  condition: element(
    structure('MetadataInheritanceConditionType', {
      field: element(
        structure('MetadataInheritanceFieldType', {
          name: element(string).required,
          value: element(string).required,
        }),
      ).required,
    }),
  ).required,
  inheritedName: element(string).required,
});
export type InheritanceRules = readonly Value<typeof inheritanceRule>[];
const inheritanceRules = list(inheritanceRule)
  .max(100)
  .says('Stored and answered, without effect: what items inherit depends on "inheritance" alone.');

/** Definition of a field, also as a member of a group. */
export const metadataFieldType = structure('MetadataFieldType', {
  name: element(string).says('Name of the field. Optional if the path has the name.'),
  schema: element(schemaElement),
  type: element(oneOf(...fieldTypes)),
  index: element(oneOf('index', 'noindex', 'extend')).says('Default: "index".'),
  fullText: element(boolean).says('False: full-text searches without a field ignore the values.'),
  boost: element(decimal),
  floatRestriction: element(
    structure('MetadataFieldFloatType', { minInclusive: element(decimal), maxInclusive: element(decimal) }),
  ),
  integerRestriction: element(structure('MetadataFieldIntegerType', wholeLimits)),
  longRestriction: element(structure('MetadataFieldLongType', wholeLimits)),
  stringRestriction: element(
    structure('MetadataFieldStringType', {
      minLength: element(integer),
      maxLength: element(integer),
      pattern: element(string).says('A regular expression that the whole text must match.'),
    }),
  ),
  data: list(pair),
  values: element(simpleMetadata).says('Suggested values for forms. Other values are accepted, too.'),
  defaultValue: element(string),
  constraint: element(constraint),
  externalId: list(string).max(100),
  origin: element(string).outputOnly,
  caseSensitiveSorting: element(boolean),
  inheritanceRule: inheritanceRules,
  system: attribute(string).outputOnly.says('"true": only the service writes the values.'),
  sortable: attribute(boolean),
  inheritance: attribute(string).says('"true": values on a collection appear on its items.'),
});
export type MetadataField = Value<typeof metadataFieldType>;

export const permissions = ['NONE', 'READ', 'WRITE', 'DELETE'] as const;

const fieldAccess = structure('MetadataFieldAccessControlType', {
  id: element(string).outputOnly,
  field: element(string).outputOnly,
  fieldGroup: element(string).outputOnly,
  user: element(string),
  group: element(string),
  permission: element(oneOf(...permissions)).required.says('Each level includes the levels before it.'),
});
export type MetadataFieldAccess = Value<typeof fieldAccess>;

export interface MetadataFieldGroup {
  readonly name?: string | undefined;
  readonly schema?: Value<typeof schemaElement> | undefined;
  readonly data?: readonly Value<typeof pair>[] | undefined;
  readonly field?: readonly MetadataField[] | undefined;
  readonly group?: readonly MetadataFieldGroup[] | undefined;
  readonly access?: readonly MetadataFieldAccess[] | undefined;
  readonly externalId?: readonly string[] | undefined;
  readonly origin?: string | undefined;
  readonly inheritanceRule?: InheritanceRules | undefined;
  readonly inheritance?: string | undefined;
}

const groupInGroup: Lazy<MetadataFieldGroup> = lazy(() => metadataFieldGroupType);

export const metadataFieldGroupType = structure('MetadataFieldGroupType', {
  name: element(string).says('Name of the group. Optional if the path has the name.'),
  schema: element(schemaElement),
  data: list(pair),
  field: list(metadataFieldType),
  group: list(groupInGroup),
  access: list(fieldAccess),
  externalId: list(string).max(100),
  origin: element(string).outputOnly,
  inheritanceRule: inheritanceRules,
  inheritance: attribute(string),
});

export const metadataFieldDocument = document('MetadataFieldDocument', metadataFieldType);
export const metadataFieldListDocument = document('MetadataFieldListDocument', { field: list(metadataFieldType) });
export const metadataFieldGroupDocument = document('MetadataFieldGroupDocument', metadataFieldGroupType);
export const metadataFieldGroupListDocument = document('MetadataFieldGroupListDocument', {
  group: list(metadataFieldGroupType),
});
export const metadataFieldAccessDocument = document('MetadataFieldAccessControlDocument', fieldAccess);
export const metadataFieldAccessListDocument = document('MetadataFieldAccessControlListDocument', {
  access: list(fieldAccess),
});

export const valueConstraintListDocument = document('MetadataFieldValueConstraintListDocument', {
  constraint: list(
    structure('MetadataFieldValueConstraintType', {
      field: element(string),
      id: element(string),
      value: element(string),
    }),
  ),
});

export const constraintValueListDocument = document('ConstraintValueListDocument', {
  value: list(structure('ConstraintValueType', { id: element(string).required, value: element(string).required })),
});
