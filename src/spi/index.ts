/**
 * The plugin contract: types only, importing nothing of ours.
 *
 * Glossary
 *   plugin       one plain object with a name, a version and the components that it brings
 *   component    something that `[main]` of security.ini can make, by its class name: a realm, a filter, a listener, …
 *   credentials  what a request offers as proof: a password, a token, a bearer token
 *   realm        asks one source of accounts whether credentials are good
 *   matcher      compares a given password with a stored one
 *   account      who a realm says it is: a name, and what the realm knows about it
 *   filter       one step of a chain; looks at a request and answers pass, accept or refuse
 *   chain        the filters that a request meets, chosen by its path
 *   login        sends the browser to a provider, and judges what it comes back with
 *   listener     is told of logins that succeeded or failed
 *   provider     makes a service user out of what a realm knows about an account
 *   action       tells somebody outside what happened, for notifications
 *   scheme       opens the places of storages by the scheme of their address, such as `s3`
 *   driver       reads and writes the files of one place
 *   prober       reads what a media file says of itself
 *   transcoder   makes other forms and stills of media, outside of the process that serves
 *   reason       a stable word for a refusal, in the log and the metrics, never in the answer
 */
export type { ActionAnswer, ActionCall, ActionElement, ActionKind, NotificationAction } from './action.ts';
export type {
  BearerCredentials,
  Credentials,
  PasswordCredentials,
  RedirectCredentials,
  SecretText,
  SessionCredentials,
  TokenCredentials,
} from './credentials.ts';
export type {
  Filter,
  FilterRequest,
  KnownCaller,
  LoginAnswer,
  OAuth2Configuration,
  OAuth2Problem,
  OAuth2Setup,
  Refusal,
  ServiceUser,
  Verdict,
} from './filter.ts';
export type {
  Host,
  OutboundAnswer,
  OutboundCall,
  OutboundMethod,
  OutboundRequest,
  OutboundStream,
  OutboundStreamCall,
  RunningHash,
  ScryptParameters,
} from './host.ts';
export type { EndedLogin, LoginOrder, LoginOutcome, LoginReturn, LoginStart, RedirectLogin } from './login.ts';
export type {
  AudioTrack,
  ChannelLevels,
  ConfiguredProber,
  EmbeddedCopy,
  EmbedOrder,
  MeasuredSound,
  MediaError,
  MediaErrorKind,
  MediaHost,
  MediaSource,
  MediaTool,
  OtherTrack,
  PictureColour,
  ProbedTrack,
  ProbeOptions,
  ProbeResult,
  Prober,
  Ratio,
  SoundReader,
  SoundSink,
  VideoTrack,
} from './media.ts';
export type {
  Component,
  ComponentKind,
  ComponentKinds,
  Components,
  Plugin,
  Property,
  PropertyTable,
  PropertyType,
} from './plugin.ts';
export type {
  Account,
  CredentialsMatcher,
  LoginHost,
  PasswordAnswer,
  PasswordRefusal,
  Realm,
  RealmAnswer,
  ServiceUsers,
  TokenAnswer,
} from './realm.ts';
export type {
  EngineAnswer,
  EngineBatch,
  EngineCondition,
  EngineDocument,
  EngineDocumentValue,
  EngineEnd,
  EngineFacet,
  EngineField,
  EngineHit,
  EngineKey,
  EngineQuery,
  EngineSort,
  EngineSpans,
  EngineState,
  EngineTest,
  EngineTexts,
  EngineToken,
  EngineType,
  EngineValue,
  EngineWords,
  SearchEngine,
} from './search-engine.ts';
export type {
  ByteRange,
  ChangeListener,
  ExportFolder,
  FileArchive,
  HashAlgorithm,
  HashedFile,
  HashOptions,
  Listing,
  PartSink,
  PieceOptions,
  ReadOptions,
  RestoreTier,
  Staged,
  StageOptions,
  StorageAbilities,
  StorageAddress,
  StorageDriver,
  StorageError,
  StorageErrorKind,
  StorageScheme,
  StorageStatus,
  StorageUse,
  StoredFile,
} from './storage.ts';
export type {
  CutOrder,
  JoinOrder,
  JoinPart,
  MarkOrder,
  PictureArea,
  Still,
  StillOrder,
  StillType,
  TranscodeAudio,
  Transcoded,
  TranscodeOptions,
  TranscodeOrder,
  Transcoder,
  TranscoderAbilities,
  TranscodeScaling,
  TranscodeVideo,
} from './transcoder.ts';
export type {
  AuthenticationListener,
  ListenerHost,
  LoginEvent,
  ServiceUserInfoProvider,
  UserInfo,
  UserWriter,
} from './user-info.ts';
