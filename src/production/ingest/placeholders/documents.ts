import { document, element, list, string } from '../../../core/documents/describe.ts';

/** The addresses of the files of a placeholder, by the kinds of components. */
export const placeholderImportDocument = document('PlaceholderImportRequestDocument', {
  container: element(string),
  video: list(string),
  audio: list(string),
  binary: list(string),
});
