/** The documents of the API, as JSON carries them. `npm run docs` writes this file from their descriptions. */

export interface AccessControlType {
  id?: string | undefined;
  loc?: string | undefined;
  /** The user who granted it. */
  grantor?: string | undefined;
  /** Replaces appliesTo. True: the entity and its descendants. */
  recursive?: boolean | undefined;
  /** Default: the entity and its descendants. */
  appliesTo?: AccessControlAppliesToType[] | undefined;
  permission?: 'NONE' | 'READ' | 'WRITE' | 'ALL' | 'OWNER' | undefined;
  /** The highest number decides. Default: 0. */
  priority?: number | undefined;
  /** Default: all operations. */
  operation?: AccessControlOperationType | undefined;
  group?: string | undefined;
  user?: string | undefined;
}

export interface AccessControlAppliesToType {
  value: 'self' | 'collection' | 'item' | 'library' | 'all';
  /** Default: direct members only. */
  recursive?: boolean | undefined;
}

export interface AccessControlOperationType {
  metadata?: AccessControlMetadataType | undefined;
  shape?: AccessControlShapeType | undefined;
  uri?: AccessControlUriType | undefined;
}

export interface AccessControlMetadataType {
  field?: string | undefined;
}

export interface AccessControlShapeType {
  tag?: string | undefined;
}

export interface AccessControlUriType {
  type?: string | undefined;
}

export type AccessControlDocument = AccessControlType;

export interface AccessControlListDocument {
  access?: AccessControlType[] | undefined;
}

export interface AccessControlMergedType {
  query?: AccessControlMergedQueryType | undefined;
  access?: AccessControlMergedAccessType[] | undefined;
  fieldGroup?: MetadataFieldGroupPermissionType[] | undefined;
  field?: MetadataFieldPermissionType[] | undefined;
}

export interface AccessControlMergedQueryType {
  username: string;
  permission: string;
  type: string;
  extradata?: string | undefined;
  /** The id of the entity. */
  item?: string | undefined;
}

export interface AccessControlMergedAccessType {
  grantor?: string | undefined;
  permission: string;
  /** GENERIC: the entry is for all operations. */
  type: string;
  extradata?: string | undefined;
  group?: string | undefined;
  /** Id of the entity that has the entry, if it is inherited. */
  collection?: string | undefined;
  library?: string | undefined;
  /** The grantor, if the entry does not apply because the grantor lacks the rights. */
  originalDisabledGrantor?: string[] | undefined;
  superUser?: boolean | undefined;
  priority: number;
  /** Whether this entry decides the permission. */
  matches?: boolean | undefined;
  id?: string | undefined;
  username?: string | undefined;
  /** Effective permission of the entry. NONE if the entry does not apply. */
  effectivePermission?: string | undefined;
}

export interface MetadataFieldGroupPermissionType {
  name: string;
  permission: string;
  fieldGroup?: MetadataFieldGroupPermissionType[] | undefined;
  field?: MetadataFieldPermissionType[] | undefined;
  username?: string | undefined;
}

export interface MetadataFieldPermissionType {
  name: string;
  permission: string;
  username?: string | undefined;
}

export type AccessControlMergedDocument = AccessControlMergedType;

export interface AccessControlMergedGroupAccessType {
  group: string;
  grantor?: string | undefined;
  permission: string;
  /** GENERIC: the entry is for all operations. */
  type: string;
  extradata?: string | undefined;
  /** Id of the entity that has the entry, if it is inherited. */
  collection?: string | undefined;
  library?: string | undefined;
  /** The grantor, if the entry does not apply because the grantor lacks the rights. */
  originalDisabledGrantor?: string[] | undefined;
  priority: number;
  id?: string | undefined;
  /** Effective permission of the entry. NONE if the entry does not apply. */
  effectivePermission?: string | undefined;
}

export interface AccessControlMergedGroupDocument {
  access?: AccessControlMergedGroupAccessType[] | undefined;
}

export interface AccessExplanationEntryType {
  id: string;
  counts: boolean;
  says: string;
}

export interface AccessExplanationDocument {
  user: string;
  /** The id of the entity. */
  id: string;
  type: string;
  extradata?: string | undefined;
  /** Effective permission of the user. */
  permission: string;
  /** Deciding entry, and the reason. */
  reason: string;
  /** All entries that match the user, in order of precedence. */
  entry?: AccessExplanationEntryType[] | undefined;
}

export interface AccessKeyType {
  /** The user name of HTTP basic authentication. */
  id?: string | undefined;
  name?: string | undefined;
  /** Only in the answer that creates the key. */
  secret?: string | undefined;
  status?: 'ACTIVE' | 'INACTIVE' | undefined;
  created?: string | undefined;
}

export type AccessKeyDocument = AccessKeyType;

export interface AccessKeyListDocument {
  hits?: number | undefined;
  key?: AccessKeyType[] | undefined;
}

export interface AnalyzeDetectionType {
  threshold?: number | undefined;
  percentage?: number | undefined;
  time?: number | undefined;
}

export interface AnalyzeAudioChannelType {
  tone?: number[] | undefined;
  stream?: number | undefined;
  channel?: number | undefined;
  thresh?: number | undefined;
}

export interface AnalyzePresetsType {
  otif?: string[] | undefined;
}

export interface AnalyzeJobDocument {
  black?: AnalyzeDetectionType | undefined;
  bars?: AnalyzeDetectionType | undefined;
  freeze?: AnalyzeDetectionType | undefined;
  channel?: AnalyzeAudioChannelType[] | undefined;
  audio?: AnalyzePresetsType | undefined;
  video?: AnalyzePresetsType | undefined;
}

export interface AnnotationType {
  id?: string | undefined;
  item?: string | undefined;
  /** Annotation of the item that this one replies to. */
  parent?: string | undefined;
  /** Start as a time code, such as "250@PAL". Without one: all of the item. */
  start?: string | undefined;
  /** End as a time code. Without one: the picture at the start. */
  end?: string | undefined;
  /** Part of the picture, such as "percent:10,20,30,40": left, top, width and height, in percent or "pixel". */
  rectangle?: string | undefined;
  /** Drawing on the picture, in SVG: path, polyline, rect and ellipse, with numbers alone. */
  drawing?: string | undefined;
  text?: string | undefined;
  /** State of the annotation. Default: open. */
  state?: 'open' | 'done' | undefined;
  /** User who is to act, and may read the item. */
  assignedTo?: string | undefined;
  /** Essence version that the annotation is about. Default: the latest. */
  version?: number | undefined;
  /** User who wrote the annotation. */
  user?: string | undefined;
  created?: string | undefined;
  changed?: string | undefined;
}

export type AnnotationDocument = AnnotationType;

export interface AnnotationListDocument {
  /** Number of annotations that fit, on all pages. */
  hits?: number | undefined;
  /** Annotations, the oldest first. */
  annotation?: AnnotationType[] | undefined;
}

export interface AnnotationPersonType {
  userName?: string | undefined;
  realName?: string | undefined;
}

export interface AnnotationPeopleDocument {
  /** Users by their names. */
  person?: AnnotationPersonType[] | undefined;
}

export interface ApprovalStepType {
  /** State of the version. Left out: nobody has asked for a review. */
  state?: 'in-review' | 'approved' | 'rejected' | undefined;
  /** Reason of the reviewer, of up to 4,000 characters. */
  comment?: string | undefined;
  /** Reviewer who gave the state. */
  user?: string | undefined;
  at?: string | undefined;
}

export interface ApprovalDocument {
  item?: string | undefined;
  /** Essence version that is approved or not. */
  version?: number | undefined;
  /** State of the version. Left out: nobody has asked for a review. */
  state?: 'in-review' | 'approved' | 'rejected' | undefined;
  /** Reason of the reviewer, of up to 4,000 characters. */
  comment?: string | undefined;
  /** Reviewer who gave the state. */
  user?: string | undefined;
  at?: string | undefined;
  /** Whether shapes of the version are exported and shared only once it is approved. */
  isNeeded?: boolean | undefined;
  /** The states that the version had, newest first. */
  history?: ApprovalStepType[] | undefined;
}

export interface ArchiveDocument {
  /** Ids of items. */
  item?: string[] | undefined;
  /** Ids of collections. Each is a folder, with the collections in it. */
  collection?: string[] | undefined;
  /** Tags of the shapes. Default: "original". */
  tag?: string[] | undefined;
  /** Name of the ZIP file without its ending. Default: "files". */
  title?: string | undefined;
  /** Address of the ZIP file, for one download without credentials. */
  uri?: string | undefined;
  /** The download begins until then. */
  ends?: string | undefined;
  /** Number of files, without "not-included.txt". */
  files?: number | undefined;
  /** Number of entries of "not-included.txt". */
  leftOut?: number | undefined;
}

export interface AuditLogEntryType {
  /** Time of the request. With a count: of the first request. */
  timestamp: string;
  /** Authenticated user, or the name in a failed login. Empty: no name was sent. */
  username: string;
  /** The user whose rights the request used (RunAs). */
  runAs?: string | undefined;
  method: string;
  path: string;
  /** Query of the request. Probable secrets are masked. */
  queryParameters: string;
  /** Matrix parameters of the path, separated by semicolons. */
  matrixParameters: string;
  contentType?: string | undefined;
  contentLength?: string | undefined;
  responseCode: number;
  /** Reason of a refusal. After a success: the credentials of the caller. */
  reason?: string | undefined;
  /** Address of the caller. With a count: of the first request. */
  address?: string | undefined;
  requestId?: string | undefined;
  /** Number of equal requests within a minute. */
  count?: number | undefined;
  /** With a count: time of the last request. */
  lastTime?: string | undefined;
}

export interface AuditLogDocument {
  /** Number of entries, if performCount is true. */
  count?: number | undefined;
  entry?: AuditLogEntryType[] | undefined;
}

export interface AuthenticationTokenDocument {
  token: string;
  /** The real name, also when an alias was used. */
  user: string;
}

export interface IssuedTokenType {
  /** Id for revoking the token. */
  id: string;
  created: string;
  expires: string;
  autoRefresh: boolean;
  /** SESSION: a login of the web page. */
  kind: 'TOKEN' | 'SESSION';
  /** When it ends even if it is used: the longest session, or the end of its login. */
  ends?: string | undefined;
  /** Access key that requested the token. The token ends with it. */
  accessKey?: string | undefined;
  /** User who requested the token on behalf of another user (RunAs). */
  actor?: string | undefined;
  /** The last use. Uses within five minutes of it are not noted. */
  used: string;
  /** What the login came in with. FILTER: a filter of security.ini let it in without a realm. */
  way: 'PASSWORD' | 'KEY' | 'TOKEN' | 'SESSION' | 'BEARER' | 'FILTER' | 'LINK' | 'COMMAND' | 'PROVIDER' | 'PASSKEY';
  /** The realms, the filter or the provider that accepted it. */
  realm?: string | undefined;
  /** Browser and system, or the program. */
  device?: string | undefined;
  /** The address of the caller when it began. */
  address?: string | undefined;
  /** Whether this request came in by it. */
  current: boolean;
}

export interface AuthenticationTokenListDocument {
  token?: IssuedTokenType[] | undefined;
}

export interface AutoImportRuleType {
  fileNameAsTitle?: boolean | undefined;
  storage?: string | undefined;
  tag?: string[] | undefined;
  /** Metadata of a new item without a sidecar. */
  metadata?: MetadataType | undefined;
  jobmetadata?: SimpleMetadataType | undefined;
  settingsId?: string | undefined;
  /** Projection whose incoming stylesheet transforms sidecar files into metadata. */
  projection?: string | undefined;
  excludeFilter?: FilenameFilterType[] | undefined;
  shapeTagFilter?: FilenameFilterType[] | undefined;
  priority?: string | undefined;
  user?: string | undefined;
  resourceId?: string | undefined;
  ignoreSidecarImport?: boolean | undefined;
  disabledSidecarExtensions?: string[] | undefined;
  enabled?: boolean | undefined;
}

export interface MetadataType {
  /** Ids of the change sets of this metadata, comma-separated. */
  revision?: string | undefined;
  /** Text that is kept without effect. An empty element removes it. */
  template?: string | undefined;
  /** The main field groups. An empty element removes all. */
  group?: string[] | undefined;
  timespan?: MetadataTimespanType[] | undefined;
}

export interface MetadataTimespanType {
  field?: MetadataFieldValueType[] | undefined;
  group?: MetadataGroupValueType[] | undefined;
  /** A time code such as 50@PAL or 3.5. Default: -INF. */
  start?: string | undefined;
  /** A time code. Default: +INF. */
  end?: string | undefined;
}

export interface MetadataFieldValueType {
  name?: string | undefined;
  id?: string[] | undefined;
  /** Source of the values. */
  referenced?: MetadataReferencedType | undefined;
  value?: MetadataValueType[] | undefined;
  /** The uuid of a field whose values are shown. */
  reference?: string | undefined;
  data?: KeyValuePairType[] | undefined;
  /** Definition of the field. */
  type?: MetadataFieldType | undefined;
  /** Addresses this instance, at any position in its timespan. */
  uuid?: string | undefined;
  user?: string | undefined;
  timestamp?: string | undefined;
  /** The id of the change set. */
  change?: string | undefined;
  /** Two change sets have different values, and the conflict is not resolved. */
  conflict?: boolean | undefined;
  /** "add" or "remove". */
  mode?: string | undefined;
  /** The reference is circular. */
  cycle?: boolean | undefined;
  /** Track, such as A1 or V2. */
  track?: string | undefined;
  /** Collection that the values are inherited from. Ignored in requests. */
  inheritance?: string | undefined;
}

export interface MetadataReferencedType {
  id?: string | undefined;
  type?: string | undefined;
  uuid?: string | undefined;
}

export interface MetadataValueType {
  /** Addresses this instance, at any position in its timespan. */
  uuid?: string | undefined;
  user?: string | undefined;
  timestamp?: string | undefined;
  /** The id of the change set. */
  change?: string | undefined;
  /** Two change sets have different values, and the conflict is not resolved. */
  conflict?: boolean | undefined;
  /** "add" or "remove". */
  mode?: string | undefined;
  /** A language tag such as en_US. */
  lang?: string | undefined;
  value?: string | undefined;
}

export interface KeyValuePairType {
  key: string;
  value: string;
}

export interface MetadataFieldType {
  /** Name of the field. Optional if the path has the name. */
  name?: string | undefined;
  schema?: MetadataSchemaElementType | undefined;
  type?: 'date' | 'date-noindex' | 'date-sortable' | 'float' | 'float-noindex' | 'float-sortable' | 'integer' | 'integer-noindex' | 'integer-sortable' | 'long' | 'long-noindex' | 'string' | 'string-sortable' | 'string-noindex' | 'string-exact' | 'string-exact-sortable' | 'boolean' | 'boolean-noindex' | 'timeCode' | 'timeCode-noindex' | undefined;
  /** Default: "index". */
  index?: 'index' | 'noindex' | 'extend' | undefined;
  /** False: full-text searches without a field ignore the values. */
  fullText?: boolean | undefined;
  boost?: number | undefined;
  floatRestriction?: MetadataFieldFloatType | undefined;
  integerRestriction?: MetadataFieldIntegerType | undefined;
  longRestriction?: MetadataFieldLongType | undefined;
  stringRestriction?: MetadataFieldStringType | undefined;
  data?: KeyValuePairType[] | undefined;
  /** Suggested values for forms. Other values are accepted, too. */
  values?: SimpleMetadataType | undefined;
  defaultValue?: string | undefined;
  constraint?: MetadataFieldConstraintType | undefined;
  externalId?: string[] | undefined;
  origin?: string | undefined;
  caseSensitiveSorting?: boolean | undefined;
  /** Stored and answered, without effect: what items inherit depends on "inheritance" alone. */
  inheritanceRule?: MetadataInheritanceRuleType[] | undefined;
  /** "true": only the service writes the values. */
  system?: string | undefined;
  sortable?: boolean | undefined;
  /** "true": values on a collection appear on its items. */
  inheritance?: string | undefined;
}

export interface MetadataSchemaElementType {
  /** Whether the member may be a reference. */
  reference?: boolean | undefined;
  min?: number | undefined;
  /** Largest number of values. -1: unlimited. */
  max?: number | undefined;
  name?: string | undefined;
}

export interface MetadataFieldFloatType {
  minInclusive?: number | undefined;
  maxInclusive?: number | undefined;
}

export interface MetadataFieldIntegerType {
  minInclusive?: number | undefined;
  maxInclusive?: number | undefined;
}

export interface MetadataFieldLongType {
  minInclusive?: number | undefined;
  maxInclusive?: number | undefined;
}

export interface MetadataFieldStringType {
  minLength?: number | undefined;
  maxLength?: number | undefined;
  /** A regular expression that the whole text must match. */
  pattern?: string | undefined;
}

export interface SimpleMetadataType {
  field?: SimpleMetadataFieldType[] | undefined;
}

export interface SimpleMetadataFieldType {
  /** May be a path: parts with "/" between them. */
  key: string;
  value?: SimpleMetadataValueType | undefined;
}

export type SimpleMetadataValueType = string | {
  /** "add" keeps existing values of the key. */
  mode?: string | undefined;
  value: string;
};

export interface MetadataFieldConstraintType {
  dataset?: string | undefined;
  parent?: string | undefined;
  levelProperty?: string | undefined;
  levelValue?: string | undefined;
  value?: string | undefined;
  validationGroup?: string | undefined;
}

export interface MetadataInheritanceRuleType {
  condition: MetadataInheritanceConditionType;
  inheritedName: string;
}

export interface MetadataInheritanceConditionType {
  field: MetadataInheritanceFieldType;
}

export interface MetadataInheritanceFieldType {
  name: string;
  value: string;
}

export interface MetadataGroupValueType {
  name?: string | undefined;
  id?: string[] | undefined;
  /** Source of the values. */
  referenced?: MetadataReferencedType | undefined;
  field?: MetadataFieldValueType[] | undefined;
  group?: MetadataGroupValueType[] | undefined;
  /** The uuid of a group whose fields are shown. */
  reference?: string | undefined;
  data?: KeyValuePairType[] | undefined;
  /** Addresses this instance, at any position in its timespan. */
  uuid?: string | undefined;
  user?: string | undefined;
  timestamp?: string | undefined;
  /** The id of the change set. */
  change?: string | undefined;
  /** Two change sets have different values, and the conflict is not resolved. */
  conflict?: boolean | undefined;
  /** "add" or "remove". */
  mode?: string | undefined;
  /** The reference is circular. */
  cycle?: boolean | undefined;
  /** Collection that the group is inherited from. Ignored in requests. */
  inheritance?: string | undefined;
}

export interface FilenameFilterType {
  pattern: string;
  tag?: string[] | undefined;
}

export type AutoImportRuleDocument = AutoImportRuleType;

export interface AutoImportRuleListDocument {
  rule?: AutoImportRuleType[] | undefined;
}

export interface AutoProjectionStepType {
  /** Order of the steps. */
  order?: number | undefined;
  description?: string | undefined;
  /** JavaScript that reads and changes the variable "wrapper". */
  script?: string | undefined;
  /** A stylesheet that transforms a MetadataWrapperDocument into a MetadataDocument. */
  xslt?: string | undefined;
}

export interface AutoProjectionInputFiltersType {
  inputFilter?: ('oldMetadata' | 'shapeDocument')[] | undefined;
  bulkyMetadataKeysRegex?: string | undefined;
}

export interface AutoProjectionTriggersType {
  trigger?: ('shapeMetadata' | 'itemMetadata' | 'bulkyMetadata')[] | undefined;
}

export interface AutoProjectionRuleDocument {
  step?: AutoProjectionStepType[] | undefined;
  /** Ignored: the name in the path applies. */
  name?: string | undefined;
  description?: string | undefined;
  inputFilters?: AutoProjectionInputFiltersType | undefined;
  /** Without the element: itemMetadata. */
  triggers?: AutoProjectionTriggersType | undefined;
  lastFailure?: string | undefined;
  /** Item and reason of the last failure. */
  failureMessage?: string | undefined;
}

export interface AutocompleteRequestType {
  text: string;
  field?: string | undefined;
  maximumSuggestions?: number | undefined;
}

export type AutocompleteRequestDocument = AutocompleteRequestType;

export interface AutocompleteResponseType {
  field?: string | undefined;
  suggestion?: string[] | undefined;
}

export type AutocompleteResponseDocument = AutocompleteResponseType;

export interface BulkyMetadataStatusType {
  metadataInDatabase?: boolean | undefined;
  metadataOnStorage?: boolean | undefined;
  storageStatus?: string | undefined;
}

export interface BulkyMetadataConfigurationDocument {
  uri?: string | undefined;
  storageDisabled?: boolean | undefined;
  status?: BulkyMetadataStatusType | undefined;
}

export interface BulkyMetadataType {
  field?: BulkyMetadataPairType[] | undefined;
  id?: string | undefined;
}

export interface BulkyMetadataPairType {
  key: string;
  value?: string | undefined;
  maps?: BulkyMapListType | undefined;
  /** A time code. Default: -INF. */
  start?: string | undefined;
  /** A time code. Default: +INF. */
  end?: string | undefined;
  stream?: number | undefined;
  channel?: number | undefined;
  itemTrack?: string | undefined;
}

export interface BulkyMapListType {
  map?: BulkyMapType[] | undefined;
}

export interface BulkyMapType {
  entry?: BulkyMapEntryType[] | undefined;
}

export interface BulkyMapEntryType {
  key: string;
  text: string;
}

export type BulkyMetadataDocument = BulkyMetadataType;

export interface CORSConfigurationEntryType {
  request?: CORSConfigurationRequestType[] | undefined;
  response: CORSConfigurationResponseType;
}

export interface CORSConfigurationRequestType {
  origin?: string[] | undefined;
  originRegex?: string[] | undefined;
  pathRegex?: string[] | undefined;
  method?: string[] | undefined;
  headerRegex?: CORSHeaderType[] | undefined;
}

export interface CORSHeaderType {
  key: string;
  value?: string | undefined;
}

export interface CORSConfigurationResponseType {
  /** An origin, or "*". If there are several, the answer has the origin of the request. */
  allowOrigin: string;
  /** Each value may be a comma-separated list. */
  allowMethods?: string[] | undefined;
  /** Each value may be a comma-separated list. */
  allowHeaders?: string[] | undefined;
  allowOtherHeader?: CORSHeaderType[] | undefined;
  /** Maximal age in seconds. */
  allowMaxAge?: number | undefined;
}

export interface CORSConfigurationDocument {
  entry?: CORSConfigurationEntryType[] | undefined;
}

export interface CollectionType {
  loc?: string | undefined;
  id?: string | undefined;
  /** Name of the collection, equal to the metadata field "title". */
  name?: string | undefined;
  content?: CollectionContentType[] | undefined;
  /** Sequences of the project version. */
  sequence?: SequenceType[] | undefined;
  metadata?: MetadataType | undefined;
  /** The metadata in its terse form. */
  terse?: TerseType | undefined;
  externalId?: ExternalIdentifierType[] | undefined;
  /** The entries that apply to the caller. */
  'merged-access'?: AccessControlMergedType | undefined;
  /** Timed metadata of the item counts from its start time code. */
  absoluteTime?: boolean | undefined;
}

export interface CollectionContentType {
  id: string;
  uri?: string | undefined;
  /** Default: item. */
  type?: 'item' | 'library' | 'collection' | undefined;
  /** The uuid of the membership. */
  reference?: string | undefined;
  /** Metadata of the membership, not of the member. */
  metadata?: SimpleMetadataType | undefined;
  /** Either all entries have one, or none. */
  mode?: 'add' | 'remove' | 'move' | undefined;
  /** The member is inserted before this one. */
  before?: string | undefined;
  after?: string | undefined;
}

export interface SequenceType {
  id?: string | undefined;
  /** Time code of the first picture. Default: 0. */
  start?: TimeCodeType | undefined;
  track?: SequenceTrackType[] | undefined;
}

export interface TimeCodeType {
  samples: number;
  timeBase: RationalType;
}

export interface RationalType {
  numerator: number;
  denominator: number;
}

export interface SequenceTrackType {
  audio?: boolean | undefined;
  segment?: SequenceMediaType[] | undefined;
  transition?: SequenceTransitionType[] | undefined;
}

export interface SequenceMediaType {
  item: string;
  sourceTrack: number;
  in?: TimeCodeType | undefined;
  out?: TimeCodeType | undefined;
  sourceIn?: TimeCodeType | undefined;
  sourceOut?: TimeCodeType | undefined;
  effect?: EffectType[] | undefined;
  /** Name of the part, where it is not that of the item. */
  name?: string | undefined;
  /** Marks at times of the item. */
  marker?: SequenceMarkerType[] | undefined;
}

export interface EffectType {
  parameter?: EffectParameterType[] | undefined;
  name: string;
}

export interface EffectParameterType {
  point?: EffectPointType[] | undefined;
  name: string;
  value?: number | undefined;
}

export interface EffectPointType {
  value: number;
  position: number;
}

export interface SequenceMarkerType {
  in: TimeCodeType;
  out: TimeCodeType;
  name?: string | undefined;
  /** In capitals, as OpenTimelineIO names it: RED. */
  color?: string | undefined;
  comment?: string | undefined;
}

export interface SequenceTransitionType {
  in: TimeCodeType;
  out: TimeCodeType;
  wipe?: number | undefined;
  transition: string;
  horizRepeat?: number | undefined;
  vertRepeat?: number | undefined;
  startPercentage?: number | undefined;
  endPercentage?: number | undefined;
  reverse?: boolean | undefined;
  borderWidth?: number | undefined;
  borderColor?: string | undefined;
}

export interface TerseType {
  [name: string]: TerseValueType[] | undefined;
}

export interface TerseValueType {
  end?: string | undefined;
  start?: string | undefined;
  uuid?: string | undefined;
  value?: string | undefined;
}

export interface ExternalIdentifierType {
  entityId?: string | undefined;
  entityType?: string | undefined;
  namespace?: string | undefined;
  externalId?: string | undefined;
}

export type CollectionDocument = CollectionType;

export interface FacetType {
  field?: string | undefined;
  count?: FacetCountType[] | undefined;
  range?: FacetRangeType[] | undefined;
  name?: string | undefined;
}

export interface FacetCountType {
  /** How many hits have the value. */
  value: number;
  fieldValue?: string | undefined;
  /** Number of hits, equal to the text of the element. */
  count?: number | undefined;
}

export interface FacetRangeType {
  value: number;
  start?: string | undefined;
  end?: string | undefined;
  count?: number | undefined;
}

export interface SuggestionResultType {
  term?: string | undefined;
  suggestion?: string[] | undefined;
}

export interface CollectionListDocument {
  hits?: number | undefined;
  /** There may be more hits than that, which count=bounded leaves uncounted. */
  moreHits?: boolean | undefined;
  collection?: CollectionType[] | undefined;
  facet?: FacetType[] | undefined;
  suggestion?: SuggestionResultType[] | undefined;
  autocomplete?: AutocompleteResponseType[] | undefined;
  nextCursor?: string | undefined;
}

export interface CollectionReorderEntryType {
  id: string;
  before?: string | undefined;
  after?: string | undefined;
}

export interface CollectionReorderDocument {
  item?: CollectionReorderEntryType[] | undefined;
  library?: CollectionReorderEntryType[] | undefined;
  collection?: CollectionReorderEntryType[] | undefined;
}

export interface AnyComponentType {
  file?: FileType[] | undefined;
  id?: string | undefined;
  metadata?: KeyValuePairType[] | undefined;
  codec?: string | undefined;
  timeBase?: RationalType | undefined;
  /** Track, such as V1, A2 or S1. Default: numbered in the order of the streams. */
  itemTrack?: string | undefined;
  essenceStreamId?: number | undefined;
  interval?: TimeIntervalType | undefined;
  bitrate?: number | undefined;
  numberOfPackets?: number | undefined;
  extradata?: string | undefined;
  pid?: number | undefined;
  duration?: TimeCodeType | undefined;
  profile?: number | undefined;
  level?: number | undefined;
  edl?: EDLType | undefined;
  startTimestamp?: TimeCodeType | undefined;
  repeatCount?: number | undefined;
  segment?: string | undefined;
  trackOrder?: number | undefined;
  channelCount?: number | undefined;
  channelLayout?: number | undefined;
  sampleFormat?: string | undefined;
  frameSize?: number | undefined;
  blockAlign?: number | undefined;
  videoStandard?: VideoStandardType | undefined;
  resolution?: ResolutionType | undefined;
  pixelFormat?: string | undefined;
  maxBFrames?: number | undefined;
  pixelAspectRatio?: AspectRatioType | undefined;
  fieldOrder?: string | undefined;
  codecTimeBase?: RationalType | undefined;
  averageFrameRate?: RationalType | undefined;
  realBaseFrameRate?: RationalType | undefined;
  displayWidth?: RationalType | undefined;
  displayHeight?: RationalType | undefined;
  displayXOffset?: RationalType | undefined;
  displayYOffset?: RationalType | undefined;
  containerSAR?: AspectRatioType | undefined;
  colr_primaries?: number | undefined;
  colr_transfer_function?: number | undefined;
  colr_matrix?: number | undefined;
  max_packet_size?: number | undefined;
  startTimecode?: number | undefined;
  dropFrame?: boolean | undefined;
  ticks_per_frame?: number | undefined;
  bitDepth?: number | undefined;
  bitsPerPixel?: number | undefined;
  colorPrimaries?: string | undefined;
  format?: string | undefined;
  subFormat?: string | undefined;
  firstSMPTETimecode?: string | undefined;
  roundedTimeBase?: number | undefined;
  timeCodeTimeBase?: RationalType | undefined;
  encoding?: string | undefined;
  offset?: number | undefined;
  length?: number | undefined;
  description?: ComponentDescriptionType[] | undefined;
  mediaInfo?: BaseMediaInfoType | undefined;
}

export interface FileType {
  /** Id of the file of a component. For a new file the service chooses the id. */
  id?: string | undefined;
  /** Relative to the storage. */
  path?: string | undefined;
  uri?: string[] | undefined;
  state?: string | undefined;
  /** Size in bytes. Absent: unknown. */
  size?: number | undefined;
  /** SHA-1, in lower-case hexadecimal. */
  hash?: string | undefined;
  timestamp?: string | undefined;
  refreshFlag?: number | undefined;
  storage?: string | undefined;
  item?: FileItemUseType[] | undefined;
  /** The key "hash_SHA-256" is the SHA-256, once it is known. */
  metadata?: SimpleMetadataType | undefined;
  type?: string | undefined;
  sequence?: boolean | undefined;
  range?: FileRangeType[] | undefined;
  storageDefinition?: StorageType | undefined;
}

export interface FileItemUseType {
  id?: string | undefined;
  shape?: FileShapeUseType[] | undefined;
}

export interface FileShapeUseType {
  id?: string | undefined;
  component?: FileComponentUseType[] | undefined;
}

export interface FileComponentUseType {
  id?: string | undefined;
}

export interface FileRangeType {
  start: string;
  count: string;
}

export interface StorageType {
  id?: string | undefined;
  /** With displayName=true: the metadata `name`, else the last folder of the first method. */
  name?: string | undefined;
  state?: string | undefined;
  /** LOCAL, SHARED, REMOTE, EXTERNAL, ARCHIVE or EXPORT. */
  type?: string | undefined;
  /** Capacity in bytes. */
  capacity?: number | undefined;
  freeCapacity?: number | undefined;
  timestamp?: string | undefined;
  method?: StorageMethodType[] | undefined;
  metadata?: SimpleMetadataType | undefined;
  /** Watermark in bytes. */
  lowWatermark?: number | undefined;
  /** Watermark in bytes. */
  highWatermark?: number | undefined;
  lowWatermarkPercentage?: number | undefined;
  highWatermarkPercentage?: number | undefined;
  /** Seconds between scans. -1: scans only on request. */
  scanInterval?: number | undefined;
  /** Capacity and free space are read from the disk. */
  autoDetect?: boolean | undefined;
  showImportables?: boolean | undefined;
  /** HIGHEST, HIGH, MEDIUM, LOW or LOWEST. The copy with the highest priority is read first. */
  priority?: string | undefined;
  bandwidth?: number | undefined;
  projection?: string | undefined;
  sequence?: StorageFileSequenceType[] | undefined;
  sequenceTimeout?: number | undefined;
  bean?: string | undefined;
  archiveScript?: string | undefined;
  resourceTag?: string | undefined;
}

export interface StorageMethodType {
  /** Id of an existing method. Without a known id the method is identified by its address. */
  id?: string | undefined;
  /** Address of the files. Answers show user name and password as "***". */
  uri: string;
  bandwidth?: number | undefined;
  read?: boolean | undefined;
  write?: boolean | undefined;
  /** Whether scans and lists use this method. */
  browse?: boolean | undefined;
  lastSuccess?: string | undefined;
  lastFailure?: string | undefined;
  failureMessage?: string | undefined;
  /** "NONE" for ordinary methods. Addresses by other types are in answers only if the request names the type. */
  type?: string | undefined;
  metadata?: SimpleMetadataType | undefined;
  loc?: string | undefined;
}

export interface StorageFileSequenceType {
  regex: string;
  numGroup?: number | undefined;
}

export interface TimeIntervalType {
  start?: TimeCodeType | undefined;
  end?: TimeCodeType | undefined;
}

export interface EDLType {
  timeScale?: RationalType | undefined;
  timeBase?: RationalType | undefined;
  entry?: EDLEntryType[] | undefined;
}

export interface EDLEntryType {
  start?: number | undefined;
  length?: number | undefined;
  mediaRate?: number | undefined;
}

export interface VideoStandardType {
  type?: string | undefined;
  value: string;
}

export interface ResolutionType {
  width: number;
  height: number;
}

export interface AspectRatioType {
  horizontal: number;
  vertical: number;
}

export interface ComponentDescriptionType {
  type?: string | undefined;
  value: string;
}

export interface BaseMediaInfoType {
  Bit_rate_mode?: string | undefined;
  Source?: string | undefined;
  property?: KeyValuePairType[] | undefined;
  Format_Settings_GOP?: string | undefined;
  intra_dc_precision?: number | undefined;
}

export type ComponentDocument = AnyComponentType;

export interface ComponentListDocument {
  component?: AnyComponentType[] | undefined;
}

export interface ConfigurationPropertyType {
  lastChange?: string | undefined;
  key: string;
  value?: string | undefined;
}

export type ConfigurationPropertyDocument = ConfigurationPropertyType;

export interface ConfigurationPropertyListDocument {
  property?: ConfigurationPropertyType[] | undefined;
}

export interface ConformType {
  timeBase?: RationalType | undefined;
  timeline: ConformTimelineType;
  overlay?: ConformOverlayType[] | undefined;
}

export interface ConformTimelineType {
  segment?: ConformSegmentType[] | undefined;
}

export interface ConformSegmentType {
  source: ConformSourceType;
  destination?: ConformDestinationType | undefined;
}

export interface ConformSourceType {
  /** An item, by id or external id. */
  id: string;
  interval?: ConformIntervalType | undefined;
}

export interface ConformIntervalType {
  start: ConformTimePointType;
  end?: ConformTimePointType | undefined;
}

export interface ConformTimePointType {
  samples: number;
  timeBase?: RationalType | undefined;
}

export interface ConformDestinationType {
  interval: ConformIntervalType;
}

export interface ConformOverlayType {
  /** An item with a picture. */
  id: string;
  x: number;
  y: number;
}

export type ConformDocument = ConformType;

export interface ConformRequestDocument {
  conform: ConformType;
  /** Metadata of a new item. */
  metadata?: MetadataType | undefined;
}

export interface ConstraintValueType {
  id: string;
  value: string;
}

export interface ConstraintValueListDocument {
  value?: ConstraintValueType[] | undefined;
}

export interface AuditTrailPurgingType {
  /** Days until an entry is deleted. */
  age?: number | undefined;
  /** Refused: deleted entries are not written to another place. */
  uri?: string | undefined;
  compress?: boolean | undefined;
  batch?: number | undefined;
  body?: boolean | undefined;
}

export interface ChangeLogPurgingType {
  /** Days until an entry is deleted. */
  age?: number | undefined;
  forceAge?: number | undefined;
}

export interface JobPurgingType {
  /** Days until an entry is deleted. */
  age?: number | undefined;
  /** Refused: deleted entries are not written to another place. */
  uri?: string | undefined;
  compress?: boolean | undefined;
}

export interface TransferLogPurgingType {
  /** Days until an entry is deleted. */
  age?: number | undefined;
  forceAge?: number | undefined;
  /** Refused: deleted entries are not written to another place. */
  uri?: string | undefined;
  compress?: boolean | undefined;
  batch?: number | undefined;
}

export interface DatabasePurgingConfigurationDocument {
  auditTrail?: AuditTrailPurgingType | undefined;
  changeLog?: ChangeLogPurgingType | undefined;
  job?: JobPurgingType | undefined;
  transferLog?: TransferLogPurgingType | undefined;
}

export interface DeletionLockType {
  id?: string | undefined;
  user?: string | undefined;
  expiryTime?: string | undefined;
  modified?: string | undefined;
  /** "Item", "Collection" or "File". */
  entityType?: string | undefined;
  entityId?: string | undefined;
  metadata?: SimpleMetadataType | undefined;
  isExpired?: boolean | undefined;
  /** True for the effective lock of the entity: the one that expires last. */
  isEffective?: boolean | undefined;
  /** True if the lock is set on a parent of the entity: a collection, or the item of a file. */
  isInherited?: boolean | undefined;
}

export type DeletionLockDocument = DeletionLockType;

export interface DeletionLockListDocument {
  /** Number of locks on all pages, for callers who may read all of them. */
  count?: number | undefined;
  lock?: DeletionLockType[] | undefined;
}

export interface DeliveryType {
  id: number;
  /** Sequence number of the event. Left out if the receiver was asked before the change. */
  event?: number | undefined;
  trigger: string;
  entity: string;
  attempt: number;
  started: string;
  ended: string;
  /** Duration in milliseconds. */
  duration: number;
  /** delivered, failed, parked, dropped or vetoed. */
  state: string;
  /** Status of the answer, if there was one. */
  status?: number | undefined;
  /** Kind of the failure. */
  error?: string | undefined;
  address?: string | undefined;
  /** Explanation of the failure, for callers who may change the notification. */
  explanation?: string | undefined;
  /** Beginning of the answer, for callers with WRITE. */
  answer?: string | undefined;
  /** The event waits for another attempt. */
  waits?: boolean | undefined;
  /** The event was parked. */
  parked?: boolean | undefined;
}

export type DeliveryDocument = DeliveryType;

export interface DeliveryListDocument {
  /** The newest first. */
  delivery?: DeliveryType[] | undefined;
  /** The parameter "before" of the next page. */
  next?: string | undefined;
}

export interface DocumentEntryType {
  name?: string | undefined;
  uri?: string | undefined;
}

export interface DocumentListDocument {
  hits?: number | undefined;
  document?: DocumentEntryType[] | undefined;
}

export interface EmbeddedMetadataMappingType {
  /** Property inside files, such as `xmp:dc:title` or `exif:Artist`. */
  property: string;
  /** Metadata field that takes its values. */
  field: string;
}

export interface EmbeddedMetadataDocument {
  /** Of several rows of one field, the first whose property a file has counts. */
  mapping?: EmbeddedMetadataMappingType[] | undefined;
}

export interface ErrorLogType {
  id?: number | undefined;
  timestamp?: string | undefined;
  description?: string | undefined;
  /** JOB or STORAGE. */
  type?: string | undefined;
  entityType?: string | undefined;
  entityId?: string | undefined;
}

export interface ErrorLogListDocument {
  hits?: number | undefined;
  errorLog?: ErrorLogType[] | undefined;
}

export interface AssetMappingType {
  id: string;
  item: string;
  shape?: string | undefined;
}

export interface FileMappingType {
  id?: string | undefined;
  path?: string | undefined;
  hash?: string | undefined;
  size?: number | undefined;
  timestamp?: string | undefined;
}

export interface StorageMappingType {
  path: string;
  id: string;
}

export interface EssenceMappingsDocument {
  asset?: AssetMappingType[] | undefined;
  file?: FileMappingType[] | undefined;
  storage?: StorageMappingType[] | undefined;
}

export interface ShapeType {
  id?: string | undefined;
  created?: string | undefined;
  uuid?: string | undefined;
  /** Number of the essence version of the item, from 0. */
  essenceVersion?: number | undefined;
  tag?: string[] | undefined;
  mimeType?: string[] | undefined;
  binaryComponent?: BinaryComponentType[] | undefined;
  containerComponent?: ContainerComponentType | undefined;
  descriptorComponent?: DescriptorComponentType[] | undefined;
  audioComponent?: AudioComponentType[] | undefined;
  videoComponent?: VideoComponentType[] | undefined;
  subtitleComponent?: SubtitleComponentType[] | undefined;
  metadata?: SimpleMetadataType | undefined;
  item?: ShapeItemType[] | undefined;
}

export interface BinaryComponentType {
  file?: FileType[] | undefined;
  id?: string | undefined;
  metadata?: KeyValuePairType[] | undefined;
  format?: string | undefined;
  encoding?: string | undefined;
  offset?: number | undefined;
  length?: number | undefined;
  mediaInfo?: BaseMediaInfoType | undefined;
}

export interface ContainerComponentType {
  file?: FileType[] | undefined;
  id?: string | undefined;
  metadata?: KeyValuePairType[] | undefined;
  duration?: TimeCodeType | undefined;
  format?: string | undefined;
  subFormat?: string | undefined;
  firstSMPTETimecode?: string | undefined;
  startTimecode?: number | undefined;
  startTimestamp?: TimeCodeType | undefined;
  roundedTimeBase?: number | undefined;
  dropFrame?: boolean | undefined;
  timeCodeTimeBase?: RationalType | undefined;
  mediaInfo?: BaseMediaInfoType | undefined;
}

export interface DescriptorComponentType {
  file?: FileType[] | undefined;
  id?: string | undefined;
  metadata?: KeyValuePairType[] | undefined;
  description?: ComponentDescriptionType[] | undefined;
}

export interface AudioComponentType {
  file?: FileType[] | undefined;
  id?: string | undefined;
  metadata?: KeyValuePairType[] | undefined;
  codec?: string | undefined;
  timeBase?: RationalType | undefined;
  /** Track, such as V1, A2 or S1. Default: numbered in the order of the streams. */
  itemTrack?: string | undefined;
  essenceStreamId?: number | undefined;
  interval?: TimeIntervalType | undefined;
  bitrate?: number | undefined;
  numberOfPackets?: number | undefined;
  extradata?: string | undefined;
  pid?: number | undefined;
  duration?: TimeCodeType | undefined;
  profile?: number | undefined;
  level?: number | undefined;
  edl?: EDLType | undefined;
  startTimestamp?: TimeCodeType | undefined;
  repeatCount?: number | undefined;
  segment?: string | undefined;
  trackOrder?: number | undefined;
  channelCount?: number | undefined;
  channelLayout?: number | undefined;
  sampleFormat?: string | undefined;
  frameSize?: number | undefined;
  blockAlign?: number | undefined;
  mediaInfo?: BaseMediaInfoType | undefined;
}

export interface VideoComponentType {
  file?: FileType[] | undefined;
  id?: string | undefined;
  metadata?: KeyValuePairType[] | undefined;
  codec?: string | undefined;
  timeBase?: RationalType | undefined;
  /** Track, such as V1, A2 or S1. Default: numbered in the order of the streams. */
  itemTrack?: string | undefined;
  essenceStreamId?: number | undefined;
  interval?: TimeIntervalType | undefined;
  bitrate?: number | undefined;
  numberOfPackets?: number | undefined;
  extradata?: string | undefined;
  pid?: number | undefined;
  duration?: TimeCodeType | undefined;
  profile?: number | undefined;
  level?: number | undefined;
  edl?: EDLType | undefined;
  startTimestamp?: TimeCodeType | undefined;
  repeatCount?: number | undefined;
  segment?: string | undefined;
  trackOrder?: number | undefined;
  videoStandard?: VideoStandardType | undefined;
  resolution?: ResolutionType | undefined;
  pixelFormat?: string | undefined;
  maxBFrames?: number | undefined;
  pixelAspectRatio?: AspectRatioType | undefined;
  fieldOrder?: string | undefined;
  codecTimeBase?: RationalType | undefined;
  averageFrameRate?: RationalType | undefined;
  realBaseFrameRate?: RationalType | undefined;
  displayWidth?: RationalType | undefined;
  displayHeight?: RationalType | undefined;
  displayXOffset?: RationalType | undefined;
  displayYOffset?: RationalType | undefined;
  containerSAR?: AspectRatioType | undefined;
  colr_primaries?: number | undefined;
  colr_transfer_function?: number | undefined;
  colr_matrix?: number | undefined;
  max_packet_size?: number | undefined;
  startTimecode?: number | undefined;
  dropFrame?: boolean | undefined;
  ticks_per_frame?: number | undefined;
  bitDepth?: number | undefined;
  bitsPerPixel?: number | undefined;
  colorPrimaries?: string | undefined;
  mediaInfo?: BaseMediaInfoType | undefined;
}

export interface SubtitleComponentType {
  file?: FileType[] | undefined;
  id?: string | undefined;
  metadata?: KeyValuePairType[] | undefined;
  codec?: string | undefined;
  timeBase?: RationalType | undefined;
  /** Track, such as V1, A2 or S1. Default: numbered in the order of the streams. */
  itemTrack?: string | undefined;
  essenceStreamId?: number | undefined;
  interval?: TimeIntervalType | undefined;
  bitrate?: number | undefined;
  numberOfPackets?: number | undefined;
  extradata?: string | undefined;
  pid?: number | undefined;
  duration?: TimeCodeType | undefined;
  profile?: number | undefined;
  level?: number | undefined;
  edl?: EDLType | undefined;
  startTimestamp?: TimeCodeType | undefined;
  repeatCount?: number | undefined;
  segment?: string | undefined;
  trackOrder?: number | undefined;
  mediaInfo?: BaseMediaInfoType | undefined;
}

export interface ShapeItemType {
  id?: string | undefined;
}

export interface EssenceVersionDocument {
  created?: string | undefined;
  shape?: ShapeType[] | undefined;
}

export interface EssenceVersionEntryType {
  id?: number | undefined;
  uri?: string | undefined;
  created?: string | undefined;
}

export interface EssenceVersionListDocument {
  version?: EssenceVersionEntryType[] | undefined;
}

export interface EventType {
  sequence: number;
  name: string;
  entityType: string;
  entityId: string;
  timestamp: string;
  user: string;
  runAs?: string | undefined;
  requestId?: string | undefined;
  /** A key with several values is repeated. */
  data?: EventDataType[] | undefined;
}

export interface EventDataType {
  key: string;
  value: string;
}

export type EventDocument = EventType;

export interface EventListDocument {
  /** First stored sequence number. After an earlier one, events may be missing. */
  oldest?: number | undefined;
  newest?: number | undefined;
  /** Last examined sequence number, if the page is full or some events are left out. The next page begins after it. */
  until?: number | undefined;
  /** Events in commit order. */
  event?: EventType[] | undefined;
}

export interface NotFoundType {
  type: string | null;
  id: string | null;
  context: string | null;
}

export interface InternalServerType {
  message: string | null;
}

export interface ForbiddenType {
  context: string | null;
  id: string | null;
  explanation: string | null;
}

export interface NotYetImplementedType {
  explanation?: string | undefined;
}

export interface ConflictType {
  context: string | null;
  id: string | null;
  explanation: string | null;
  value: string | null;
}

export interface InvalidInputType {
  context: string | null;
  id: string | null;
  explanation: string | null;
  value: string | null;
}

export interface LicenseFaultType {
  message: string | null;
}

export interface FileAlreadyExistsType {
  storageId: string | null;
  fileId: string | null;
  path: string | null;
}

export interface NotAuthorizedType {
  message: string | null;
}

export interface ExceptionDocument {
  notFound: NotFoundType | null;
  internalServer: InternalServerType | null;
  forbidden: ForbiddenType | null;
  notYetImplemented: NotYetImplementedType | null;
  conflict: ConflictType | null;
  invalidInput: InvalidInputType | null;
  licenseFault: LicenseFaultType | null;
  fileAlreadyExists: FileAlreadyExistsType | null;
  notAuthorized: NotAuthorizedType | null;
}

export interface ExplanationStepType {
  name: string;
  answer: 'pass' | 'accept' | 'refuse' | 'skipped';
  user?: string | undefined;
  reason?: string | undefined;
  status?: number | undefined;
}

export interface ExplanationUserType {
  realm: string;
  role?: string[] | undefined;
  permission?: string[] | undefined;
}

export interface ExplanationLoginType {
  at: string;
  /** Way of the login: `password`, `provider`, `passkey`. */
  way: string;
  /** The realm, filter or provider that accepted it. */
  realm?: string | undefined;
}

export interface ExplanationGroupType {
  name: string;
  /** Whether it is a role. */
  role?: boolean | undefined;
  /** Writer of the membership: a caller of the API or a command, a login, SCIM, or another group alone. */
  source: 'entered' | 'login' | 'scim' | 'group';
  /** The realm or provider of the login. */
  realm?: string | undefined;
  /** The claim of the login that gave it, such as `groups: media-team`. */
  claim?: string | undefined;
  /** Groups of the user that are in it. */
  through?: string[] | undefined;
}

export interface ExplanationLevelType {
  /** The kind of the entity, such as `item`. */
  kind: string;
  id: string;
  /** The level that the route asks for. */
  level: string;
  operation?: string | undefined;
  granted?: boolean | undefined;
  /** The level that the user has. */
  permission?: string | undefined;
  /** The entry that decides, and why. */
  reason?: string | undefined;
  owner?: string | undefined;
  /** Entries that match the user, in order of precedence. */
  entry?: ExplanationEntryType[] | undefined;
}

export interface ExplanationEntryType {
  id: string;
  counts: boolean;
  says: string;
}

export interface ExplanationMissingType {
  what: 'user' | 'filter' | 'route' | 'role' | 'path' | 'level' | 'entity';
  /** The role, the filter, or the entity. */
  name?: string | undefined;
  /** Some groups that give the role. */
  group?: string[] | undefined;
  says: string;
}

export interface ExplanationEntityType {
  status: number;
  reason: string;
  explanation?: string | undefined;
}

export interface ExplanationDocument {
  /** Absent: only the user is explained. */
  method?: string | undefined;
  /** The canonical path, which filters and routes see. */
  path?: string | undefined;
  pattern?: string | undefined;
  /** Line of the pattern in its file. */
  line?: number | undefined;
  /** The file with the pattern: a security.ini, or the built-in one. */
  file?: string | undefined;
  step?: ExplanationStepType[] | undefined;
  /** Whether the filters let the request through. */
  granted?: boolean | undefined;
  user?: string | undefined;
  reason?: string | undefined;
  status?: number | undefined;
  /** The realms that know the user, with the roles and permissions that they grant. */
  known?: ExplanationUserType[] | undefined;
  /** Realms that know a user only after a login. */
  silent?: string[] | undefined;
  /** The newest session or token of the user that has not ended. */
  lastLogin?: ExplanationLoginType | undefined;
  /** The roles that the user has in the service. */
  role?: string[] | undefined;
  /** Groups and roles of the user, with what put the user there. */
  group?: ExplanationGroupType[] | undefined;
  /** The route that matches. Absent: none. */
  route?: string | undefined;
  /** The role that the route asks for. */
  needs?: string | undefined;
  /** Whether the user has that role, and the rights on the entities of the path. */
  allowed?: boolean | undefined;
  /** Levels on entities of the path that the route asks for. */
  level?: ExplanationLevelType[] | undefined;
  /** Rights and facts that the user lacks for the request. */
  missing?: ExplanationMissingType[] | undefined;
  /** Further conditions that the request depends on. */
  note?: string[] | undefined;
  /** Answer for a user with the role who lacks an entity of the path: it is not there, or an access entry is missing. */
  entity?: ExplanationEntityType | undefined;
}

export interface MetadataListType {
  item?: MetadataListItemType[] | undefined;
}

export interface MetadataListItemType {
  metadata?: MetadataType | undefined;
  id?: string | undefined;
}

export interface JobType {
  jobId: string;
  /** User who started the job. */
  user?: string | undefined;
  started?: string | undefined;
  finished?: string | undefined;
  status: string;
  type: string;
  priority: string;
  /** Resource that the job waits for. */
  waiting?: JobWaitingType | undefined;
  currentStep?: JobStepType | undefined;
  data?: JobDataType[] | undefined;
  totalSteps?: number | undefined;
  log?: JobLogType | undefined;
}

export interface JobWaitingType {
  resourceId?: string | undefined;
  resourceType?: string | undefined;
  requirement?: string | undefined;
}

export interface JobStepType {
  description: string;
  /** Number of steps that have started. */
  number: number;
  status: string;
}

export interface JobDataType {
  key: string;
  value?: string | undefined;
}

export interface JobLogType {
  task?: JobTaskType[] | undefined;
}

export interface JobTaskType {
  /** Number of the step in its job type. */
  step: number;
  /** Number of earlier attempts. */
  attempts: number;
  status: string;
  timestamp?: string | undefined;
  description?: string | undefined;
  progress?: JobTaskProgressType | undefined;
  subStep?: JobSubStepType[] | undefined;
  errorMessage?: string | undefined;
  /** Number of sub-tasks of the step. */
  totalSubTasks?: number | undefined;
  /** Sub-tasks that the job has so far. */
  subTask?: JobSubTaskType[] | undefined;
  id?: number | undefined;
}

export interface JobTaskProgressType {
  value: number;
  total?: number | undefined;
  unit?: string | undefined;
}

export interface JobSubStepType {
  timestamp: string;
  description: string;
}

export interface JobSubTaskType {
  step: number;
  attempts: number;
  status: string;
  timestamp?: string | undefined;
  description?: string | undefined;
  progress?: JobTaskProgressType | undefined;
  errorMessage?: string | undefined;
  id?: number | undefined;
}

export interface ExportInformationDocument {
  metadataList?: MetadataListType | undefined;
  /** Job that writes the result of an export. */
  job?: JobType | undefined;
}

export interface ExportLocationType {
  /** The name in the path. In requests it is ignored. */
  name?: string | undefined;
  /** The address of a folder, with a slash at its end. */
  uri?: string | undefined;
  /** More addresses of the same folder. Stored only: exports use the first address. */
  uriList?: string[] | undefined;
  /** Default projection of sidecars. */
  projection?: string | undefined;
  /** Default shape tags of an export. */
  tag?: string[] | undefined;
  /** JavaScript. The value of its last statement names a file below the location. */
  script?: string | undefined;
}

export type ExportLocationDocument = ExportLocationType;

export interface ExportLocationListDocument {
  exportLocation?: ExportLocationType[] | undefined;
}

export interface ExportRequestStorageType {
  id: string;
  /** The folder of the storage for the editing program, as an address or a path. */
  path?: string | undefined;
}

export interface ExportRequestItemType {
  /** Id of an item, as in the sequence. */
  id: string;
  /** The address or path of its media for the editing program, of at most 4096 characters. */
  path: string;
}

export interface ExportRequestDocument {
  /** Tag of the shapes whose files are on the storages. Default: "original". */
  tag?: string | undefined;
  /** As the parameter type, which takes precedence. */
  format?: string | undefined;
  /** Stored for clients, without effect. */
  content?: string[] | undefined;
  /** Storages that have the files of items without an element "item". */
  storage?: ExportRequestStorageType[] | undefined;
  item?: ExportRequestItemType[] | undefined;
  sequence?: SequenceType | undefined;
}

export interface ExportProblemType {
  type: string;
  message: string;
  asset?: string | undefined;
  parameter?: ExportProblemParameterType[] | undefined;
}

export interface ExportProblemParameterType {
  key: string;
  value?: string | undefined;
}

export interface ExportStatusDocument {
  problem?: ExportProblemType[] | undefined;
}

export interface ExportTemplateArchive {
  /** Names for dependencies and checksums. */
  tag?: string[] | undefined;
  /** Tags of elements that are processed before this one. */
  dependency?: string[] | undefined;
  /** A script. If its value is false, the element is skipped. */
  filter?: string | undefined;
  /** A script that runs before the other scripts of the element. */
  pre?: string | undefined;
  preRender?: string | undefined;
  archive?: ExportTemplateArchive[] | undefined;
  collection?: ExportTemplateCollection[] | undefined;
  component?: ExportTemplateComponent[] | undefined;
  componentfile?: ExportTemplateComponentFile[] | undefined;
  compress?: ExportTemplateCompress[] | undefined;
  dummy?: ExportTemplateDummy[] | undefined;
  external?: ExportTemplateExternal[] | undefined;
  folder?: ExportTemplateFolder[] | undefined;
  item?: ExportTemplateItem[] | undefined;
  iterate?: ExportTemplateIterate[] | undefined;
  library?: ExportTemplateLibrary[] | undefined;
  sequence?: ExportTemplateSequence[] | undefined;
  shape?: ExportTemplateShape[] | undefined;
  text?: ExportTemplateText[] | undefined;
  /** Name of the file, or of the folder for the child elements. */
  path?: string | undefined;
  /** Default: ZIP. No export of this service makes TAR. */
  method?: 'ZIP' | 'TAR' | undefined;
}

export interface ExportTemplateCollection {
  /** Names for dependencies and checksums. */
  tag?: string[] | undefined;
  /** Tags of elements that are processed before this one. */
  dependency?: string[] | undefined;
  /** A script. If its value is false, the element is skipped. */
  filter?: string | undefined;
  /** A script that runs before the other scripts of the element. */
  pre?: string | undefined;
  preRender?: string | undefined;
  collectionId?: string[] | undefined;
  archive?: ExportTemplateArchive[] | undefined;
  collection?: ExportTemplateCollection[] | undefined;
  component?: ExportTemplateComponent[] | undefined;
  componentfile?: ExportTemplateComponentFile[] | undefined;
  compress?: ExportTemplateCompress[] | undefined;
  dummy?: ExportTemplateDummy[] | undefined;
  external?: ExportTemplateExternal[] | undefined;
  folder?: ExportTemplateFolder[] | undefined;
  item?: ExportTemplateItem[] | undefined;
  iterate?: ExportTemplateIterate[] | undefined;
  library?: ExportTemplateLibrary[] | undefined;
  sequence?: ExportTemplateSequence[] | undefined;
  shape?: ExportTemplateShape[] | undefined;
  text?: ExportTemplateText[] | undefined;
  /** Name of the file, or of the folder for the child elements. */
  path?: string | undefined;
}

export interface ExportTemplateComponent {
  /** Names for dependencies and checksums. */
  tag?: string[] | undefined;
  /** Tags of elements that are processed before this one. */
  dependency?: string[] | undefined;
  /** A script. If its value is false, the element is skipped. */
  filter?: string | undefined;
  /** A script that runs before the other scripts of the element. */
  pre?: string | undefined;
  preRender?: string | undefined;
  archive?: ExportTemplateArchive[] | undefined;
  collection?: ExportTemplateCollection[] | undefined;
  component?: ExportTemplateComponent[] | undefined;
  componentfile?: ExportTemplateComponentFile[] | undefined;
  compress?: ExportTemplateCompress[] | undefined;
  dummy?: ExportTemplateDummy[] | undefined;
  external?: ExportTemplateExternal[] | undefined;
  folder?: ExportTemplateFolder[] | undefined;
  item?: ExportTemplateItem[] | undefined;
  iterate?: ExportTemplateIterate[] | undefined;
  library?: ExportTemplateLibrary[] | undefined;
  sequence?: ExportTemplateSequence[] | undefined;
  shape?: ExportTemplateShape[] | undefined;
  text?: ExportTemplateText[] | undefined;
  /** Name of the file, or of the folder for the child elements. */
  path?: string | undefined;
}

export interface ExportTemplateComponentFile {
  /** Names for dependencies and checksums. */
  tag?: string[] | undefined;
  /** Tags of elements that are processed before this one. */
  dependency?: string[] | undefined;
  /** A script. If its value is false, the element is skipped. */
  filter?: string | undefined;
  /** A script that runs before the other scripts of the element. */
  pre?: string | undefined;
  preRender?: string | undefined;
  archive?: ExportTemplateArchive[] | undefined;
  collection?: ExportTemplateCollection[] | undefined;
  component?: ExportTemplateComponent[] | undefined;
  componentfile?: ExportTemplateComponentFile[] | undefined;
  compress?: ExportTemplateCompress[] | undefined;
  dummy?: ExportTemplateDummy[] | undefined;
  external?: ExportTemplateExternal[] | undefined;
  folder?: ExportTemplateFolder[] | undefined;
  item?: ExportTemplateItem[] | undefined;
  iterate?: ExportTemplateIterate[] | undefined;
  library?: ExportTemplateLibrary[] | undefined;
  sequence?: ExportTemplateSequence[] | undefined;
  shape?: ExportTemplateShape[] | undefined;
  text?: ExportTemplateText[] | undefined;
  /** Name of the file, or of the folder for the child elements. */
  path?: string | undefined;
}

export interface ExportTemplateCompress {
  /** Names for dependencies and checksums. */
  tag?: string[] | undefined;
  /** Tags of elements that are processed before this one. */
  dependency?: string[] | undefined;
  /** A script. If its value is false, the element is skipped. */
  filter?: string | undefined;
  /** A script that runs before the other scripts of the element. */
  pre?: string | undefined;
  preRender?: string | undefined;
  archive?: ExportTemplateArchive[] | undefined;
  collection?: ExportTemplateCollection[] | undefined;
  component?: ExportTemplateComponent[] | undefined;
  componentfile?: ExportTemplateComponentFile[] | undefined;
  compress?: ExportTemplateCompress[] | undefined;
  dummy?: ExportTemplateDummy[] | undefined;
  external?: ExportTemplateExternal[] | undefined;
  folder?: ExportTemplateFolder[] | undefined;
  item?: ExportTemplateItem[] | undefined;
  iterate?: ExportTemplateIterate[] | undefined;
  library?: ExportTemplateLibrary[] | undefined;
  sequence?: ExportTemplateSequence[] | undefined;
  shape?: ExportTemplateShape[] | undefined;
  text?: ExportTemplateText[] | undefined;
  /** Name of the file, or of the folder for the child elements. */
  path?: string | undefined;
  /** Default: GZ. No export of this service makes BZIP2. */
  method?: 'GZ' | 'BZIP2' | undefined;
}

export interface ExportTemplateDummy {
  /** Names for dependencies and checksums. */
  tag?: string[] | undefined;
  /** Tags of elements that are processed before this one. */
  dependency?: string[] | undefined;
  /** A script. If its value is false, the element is skipped. */
  filter?: string | undefined;
  /** A script that runs before the other scripts of the element. */
  pre?: string | undefined;
  preRender?: string | undefined;
  archive?: ExportTemplateArchive[] | undefined;
  collection?: ExportTemplateCollection[] | undefined;
  component?: ExportTemplateComponent[] | undefined;
  componentfile?: ExportTemplateComponentFile[] | undefined;
  compress?: ExportTemplateCompress[] | undefined;
  dummy?: ExportTemplateDummy[] | undefined;
  external?: ExportTemplateExternal[] | undefined;
  folder?: ExportTemplateFolder[] | undefined;
  item?: ExportTemplateItem[] | undefined;
  iterate?: ExportTemplateIterate[] | undefined;
  library?: ExportTemplateLibrary[] | undefined;
  sequence?: ExportTemplateSequence[] | undefined;
  shape?: ExportTemplateShape[] | undefined;
  text?: ExportTemplateText[] | undefined;
  /** Name of the file, or of the folder for the child elements. */
  path?: string | undefined;
}

export interface ExportTemplateExternal {
  /** Names for dependencies and checksums. */
  tag?: string[] | undefined;
  /** Tags of elements that are processed before this one. */
  dependency?: string[] | undefined;
  /** A script. If its value is false, the element is skipped. */
  filter?: string | undefined;
  /** A script that runs before the other scripts of the element. */
  pre?: string | undefined;
  preRender?: string | undefined;
  uri?: string[] | undefined;
  archive?: ExportTemplateArchive[] | undefined;
  collection?: ExportTemplateCollection[] | undefined;
  component?: ExportTemplateComponent[] | undefined;
  componentfile?: ExportTemplateComponentFile[] | undefined;
  compress?: ExportTemplateCompress[] | undefined;
  dummy?: ExportTemplateDummy[] | undefined;
  external?: ExportTemplateExternal[] | undefined;
  folder?: ExportTemplateFolder[] | undefined;
  item?: ExportTemplateItem[] | undefined;
  iterate?: ExportTemplateIterate[] | undefined;
  library?: ExportTemplateLibrary[] | undefined;
  sequence?: ExportTemplateSequence[] | undefined;
  shape?: ExportTemplateShape[] | undefined;
  text?: ExportTemplateText[] | undefined;
  /** Name of the file, or of the folder for the child elements. */
  path?: string | undefined;
}

export interface ExportTemplateFolder {
  /** Names for dependencies and checksums. */
  tag?: string[] | undefined;
  /** Tags of elements that are processed before this one. */
  dependency?: string[] | undefined;
  /** A script. If its value is false, the element is skipped. */
  filter?: string | undefined;
  /** A script that runs before the other scripts of the element. */
  pre?: string | undefined;
  preRender?: string | undefined;
  archive?: ExportTemplateArchive[] | undefined;
  collection?: ExportTemplateCollection[] | undefined;
  component?: ExportTemplateComponent[] | undefined;
  componentfile?: ExportTemplateComponentFile[] | undefined;
  compress?: ExportTemplateCompress[] | undefined;
  dummy?: ExportTemplateDummy[] | undefined;
  external?: ExportTemplateExternal[] | undefined;
  folder?: ExportTemplateFolder[] | undefined;
  item?: ExportTemplateItem[] | undefined;
  iterate?: ExportTemplateIterate[] | undefined;
  library?: ExportTemplateLibrary[] | undefined;
  sequence?: ExportTemplateSequence[] | undefined;
  shape?: ExportTemplateShape[] | undefined;
  text?: ExportTemplateText[] | undefined;
  /** Name of the file, or of the folder for the child elements. */
  path?: string | undefined;
}

export interface ExportTemplateItem {
  /** Names for dependencies and checksums. */
  tag?: string[] | undefined;
  /** Tags of elements that are processed before this one. */
  dependency?: string[] | undefined;
  /** A script. If its value is false, the element is skipped. */
  filter?: string | undefined;
  /** A script that runs before the other scripts of the element. */
  pre?: string | undefined;
  preRender?: string | undefined;
  itemId?: string[] | undefined;
  archive?: ExportTemplateArchive[] | undefined;
  collection?: ExportTemplateCollection[] | undefined;
  component?: ExportTemplateComponent[] | undefined;
  componentfile?: ExportTemplateComponentFile[] | undefined;
  compress?: ExportTemplateCompress[] | undefined;
  dummy?: ExportTemplateDummy[] | undefined;
  external?: ExportTemplateExternal[] | undefined;
  folder?: ExportTemplateFolder[] | undefined;
  item?: ExportTemplateItem[] | undefined;
  iterate?: ExportTemplateIterate[] | undefined;
  library?: ExportTemplateLibrary[] | undefined;
  sequence?: ExportTemplateSequence[] | undefined;
  shape?: ExportTemplateShape[] | undefined;
  text?: ExportTemplateText[] | undefined;
  /** Name of the file, or of the folder for the child elements. */
  path?: string | undefined;
}

export interface ExportTemplateIterate {
  /** Names for dependencies and checksums. */
  tag?: string[] | undefined;
  /** Tags of elements that are processed before this one. */
  dependency?: string[] | undefined;
  /** A script. If its value is false, the element is skipped. */
  filter?: string | undefined;
  /** A script that runs before the other scripts of the element. */
  pre?: string | undefined;
  preRender?: string | undefined;
  /** A script. The child elements are repeated for each of its values, which they read as "value". */
  value?: string[] | undefined;
  archive?: ExportTemplateArchive[] | undefined;
  collection?: ExportTemplateCollection[] | undefined;
  component?: ExportTemplateComponent[] | undefined;
  componentfile?: ExportTemplateComponentFile[] | undefined;
  compress?: ExportTemplateCompress[] | undefined;
  dummy?: ExportTemplateDummy[] | undefined;
  external?: ExportTemplateExternal[] | undefined;
  folder?: ExportTemplateFolder[] | undefined;
  item?: ExportTemplateItem[] | undefined;
  iterate?: ExportTemplateIterate[] | undefined;
  library?: ExportTemplateLibrary[] | undefined;
  sequence?: ExportTemplateSequence[] | undefined;
  shape?: ExportTemplateShape[] | undefined;
  text?: ExportTemplateText[] | undefined;
  /** Name of the file, or of the folder for the child elements. */
  path?: string | undefined;
}

export interface ExportTemplateLibrary {
  /** Names for dependencies and checksums. */
  tag?: string[] | undefined;
  /** Tags of elements that are processed before this one. */
  dependency?: string[] | undefined;
  /** A script. If its value is false, the element is skipped. */
  filter?: string | undefined;
  /** A script that runs before the other scripts of the element. */
  pre?: string | undefined;
  preRender?: string | undefined;
  libraryId?: string[] | undefined;
  archive?: ExportTemplateArchive[] | undefined;
  collection?: ExportTemplateCollection[] | undefined;
  component?: ExportTemplateComponent[] | undefined;
  componentfile?: ExportTemplateComponentFile[] | undefined;
  compress?: ExportTemplateCompress[] | undefined;
  dummy?: ExportTemplateDummy[] | undefined;
  external?: ExportTemplateExternal[] | undefined;
  folder?: ExportTemplateFolder[] | undefined;
  item?: ExportTemplateItem[] | undefined;
  iterate?: ExportTemplateIterate[] | undefined;
  library?: ExportTemplateLibrary[] | undefined;
  sequence?: ExportTemplateSequence[] | undefined;
  shape?: ExportTemplateShape[] | undefined;
  text?: ExportTemplateText[] | undefined;
  /** Name of the file, or of the folder for the child elements. */
  path?: string | undefined;
}

export interface ExportTemplateSequence {
  /** Names for dependencies and checksums. */
  tag?: string[] | undefined;
  /** Tags of elements that are processed before this one. */
  dependency?: string[] | undefined;
  /** A script. If its value is false, the element is skipped. */
  filter?: string | undefined;
  /** A script that runs before the other scripts of the element. */
  pre?: string | undefined;
  preRender?: string | undefined;
  generate?: boolean | undefined;
  archive?: ExportTemplateArchive[] | undefined;
  collection?: ExportTemplateCollection[] | undefined;
  component?: ExportTemplateComponent[] | undefined;
  componentfile?: ExportTemplateComponentFile[] | undefined;
  compress?: ExportTemplateCompress[] | undefined;
  dummy?: ExportTemplateDummy[] | undefined;
  external?: ExportTemplateExternal[] | undefined;
  folder?: ExportTemplateFolder[] | undefined;
  item?: ExportTemplateItem[] | undefined;
  iterate?: ExportTemplateIterate[] | undefined;
  library?: ExportTemplateLibrary[] | undefined;
  sequence?: ExportTemplateSequence[] | undefined;
  shape?: ExportTemplateShape[] | undefined;
  text?: ExportTemplateText[] | undefined;
  /** Name of the file, or of the folder for the child elements. */
  path?: string | undefined;
}

export interface ExportTemplateShape {
  /** Names for dependencies and checksums. */
  tag?: string[] | undefined;
  /** Tags of elements that are processed before this one. */
  dependency?: string[] | undefined;
  /** A script. If its value is false, the element is skipped. */
  filter?: string | undefined;
  /** A script that runs before the other scripts of the element. */
  pre?: string | undefined;
  preRender?: string | undefined;
  /** The shapes with this tag. Without it: all shapes of the item. */
  shapeTag?: string | undefined;
  /** A missing shape fails the job. Transcode it first. */
  generate?: boolean | undefined;
  archive?: ExportTemplateArchive[] | undefined;
  collection?: ExportTemplateCollection[] | undefined;
  component?: ExportTemplateComponent[] | undefined;
  componentfile?: ExportTemplateComponentFile[] | undefined;
  compress?: ExportTemplateCompress[] | undefined;
  dummy?: ExportTemplateDummy[] | undefined;
  external?: ExportTemplateExternal[] | undefined;
  folder?: ExportTemplateFolder[] | undefined;
  item?: ExportTemplateItem[] | undefined;
  iterate?: ExportTemplateIterate[] | undefined;
  library?: ExportTemplateLibrary[] | undefined;
  sequence?: ExportTemplateSequence[] | undefined;
  shape?: ExportTemplateShape[] | undefined;
  text?: ExportTemplateText[] | undefined;
  /** Name of the file, or of the folder for the child elements. */
  path?: string | undefined;
}

export interface ExportTemplateText {
  /** Names for dependencies and checksums. */
  tag?: string[] | undefined;
  /** Tags of elements that are processed before this one. */
  dependency?: string[] | undefined;
  /** A script. If its value is false, the element is skipped. */
  filter?: string | undefined;
  /** A script that runs before the other scripts of the element. */
  pre?: string | undefined;
  preRender?: string | undefined;
  /** Content of the file. */
  content?: ExportTemplateTextContent | undefined;
  /** A script whose value is the content of the file. */
  script?: string | undefined;
  /** A stylesheet that transforms the metadata of the item into the content of the file. */
  xslt?: string | undefined;
  archive?: ExportTemplateArchive[] | undefined;
  collection?: ExportTemplateCollection[] | undefined;
  component?: ExportTemplateComponent[] | undefined;
  componentfile?: ExportTemplateComponentFile[] | undefined;
  compress?: ExportTemplateCompress[] | undefined;
  dummy?: ExportTemplateDummy[] | undefined;
  external?: ExportTemplateExternal[] | undefined;
  folder?: ExportTemplateFolder[] | undefined;
  item?: ExportTemplateItem[] | undefined;
  iterate?: ExportTemplateIterate[] | undefined;
  library?: ExportTemplateLibrary[] | undefined;
  sequence?: ExportTemplateSequence[] | undefined;
  shape?: ExportTemplateShape[] | undefined;
  text?: ExportTemplateText[] | undefined;
  /** Name of the file, or of the folder for the child elements. */
  path?: string | undefined;
  /** Only UTF-8 is supported. */
  charset?: string | undefined;
}

export type ExportTemplateTextContent = string | {
  /** A script between "{{" and "}}" is replaced by its value. */
  text?: string | undefined;
  /** False: "{{" has no special meaning. */
  scripttags?: boolean | undefined;
};

export interface ExportTemplateDocument {
  /** Names for dependencies and checksums. */
  tag?: string[] | undefined;
  /** Tags of elements that are processed before this one. */
  dependency?: string[] | undefined;
  /** A script. If its value is false, the element is skipped. */
  filter?: string | undefined;
  /** A script that runs before the other scripts of the element. */
  pre?: string | undefined;
  preRender?: string | undefined;
  archive?: ExportTemplateArchive[] | undefined;
  collection?: ExportTemplateCollection[] | undefined;
  component?: ExportTemplateComponent[] | undefined;
  componentfile?: ExportTemplateComponentFile[] | undefined;
  compress?: ExportTemplateCompress[] | undefined;
  dummy?: ExportTemplateDummy[] | undefined;
  external?: ExportTemplateExternal[] | undefined;
  folder?: ExportTemplateFolder[] | undefined;
  item?: ExportTemplateItem[] | undefined;
  iterate?: ExportTemplateIterate[] | undefined;
  library?: ExportTemplateLibrary[] | undefined;
  sequence?: ExportTemplateSequence[] | undefined;
  shape?: ExportTemplateShape[] | undefined;
  text?: ExportTemplateText[] | undefined;
  /** Name of the file, or of the folder for the child elements. */
  path?: string | undefined;
}

export interface ExternalIdentifierDuplicateType {
  entityType?: string | undefined;
  /** Absent: no namespace matches. */
  namespace?: string | undefined;
  externalId?: string | undefined;
  entity?: ExternalIdentifierOwnerType[] | undefined;
}

export interface ExternalIdentifierOwnerType {
  id?: string | undefined;
  /** The entity already has this external id. */
  isKnown?: boolean | undefined;
}

export interface ExternalIdentifierDuplicateListDocument {
  duplicate?: ExternalIdentifierDuplicateType[] | undefined;
}

export interface ExternalIdentifierListDocument {
  id?: ExternalIdentifierType[] | undefined;
}

export interface ExternalIdentifierNamespaceType {
  /** The name in the path. In requests it is ignored. */
  name?: string | undefined;
  /** A regular expression that matches the whole external id. */
  pattern: string;
  /** Priority: of several matching namespaces, the lowest number wins. Default: 0. */
  priority?: number | undefined;
}

export type ExternalIdentifierNamespaceDocument = ExternalIdentifierNamespaceType;

export interface ExternalIdentifierNamespaceListDocument {
  namespace?: ExternalIdentifierNamespaceType[] | undefined;
}

export type FileDocument = FileType;

export interface FileFixityType {
  id?: string | undefined;
  path?: string | undefined;
  size?: number | undefined;
  /** waiting: not read again yet. unhashed: there is no hash to compare with. changed: other bytes than those of the hash. */
  state?: 'waiting' | 'verified' | 'changed' | 'missing' | 'unhashed' | undefined;
  /** When the bytes were last found to be those of the hash. */
  verified?: string | undefined;
  /** When the bytes were last compared. */
  checked?: string | undefined;
  /** From when on the file is read again. */
  due?: string | undefined;
  /** What the last check found, or why it could not compare. */
  message?: string | undefined;
}

export type FileFixityDocument = FileFixityType;

export interface FilePrefixListType {
  prefix?: string[] | undefined;
}

export interface FileListDocument {
  hits?: number | undefined;
  nextCursor?: string | undefined;
  prefixes?: FilePrefixListType | undefined;
  file?: FileType[] | undefined;
}

export interface FixityDocument {
  storage?: string | undefined;
  /** Each file is read again within so many days. */
  days: number;
  /** Maximum number of bytes that are read in a second. Default: 20 MiB. */
  bytesPerSecond?: number | undefined;
  /** From when on the file waits that waits longest. */
  due?: string | undefined;
  /** Number of files that were not read again yet. */
  waiting?: number | undefined;
  /** Number of files whose bytes were as they should be. */
  verified?: number | undefined;
  /** Number of files with other bytes than those of their hash. */
  changed?: number | undefined;
  /** Number of files that the storage does not have. */
  missing?: number | undefined;
  /** Number of files without a hash. */
  unhashed?: number | undefined;
  hits?: number | undefined;
  file?: FileFixityType[] | undefined;
}

export interface FixityScheduleType {
  storage?: string | undefined;
  /** Each file is read again within so many days. */
  days: number;
  /** Maximum number of bytes that are read in a second. Default: 20 MiB. */
  bytesPerSecond?: number | undefined;
  /** From when on the file waits that waits longest. */
  due?: string | undefined;
  /** Number of files that were not read again yet. */
  waiting?: number | undefined;
  /** Number of files whose bytes were as they should be. */
  verified?: number | undefined;
  /** Number of files with other bytes than those of their hash. */
  changed?: number | undefined;
  /** Number of files that the storage does not have. */
  missing?: number | undefined;
  /** Number of files without a hash. */
  unhashed?: number | undefined;
}

export interface FixityListDocument {
  fixity?: FixityScheduleType[] | undefined;
}

export interface ConnectionPoolType {
  minSize?: number | undefined;
  maxSize?: number | undefined;
  /** Interval in milliseconds. */
  evictionInterval?: number | undefined;
  /** Time in milliseconds. */
  minIdleTime?: number | undefined;
}

export interface FtpPoolConfigurationDocument {
  /** Absent: connections are closed after each request. */
  pool?: ConnectionPoolType | undefined;
}

export interface GroupListType {
  hits?: number | undefined;
  group?: ListedGroupType[] | undefined;
}

export interface ListedGroupType {
  id?: string | undefined;
  loc?: string | undefined;
  groupName: string;
  description?: string | undefined;
  /** A role is a group that grants a permission. */
  role?: boolean | undefined;
  childGroupList?: GroupListType | undefined;
  /** Groups and roles of the user or group. */
  parentGroupList?: GroupListType | undefined;
  userList?: UserListType | undefined;
  metadata?: SimpleMetadataType | undefined;
  /** Name of the site. */
  origin?: string | undefined;
  /** In a list: removes this relation. */
  remove?: boolean | undefined;
}

export interface UserListType {
  hits?: number | undefined;
  user?: UserType[] | undefined;
}

export interface UserType {
  id?: string | undefined;
  loc?: string | undefined;
  userName: string;
  realName?: string | undefined;
  /** Raw or hashed, as the parameter passwordType says. */
  password?: string | undefined;
  salt?: string | undefined;
  alias?: string[] | undefined;
  groupList?: GroupListType | undefined;
  metadata?: SimpleMetadataType | undefined;
  /** Name of the site. */
  origin?: string | undefined;
  /** Whether the account may act for others (RunAs). It also needs the role. */
  runAs?: boolean | undefined;
  accessPreserved?: boolean | undefined;
  disabled?: boolean | undefined;
  /** In a list: removes this member. */
  remove?: boolean | undefined;
}

export interface GroupDocument {
  id?: string | undefined;
  loc?: string | undefined;
  groupName?: string | undefined;
  description?: string | undefined;
  /** A role is a group that grants a permission. */
  role?: boolean | undefined;
  childGroupList?: GroupListType | undefined;
  /** Groups and roles of the user or group. */
  parentGroupList?: GroupListType | undefined;
  userList?: UserListType | undefined;
  metadata?: SimpleMetadataType | undefined;
  /** Name of the site. */
  origin?: string | undefined;
  /** In a list: removes this relation. */
  remove?: boolean | undefined;
}

export type GroupListDocument = GroupListType;

export interface HealthDocument {
  /** The process runs. */
  live: boolean;
  /** The service can answer requests. */
  ready?: boolean | undefined;
  database?: 'writable' | 'unavailable' | undefined;
  /** Whether the database has the schema of this program. Absent where it does not answer. */
  migrations?: 'done' | 'pending' | undefined;
  /** kept: security.ini or a plugin changed and has errors. The previous configuration stays in use. */
  security?: 'current' | 'kept' | undefined;
  /** Only where stored secrets cannot be read. other: the key is not the one that they were stored under. missing: there is none. */
  secretKey?: 'other' | 'missing' | undefined;
}

export interface ImportAccessControlGroupType {
  name: string;
  permission: 'NONE' | 'READ' | 'WRITE' | 'ALL';
}

export interface ImportAccessControlListDocument {
  group?: ImportAccessControlGroupType[] | undefined;
}

export interface ImportSettingsDocument {
  id?: string | undefined;
  access?: AccessControlType[] | undefined;
}

export interface ImportableFileType {
  file: FileType;
}

export interface ImportableFileListDocument {
  hits?: number | undefined;
  nextCursor?: string | undefined;
  prefixes?: FilePrefixListType | undefined;
  element?: ImportableFileType[] | undefined;
}

export interface IndexingFieldDefaultType {
  name: string;
  fullText: boolean;
}

export interface IndexingConfigurationDocument {
  solrPath?: string | undefined;
  solrCollection?: string | undefined;
  zookeeperHost?: string[] | undefined;
  elasticsearchPath?: string | undefined;
  commitInterval?: number | undefined;
  softCommitInterval?: number | undefined;
  autoSoftCommit?: boolean | undefined;
  pingAttempts?: number | undefined;
  pingTimeout?: number | undefined;
  queryTimeout?: number | undefined;
  fieldDefault?: IndexingFieldDefaultType[] | undefined;
}

export interface ItemType {
  metadata?: MetadataType | undefined;
  thumbnails?: URIListType | undefined;
  posters?: URIListType | undefined;
  files?: URIListType | undefined;
  /** The metadata in its terse form. */
  terse?: TerseType | undefined;
  shape?: ShapeType[] | undefined;
  /** The entries that apply to the caller. */
  'merged-access'?: AccessControlMergedType | undefined;
  /** Terms of use that count for the item. Left out: there are none. */
  usage?: UsageStateType | undefined;
  access?: ItemAccessType[] | undefined;
  /** Timespans that match the search. */
  timespan?: SearchResultEntryTimespanType[] | undefined;
  externalId?: ExternalIdentifierType[] | undefined;
  id?: string | undefined;
  start?: string | undefined;
  end?: string | undefined;
  base?: string | undefined;
}

export interface URIListType {
  hits?: number | undefined;
  uri?: string[] | undefined;
}

export interface UsageStateType {
  state?: 'later' | 'usable' | 'ended' | undefined;
  /** The latest begin of all terms that count. */
  usableFrom?: string | undefined;
  /** The earliest end of all terms that count. */
  usableUntil?: string | undefined;
  /** Reason of the terms that decide. */
  reason?: string | undefined;
}

export interface ItemAccessType {
  type?: string | undefined;
  permission?: string | undefined;
}

export interface SearchResultEntryTimespanType {
  field?: SearchResultEntryFieldType[] | undefined;
  start?: string | undefined;
  end?: string | undefined;
}

export interface SearchResultEntryFieldType {
  name?: string | undefined;
  value?: string[] | undefined;
}

export type ItemDocument = ItemType;

export interface ItemListDocument {
  hits?: number | undefined;
  /** There may be more hits than that, which count=bounded leaves uncounted. */
  moreHits?: boolean | undefined;
  library?: string | undefined;
  nextCursor?: string | undefined;
  item?: ItemType[] | undefined;
  facet?: FacetType[] | undefined;
  suggestion?: SuggestionResultType[] | undefined;
  autocomplete?: AutocompleteResponseType[] | undefined;
}

export interface ItemRelationType {
  id?: string | undefined;
  direction: ItemRelationDirectionType;
  value?: ItemRelationValueType[] | undefined;
}

export interface ItemRelationDirectionType {
  source: string;
  target: string;
  /** D: from the source to the target. U: undirected. */
  type?: string | undefined;
}

export interface ItemRelationValueType {
  key: string;
  value: string;
}

export type ItemRelationDocument = ItemRelationType;

export interface ItemRelationListDocument {
  relation?: ItemRelationType[] | undefined;
}

export interface ItemSearchType {
  text?: ItemSearchTextValueType[] | undefined;
  field?: SearchFieldType[] | undefined;
  group?: SearchGroupType[] | undefined;
  intervals?: 'all' | 'generic' | 'timed' | undefined;
  cursor?: string | undefined;
  /** The uuids of groups and fields that the metadata refers to. */
  reference?: string[] | undefined;
  operator?: SearchOperatorType[] | undefined;
  /** Restricts the result. Facets may exclude it. */
  filter?: SearchFilterType[] | undefined;
  /** Only entities on which the user and the group have the permission. Default: the caller. */
  acl?: SearchAclType | undefined;
  /** A single item of the entity must match all criteria. */
  item?: CriterionType | undefined;
  shape?: CriterionType | undefined;
  file?: CriterionType | undefined;
  collection?: CriterionType | undefined;
  relation?: CriterionType | undefined;
  /** A single annotation of the item must match all criteria. */
  annotation?: CriterionType | undefined;
  /** The latest version of the item must have a state under review that matches. */
  approval?: CriterionType | undefined;
  facetFilter?: FacetFilterType[] | undefined;
  facet?: FacetRequestType[] | undefined;
  sort?: SearchSortType[] | undefined;
  highlight?: SearchHighlightType | undefined;
  suggestion?: SuggestionSearchType | undefined;
  autocomplete?: AutocompleteRequestType[] | undefined;
  /** Accepted, without effect. */
  version?: number | undefined;
}

export interface ItemSearchTextValueType {
  value?: string | undefined;
  /** True: the text is a query with phrases, AND, OR, NOT, + and -, and ranges. */
  noescape?: boolean | undefined;
  boost?: number | undefined;
}

export interface SearchFieldType {
  name: string;
  /** At least one of the values must match. Without values and ranges, any value matches. */
  value?: ItemSearchValueType[] | undefined;
  range?: SearchRangeType[] | undefined;
  /** Owner of the field, if not the entity itself. */
  target?: 'item' | 'shape' | 'file' | 'annotation' | 'approval' | undefined;
}

export interface ItemSearchValueType {
  value?: string | undefined;
  /** True: no lower bound. */
  minimum?: boolean | undefined;
  /** True: no upper bound. */
  maximum?: boolean | undefined;
  noescape?: boolean | undefined;
  boost?: number | undefined;
}

export interface SearchRangeType {
  /** Lower bound, then upper bound. */
  value?: ItemSearchValueType[] | undefined;
  exclusiveMinimum?: boolean | undefined;
  exclusiveMaximum?: boolean | undefined;
}

export interface SearchGroupType {
  name?: string | undefined;
  text?: ItemSearchTextValueType[] | undefined;
  field?: SearchFieldType[] | undefined;
  /** All criteria must match in one instance of the group. */
  group?: SearchGroupType[] | undefined;
  operator?: SearchOperatorType[] | undefined;
  /** A single item of the entity must match all criteria. */
  item?: CriterionType | undefined;
  shape?: CriterionType | undefined;
  file?: CriterionType | undefined;
  collection?: CriterionType | undefined;
  relation?: CriterionType | undefined;
  /** A single annotation of the item must match all criteria. */
  annotation?: CriterionType | undefined;
  /** The latest version of the item must have a state under review that matches. */
  approval?: CriterionType | undefined;
  /** The uuids of groups and fields that the metadata refers to. */
  reference?: string[] | undefined;
  /** Only outside of all other criteria. */
  acl?: SearchAclType | undefined;
}

export interface SearchOperatorType {
  text?: ItemSearchTextValueType[] | undefined;
  field?: SearchFieldType[] | undefined;
  /** All criteria must match in one instance of the group. */
  group?: SearchGroupType[] | undefined;
  operator?: SearchOperatorType[] | undefined;
  /** A single item of the entity must match all criteria. */
  item?: CriterionType | undefined;
  shape?: CriterionType | undefined;
  file?: CriterionType | undefined;
  collection?: CriterionType | undefined;
  relation?: CriterionType | undefined;
  /** A single annotation of the item must match all criteria. */
  annotation?: CriterionType | undefined;
  /** The latest version of the item must have a state under review that matches. */
  approval?: CriterionType | undefined;
  /** The uuids of groups and fields that the metadata refers to. */
  reference?: string[] | undefined;
  /** Only outside of all other criteria. */
  acl?: SearchAclType | undefined;
  /** Default: AND. */
  operation?: 'AND' | 'OR' | 'NOT' | undefined;
}

export interface CriterionType {
  text?: ItemSearchTextValueType[] | undefined;
  field?: SearchFieldType[] | undefined;
  /** All criteria must match in one instance of the group. */
  group?: SearchGroupType[] | undefined;
  operator?: SearchOperatorType[] | undefined;
  /** A single item of the entity must match all criteria. */
  item?: CriterionType | undefined;
  shape?: CriterionType | undefined;
  file?: CriterionType | undefined;
  collection?: CriterionType | undefined;
  relation?: CriterionType | undefined;
  /** A single annotation of the item must match all criteria. */
  annotation?: CriterionType | undefined;
  /** The latest version of the item must have a state under review that matches. */
  approval?: CriterionType | undefined;
  /** The uuids of groups and fields that the metadata refers to. */
  reference?: string[] | undefined;
  /** Only outside of all other criteria. */
  acl?: SearchAclType | undefined;
}

export interface SearchAclType {
  /** Another user than the caller needs `_user_read` and `_accesscontrol_read`. */
  username?: string | undefined;
  /** Needs the same roles. */
  groupname?: string | undefined;
  /** READ, WRITE, ALL or OWNER. */
  permission: string;
}

export interface SearchFilterType {
  text?: ItemSearchTextValueType[] | undefined;
  field?: SearchFieldType[] | undefined;
  /** All criteria must match in one instance of the group. */
  group?: SearchGroupType[] | undefined;
  operator?: SearchOperatorType[] | undefined;
  /** A single item of the entity must match all criteria. */
  item?: CriterionType | undefined;
  shape?: CriterionType | undefined;
  file?: CriterionType | undefined;
  collection?: CriterionType | undefined;
  relation?: CriterionType | undefined;
  /** A single annotation of the item must match all criteria. */
  annotation?: CriterionType | undefined;
  /** The latest version of the item must have a state under review that matches. */
  approval?: CriterionType | undefined;
  /** The uuids of groups and fields that the metadata refers to. */
  reference?: string[] | undefined;
  /** Only outside of all other criteria. */
  acl?: SearchAclType | undefined;
  /** Default: AND. */
  operation?: 'AND' | 'OR' | 'NOT' | undefined;
  /** Name for facets that exclude the filter. */
  name?: string | undefined;
}

export interface FacetFilterType {
  field: string;
  range?: FacetRangeRequestType | undefined;
  value?: string | undefined;
}

export interface FacetRangeRequestType {
  start?: string | undefined;
  end?: string | undefined;
}

export interface FacetRequestType {
  field: string;
  range?: FacetRangeRequestType[] | undefined;
  /** Names of filters that the facet ignores. */
  exclude?: string[] | undefined;
  /** No effect: a facet always counts. */
  count?: boolean | undefined;
  minCount?: number | undefined;
  /** Only of searches of jobs. */
  maxCount?: number | undefined;
  maxResults?: number | undefined;
  name?: string | undefined;
}

export interface SearchSortType {
  field: string;
  /** "ascending" or "descending". Default: ascending. */
  order?: string | undefined;
}

export interface SearchHighlightType {
  field?: string[] | undefined;
  matchingOnly?: boolean | undefined;
  prefix?: string | undefined;
  suffix?: string | undefined;
}

export interface SuggestionSearchType {
  maximumSuggestions?: number | undefined;
  accuracy?: number | undefined;
}

export type ItemSearchDocument = ItemSearchType;

export type JobDocument = JobType;

export interface JobListDocument {
  hits?: number | undefined;
  job?: JobType[] | undefined;
  /** Facets of a search. */
  facet?: FacetType[] | undefined;
}

export interface JobPoolType {
  /** Jobs of this priority and above. */
  priorityThreshold: 'IMMEDIATE' | 'HIGHEST' | 'HIGH' | 'MEDIUM' | 'LOW' | 'LOWEST';
  size: number;
}

export interface JobPoolListDocument {
  /** Maximum number of concurrent jobs of each instance, in all pools together. */
  concurrentJobs?: number | undefined;
  pool?: JobPoolType[] | undefined;
}

export interface JobPriorityType {
  /** The type of the jobs. */
  type: string;
  value: 'IMMEDIATE' | 'HIGHEST' | 'HIGH' | 'MEDIUM' | 'LOW' | 'LOWEST';
}

export interface JobPriorityConfigurationDocument {
  job?: JobPriorityType[] | undefined;
}

export interface JobProblemType {
  /** Number of the job that has waited longest. */
  id: number;
  /** Type of the problem: StorageFull, StorageOffline, FileMissing, FileArchived, NoTranscoder. */
  type: string;
  data?: JobProblemDataType[] | undefined;
  /** The jobs that wait for it. */
  job?: string[] | undefined;
}

export interface JobProblemDataType {
  key: string;
  value?: string | undefined;
}

export interface JobProblemListDocument {
  problem?: JobProblemType[] | undefined;
}

export interface JobSearchFieldType {
  /** Name: jobId, user, state, type, priority, startTime, finishTime, or a key of the data. */
  name: string;
  /** At least one of the values must match. */
  value?: JobSearchValueType[] | undefined;
  /** Range of times: lower bound, then upper bound. */
  range?: JobSearchRangeType[] | undefined;
}

export interface JobSearchValueType {
  value?: string | undefined;
  name?: string | undefined;
}

export interface JobSearchRangeType {
  value?: JobSearchValueType[] | undefined;
}

export interface JobSearchDocument {
  field?: JobSearchFieldType[] | undefined;
  /** A field with one value or range. The facet of the same field ignores it. */
  facetFilter?: FacetFilterType[] | undefined;
  /** Numbers of jobs by user, state, type, priority, or a key of the data. Ranges have no effect. */
  facet?: FacetRequestType[] | undefined;
}

export interface LibrarySettingsDocument {
  id?: string | undefined;
  /** The user with whose rights the query runs. */
  username?: string | undefined;
  /** MERGE adds matching items, REPLACE also removes others, TRANSIENT stores no items and searches on each read. */
  updateMode?: 'MERGE' | 'REPLACE' | 'TRANSIENT' | undefined;
  /** True: each read runs the query again. */
  autoRefresh?: boolean | undefined;
  /** Seconds between automatic refreshes. 0: none. */
  updateFrequency?: number | undefined;
  lastUpdate?: string | undefined;
  /** Query for the items of the library. */
  query?: ItemSearchType | undefined;
}

export interface LockDocument {
  /** The locked entity. */
  id?: string | undefined;
  user?: string | undefined;
  expires?: string | undefined;
}

export interface LogReportConfigurationDocument {
  path?: string | undefined;
  expiryTime?: number | undefined;
  uploadUri?: string | undefined;
  certificate?: string | undefined;
  /** Accepted and not stored: this service uploads no reports. */
  clientKey?: string | undefined;
  clientCertificate?: string[] | undefined;
}

export interface AuthenticatorAnswerType {
  /** Id of the credential. This and all others are base64url. */
  id: string;
  clientData: string;
  authenticatorData: string;
  /** Of a new passkey: SubjectPublicKeyInfo. */
  publicKey?: string | undefined;
  algorithm?: number | undefined;
  /** Of a login. */
  signature?: string | undefined;
  userHandle?: string | undefined;
}

export interface LoginAnswerDocument {
  /** The login that waits, as `POST /session` answered it. */
  step?: string | undefined;
  code?: string | undefined;
  recoveryCode?: string | undefined;
  passkey?: AuthenticatorAnswerType | undefined;
}

export interface LoginProviderType {
  /** Name of the object in security.ini. */
  name: string;
  title: string;
  /** Name of an icon of the web page. */
  icon?: string | undefined;
}

export interface LoginProviderListDocument {
  provider?: LoginProviderType[] | undefined;
}

export interface LoudnessMixType {
  /** Kept of the request. */
  name?: string | undefined;
  /** Weight of the channel, from -60 to 60. Default: 0. */
  weightdB?: number | undefined;
  /** The stream by its track, such as A1. */
  sourceItemTrack?: string | undefined;
  /** The stream, from 0. It comes before its track. */
  sourceStream?: number | undefined;
  /** The channel of the stream, from 0. Default: all. */
  sourceChannel?: number | undefined;
}

export interface LoudnessDocument {
  id?: string | undefined;
  shape?: string | undefined;
  shapeTag?: string | undefined;
  mix?: LoudnessMixType[] | undefined;
  /** Start of the part, as a time code. It counts in steps of 100 ms. */
  start?: string | undefined;
  /** End of the part. */
  end?: string | undefined;
  /** Start of the part for the loudness alone. Default: that of the part. */
  startLoudness?: string | undefined;
  /** End of the part for the loudness alone. */
  endLoudness?: string | undefined;
  /** Start of the part for the range alone. Default: that of the part. */
  startRange?: string | undefined;
  /** End of the part for the range alone. */
  endRange?: string | undefined;
  /** The integrated loudness by EBU R 128, in LUFS. Silence has none. */
  loudnessLU?: number | undefined;
  /** The loudness range by EBU Tech 3342, in LU. */
  loudnessRangeLU?: number | undefined;
}

export interface MailDocument {
  /** Address of the user. Default of a change: the one that is there. */
  address?: string | undefined;
  /** Whether the user gets mail at the address. */
  confirmed?: boolean | undefined;
  /** The code of the mail to a new address, which confirms it. */
  code?: string | undefined;
  /** What the user is told of. Default: all but "review". */
  kind?: ('mention' | 'assignment' | 'share' | 'quota' | 'login' | 'review')[] | undefined;
  /** True: one message an hour has all. */
  digest?: boolean | undefined;
  /** Default: the language of the web page. */
  language?: 'en' | 'sv' | undefined;
}

export interface MetadataChangeSetEntryType {
  id?: string | undefined;
  metadata?: MetadataType | undefined;
}

export interface MetadataChangeSetDocument {
  changeSet?: MetadataChangeSetEntryType[] | undefined;
}

export interface MetadataDatasetEntryType {
  name: string;
  uri: string;
}

export interface MetadataDatasetListDocument {
  dataset?: MetadataDatasetEntryType[] | undefined;
}

export type MetadataDocument = MetadataType;

export interface MetadataEntrySourceType {
  id?: string | undefined;
  type?: string | undefined;
  loc?: string | undefined;
}

export interface MetadataEntryDocument {
  group?: MetadataGroupValueType | undefined;
  field?: MetadataFieldValueType | undefined;
  value?: MetadataValueType | undefined;
  source?: MetadataEntrySourceType | undefined;
}

export interface MetadataEntryListEntryType {
  group?: MetadataGroupValueType | undefined;
  field?: MetadataFieldValueType | undefined;
  value?: MetadataValueType | undefined;
  source?: MetadataEntrySourceType | undefined;
  uuid?: string | undefined;
}

export interface MetadataEntryListDocument {
  entry?: MetadataEntryListEntryType[] | undefined;
}

export interface MetadataFieldAccessControlType {
  id?: string | undefined;
  field?: string | undefined;
  fieldGroup?: string | undefined;
  user?: string | undefined;
  group?: string | undefined;
  /** Each level includes the levels before it. */
  permission: 'NONE' | 'READ' | 'WRITE' | 'DELETE';
}

export type MetadataFieldAccessControlDocument = MetadataFieldAccessControlType;

export interface MetadataFieldAccessControlListDocument {
  access?: MetadataFieldAccessControlType[] | undefined;
}

export type MetadataFieldDocument = MetadataFieldType;

export interface MetadataFieldGroupType {
  /** Name of the group. Optional if the path has the name. */
  name?: string | undefined;
  schema?: MetadataSchemaElementType | undefined;
  data?: KeyValuePairType[] | undefined;
  field?: MetadataFieldType[] | undefined;
  group?: MetadataFieldGroupType[] | undefined;
  access?: MetadataFieldAccessControlType[] | undefined;
  externalId?: string[] | undefined;
  origin?: string | undefined;
  /** Stored and answered, without effect: what items inherit depends on "inheritance" alone. */
  inheritanceRule?: MetadataInheritanceRuleType[] | undefined;
  inheritance?: string | undefined;
}

export type MetadataFieldGroupDocument = MetadataFieldGroupType;

export interface MetadataFieldGroupListDocument {
  group?: MetadataFieldGroupType[] | undefined;
}

export interface MetadataFieldListDocument {
  field?: MetadataFieldType[] | undefined;
}

export interface MetadataFieldResultGroupType {
  value?: MetadataGroupValueType | undefined;
  definition?: MetadataFieldGroupType | undefined;
  source?: MetadataFieldResultSourceType | undefined;
  name?: string | undefined;
  uuid?: string | undefined;
  start?: string | undefined;
  end?: string | undefined;
}

export interface MetadataFieldResultSourceType {
  id?: string | undefined;
  /** item, collection or global. */
  type?: string | undefined;
  loc?: string | undefined;
}

export interface MetadataFieldResultDocument {
  hits?: number | undefined;
  group?: MetadataFieldResultGroupType[] | undefined;
}

export interface MetadataFieldValueConstraintType {
  field?: string | undefined;
  id?: string | undefined;
  value?: string | undefined;
}

export interface MetadataFieldValueConstraintListDocument {
  constraint?: MetadataFieldValueConstraintType[] | undefined;
}

export interface MetadataGroupSearchDocument {
  text?: ItemSearchTextValueType[] | undefined;
  field?: SearchFieldType[] | undefined;
  group?: SearchGroupType[] | undefined;
  intervals?: 'all' | 'generic' | 'timed' | undefined;
  cursor?: string | undefined;
  /** The uuids of groups and fields that the metadata refers to. */
  reference?: string[] | undefined;
  operator?: SearchOperatorType[] | undefined;
  /** More criteria of the same group. */
  filter?: SearchFilterType[] | undefined;
  /** A single item of the entity must match all criteria. */
  item?: CriterionType | undefined;
  facetFilter?: FacetFilterType[] | undefined;
  facet?: FacetRequestType[] | undefined;
  sort?: SearchSortType[] | undefined;
  highlight?: SearchHighlightType | undefined;
}

export type MetadataListDocument = MetadataListType;

export interface MetadataLockType {
  id?: string | undefined;
  user?: string | undefined;
  expires?: string | undefined;
  /** Default: all fields. */
  field?: string[] | undefined;
}

export type MetadataLockDocument = MetadataLockType;

export interface MetadataLockListDocument {
  lock?: MetadataLockType[] | undefined;
}

export interface MetadataSchemaGroupType {
  group?: MetadataSchemaElementType[] | undefined;
  field?: MetadataSchemaElementType[] | undefined;
  min?: number | undefined;
  max?: number | undefined;
  name?: string | undefined;
}

export interface MetadataSchemaDocument {
  group?: MetadataSchemaGroupType[] | undefined;
}

export type MetadataSchemaGroupDocument = MetadataSchemaGroupType;

export interface MetadataSchemaMigrationType {
  done?: boolean | undefined;
  /** Approximate number of entities that are not processed yet. */
  migrationsLeft?: number | undefined;
  move?: MetadataSchemaMoveOperationType[] | undefined;
  rename?: MetadataSchemaRenameOperationType[] | undefined;
  delete?: MetadataSchemaDeleteOperationType[] | undefined;
  id?: number | undefined;
}

export interface MetadataSchemaMoveOperationType {
  from: MetadataSchemaHierarchyType;
  /** The target group, or the new name with its groups. */
  to: MetadataSchemaHierarchyType;
  /** "field" or "group". Optional if the hierarchy has it. */
  type?: string | undefined;
}

export interface MetadataSchemaHierarchyType {
  group?: MetadataFieldGroupType | undefined;
  field?: MetadataFieldType | undefined;
}

export interface MetadataSchemaRenameOperationType {
  from: MetadataSchemaHierarchyType;
  to: string;
}

export interface MetadataSchemaDeleteOperationType {
  /** Without enclosing groups: the definition and all values. */
  target: MetadataSchemaHierarchyType;
  /** "field" or "group". Optional if the hierarchy has it. */
  type?: string | undefined;
}

export type MetadataSchemaMigrationDocument = MetadataSchemaMigrationType;

export interface MetadataSchemaMigrationListDocument {
  migration?: MetadataSchemaMigrationType[] | undefined;
}

export interface MetadataTableProblemType {
  /** Number of the row as spreadsheets count: the heads are row 1. */
  row: number;
  /** Head of the column. Left out: the whole row. */
  column?: string | undefined;
  /** The beginning of the value. */
  value?: string | undefined;
  /** A sentence. */
  expected: string;
}

export interface MetadataTableUndoType {
  jobId: string;
  /** Status of the job. Left out: the job was deleted. */
  status?: string | undefined;
  /** Number of rows that were taken back. */
  undone: number;
  problems: number;
  /** The first of the problems. */
  problem?: MetadataTableProblemType[] | undefined;
}

export interface MetadataTableDocument {
  id: string;
  jobId: string;
  /** Status of the job. */
  status: string;
  user?: string | undefined;
  dryRun: boolean;
  /** Number of rows below the heads. */
  rows: number;
  /** Number of rows that differ from their items. */
  differing: number;
  /** Number of rows that were written. */
  changed: number;
  problems: number;
  /** The problems of the page. Only the first 1,000 are kept. */
  problem?: MetadataTableProblemType[] | undefined;
  /** How far the import was taken back. */
  undo?: MetadataTableUndoType | undefined;
}

export interface MetadataTableColumnType {
  head: string;
  use: 'key' | 'field' | 'start' | 'end' | 'ignored' | 'unknown';
  /** The field, with the groups around it: "group/field". */
  field?: string | undefined;
  /** Type of the field. */
  type?: string | undefined;
  /** The field whose name is nearest to an unknown head. */
  nearest?: string | undefined;
}

export interface MetadataTableRowType {
  value?: string[] | undefined;
}

export interface MetadataTablePreviewDocument {
  /** comma, semicolon or tab. */
  separator: string;
  column?: MetadataTableColumnType[] | undefined;
  /** The first rows. */
  row?: MetadataTableRowType[] | undefined;
  /** Problems of the heads. */
  problem?: MetadataTableProblemType[] | undefined;
}

export interface MetadataWrapperDocument {
  metadata?: MetadataType | undefined;
  oldMetadata?: MetadataListType | undefined;
  shape?: ShapeType[] | undefined;
  shapeMetadata?: SimpleMetadataType | undefined;
  bulkyMetadata?: BulkyMetadataType | undefined;
  targetId?: string | undefined;
}

export interface StatsdReporterType {
  include?: string[] | undefined;
  exclude?: string[] | undefined;
  host?: string | undefined;
  port?: number | undefined;
  prefix?: string | undefined;
  tags?: boolean | undefined;
}

export interface MetricsConfigurationDocument {
  statsd?: StatsdReporterType | undefined;
}

export interface MigrationType {
  number: number;
  name: string;
  /** Left out: of the service itself. */
  extension?: string | undefined;
  applied: string;
}

export interface MigrationListDocument {
  /** The version of this program. */
  version: string;
  migration?: MigrationType[] | undefined;
}

export interface NewSecondFactorDocument {
  /** The login that waits, as `POST /session` answered it. */
  step?: string | undefined;
  name?: string | undefined;
  sealed?: string | undefined;
  /** A code of the app, which shows that it has the secret. */
  code?: string | undefined;
  passkey?: AuthenticatorAnswerType | undefined;
}

export interface NotificationActionType {
  http?: HttpActionType | undefined;
  ejb?: EjbActionType | undefined;
  jms?: JmsActionType | undefined;
  sqs?: SqsActionType | undefined;
  sns?: SnsActionType | undefined;
  javascript?: JavascriptActionType | undefined;
  smtp?: SmtpActionType | undefined;
}

export interface HttpActionType {
  /** Deliver before the operation that fires it is committed. */
  synchronous?: boolean | undefined;
  /** Deliveries with the same group are made in order. */
  group?: string | undefined;
  extradata?: string | undefined;
  /** Attempts after the first one. */
  retry?: number | undefined;
  contentType?: string | undefined;
  /** A user and password in it are used for basic authentication. */
  url: string;
  method?: 'POST' | 'PUT' | undefined;
  /** Seconds; "0" and "none" mean no timeout. */
  timeout?: string | undefined;
}

export interface EjbActionType {
  /** Deliver before the operation that fires it is committed. */
  synchronous?: boolean | undefined;
  /** Deliveries with the same group are made in order. */
  group?: string | undefined;
  extradata?: string | undefined;
  /** Attempts after the first one. */
  retry?: number | undefined;
  bean: string;
  method: string;
  data?: EjbDataType[] | undefined;
}

export interface EjbDataType {
  key?: string | undefined;
  value?: string | undefined;
}

export interface JmsActionType {
  /** Deliver before the operation that fires it is committed. */
  synchronous?: boolean | undefined;
  /** Deliveries with the same group are made in order. */
  group?: string | undefined;
  extradata?: string | undefined;
  /** Attempts after the first one. */
  retry?: number | undefined;
  contentType?: string | undefined;
  queue: string;
  queueFactory: string;
  username?: string | undefined;
  password?: string | undefined;
}

export interface SqsActionType {
  /** Deliver before the operation that fires it is committed. */
  synchronous?: boolean | undefined;
  /** Deliveries with the same group are made in order. */
  group?: string | undefined;
  extradata?: string | undefined;
  /** Attempts after the first one. */
  retry?: number | undefined;
  queue: string;
  endpoint: string;
  contentType?: string | undefined;
  accessKey?: string | undefined;
  secret?: string | undefined;
  roleArn?: string | undefined;
  roleSessionName?: string | undefined;
  roleExternalId?: string | undefined;
  messageGroupId?: string | undefined;
}

export interface SnsActionType {
  /** Deliver before the operation that fires it is committed. */
  synchronous?: boolean | undefined;
  /** Deliveries with the same group are made in order. */
  group?: string | undefined;
  extradata?: string | undefined;
  /** Attempts after the first one. */
  retry?: number | undefined;
  topic?: string | undefined;
  endpoint?: string | undefined;
  contentType?: string | undefined;
  accessKey?: string | undefined;
  secret?: string | undefined;
  roleArn?: string | undefined;
  roleSessionName?: string | undefined;
  roleExternalId?: string | undefined;
}

export interface JavascriptActionType {
  /** Deliver before the operation that fires it is committed. */
  synchronous?: boolean | undefined;
  /** Deliveries with the same group are made in order. */
  group?: string | undefined;
  extradata?: string | undefined;
  /** Attempts after the first one. */
  retry?: number | undefined;
  script: string;
}

export interface SmtpActionType {
  /** Deliver before the operation that fires it is committed. */
  synchronous?: boolean | undefined;
  /** Deliveries with the same group are made in order. */
  group?: string | undefined;
  extradata?: string | undefined;
  /** Attempts after the first one. */
  retry?: number | undefined;
  contentType?: string | undefined;
  /** Address of the receiver. */
  to: string;
  /** Subject of the mail. Default: the event and its entity. */
  subject?: string | undefined;
  /** A mail server other than that of the setting smtpUrl, in the same form. */
  url?: string | undefined;
}

export interface NotificationTriggerType {
  job?: JobTriggerType | undefined;
  item?: ItemTriggerType | undefined;
  metadata?: MetadataTriggerType | undefined;
  shape?: ShapeTriggerType | undefined;
  access?: AccessTriggerType | undefined;
  annotation?: AnnotationTriggerType | undefined;
  approval?: ApprovalTriggerType | undefined;
  usage?: UsageTriggerType | undefined;
  collection?: CollectionTriggerType | undefined;
  storage?: StorageTriggerType | undefined;
  file?: FileTriggerType | undefined;
  group?: GroupTriggerType | undefined;
  quota?: QuotaTriggerType | undefined;
  document?: DocumentTriggerType | undefined;
  deletionLock?: DeletionLockTriggerType | undefined;
  login?: LoginTriggerType | undefined;
  share?: ShareTriggerType | undefined;
  notification?: NotificationHealthTriggerType | undefined;
}

export interface JobTriggerType {
  create?: '' | undefined;
  update?: '' | undefined;
  /** Sent for jobs that end, with or without success. */
  stop?: '' | undefined;
  /** Sent for jobs that finish. */
  finished?: '' | undefined;
  /** Sent for jobs that fail. */
  fail?: '' | undefined;
  /** Fires only for jobs that were started with its id. */
  placeholder?: boolean | undefined;
  contentFilters?: JobContentFiltersType | undefined;
  filter?: JobFilterType | undefined;
}

export interface JobContentFiltersType {
  contentFilter?: ('jobId' | 'jobState' | 'user' | 'startTime' | 'jobType' | 'jobData' | 'errorMessage' | 'itemId' | 'totalSteps' | 'currentStep')[] | undefined;
}

export interface JobFilterType {
  /** Any of them; each may be a comma-separated list. */
  type?: string[] | undefined;
  step?: number | undefined;
  jobdata?: JobDataFilterType | undefined;
}

export interface JobDataFilterType {
  key?: string | undefined;
  'key-regex'?: string | undefined;
  value?: string | undefined;
  'value-regex'?: string | undefined;
}

export interface ItemTriggerType {
  create?: '' | undefined;
  delete?: '' | undefined;
  modify?: '' | undefined;
}

export interface MetadataTriggerType {
  modify: MetadataModifyType;
}

export interface MetadataModifyType {
  /** Comma-separated names. An asterisk stands for any text. */
  field?: string | undefined;
  interval?: string | undefined;
  /** A trailing asterisk matches any rest. */
  language?: string | undefined;
  track?: string | undefined;
}

export interface ShapeTriggerType {
  create?: '' | undefined;
  modify?: '' | undefined;
  delete?: '' | undefined;
}

export interface AccessTriggerType {
  create?: '' | undefined;
  delete?: '' | undefined;
  change?: '' | undefined;
}

export interface AnnotationTriggerType {
  create?: '' | undefined;
  modify?: '' | undefined;
  delete?: '' | undefined;
}

export interface ApprovalTriggerType {
  request?: '' | undefined;
  approve?: '' | undefined;
  reject?: '' | undefined;
}

export interface UsageTriggerType {
  /** Terms of use were set or changed. */
  modify?: '' | undefined;
  delete?: '' | undefined;
  /** The time has come from which the media may leave the service. */
  begins?: '' | undefined;
  /** The time has come from which they may no longer. */
  ends?: '' | undefined;
}

export interface CollectionTriggerType {
  create?: '' | undefined;
  delete?: '' | undefined;
  /** Members were added or removed. */
  modify?: '' | undefined;
  item?: CollectionItemTriggerType | undefined;
  metadata?: MetadataTriggerType | undefined;
  usage?: UsageTriggerType | undefined;
}

export interface CollectionItemTriggerType {
  create?: '' | undefined;
  delete?: '' | undefined;
  modify?: '' | undefined;
}

export interface StorageTriggerType {
  create?: '' | undefined;
  delete?: '' | undefined;
  filename?: '' | undefined;
}

export interface FileTriggerType {
  new?: '' | undefined;
  change?: '' | undefined;
  close?: '' | undefined;
  delete?: '' | undefined;
  hash?: '' | undefined;
  /** A check found that bytes changed or are missing, or are as they should be again. */
  fixity?: '' | undefined;
  /** Only files of this storage. */
  storage?: string | undefined;
}

export interface GroupTriggerType {
  create?: '' | undefined;
  modify?: '' | undefined;
  delete?: '' | undefined;
}

export interface QuotaTriggerType {
  warning?: '' | undefined;
  /** Nine tenths of a limit are used. */
  near?: '' | undefined;
  created?: '' | undefined;
  delete?: '' | undefined;
}

export interface DocumentTriggerType {
  create?: '' | undefined;
  modify?: '' | undefined;
  delete?: '' | undefined;
}

export interface DeletionLockTriggerType {
  create?: '' | undefined;
  modify?: '' | undefined;
  delete?: '' | undefined;
  effective?: '' | undefined;
  expire?: '' | undefined;
}

export interface LoginTriggerType {
  /** A device and address block that the user has not had before. */
  new?: '' | undefined;
}

export interface ShareTriggerType {
  create?: '' | undefined;
  modify?: '' | undefined;
  delete?: '' | undefined;
  /** A guest came in. */
  use?: '' | undefined;
  /** A guest uploaded a file. */
  upload?: '' | undefined;
}

export interface NotificationHealthTriggerType {
  paused?: '' | undefined;
  disabled?: '' | undefined;
  recovered?: '' | undefined;
  parked?: '' | undefined;
}

export interface NotificationDocument {
  action: NotificationActionType;
  trigger: NotificationTriggerType;
}

export interface NotificationHealthDocument {
  state: 'active' | 'paused' | 'disabled';
  since: string;
  /** Reason of the pause, or why the notification is disabled. */
  reason?: string | undefined;
  /** When the pause ends by itself. */
  resume?: string | undefined;
  /** Missing action of a plugin. Events wait until a plugin provides it. */
  missing?: string | undefined;
  /** Why no call reaches its address as the settings are. Its events are parked. */
  blocked?: string | undefined;
  /** Deliveries of one lane are made one after the other. */
  lane: string;
  /** Events that wait for delivery, counted up to a limit. */
  waiting: number;
  /** True: there are more than counted. */
  waitingMore?: boolean | undefined;
  oldestWaiting?: string | undefined;
  /** When its lane continues, if it waits. */
  nextAttempt?: string | undefined;
  /** Parked events. They can be sent again. */
  parked: number;
  delivered: number;
  /** Number of failed attempts. */
  failed: number;
  /** Events that were dropped: too many were parked, or they were too old. */
  lost: number;
  /** Failed attempts since the last success. */
  failures: number;
  failingSince?: string | undefined;
  lastDelivery?: string | undefined;
  lastFailure?: string | undefined;
}

export interface PreviousSecretType {
  number: number;
  publicKey: string;
  created: string;
  ends: string;
}

export interface NotificationSecretDocument {
  number: number;
  /** Secret of "v1" signatures. Only in the answer that creates it. */
  secret?: string | undefined;
  /** Public key of "v1a" signatures. */
  publicKey: string;
  created: string;
  /** Older secrets, which also sign deliveries until they expire. */
  previous?: PreviousSecretType[] | undefined;
}

export interface OAuth2ConfigurationDocument {
  /** Base64 of a certificate whose key verifies signatures. */
  x509Certificate?: string[] | undefined;
  /** Base64 of a public key that verifies signatures. */
  publicKey?: string[] | undefined;
  /** Required value of the claim aud. */
  expectedAudience?: string | undefined;
  /** Name of the claim that holds the user name. */
  tokenUser?: string | undefined;
  federationMetadataURI?: string | undefined;
  /** Seconds between downloads. */
  federationMetadataInterval?: number | undefined;
  validationEndpoint?: string | undefined;
}

export interface ParkedEventType {
  sequence: number;
  trigger: string;
  entity: string;
  happened: string;
  parked: string;
  reason: string;
  attempts: number;
}

export interface ParkedListDocument {
  event?: ParkedEventType[] | undefined;
  /** The parameter "since" of the next page. */
  next?: number | undefined;
}

export interface PasskeyChallengeDocument {
  /** Absent: the setting passkeyLogin is off, and there was no step. */
  challenge?: string | undefined;
  host: string;
  /** Passkeys of the user. None: the authenticator knows its own. */
  credential?: string[] | undefined;
}

export interface PasskeyRequestDocument {
  /** The login that waits, as `POST /session` answered it. */
  step?: string | undefined;
}

export interface PathAliasConfigurationDocument {
  /** NAME=PATH, or v(name)=…$name… for a path with variables. */
  alias?: string[] | undefined;
}

export interface PlaceholderImportRequestDocument {
  container?: string | undefined;
  video?: string[] | undefined;
  audio?: string[] | undefined;
  binary?: string[] | undefined;
}

export interface ProblemDocument {
  /** The code, as in `portico-error`: `urn:portico:error:no-such-entity`. */
  type: string;
  /** What the code means. */
  title: string;
  status: number;
  /** What was expected. */
  detail?: string | undefined;
  /** The request, as in `x-request-id`. */
  instance: string;
  notFound?: NotFoundType | undefined;
  internalServer?: InternalServerType | undefined;
  forbidden?: ForbiddenType | undefined;
  notYetImplemented?: NotYetImplementedType | undefined;
  conflict?: ConflictType | undefined;
  invalidInput?: InvalidInputType | undefined;
  licenseFault?: LicenseFaultType | undefined;
  fileAlreadyExists?: FileAlreadyExistsType | undefined;
  notAuthorized?: NotAuthorizedType | undefined;
}

export interface ProjectDocument {
  name?: string | undefined;
  metadata?: MetadataType | undefined;
}

export interface ProjectFileAssetType {
  id?: string | undefined;
  name?: string | undefined;
  type?: string | undefined;
  status?: string | undefined;
  item?: ProjectFileItemType[] | undefined;
  file?: ProjectFileReferenceType[] | undefined;
}

export interface ProjectFileItemType {
  id?: string | undefined;
  shape?: string | undefined;
  match?: string | undefined;
}

export interface ProjectFileReferenceType {
  path?: string | undefined;
}

export interface ProjectFileDocument {
  location?: string | undefined;
  type?: string | undefined;
  asset?: ProjectFileAssetType[] | undefined;
}

export interface ProjectVersionItemType {
  id?: string | undefined;
  externalId?: string | undefined;
  /** Not used to find the item: give its id or an external id. */
  uri?: string | undefined;
}

export interface ProjectVersionDocument {
  id?: string | undefined;
  item?: ProjectVersionItemType[] | undefined;
  sequence?: SequenceType[] | undefined;
  metadata?: MetadataType | undefined;
}

export interface QuotaDayType {
  /** Start of the day. */
  date?: string | undefined;
  /** Number of items. */
  item?: number | undefined;
  /** Number of bytes. */
  storage?: number | undefined;
}

export interface QuotaHistoryDocument {
  id?: string | undefined;
  day?: QuotaDayType[] | undefined;
}

export interface QuotaRuleType {
  id?: string | undefined;
  description?: string | undefined;
  user?: string | undefined;
  group?: string | undefined;
  collection?: string | undefined;
  library?: string | undefined;
  storage?: string | undefined;
  storageGroup?: string | undefined;
  /** The name of a shape tag. */
  tag?: string | undefined;
  externalId?: ExternalIdentifierType[] | undefined;
  resource?: QuotaResourceType[] | undefined;
  /** True: a change that would exceed a limit is refused. Default: a notification is sent. */
  enforce?: boolean | undefined;
  /** Seconds between automatic evaluations. */
  updateFrequency?: number | undefined;
  /** The last evaluation. */
  lastUpdate?: string | undefined;
}

export interface QuotaResourceType {
  name: 'item' | 'storage';
  /** Number of items, or bytes. */
  limit: number;
  /** Exact at the time of the answer. */
  usage?: number | undefined;
}

export type QuotaRuleDocument = QuotaRuleType;

export interface QuotaRuleListDocument {
  rule?: QuotaRuleType[] | undefined;
}

export interface RecoveryCodesDocument {
  /** The new factor. */
  id?: string | undefined;
  /** Each works once. Only this answer has them. */
  code?: string[] | undefined;
}

export interface ReindexRequestDocument {
  index?: string | undefined;
  priority?: number | undefined;
  status?: string | undefined;
  start?: string | undefined;
  finish?: string | undefined;
  indexesDone?: number | undefined;
  indexesTotal?: number | undefined;
}

export interface ReplayDocument {
  state: 'running' | 'done';
  /** A dry run: events are counted and not sent. */
  dryRun: boolean;
  /** Only parked events. */
  parked: boolean;
  since: string;
  /** Number of examined events. */
  scanned: number;
  /** Matching events. They are sent again, unless they are still waiting. */
  found: number;
  user: string;
  started: string;
  ended?: string | undefined;
}

export interface ResourceType {
  id?: string | undefined;
  state?: string | undefined;
  network?: NetworkType | undefined;
  transcoder?: TranscoderType | undefined;
  externalTranscoder?: ExternalTranscoderType | undefined;
  thumbnail?: ThumbnailServiceType | undefined;
  unknown?: string | undefined;
}

export interface NetworkType {
  netmask?: string | undefined;
  bandwidth?: number | undefined;
}

export interface TranscoderType {
  type?: string | undefined;
  url?: string | undefined;
  version?: string | undefined;
  reverseAddress?: string | undefined;
  reverseAddressDetected?: string | undefined;
  directAccess?: TranscoderDirectAccessType[] | undefined;
  state?: string | undefined;
  weight?: number | undefined;
}

export interface TranscoderDirectAccessType {
  /** A regular expression for addresses of files. */
  filter?: string | undefined;
  rewrite?: TranscoderRewriteType[] | undefined;
}

export interface TranscoderRewriteType {
  pattern?: string | undefined;
  replacement?: string | undefined;
}

export interface ExternalTranscoderType {
  source?: string | undefined;
  destination?: string | undefined;
  shapeTag?: string | undefined;
  timeout?: number | undefined;
  interval?: number | undefined;
  checks?: number | undefined;
  regex?: string | undefined;
}

export interface ThumbnailServiceType {
  path?: string[] | undefined;
  mode?: string | undefined;
  state?: string | undefined;
}

export type ResourceDocument = ResourceType;

export interface ResourceListDocument {
  resource?: ResourceType[] | undefined;
}

export interface ResourceTypeEntryType {
  type?: string | undefined;
  url?: string | undefined;
}

export interface ResourceTypeListDocument {
  resourcetype?: ResourceTypeEntryType[] | undefined;
}

export interface RestoreFileType {
  id?: string | undefined;
  size?: number | undefined;
  /** readable, archived, restoring or restored. */
  state?: string | undefined;
  storageClass?: string | undefined;
  /** When a restored file goes back. */
  until?: string | undefined;
}

export interface RestoreTierType {
  /** For retrievalTier. The first one is the default. */
  name?: string | undefined;
  /** Seconds until the files can be read, as the storage documents it. */
  least?: number | undefined;
  most?: number | undefined;
  /** By the prices that the operator has set. Absent: there are none. */
  cost?: number | undefined;
  currency?: string | undefined;
}

export interface RestoreDocument {
  /** Bytes of the files that would be asked for. */
  bytes?: number | undefined;
  file?: RestoreFileType[] | undefined;
  tier?: RestoreTierType[] | undefined;
}

export interface RunnerType {
  id?: string | undefined;
  /** Name of the runner, unlike that of others of its user. */
  name?: string | undefined;
  /** User by whose token the runner came. */
  user?: string | undefined;
  version?: string | undefined;
  /** Version of the calls between runner and service. Another one than that of the service is refused. */
  protocol?: number | undefined;
  /** Labels that shape tags ask for, such as gpu or site=oslo. */
  label?: string[] | undefined;
  /** Words for all that it can do: kind:transcode, container:mp4, video:h264, audio:aac, still:image/jpeg, draws:audio. */
  ability?: string[] | undefined;
  /** OFFLINE: it has not called for 45 seconds. A runner that stops sends it, and is OFFLINE at once. */
  state?: 'ONLINE' | 'OFFLINE' | undefined;
  created?: string | undefined;
  /** When it last called. */
  seen?: string | undefined;
  /** Since when it claims nothing, until an administrator resumes it. */
  paused?: string | undefined;
  /** Tasks of the runner now. */
  task?: RunnerWorkType[] | undefined;
}

export interface RunnerWorkType {
  /** Kind of the work: TRANSCODE, STILLS or PROBE. */
  type: string;
  /** Job whose work it is. */
  job: string;
  /** Progress in percent. */
  progress: number;
  started: string;
}

export type RunnerDocument = RunnerType;

export interface RunnerListDocument {
  runner?: RunnerType[] | undefined;
}

export interface RunnerResultDocument {
  /** Defects of the result, as sentences. */
  warning?: string[] | undefined;
  /** Properties of the media, as JSON. */
  probe?: string | undefined;
  /** Why the task failed. */
  message?: string | undefined;
  /** What the media is to blame for. Without it another runner may try. */
  kind?: 'unsupported' | 'broken' | 'exhausted' | undefined;
}

export interface RunnerTaskDocument {
  /** Names this claim of the task. Another claim has another name. */
  id: string;
  /** TRANSCODE, STILLS or PROBE. */
  type: string;
  /** What is to be made, as JSON. */
  order: string;
  /** Address of the media, for GET with ranges. */
  source: string;
  /** Bytes of the media. */
  size: number;
  /** Ending of the name of the media. */
  extension?: string | undefined;
  /** Address that takes the result by PUT, with its bytes in the header size. */
  target?: string | undefined;
  /** When the addresses end. Each renewal of the lease gives new ones. */
  expires: string;
  /** Seconds until the task is given to another runner, unless it is renewed. */
  lease: number;
}

export interface SamplePersonType {
  userName: string;
  realName: string;
  group: string;
}

export interface SampleDocument {
  /** Password of all users of the sample. No other answer has it. */
  password: string;
  user?: SamplePersonType[] | undefined;
  /** Path of the page for guests who look. */
  share: string;
  /** Path of the page for guests who send files. */
  upload: string;
  /** Number of items. */
  item: number;
}

export interface SampleRemovalDocument {
  /** Number of entities that were deleted. */
  removed: number;
  /** Paths of entities that others use by now. */
  kept?: string[] | undefined;
}

export interface ScheduledRequestType {
  id: number;
  user: string;
  state: 'WAITING' | 'SUCCESS' | 'CONNECTION_FAILURE' | 'BAD_REQUEST';
  /** Earliest time of execution. */
  date: string;
  created: string;
  executed?: string | undefined;
  request: ScheduledRequestRequestType;
  response?: ScheduledRequestResponseType | undefined;
}

export interface ScheduledRequestRequestType {
  uri: string;
  method: string;
  /** Only in the document of one request, and only if it is text. */
  body?: string | undefined;
}

export interface ScheduledRequestResponseType {
  statusCode: number;
  /** Whether the body is stored. */
  hasBody: boolean;
  contentType?: string | undefined;
}

export type ScheduledRequestDocument = ScheduledRequestType;

export interface ScheduledRequestListDocument {
  scheduledRequest?: ScheduledRequestType[] | undefined;
}

export interface Search2OperatorType {
  text?: ItemSearchTextValueType[] | undefined;
  /** A field of a group has the path of the group ahead: "Group/subgroup/field". */
  field?: SearchFieldType[] | undefined;
  operator?: Search2OperatorType[] | undefined;
  /** Criteria of timed metadata. All others are about metadata without a time. */
  timespans?: Search2OperatorType[] | undefined;
  /** Default: AND. */
  operation?: 'AND' | 'OR' | 'NOT' | undefined;
}

export interface Search2Document {
  text?: ItemSearchTextValueType[] | undefined;
  /** A field of a group has the path of the group ahead: "Group/subgroup/field". */
  field?: SearchFieldType[] | undefined;
  operator?: Search2OperatorType[] | undefined;
  /** Criteria of timed metadata. All others are about metadata without a time. */
  timespans?: Search2OperatorType[] | undefined;
  facetFilter?: FacetFilterType[] | undefined;
  facet?: FacetRequestType[] | undefined;
  sort?: SearchSortType[] | undefined;
  highlight?: SearchHighlightType | undefined;
  suggestion?: SuggestionSearchType | undefined;
  autocomplete?: AutocompleteRequestType[] | undefined;
}

export interface SearchHistoryEntryType {
  timestamp?: string | undefined;
  user?: string | undefined;
  query?: ItemSearchType | undefined;
}

export interface SearchHistoryDocument {
  search?: SearchHistoryEntryType[] | undefined;
}

export interface SearchCandidateType {
  name: string;
  /** In look-ups of one entity. The planner takes the lowest. */
  cost?: number | undefined;
  /** Condition of the strategy that the search does not meet. */
  refusal?: string | undefined;
}

export interface SearchPlanDocument {
  /** Strategy that found the page. */
  strategy: string;
  reason: string;
  /** Hits that the planner expected: those of an earlier search, or all entities of the kind. */
  estimatedHits?: number | undefined;
  hits?: number | undefined;
  /** Time of the whole search, in whole milliseconds. */
  milliseconds?: number | undefined;
  /** Thread that ran the search. */
  thread?: 'serving' | 'reader' | undefined;
  /** Reads on the serving thread. */
  servingReads?: number | undefined;
  /** Reads on reader threads. */
  readerReads?: number | undefined;
  /** Whether fields and the state of the index came from the cache. */
  cached?: boolean | undefined;
  /** What the answer may lack, as its header Warning says. */
  warning?: string | undefined;
  candidate?: SearchCandidateType[] | undefined;
}

export interface SearchResultEntryType {
  item?: ItemType | undefined;
  collection?: CollectionType | undefined;
  timespan?: SearchResultEntryTimespanType[] | undefined;
  start?: string | undefined;
  end?: string | undefined;
  /** "Item", "Collection" or "Document". */
  type?: string | undefined;
  id?: string | undefined;
}

export interface SearchResultDocument {
  hits?: number | undefined;
  /** There may be more hits than that, which count=bounded leaves uncounted. */
  moreHits?: boolean | undefined;
  suggestion?: SuggestionResultType[] | undefined;
  autocomplete?: AutocompleteResponseType[] | undefined;
  entry?: SearchResultEntryType[] | undefined;
  facet?: FacetType[] | undefined;
  nextCursor?: string | undefined;
}

export interface SecondFactorType {
  id?: string | undefined;
  /** TOTP: an app that makes codes. */
  kind?: 'TOTP' | 'PASSKEY' | undefined;
  name?: string | undefined;
  created?: string | undefined;
  /** When it was used last. */
  used?: string | undefined;
}

export type SecondFactorDocument = SecondFactorType;

export interface SecondFactorListDocument {
  /** The setting secondFactor. */
  policy: 'off' | 'optional' | 'administrators' | 'all';
  /** Recovery codes that are left. */
  recoveryCodes: number;
  factor?: SecondFactorType[] | undefined;
}

export interface SecondFactorOfferDocument {
  /** TOTP: the secret for `POST`, sealed. */
  sealed?: string | undefined;
  /** TOTP: the secret for the app. */
  secret?: string | undefined;
  /** TOTP: the address that an app reads from a picture. */
  uri?: string | undefined;
  /** PASSKEY: text whose bytes the authenticator signs. */
  challenge?: string | undefined;
  /** PASSKEY: the host name that the passkey is for. */
  host?: string | undefined;
  /** PASSKEY: the id that the authenticator keeps beside the passkey. */
  userId?: string | undefined;
  userName?: string | undefined;
  /** PASSKEY: numbers of COSE. */
  algorithm?: number[] | undefined;
  /** PASSKEY: those that the user has. */
  credential?: string[] | undefined;
}

export interface SecondFactorRequestDocument {
  /** The login that waits, as `POST /session` answered it. */
  step?: string | undefined;
  kind: 'TOTP' | 'PASSKEY';
}

export interface SecondStepDocument {
  /** Text for the next request. It is over after some minutes. */
  step: string;
  /** enrolment: the user must have one, and has none. */
  needs: 'second-factor' | 'enrolment';
  /** Second factors that the user has. */
  kind?: ('TOTP' | 'PASSKEY')[] | undefined;
}

export interface SecretType {
  alias?: string | undefined;
  /** The keys that have a value. No answer has a value. */
  key?: string[] | undefined;
}

export type SecretDocument = SecretType;

export interface SecretListDocument {
  secret?: SecretType[] | undefined;
}

export interface SecurityFindingType {
  severity: 'error' | 'warning';
  file: string;
  line: number;
  column: number;
  /** The code stays the same across versions. */
  code: string;
  /** The expected value, then the value that was found. */
  message: string;
  /** The nearest name that would have been valid. */
  nearest?: string | undefined;
}

export interface SecurityFindingListDocument {
  /** Since when the files have errors, so that an older configuration goes on. Absent: the files are in use. */
  keptSince?: string | undefined;
  finding?: SecurityFindingType[] | undefined;
}

export interface SelfTestType {
  message?: string[] | undefined;
  test?: SelfTestType[] | undefined;
  name?: string | undefined;
  description?: string | undefined;
  status: 'ok' | 'warning' | 'failed';
  /** Milliseconds, as a text for compatibility. */
  took?: string | undefined;
}

export type SelfTestDocument = SelfTestType;

export type SequenceDocument = SequenceType;

export interface SequenceListEntryType {
  id: string;
  type: string;
}

export interface SequenceListDocument {
  sequence?: SequenceListEntryType[] | undefined;
}

export interface SequenceRenderRequestDocument {
  sequence: SequenceType;
  metadata?: MetadataType | undefined;
}

export interface SessionDocument {
  /** The user whose rights the request has. */
  userName: string;
  realName?: string | undefined;
  /** The user who acts for that user (RunAs). */
  actor?: string | undefined;
  /** All roles that count: those of the groups, and the roles that these imply. */
  role?: string[] | undefined;
  /** Whether the login had a second factor. */
  secondFactor: boolean;
  /** Whether the user has a password of this service. */
  password: boolean;
  /** The provider in security.ini by which the session began. */
  provider?: string | undefined;
  /** The first part of ids. */
  site: string;
  /** The version of this program. */
  version: string;
  /** Maximum bytes of all open uploads of the user together. */
  maxUploadBytes: number;
  /** Maximum number of entries on a page of a list. */
  maxPage: number;
  /** Whether searches sort by `__name`: the caller may read every field that names. */
  sortsNames: boolean;
  /** Whether the service can make shapes of other formats. */
  transcoder: boolean;
  /** What the service does without so far, such as a storage that takes files. Callers who are no administrators see the storage alone. */
  lacks?: ('storage' | 'transcoder' | 'user' | 'backup')[] | undefined;
  /** Whether somebody has decided who sees new items. For administrators. */
  accessDecided?: boolean | undefined;
  /** Address of a folder for the first storage, for administrators while there is none. */
  folder?: string | undefined;
  /** What a person types before the words of a command on the machine of the service. For administrators. */
  program?: string | undefined;
  /** What stands behind these words, where the program does not find the instance. */
  programOptions?: string | undefined;
  /** The shape tag of films that every browser plays. Absent: no transcoder makes it, or the tag is not there. */
  webTag?: string | undefined;
}

export interface SessionPersonType {
  userName: string;
  realName: string;
}

export interface SessionPeopleDocument {
  person?: SessionPersonType[] | undefined;
}

export interface SettingType {
  name: string;
  /** Its flag on the command line. */
  flag: string;
  /** Its variable in the environment. */
  variable: string;
  /** Left out: none, or a secret. */
  value?: string | undefined;
  default?: string | undefined;
  /** Where the value comes from. */
  source: 'flag' | 'environment' | 'default' | 'program';
  /** Whether its value is never shown. */
  secret: boolean;
  /** Whether it has a value. */
  isSet: boolean;
  says: string;
}

export interface SettingListDocument {
  setting?: SettingType[] | undefined;
}

export type ShapeDocument = ShapeType;

export interface ShapeListDocument {
  hits?: number | undefined;
  shape?: ShapeType[] | undefined;
  nextCursor?: string | undefined;
}

export interface ShareType {
  id?: string | undefined;
  /** Who made it. Guests have the rights of this user. */
  user?: string | undefined;
  /** What it shows. */
  item?: string | undefined;
  collection?: string | undefined;
  library?: string | undefined;
  /** Items of a new share of a selection. They become a library, which goes with its last share. */
  selection?: string[] | undefined;
  /** Secret of the address. Only in the answer that creates the share. */
  token?: string | undefined;
  /** Whether the service can tell the secret again: it is sealed by the secret key. */
  keepsToken?: boolean | undefined;
  /** WAITING: its first day is still to come. REVOKED: logins of its maker were revoked since, and a change by the maker opens it again. CLOSED: sharing is switched off, or a password became necessary. */
  state?: 'WAITING' | 'OPEN' | 'ENDED' | 'USED' | 'REVOKED' | 'CLOSED' | undefined;
  /** Heading for guests. Default: the title of what it shows. */
  title?: string | undefined;
  /** Sentence of the maker for guests. */
  note?: string | undefined;
  /** Password that guests need. Empty: none. Left out: as before. */
  password?: string | undefined;
  /** Whether guests need a password. */
  isProtected?: boolean | undefined;
  /** Guests come in from then on. */
  begins?: string | undefined;
  /** Guests come in until then. */
  ends?: string | undefined;
  /** How many guests come in. Each login of a guest is a use. */
  maxUses?: number | undefined;
  used?: number | undefined;
  /** Whether guests give a name. Default: false. */
  asksName?: boolean | undefined;
  /** Whether guests see items. Default: true. False is for uploads alone. */
  look?: boolean | undefined;
  /** Whether guests comment on items, and see the comments of guests. Default: false. */
  comment?: boolean | undefined;
  /** Mark over pictures and films that says who sees them. Left out: none. */
  mark?: ShareMarkType | undefined;
  /** What guests do with media. Left out: what has tags. */
  allow?: ('play' | 'download')[] | undefined;
  /** Tags of the shapes that guests play. None: the stream, films for the web, or else an original that browsers show. */
  play?: string[] | undefined;
  /** Tags of the shapes that guests download. None: originals. */
  download?: string[] | undefined;
  /** Items without a shape that guests could play, among the first hundred. Only in answers that make or change a share that allows it. */
  nothingToPlay?: ShareItemType[] | undefined;
  /** What guests may upload into a collection. Left out: nothing. */
  upload?: ShareUploadType | undefined;
  /** Files that have arrived, and their bytes. Those that are being sent have their place, and are not counted. */
  uploaded?: ShareUploadType | undefined;
  created?: string | undefined;
}

export interface ShareMarkType {
  /** Text with {name}, {address}, {date} and {title}. The number of the guest follows. Default: "{name} {date}". */
  text?: string | undefined;
  /** Where it stands. Default: tiles, which is all over. */
  place?: 'tiles' | 'top' | 'middle' | 'bottom' | undefined;
  /** How much is seen of it, in percent from 10 to 100. Default: 30. */
  strength?: number | undefined;
  /** Whether it is part of all pictures and films that guests get. They get nothing else then. Default: false. */
  burn?: boolean | undefined;
}

export interface ShareItemType {
  id: string;
  title?: string | undefined;
  mediaType?: string | undefined;
}

export interface ShareUploadType {
  /** Number of files. */
  files: number;
  /** Bytes of all files together. */
  bytes: number;
}

export type ShareDocument = ShareType;

export interface ShareEntranceDocument {
  /** Secret of the address. */
  token: string;
  password?: string | undefined;
  /** Name of the guest. */
  name?: string | undefined;
}

export interface GuestMarkType {
  text: string;
  place: 'tiles' | 'top' | 'middle' | 'bottom';
  /** Percent that are seen of it. */
  strength: number;
  /** Whether pictures and films have it in them. Left out: the page lays it over them. */
  burn?: boolean | undefined;
}

export interface ShareGuestDocument {
  /** Name of the share in addresses. Left out: the guest is not in yet. */
  id?: string | undefined;
  /** What the entrance needs besides. */
  needs?: ('password' | 'name')[] | undefined;
  type?: 'item' | 'collection' | 'library' | undefined;
  /** Left out before the password, as all but "needs" and "from" is. */
  title?: string | undefined;
  /** Real name of the maker. */
  from?: string | undefined;
  /** Sentence of the maker. */
  note?: string | undefined;
  /** Name that the guest gave. */
  name?: string | undefined;
  /** The item that the share shows. */
  item?: string | undefined;
  look?: boolean | undefined;
  /** Whether guests play what items have. */
  play?: boolean | undefined;
  /** Whether guests download what items have. */
  download?: boolean | undefined;
  comment?: boolean | undefined;
  /** Mark over what the guest sees. Left out: none. */
  mark?: GuestMarkType | undefined;
  ends?: string | undefined;
  /** What is left to upload. */
  upload?: ShareUploadType | undefined;
}

export interface ShareOriginType {
  share: string;
  /** Title of the share at that time. It may be deleted since. */
  title?: string | undefined;
  /** Name that the guest gave. */
  name?: string | undefined;
  at: string;
}

export interface ShareTermsType {
  /** False: no share opens, and none is made. */
  isOn: boolean;
  /** Days after which each share has ended. Left out: any number. */
  maxDays?: number | undefined;
  /** True: no share opens without a password. */
  needsPassword: boolean;
  /** Media that this service makes marks a part of. Empty: none. */
  burns?: ('pictures' | 'films')[] | undefined;
}

export interface ShareListDocument {
  share?: ShareType[] | undefined;
  /** By which share a guest sent the item. In the list of an item alone. */
  origin?: ShareOriginType | undefined;
  /** What administrators allow for all shares. */
  terms?: ShareTermsType | undefined;
}

export interface ShareTokenDocument {
  /** Secret of the address. */
  token: string;
}

export interface ShareUseType {
  /** Number of the guest, with which marks end. */
  number?: number | undefined;
  at: string;
  /** Name that the guest gave. */
  name?: string | undefined;
  device?: string | undefined;
  address?: string | undefined;
  /** Files of the guest that have become items, the newest first. A page has a thousand at most. */
  file?: ShareFileType[] | undefined;
}

export interface ShareFileType {
  item: string;
  /** Name of the file. */
  name?: string | undefined;
  at: string;
}

export interface ShareUseListDocument {
  use?: ShareUseType[] | undefined;
}

export interface SharedAnnotationType {
  id?: string | undefined;
  /** Comment of a guest of the share that this one replies to. */
  parent?: string | undefined;
  /** Start as a time code, such as "250@PAL". Without one: all of the item. */
  start?: string | undefined;
  end?: string | undefined;
  /** Part of the picture, such as "percent:10,20,30,40". */
  rectangle?: string | undefined;
  /** Drawing on the picture, in SVG. */
  drawing?: string | undefined;
  text?: string | undefined;
  /** Whether a guest wrote it. Left out: a user of the service replies. */
  guest?: boolean | undefined;
  /** Whether the maker of the share replies. Left out: somebody else. */
  maker?: boolean | undefined;
  /** Name that the guest gave. */
  name?: string | undefined;
  created?: string | undefined;
  /** Lets the guest who has it change and delete the comment. Only in the answer that creates one, where the service has a secret key. */
  key?: string | undefined;
}

export type SharedAnnotationDocument = SharedAnnotationType;

export interface SharedAnnotationListDocument {
  /** Number of comments on all pages. */
  hits?: number | undefined;
  /** Comments, the oldest first. */
  annotation?: SharedAnnotationType[] | undefined;
}

export interface SharedFileType {
  /** Name of the upload in its address. */
  upload: string;
  /** Name of the file. */
  name?: string | undefined;
  /** READING: its media are still looked into. UNREADABLE: it is cut, empty, or not the media that its name promises. */
  state: 'READING' | 'READ' | 'UNREADABLE';
}

export interface SharedFileListDocument {
  /** Files of the guest that have become items, the newest first: the last hundred. */
  file?: SharedFileType[] | undefined;
}

export interface SharedItemType {
  id: string;
  title?: string | undefined;
  mediaType?: string | undefined;
  durationSeconds?: string | undefined;
  width?: string | undefined;
  height?: string | undefined;
  timing?: SharedTimingType | undefined;
  /** Number of comments that the guest sees. Left out: none. */
  comments?: number | undefined;
  /** Shapes that the guest plays or downloads, those first that play best. */
  shape?: SharedShapeType[] | undefined;
  /** Whether shapes are left out: their version is not approved, or terms of use close them now. */
  waits?: boolean | undefined;
  /** Whether shapes are left out: the mark of the share cannot be made a part of them. */
  unmarked?: boolean | undefined;
}

export interface SharedTimingType {
  /** Frames a second, as a fraction. */
  numerator: number;
  denominator: number;
  dropFrame?: boolean | undefined;
  /** Number of the first frame. Default: 0. */
  start?: number | undefined;
}

export interface SharedShapeType {
  id: string;
  tag?: string[] | undefined;
  mimeType?: string | undefined;
  bytes?: number | undefined;
  /** True: its manifest is at …/stream. Left out: its bytes are at …/shape/{shape}. */
  stream?: boolean | undefined;
  play: boolean;
  download: boolean;
}

export type SharedItemDocument = SharedItemType;

export interface SharedItemListDocument {
  item?: SharedItemType[] | undefined;
  /** Where the next page begins. A page with fewer items than asked for is the last one. */
  nextCursor?: string | undefined;
}

export interface SharedThumbnailType {
  /** Time from which it is shown. */
  seconds: number;
  /** Pixels from the left. */
  x: number;
  /** Pixels from the top. */
  y: number;
  width: number;
  height: number;
}

export interface SharedSheetDocument {
  thumbnail?: SharedThumbnailType[] | undefined;
}

export type SimpleMetadataDocument = SimpleMetadataType;

export interface SimpleSearchFieldType {
  /** Name of a field of the entity, or a key of its metadata. */
  name: string;
  /** "*" matches any characters. Without a value: the field has any value. */
  value?: string | undefined;
}

export interface SimpleSearchOperatorType {
  /** "NOT": no criterion is true. */
  operation: 'AND' | 'OR' | 'NOT';
  field?: SimpleSearchFieldType[] | undefined;
  operator?: SimpleSearchOperatorType[] | undefined;
}

export interface SimpleSearchSortType {
  field: string;
  order?: 'ascending' | 'descending' | undefined;
}

export interface SimpleSearchDocument {
  field?: SimpleSearchFieldType[] | undefined;
  operator?: SimpleSearchOperatorType[] | undefined;
  sort?: SimpleSearchSortType[] | undefined;
}

export type StorageDocument = StorageType;

export interface StorageGroupType {
  name?: string | undefined;
  data?: StorageGroupDataType[] | undefined;
  storage?: StorageType[] | undefined;
}

export interface StorageGroupDataType {
  key: string;
  value: string;
}

export type StorageGroupDocument = StorageGroupType;

export interface StorageGroupListDocument {
  group?: StorageGroupType[] | undefined;
}

export interface FileImportDefType {
  fileId: string;
  path: string;
  size?: number | undefined;
  component?: string[] | undefined;
}

export interface StorageImportDocument {
  file?: FileImportDefType[] | undefined;
}

export interface StorageListDocument {
  hits?: number | undefined;
  storage?: StorageType[] | undefined;
}

export interface StorageMethodListDocument {
  method?: StorageMethodType[] | undefined;
}

export interface StorageRuleType {
  /** In a list: shape tag of the rule. */
  id?: string | undefined;
  /** Number of storages that must have each file. */
  storageCount?: number | undefined;
  /** "capacity" or "bandwidth": criterion for the choice among other storages. */
  priority?: StorageRulePriorityType[] | undefined;
  storage?: string[] | undefined;
  group?: string[] | undefined;
  not?: StorageRuleNotType | undefined;
  pool?: StorageRulePoolType | undefined;
  appliesTo?: StorageRuleEntityType | undefined;
  inherited?: boolean | undefined;
  /** HIGHEST, HIGH, MEDIUM, LOW or LOWEST. */
  precedence?: string | undefined;
}

export interface StorageRulePriorityType {
  level: number;
  value: string;
}

export interface StorageRuleNotType {
  storage?: string[] | undefined;
  group?: string[] | undefined;
  any?: '' | undefined;
}

export interface StorageRulePoolType {
  storage?: string[] | undefined;
  group?: string[] | undefined;
}

export interface StorageRuleEntityType {
  id?: string | undefined;
  type?: string | undefined;
}

export type StorageRuleDocument = StorageRuleType;

export interface StorageRulesDocument {
  default?: StorageRuleType | undefined;
  tag?: StorageRuleType[] | undefined;
}

export interface TaskDefinitionType {
  description?: string | undefined;
  extradata?: string | undefined;
  /** Stored, without effect. */
  flags?: number | undefined;
  /** With method: the name of the task in a plugin. */
  bean?: string | undefined;
  method?: string | undefined;
  plugin?: boolean | undefined;
  /** Script of the task, in JavaScript. */
  script?: string | undefined;
  /** Number of the step in its job type. */
  step?: number | undefined;
  /** Steps before this one. All steps run one by one, in the order of their numbers. */
  dependency?: TaskDefinitionDependency | undefined;
  parallelDependency?: TaskDefinitionDependency | undefined;
  jobType?: string | undefined;
  /** True: runs only if the job fails or is aborted. */
  cleanup?: boolean | undefined;
  /** False: if the task fails, the job continues and ends as FINISHED_WARNING. */
  critical?: boolean | undefined;
  metadata?: SimpleMetadataType | undefined;
  id?: number | undefined;
}

export interface TaskDefinitionDependency {
  step?: number | undefined;
  /** The previous step. */
  previous?: boolean | undefined;
  /** All previous steps. */
  allPrevious?: boolean | undefined;
}

export type TaskDefinitionDocument = TaskDefinitionType;

export interface TaskDefinitionListDocument {
  task?: TaskDefinitionType[] | undefined;
  /** In answers: the added steps. Some clients read this element, others read task. */
  uri?: string[] | undefined;
}

export interface TaskGroupType {
  loc?: string | undefined;
  name?: string | undefined;
  job?: TaskGroupJobType[] | undefined;
  transcoder?: TaskGroupTranscoderType[] | undefined;
  metadata?: SimpleMetadataType | undefined;
  priority?: string | undefined;
  /** Jobs of the group that may run at a time, on all instances together. */
  maxConcurrency?: number | undefined;
}

export interface TaskGroupJobType {
  type?: string[] | undefined;
  priority?: string[] | undefined;
  user?: string[] | undefined;
  group?: string[] | undefined;
  data?: TaskGroupDataType[] | undefined;
}

export interface TaskGroupDataType {
  key: string;
  value?: string | undefined;
}

export interface TaskGroupTranscoderType {
  id: string;
}

export type TaskGroupDocument = TaskGroupType;

export interface TaskGroupListDocument {
  group?: TaskGroupType[] | undefined;
}

export interface TerseItemType {
  id?: string | undefined;
  [name: string]: TerseValueType[] | string | undefined;
}

export interface TerseMetadataListDocument {
  item?: TerseItemType[] | undefined;
}

export interface ThumbnailSpriteType {
  width?: number | undefined;
  height?: number | undefined;
  /** Pixels from the left. */
  x?: number | undefined;
  /** Pixels from the top. */
  y?: number | undefined;
  timecode?: TimeCodeType | undefined;
  /** Time of the next thumbnail. The last one has the duration of the one before. */
  endTimecode?: TimeCodeType | undefined;
}

export interface ThumbnailSpriteSheetDocument {
  /** Hash of the sheet. It changes with the thumbnails. */
  etag?: string | undefined;
  /** The address of the picture, a JPEG. */
  url?: string[] | undefined;
  /** Absent: the picture is no file. */
  path?: string[] | undefined;
  thumbnail?: ThumbnailSpriteType[] | undefined;
}

export interface AudioTranscodePresetType {
  codec?: string | undefined;
  bitrate?: number | undefined;
  framerate?: RationalType | undefined;
  channel?: number[] | undefined;
  stream?: number[] | undefined;
  preset?: string[] | undefined;
  noAudio?: boolean | undefined;
  setting?: KeyValuePairType[] | undefined;
  mix?: AudioTranscodePresetMixType[] | undefined;
  monoFile?: boolean | undefined;
  allChannel?: boolean | undefined;
}

export interface AudioTranscodePresetMixType {
  input?: AudioTranscodePresetChannelMixType[] | undefined;
  silence?: boolean | undefined;
}

export interface AudioTranscodePresetChannelMixType {
  id?: number | undefined;
  stream?: number | undefined;
  channel?: number | undefined;
  gain?: string | undefined;
}

export interface VideoTranscodePresetType {
  scaling?: ScalingType | undefined;
  codec?: string | undefined;
  bitrate?: number | undefined;
  framerate?: RationalType | undefined;
  resolution?: ResolutionType | undefined;
  displayWidth?: RationalType | undefined;
  displayHeight?: RationalType | undefined;
  displayXOffset?: RationalType | undefined;
  displayYOffset?: RationalType | undefined;
  containerSAR?: AspectRatioType | undefined;
  forceCFR?: boolean | undefined;
  gopSize?: number | undefined;
  maxBFrames?: number | undefined;
  pixelFormat?: string | undefined;
  preset?: string[] | undefined;
  profile?: string[] | undefined;
  noVideo?: boolean | undefined;
  stripParameterSets?: boolean | undefined;
  addParameterSets?: boolean | undefined;
  parameterSets?: string | undefined;
  setting?: KeyValuePairType[] | undefined;
  burnTimecode?: boolean | undefined;
  burnSubtitles?: boolean | undefined;
  imageQuality?: number | undefined;
}

export interface ScalingType {
  width?: number | undefined;
  height?: number | undefined;
  top?: number | undefined;
  bottom?: number | undefined;
  left?: number | undefined;
  right?: number | undefined;
  padColor?: string | undefined;
  rotate?: string | undefined;
  pixelAspectRatio?: AspectRatioType | undefined;
  targetDAR?: AspectRatioType | undefined;
}

export interface FastStartSettingType {
  requireFastStart?: boolean | undefined;
  analyzeDuration?: boolean | undefined;
  fastStartDuration?: TimeCodeType | undefined;
}

export interface OverlayType {
  uri?: string[] | undefined;
  id?: string | undefined;
  x?: number | undefined;
  y?: number | undefined;
  interval?: TimeIntervalType | undefined;
  opacity?: number | undefined;
}

export interface TranscodePresetDocument {
  description?: string | undefined;
  name?: string | undefined;
  format?: string | undefined;
  audio?: AudioTranscodePresetType | undefined;
  video?: VideoTranscodePresetType | undefined;
  startTimecode?: string | undefined;
  fastStartSetting?: FastStartSettingType | undefined;
  thumbnailResolution?: ResolutionType | undefined;
  thumbnailBackground?: string | undefined;
  thumbnailPeriod?: TimeCodeType | undefined;
  thumbnailPlugin?: string | undefined;
  posterResolution?: ResolutionType | undefined;
  posterBackground?: string | undefined;
  faceDetect?: boolean | undefined;
  preserveEDL?: boolean | undefined;
  addClipName?: boolean | undefined;
  overlay?: OverlayType[] | undefined;
  preferredSourceTag?: string | undefined;
  script?: string | undefined;
  shapeMetadata?: KeyValuePairType[] | undefined;
  maxChunkDuration?: TimeCodeType | undefined;
  demuxerSetting?: KeyValuePairType[] | undefined;
  muxerSetting?: KeyValuePairType[] | undefined;
  sequenceOutput?: boolean | undefined;
}

export interface TransferType {
  /** The transferId of the client. */
  name?: string | undefined;
  /** TRANSFERRING, WAITING, FINISHED, FAILED or ABORTED. */
  state?: string | undefined;
  priority?: string | undefined;
  /** Number of received bytes. */
  transferred?: number | undefined;
  fileId?: string | undefined;
}

export type TransferDocument = TransferType;

export interface TransferListDocument {
  hits?: number | undefined;
  transfer?: TransferType[] | undefined;
}

export interface TransferLogEntryType {
  id?: number | undefined;
  /** When the transfer ended, or else when it was ordered. */
  timestamp?: string | undefined;
  job?: string | undefined;
  /** NONE, STARTING, FINISHED or FAILED. */
  status?: string | undefined;
  /** COPY_FILE or MOVE_FILE. */
  method?: string | undefined;
  sourceStorage?: string | undefined;
  sourceFile?: string | undefined;
  sourceItem?: string | undefined;
  destinationStorage?: string | undefined;
  destinationFile?: string | undefined;
}

export interface TransferLogListDocument {
  count?: number | undefined;
  transferLogEntry?: TransferLogEntryType[] | undefined;
}

export type URIListDocument = URIListType;

export interface UpgradeStepType {
  task: 'set' | 'check' | 'free' | 'migrate' | 'initialise' | 'reindex' | 'read';
  /** Release that requires the step. */
  release: string;
  says: string;
  /** Subject of the step: indexes, settings, roles, or a job type and a step. */
  of?: string[] | undefined;
  /** How this service does it. Absent if a later step includes it. */
  command?: string | undefined;
}

export interface UpgradePlanDocument {
  from: string;
  to: string;
  step?: UpgradeStepType[] | undefined;
}

export interface UsageTermsType {
  entityType?: 'Item' | 'Collection' | 'Shape' | undefined;
  /** Left out: the caller may not read the collection. */
  entityId?: string | undefined;
  /** Item of the shape. */
  item?: string | undefined;
  /** The media may leave the service from then on. Left out: since ever. */
  usableFrom?: string | undefined;
  /** They may no longer from then on. Left out: for ever. */
  usableUntil?: string | undefined;
  /** Reason of up to 1,000 characters, which refusals quote. */
  reason?: string | undefined;
  /** Who set the terms. */
  user?: string | undefined;
  modified?: string | undefined;
}

export interface UsageDocument {
  /** The media may leave the service from then on. Left out: since ever. */
  usableFrom?: string | undefined;
  /** They may no longer from then on. Left out: for ever. */
  usableUntil?: string | undefined;
  /** Reason of up to 1,000 characters, which refusals quote. */
  reason?: string | undefined;
  /** Who set the terms. */
  user?: string | undefined;
  modified?: string | undefined;
  /** By all terms that count for the entity. Left out: there are none. */
  state?: 'later' | 'usable' | 'ended' | undefined;
  /** Terms of the item of a shape, and of collections above. */
  inherited?: UsageTermsType[] | undefined;
}

export interface UsageListDocument {
  usage?: UsageTermsType[] | undefined;
}

export type UserDocument = UserType;

export type UserListDocument = UserListType;

export interface VXAType {
  uuid: string;
  user?: string | undefined;
  name?: string | undefined;
  vxaVersion: string;
  transcoderVersion: string;
  status?: string | undefined;
  lastSeen?: string | undefined;
}

export interface VXAListDocument {
  hits?: number | undefined;
  vxa?: VXAType[] | undefined;
}

export interface ComponentType {
  name?: string | undefined;
  version?: string | undefined;
  siteId?: string | undefined;
}

export interface SystemInfoType {
  macaddress?: string[] | undefined;
  databaseSize?: string | undefined;
}

export interface LicenseInfoType {
  expiryDate?: string | undefined;
  fileStatus?: string | undefined;
  storageNumber?: LicenseCounterType | undefined;
  userNumber?: LicenseCounterType | undefined;
  itemNumber?: LicenseCounterType | undefined;
  transcoderNumber?: LicenseCounterType | undefined;
  licenseStatus?: string | undefined;
  codecStatus?: CodecStatusType | undefined;
  licenseType?: string | undefined;
}

export interface LicenseCounterType {
  allowed?: string | undefined;
  current?: string | undefined;
}

export interface CodecStatusType {
  codec?: CodecStatusEntryType[] | undefined;
}

export interface CodecStatusEntryType {
  encode?: boolean | undefined;
  decode?: boolean | undefined;
  name?: string | undefined;
}

export interface VersionDocument {
  component?: ComponentType[] | undefined;
  systemInfo?: SystemInfoType | undefined;
  licenseInfo?: LicenseInfoType | undefined;
}

export interface VidispineServiceType {
  id?: string | undefined;
  name?: string | undefined;
  /** Description of the work. */
  class?: string | undefined;
  arguments?: string | undefined;
  /** False: an administrator switched it off on all instances. */
  isEnabled?: boolean | undefined;
  /** As isEnabled, because enabled work is always ready to run. */
  isRunning?: boolean | undefined;
  /** Last failure in this instance. */
  exception?: string | undefined;
  exceptionTimestamp?: string | undefined;
  thread?: string | undefined;
  /** RUNNING: this instance is doing some of it. Otherwise WAITING. */
  threadStatus?: string | undefined;
  load5?: number | undefined;
  load60?: number | undefined;
}

export interface VidispineServiceListDocument {
  service?: VidispineServiceType[] | undefined;
}

export interface WaitingType {
  id: string;
  /** Number of annotations for the caller. Left out: none. */
  annotations?: number | undefined;
  /** The newest of them, without what is drawn. */
  annotation?: AnnotationType | undefined;
  /** Who asked for a review, and when. Left out: nobody has. */
  review?: ApprovalStepType | undefined;
}

export interface WaitingListDocument {
  item?: WaitingType[] | undefined;
}

export interface WaveformValueType {
  /** The largest amplitude of each part: from 0 to 1, or in decibels. */
  data?: number[] | undefined;
  /** Number of the audio stream, from 0. */
  stream?: number | undefined;
  /** Number of the channel in its stream, from 0. */
  channel?: number | undefined;
  itemTrack?: string | undefined;
  fileId?: string[] | undefined;
  /** Absent: shapes have the addresses of files. */
  filePath?: string[] | undefined;
}

export interface WaveformDataDocument {
  value?: WaveformValueType[] | undefined;
}

export interface WorkType {
  kind: string;
  /** Description of the work. */
  says?: string | undefined;
  /** Order in which kinds of work start, the lowest first. */
  priority?: number | undefined;
  /** Maximum units of work at a time in an instance. */
  concurrency?: number | undefined;
  /** Waiting units of work. */
  waiting?: number | undefined;
  /** When the oldest one began to wait. */
  oldest?: string | undefined;
  /** Units of work that are running, in all instances. */
  leased?: number | undefined;
  /** Units of work that are running in this instance. */
  running?: number | undefined;
  /** When the oldest one started. */
  runningSince?: string | undefined;
  /** Count since this instance started. */
  done?: number | undefined;
  /** Count since this instance started. */
  failed?: number | undefined;
  /** When work of this kind last did not go on. A job that fails is none. */
  lastFailure?: string | undefined;
  lastFailureReason?: string | undefined;
  /** Progress of long units of work, in all instances. */
  piece?: WorkPieceType[] | undefined;
  /** When work of this kind is due next, as far as the instance knows. */
  due?: string | undefined;
}

export interface WorkPieceType {
  /** Name of the unit of work, such as the id of a storage. */
  name: string;
  done: number;
  /** Approximate total. */
  of?: number | undefined;
  since?: string | undefined;
  /** Why it waits for a person. */
  says?: string | undefined;
}

export interface WorkListDocument {
  /** The instance that answers. */
  instance?: string | undefined;
  work?: WorkType[] | undefined;
}
