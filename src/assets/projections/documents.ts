import { document, element, type Value } from '../../documents/describe.ts';
import { jobFields } from '../../jobs/documents.ts';
import { metadataList } from '../documents/metadata.ts';

/** What an outgoing stylesheet with vsXSLTVersion 2 is given. */
export const exportInformationDocument = document('ExportInformationDocument', {
  metadataList: element(metadataList),
  job: element(jobFields).says('Of exports: the job that writes the result.'),
});
export type ExportInformation = Value<typeof exportInformationDocument>;
