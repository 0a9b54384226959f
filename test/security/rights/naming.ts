/** Kinds of what path parts and query parameters name. */
const kinds = {
  /** Access entries stand on it. */
  entity: ['item', 'collection', 'library', 'other', 'member', 'toItem'],
  /** Part of such an entity, with the same access. */
  below: [
    'shape',
    'toShape',
    'component',
    'toComponent',
    'relation',
    'annotation',
    'lock',
    'access',
    'change',
    'older',
    'uuid',
  ],
  /** Thing of one user, which others do not learn of: own.ts has each route. */
  own: ['job', 'request', 'upload', 'transfer', 'id', 'share', 'table'],
  /** The role of a route alone decides. */
  role: [
    ...['storage', 'method', 'file', 'uri', 'path', 'target', 'field', 'group', 'child', 'document', 'rule', 'tag'],
    ...['name', 'user', 'alias', 'task', 'step', 'type', 'transcoder', 'resource', 'template', 'location', 'dataset'],
    ...['factor', 'login', 'runner', 'claim', 'link', 'archive'],
    ...[
      'projection',
      'profile',
      'namespace',
      'migration',
      'session',
      'service',
      'site',
      'slave',
      'index',
      'preset',
      'estimate',
      'otif',
      'error',
      'entry',
      'mount',
      'number',
    ],
  ],
  /** Name whose meaning follows from the part in front of it. */
  within: [
    'entity',
    'externalId',
    'key',
    'notification',
    'delivery',
    'sequence',
    'place',
    'time',
    'version',
    'bulky',
    'part',
    'guestUpload',
  ],
  word: ['format', 'hash', 'mime', 'priority', 'state', 'test'],
} as const;

export type Naming = keyof typeof kinds;

const byPart = new Map<string, Naming>(
  Object.entries(kinds).flatMap(([kind, parts]) => parts.map((part) => [part, kind as Naming] as const)),
);

export const namingOf = (part: string): Naming | undefined => byPart.get(part);

/** Routes below a part that names an entity elsewhere, and here what roles decide about, with the reason. */
export const byRole: readonly (readonly [route: RegExp, why: string])[] = [
  [/ \/APInoauth\//, 'the key of a picture or an import is a right of its own'],
  [/ (\/document\/:document|\/metadata|\/metadata-lock)(\/|$)/, 'documents and the global metadata have no entries'],
  [/ \/metadata-field\//, 'who may do what with a field is for administrators'],
];

/** Beginning of the sentence of a parameter that names an entity: such a parameter is in the query of a row. */
export const namesEntity =
  /^(The (items?\b|collections?\b|librar(y|ies)\b|project\b|shape\.|placeholder shape;)|A library)/;

/** Documents that routes read, without the last word of their names. */
export const documents = {
  /** Documents that name entities: each is in the body of a row. */
  tried: new Set([
    ...['Collection', 'ItemList', 'ItemRelationList', 'ConformRequest', 'SequenceRenderRequest', 'ExportRequest'],
    ...['ProjectVersion', 'Metadata', 'Loudness', 'Archive', 'Share'],
  ]),
  /** Documents that name entities, files or shapes; other suites try whom they tell of them. */
  elsewhere: new Map([
    ['ItemSearch', 'test/assets/search/leaks.test.ts'],
    ['MetadataGroupSearch', 'test/assets/search/leaks.test.ts'],
    ['Search2', 'test/assets/search/scenarios/second.test.ts'],
    ['SimpleSearch', 'test/assets/search/leaks.test.ts'],
    ['AutocompleteRequest', 'test/assets/search/leaks.test.ts'],
    ['LibrarySettings', 'test/assets/search/leaks.test.ts'],
    ['Shape', 'test/assets/shapes'],
    ['PlaceholderImportRequest', 'test/production/ingest'],
  ]),
  /** Documents that name nothing with access entries. */
  plain: new Set([
    ...['AccessControl', 'AccessControlList', 'AccessKey', 'AnalyzeJob', 'AutoImportRule', 'AutoProjectionRule'],
    ...[
      'BulkyMetadataConfiguration',
      'BulkyMetadata',
      'CORSConfiguration',
      'CollectionReorder',
      'ConfigurationProperty',
    ],
    ...[
      'ConfigurationPropertyList',
      'DatabasePurgingConfiguration',
      'DeletionLock',
      'EmbeddedMetadata',
      'EssenceMappings',
    ],
    ...['ExportLocation', 'ExportTemplate', 'ExternalIdentifierList', 'ExternalIdentifierNamespace', 'File', 'Fixity'],
    ...['FtpPoolConfiguration', 'Group', 'GroupList', 'ImportSettings', 'IndexingConfiguration', 'JobPoolList'],
    ...['JobPriorityConfiguration', 'JobSearch', 'LogReportConfiguration', 'MetadataChangeSet', 'MetadataEntry'],
    ...[
      'MetadataEntryList',
      'MetadataFieldAccessControl',
      'MetadataField',
      'MetadataFieldGroup',
      'MetadataFieldValueConstraintList',
    ],
    ...['MetadataSchema', 'MetadataSchemaGroup', 'MetadataSchemaMigration', 'MetricsConfiguration', 'Notification'],
    ...[
      'Annotation',
      'Approval',
      'LoginAnswer',
      'Mail',
      'NewSecondFactor',
      'PasskeyRequest',
      'SecondFactor',
      'SecondFactorRequest',
    ],
    ...['ShareEntrance', 'SharedAnnotation', 'Usage'],
    ...[
      'OAuth2Configuration',
      'PathAliasConfiguration',
      'Project',
      'QuotaRule',
      'Resource',
      'Runner',
      'RunnerResult',
      'SimpleMetadata',
    ],
    ...['Storage', 'StorageImport', 'StorageRule', 'TaskDefinition', 'TaskDefinitionList', 'TaskGroup'],
    ...['TranscodePreset', 'User'],
  ]),
} as const;
