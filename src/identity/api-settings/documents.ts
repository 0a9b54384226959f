import {
  attribute,
  boolean,
  careful,
  dateTime,
  decimal,
  document,
  element,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../../core/documents/describe.ts';
import { simpleMetadataDocument } from '../../core/documents/shared-documents.ts';

const header = structure('CORSHeaderType', { key: element(string).required, value: element(string) });

/** The first entry counts, one of whose requests fits. Within a request, all that is given must fit. */
export const corsConfigurationDocument = careful(
  document('CORSConfigurationDocument', {
    entry: list(
      structure('CORSConfigurationEntryType', {
        request: list(
          structure('CORSConfigurationRequestType', {
            origin: list(string),
            originRegex: list(string),
            pathRegex: list(string),
            method: list(string),
            headerRegex: list(header),
          }),
        ),
        response: element(
          structure('CORSConfigurationResponseType', {
            allowOrigin: element(string).required.says(
              'An origin, or "*". If there are several, the answer has the origin of the request.',
            ),
            allowMethods: list(string).says('Each value may be a comma-separated list.'),
            allowHeaders: list(string).says('Each value may be a comma-separated list.'),
            allowOtherHeader: list(header),
            allowMaxAge: element(integer).says('Maximal age in seconds.'),
          }),
        ).required,
      }),
    ),
  }),
);
export type CorsConfiguration = Value<typeof corsConfigurationDocument>;

/**
 * OAuth2 configuration. The used fields depend on the mode: static keys, federation metadata, or a validation provider.
 */
export const oauth2ConfigurationDocument = careful(
  document('OAuth2ConfigurationDocument', {
    x509Certificate: list(string).says('Base64 of a certificate whose key verifies signatures.'),
    publicKey: list(string).says('Base64 of a public key that verifies signatures.'),
    expectedAudience: element(string).says('Required value of the claim aud.'),
    tokenUser: element(string).says('Name of the claim that holds the user name.'),
    federationMetadataURI: element(string),
    federationMetadataInterval: element(integer).says('Seconds between downloads.'),
    validationEndpoint: element(string),
  }),
);
export type OAuth2Configuration = Value<typeof oauth2ConfigurationDocument>;

export const configurationPropertyDocument = careful(
  document('ConfigurationPropertyDocument', {
    lastChange: attribute(dateTime).outputOnly,
    key: element(string).required,
    value: element(string),
  }),
);
export type ConfigurationProperty = Value<typeof configurationPropertyDocument>;

export const configurationPropertyListDocument = careful(
  document('ConfigurationPropertyListDocument', {
    property: list(configurationPropertyDocument.structure),
  }),
);

const secret = structure('SecretType', {
  alias: element(string).outputOnly,
  key: list(string).outputOnly.says('The keys that have a value. No answer has a value.'),
});

export const secretDocument = document('SecretDocument', secret);
export type SecretKeys = Value<typeof secretDocument>;

export const secretListDocument = document('SecretListDocument', { secret: list(secret) });

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

/** Assignment of jobs to transcoders. */
const taskGroup = structure('TaskGroupType', {
  loc: element(string).outputOnly,
  name: element(string),
  job: list(
    structure('TaskGroupJobType', {
      type: list(string),
      priority: list(string),
      user: list(string),
      group: list(string),
      data: list(structure('TaskGroupDataType', { key: element(string).required, value: element(string) })),
    }),
  ),
  transcoder: list(structure('TaskGroupTranscoderType', { id: element(string).required })),
  metadata: element(simpleMetadataDocument.structure),
  priority: element(string),
  maxConcurrency: element(integer).says('Jobs of the group that may run at a time, on all instances together.'),
});

export const taskGroupDocument = document('TaskGroupDocument', taskGroup);
export type TaskGroup = Value<typeof taskGroupDocument>;

export const taskGroupListDocument = document('TaskGroupListDocument', { group: list(taskGroup) });
