import {
  boolean,
  decimal,
  document,
  element,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';

/**
 * Settings of an external search server. This service has its index in its own database, and only stores the document.
 */
export const indexingConfigurationDocument = document('IndexingConfigurationDocument', {
  solrPath: element(string),
  solrCollection: element(string),
  zookeeperHost: list(string),
  elasticsearchPath: element(string),
  commitInterval: element(integer),
  softCommitInterval: element(integer),
  autoSoftCommit: element(boolean),
  pingAttempts: element(integer),
  pingTimeout: element(integer),
  queryTimeout: element(integer),
  fieldDefault: list(
    structure('IndexingFieldDefaultType', { name: element(string).required, fullText: element(boolean).required }),
  ),
});

export const ftpPoolConfigurationDocument = document('FtpPoolConfigurationDocument', {
  pool: element(
    structure('ConnectionPoolType', {
      minSize: element(integer),
      maxSize: element(integer),
      evictionInterval: element(integer).says('Interval in milliseconds.'),
      minIdleTime: element(integer).says('Time in milliseconds.'),
    }),
  ).says('Absent: connections are closed after each request.'),
});

export const metricsConfigurationDocument = document('MetricsConfigurationDocument', {
  statsd: element(
    structure('StatsdReporterType', {
      include: list(string),
      exclude: list(string),
      host: element(string),
      port: element(integer),
      prefix: element(string),
      tags: element(boolean),
    }),
  ),
});

export const pathAliasConfigurationDocument = document('PathAliasConfigurationDocument', {
  alias: list(string).says('NAME=PATH, or v(name)=…$name… for a path with variables.'),
});
export type PathAliasConfiguration = Value<typeof pathAliasConfigurationDocument>;

export const logReportConfigurationDocument = document('LogReportConfigurationDocument', {
  path: element(string),
  expiryTime: element(decimal),
  uploadUri: element(string),
  certificate: element(string),
  clientKey: element(string).inputOnly.says('Accepted and not stored: this service uploads no reports.'),
  clientCertificate: list(string),
});

const state = element(string);

export const bulkyMetadataConfigurationDocument = document('BulkyMetadataConfigurationDocument', {
  uri: element(string),
  storageDisabled: element(boolean),
  status: element(
    structure('BulkyMetadataStatusType', {
      metadataInDatabase: element(boolean),
      metadataOnStorage: element(boolean),
      storageStatus: state,
    }),
  ).outputOnly,
});

const archive = {
  age: element(integer).says('Days until an entry is deleted.'),
  uri: element(string).says('Refused: deleted entries are not written to another place.'),
  compress: element(boolean),
  batch: element(integer),
  body: element(boolean),
};
const { age, uri, compress, batch, body } = archive;
const forceAge = element(integer);

/** An element that is absent stays as it is; an empty one is removed. */
export const databasePurgingConfigurationDocument = document('DatabasePurgingConfigurationDocument', {
  auditTrail: element(structure('AuditTrailPurgingType', { age, uri, compress, batch, body })),
  changeLog: element(structure('ChangeLogPurgingType', { age, forceAge })),
  job: element(structure('JobPurgingType', { age, uri, compress })),
  transferLog: element(structure('TransferLogPurgingType', { age, forceAge, uri, compress, batch })),
});
export type DatabasePurging = Value<typeof databasePurgingConfigurationDocument>;

export const storedDocuments = [
  bulkyMetadataConfigurationDocument,
  databasePurgingConfigurationDocument,
  ftpPoolConfigurationDocument,
  indexingConfigurationDocument,
  logReportConfigurationDocument,
  metricsConfigurationDocument,
  pathAliasConfigurationDocument,
];
