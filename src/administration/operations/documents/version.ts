import { attribute, boolean, document, element, list, string, structure } from '../../../core/documents/describe.ts';

/** Counters are strings; "-1" is unlimited. */
const counter = structure('LicenseCounterType', { allowed: element(string), current: element(string) });

const codec = structure('CodecStatusEntryType', {
  encode: element(boolean),
  decode: element(boolean),
  name: attribute(string),
});

const licenseInfo = structure('LicenseInfoType', {
  expiryDate: element(string),
  fileStatus: element(string),
  storageNumber: element(counter),
  userNumber: element(counter),
  itemNumber: element(counter),
  transcoderNumber: element(counter),
  licenseStatus: element(string),
  codecStatus: element(structure('CodecStatusType', { codec: list(codec) })),
  licenseType: element(string),
});

export const versionDocument = document('VersionDocument', {
  component: list(
    structure('ComponentType', { name: element(string), version: element(string), siteId: element(string) }),
  ),
  systemInfo: element(structure('SystemInfoType', { macaddress: list(string), databaseSize: element(string) })),
  licenseInfo: element(licenseInfo),
});
