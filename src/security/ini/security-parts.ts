import type {
  AuthenticationListener,
  ConfiguredProber,
  Filter,
  NotificationAction,
  Plugin,
  Realm,
  RedirectLogin,
  SearchEngine,
  StorageScheme,
  Transcoder,
} from '../../spi/index.ts';
import type { Finding } from './findings.ts';
import type { RegistryOptions } from './registry.ts';

/** Security configuration: created by `assemble`, used by the security room. */
export interface SecurityParts {
  readonly realms: readonly NamedRealm[];
  readonly strategy: RealmStrategy;
  /** Logins by way of providers, in the order of the file. */
  readonly logins: readonly NamedLogin[];
  readonly listeners: readonly NamedListener[];
  readonly actions: readonly NamedAction[];
  /** Storage schemes. The first one for a URI scheme is used. */
  readonly storages: readonly StorageScheme[];
  /** Search engines. The first one is used. */
  readonly searchEngines: readonly SearchEngine[];
  /** Media probers, asked before the built-in ones. */
  readonly probers: readonly ConfiguredProber[];
  /** Transcoders, preferred to those of the host. */
  readonly transcoders: readonly Transcoder[];
  /** Chains in file order: the first matching pattern decides. */
  readonly chains: readonly ChainParts[];
  /** Whether patterns ignore case. */
  readonly caseInsensitive: boolean;
  /** `oauth2Auth.allowConfigUpdate`: whether the API may change the bearer configuration. */
  readonly allowConfigUpdate: boolean;
}

export interface NamedRealm {
  readonly name: string;
  readonly realm: Realm;
}

export interface NamedLogin {
  readonly name: string;
  readonly login: RedirectLogin;
}

export interface NamedListener {
  readonly name: string;
  /** Names of the objects that it refers to, such as its user-info provider. */
  readonly asks: readonly string[];
  readonly listener: AuthenticationListener;
}

/** Notifications find it under either name. */
export interface NamedAction {
  readonly name: string;
  readonly className: string;
  readonly action: NotificationAction;
}

export type RealmStrategy =
  | { readonly kind: 'at-least-one' }
  /** `stop`: do not ask further realms once one has accepted. */
  | { readonly kind: 'first'; readonly stop: boolean }
  | { readonly kind: 'all' };

export interface ChainParts {
  readonly pattern: string;
  readonly line: number;
  readonly steps: readonly StepParts[];
}

export interface StepParts {
  readonly name: string;
  readonly filter: Filter;
  /** Parsed brackets of the filter. */
  readonly options: unknown;
}

/** Security input of a host: the text of a security.ini, and plugins. */
export interface SecurityInput {
  readonly text: string;
  /** Origin of the text, for findings. */
  readonly file: string;
  /** Plugins beside the built-in ones, in the order in which they were found. */
  readonly plugins: readonly Plugin[];
  /** Components named by file or package. */
  readonly direct?: Pick<RegistryOptions, 'loaded' | 'failed'>;
  /** Findings of plugins that could not be used. */
  readonly findings?: readonly Finding[];
}
