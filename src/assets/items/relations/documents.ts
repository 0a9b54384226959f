import {
  attribute,
  content,
  document,
  element,
  list,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';

const relation = structure('ItemRelationType', {
  id: element(string).outputOnly,
  direction: element(
    structure('ItemRelationDirectionType', {
      source: element(string).required,
      target: element(string).required,
      type: attribute(string).says('D: from the source to the target. U: undirected.'),
    }),
  ).required,
  value: list(structure('ItemRelationValueType', { key: attribute(string).required, value: content(string).required })),
});

export const itemRelationDocument = document('ItemRelationDocument', relation);
export type ItemRelation = Value<typeof itemRelationDocument>;

export const itemRelationListDocument = document('ItemRelationListDocument', { relation: list(relation) });
