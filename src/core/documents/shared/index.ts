import { accessControlDocument, accessControlListDocument } from './access-control.ts';
import { exceptionDocument } from './exception.ts';
import { explanationDocument } from './explanation.ts';
import { externalIdentifierListDocument } from './external-id.ts';
import { simpleMetadataDocument } from './simple-metadata.ts';
import { uriListDocument } from './uri-list.ts';

/** Documents that more than one room reads or writes. */
export const sharedDocuments = [
  accessControlDocument,
  accessControlListDocument,
  exceptionDocument,
  explanationDocument,
  externalIdentifierListDocument,
  simpleMetadataDocument,
  uriListDocument,
];
