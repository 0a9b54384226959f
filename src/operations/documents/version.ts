import { boolean, document, element, list, string, structure, type Value } from '../../documents/describe.ts';

/** Counters are strings; "-1" is unlimited. */
const counter = structure('LicenseCounterType', { allowed: element(string), current: element(string) });

const codec = structure('CodecStatusEntryType', {
  name: element(string),
  encode: element(boolean),
  decode: element(boolean),
});

const licenseInfo = structure('LicenseInfoType', {
  licenseStatus: element(string),
  licenseType: element(string),
  expiryDate: element(string),
  fileStatus: element(string),
  userNumber: element(counter),
  itemNumber: element(counter),
  storageNumber: element(counter),
  transcoderNumber: element(counter),
  codecStatus: element(structure('CodecStatusType', { codec: list(codec) })),
});

export const versionDocument = document('VersionDocument', {
  component: list(
    structure('ComponentType', { name: element(string), version: element(string), siteId: element(string) }),
  ),
  systemInfo: element(structure('SystemInfoType', { macaddress: list(string), databaseSize: element(string) })),
  licenseInfo: element(licenseInfo),
});
export type Version = Value<typeof versionDocument>;
