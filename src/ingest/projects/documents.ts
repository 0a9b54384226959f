import { attribute, document, element, list, string, structure, type Value } from '../../documents/describe.ts';

/** What a file of an editing program is made of, and which items here that is. */
export const projectFileDocument = document('ProjectFileDocument', {
  location: element(string),
  type: element(string),
  asset: list(
    structure('ProjectFileAssetType', {
      id: element(string),
      name: element(string),
      type: element(string),
      status: element(string),
      item: list(
        structure('ProjectFileItemType', {
          id: attribute(string),
          shape: attribute(string),
          match: attribute(string),
        }),
      ),
      file: list(structure('ProjectFileReferenceType', { path: element(string) })),
    }),
  ),
});
export type ProjectFile = Value<typeof projectFileDocument>;
