import type { NotificationAction } from './action.ts';
import type { Filter } from './filter.ts';
import type { Host } from './host.ts';
import type { RedirectLogin } from './login.ts';
import type { Prober } from './media.ts';
import type { CredentialsMatcher, Realm } from './realm.ts';
import type { SearchEngine } from './search-engine.ts';
import type { StorageScheme } from './storage.ts';
import type { Transcoder } from './transcoder.ts';
import type { AuthenticationListener, ServiceUserInfoProvider } from './user-info.ts';

/** Kinds of components in plugins, by their key. */
export interface ComponentKinds {
  realms: Realm;
  filters: Filter;
  logins: RedirectLogin;
  listeners: AuthenticationListener;
  userInfoProviders: ServiceUserInfoProvider;
  matchers: CredentialsMatcher;
  actions: NotificationAction;
  storages: StorageScheme;
  /** At most one. */
  searchEngines: SearchEngine;
  /** Properties of probers are plain data: no secrets, and no other objects. */
  probers: Prober;
  transcoders: Transcoder;
}

export type ComponentKind = keyof ComponentKinds;

/** Syntax of a property in security.ini, and type of its value. */
export type PropertyType =
  | 'string'
  | 'secret'
  | 'boolean'
  | 'integer'
  /** Seconds, or with a unit: `30s`, `5m`, `12h`, `1d`. The component gets milliseconds. */
  | 'duration'
  | 'url'
  /** Commas between; the component gets a list of texts. */
  | 'list'
  /** `key:value` with commas between, or one entry a line: `object.property[key] = value`. */
  | 'map'
  /** `$name` of another object. The component gets that object. */
  | { readonly reference: ComponentKind }
  | { readonly references: ComponentKind }
  /** Word from a list. */
  | { readonly choice: readonly string[] }
  /** Nested properties: `object.property.inner = value`. */
  | { readonly nested: PropertyTable };

export interface Property {
  readonly type: PropertyType;
  /** Description in one sentence, for the manual and for findings. */
  readonly says: string;
  readonly required?: boolean;
  /** Value if the file has none. */
  readonly fallback?: unknown;
  /** Set if the property ends, with days such as "2027-01-31" and the property that takes its place. */
  readonly ends?: { readonly since: string; readonly on: string; readonly instead: string };
  /** Further check beyond the type. Returns a sentence about the defect, or undefined. */
  // biome-ignore lint/suspicious/noExplicitAny: of the property's own type
  check?(value: any): string | undefined;
}

export type PropertyTable = Readonly<Record<string, Property>>;

/** Component that `[main]` can create. A misspelt property is a finding with its line, before anything is created. */
export interface Component<T> {
  readonly says: string;
  readonly properties?: PropertyTable;
  /** Called once, when the whole file has been read without a finding. Throws a sentence for what cannot work together. */
  // biome-ignore lint/suspicious/noExplicitAny: the component declares what its own table gives it
  create(properties: any, host: Host): Promise<T> | T;
}

/** By class name, as `[main]` writes it: any text without blanks; a dotted one keeps names of different makers apart. */
export type Components<T> = Readonly<Record<string, Component<T>>>;

/** The default export of a plugin's module: one plain object. */
export type Plugin = {
  readonly name: string;
  readonly version: string;
  /** The version of this contract that it was written against. */
  readonly contract: 1;
} & { readonly [K in ComponentKind]?: Components<ComponentKinds[K]> };
