import type {
  AuthenticationListener,
  ConfiguredProber,
  Filter,
  NotificationAction,
  Realm,
  StorageScheme,
  Transcoder,
} from '../spi/index.ts';

/** What a security.ini comes to: made by `assemble`, run by the security room. */
export interface SecurityParts {
  readonly realms: readonly NamedRealm[];
  readonly strategy: Strategy;
  readonly listeners: readonly AuthenticationListener[];
  readonly actions: readonly NamedAction[];
  /** What opens the places of storages: the first that knows a scheme. */
  readonly storages: readonly StorageScheme[];
  /** What says what media is, ahead of what ships. */
  readonly probers: readonly ConfiguredProber[];
  /** What makes other forms of media, ahead of what the host has. */
  readonly transcoders: readonly Transcoder[];
  /** In file order: the first whose pattern matches decides. */
  readonly chains: readonly ChainParts[];
  /** Patterns match whatever the case. */
  readonly caseInsensitive: boolean;
  /** `oauth2Auth.allowConfigUpdate`: whether the API may change the bearer configuration. */
  readonly allowConfigUpdate: boolean;
}

export interface NamedRealm {
  readonly name: string;
  readonly realm: Realm;
}

/** Notifications find it under either name. */
export interface NamedAction {
  readonly name: string;
  readonly className: string;
  readonly action: NotificationAction;
}

export type Strategy =
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
  /** What the filter made of the brackets. */
  readonly options: unknown;
}
