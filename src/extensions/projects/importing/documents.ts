import { attribute, document, element, list, string, structure } from '../../../core/documents/describe.ts';

/** Assets of a project file of an editing program, with the matching items. */
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
