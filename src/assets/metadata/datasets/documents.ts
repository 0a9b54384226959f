import { document, element, list, string, structure } from '../../../core/documents/describe.ts';

export const metadataDatasetListDocument = document('MetadataDatasetListDocument', {
  dataset: list(
    structure('MetadataDatasetEntryType', { name: element(string).required, uri: element(string).required }),
  ),
});
