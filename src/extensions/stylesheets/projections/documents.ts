import { document, element } from '../../../documents/describe.ts';
import { jobFields } from '../../../jobs/documents.ts';
import { metadataList } from '../../../metadata/public-reading.ts';

/** Input of an outgoing stylesheet with vsXSLTVersion 2. */
export const exportInformationDocument = document('ExportInformationDocument', {
  metadataList: element(metadataList),
  job: element(jobFields).says('Job that writes the result of an export.'),
});
