import { metadataList } from '../../../assets/metadata/public-reading.ts';
import { document, element } from '../../../core/documents/describe.ts';
import { jobFields } from '../../../room/jobs/documents.ts';

/** Input of an outgoing stylesheet with vsXSLTVersion 2. */
export const exportInformationDocument = document('ExportInformationDocument', {
  metadataList: element(metadataList),
  job: element(jobFields).says('Job that writes the result of an export.'),
});
