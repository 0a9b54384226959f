import type { Component, ComponentKind, Property, PropertyType } from '../../../spi/index.ts';
import type { LinePosition } from '../findings.ts';

/** Kind of an object in `[main]`, from plugins or built in. */
export type ObjectKind =
  | ComponentKind
  | 'strategies'
  | 'authenticators'
  | 'securityManager'
  | 'resolver'
  /** Sessions, cookies, caches and the like: reported as unsupported and ignored. */
  | 'stateless'
  /** Unknown class, which is a finding. The kind prevents consequential findings. */
  | 'unknown';

/** Types of the plugin contract, and those of built-in objects. */
export type OurType = PropertyType | { readonly object: ObjectKind } | { readonly stateless: true };

export interface OurProperty extends Omit<Property, 'type'> {
  readonly type: OurType;
}

/** A Map, so that no name from a file finds what every object inherits. */
export type Table = ReadonlyMap<string, OurProperty>;

/** Class that `[main]` can name. */
export interface ClassEntry {
  readonly className: string;
  readonly kind: ObjectKind;
  readonly table: Table;
  /** Undefined for built-in classes. */
  readonly component?: Component<unknown>;
  /** Plugin that provides the class. */
  readonly plugin: string;
}

/** Values that a file gave, by property. */
export interface PropertyValues {
  readonly table: Table;
  readonly values: Map<string, Planned>;
}

/** Name of a secret of the service, in place of a value: `secret:ALIAS`, or `secret:ALIAS/KEY`. */
export class SecretReference {
  /** Text behind `secret:`. */
  readonly text: string;
  /** Undefined: the statement has it. */
  readonly line: LinePosition | undefined;

  constructor(text: string, line?: LinePosition) {
    this.text = text;
    this.line = line;
  }
}

interface Planned {
  readonly value: PlannedValue;
  readonly position: LinePosition;
}

/** Converted: a reference is the plan of its object, nested properties are a bag. */
export type PlannedValue =
  | undefined
  | string
  | number
  | boolean
  | ObjectPlan
  | PropertyValues
  | { reveal(): string }
  | SecretReference
  | readonly (string | SecretReference)[]
  | readonly ObjectPlan[]
  | ReadonlyMap<string, unknown>;

/** An object that is to be made, with its properties as the file has set them. */
export interface ObjectPlan extends PropertyValues {
  readonly name: string;
  readonly entry: ClassEntry;
  readonly position: LinePosition;
  /** Exists without being declared; made only when something uses it. */
  readonly implicit: boolean;
  /** A filter with `enabled = false`: everything passes it. */
  enabled: boolean;
  /** Not from properties: what `[users]` and `[roles]` say. */
  readonly given: ReadonlyMap<string, unknown>;
}

export const isObjectPlan = (value: unknown): value is ObjectPlan =>
  typeof value === 'object' && value !== null && 'entry' in value;
export const isBag = (value: unknown): value is PropertyValues =>
  typeof value === 'object' && value !== null && 'table' in value && !('entry' in value);

/** Names of secrets in a value. */
export function referencesIn(value: PlannedValue): readonly SecretReference[] {
  if (value instanceof SecretReference) return [value];
  if (typeof value !== 'object' || isObjectPlan(value) || isBag(value)) return [];
  const parts: readonly unknown[] = Array.isArray(value) ? value : value instanceof Map ? [...value.values()] : [];
  return parts.filter((part): part is SecretReference => part instanceof SecretReference);
}

export const hasReference = (value: PlannedValue): boolean => referencesIn(value).length > 0;

/** Values with references in them, once the references are opened. */
export interface OpenedSecrets {
  /** By the value of the plan. Undefined: a check without secrets has nothing to put there. */
  readonly values: ReadonlyMap<PlannedValue, PlannedValue>;
  /** Secrets of an object, to be hidden. */
  readonly texts: ReadonlyMap<ObjectPlan, readonly string[]>;
}

export const propertyTable = (properties: Readonly<Record<string, OurProperty>> = {}): Table =>
  new Map(Object.entries(properties));

/** Names of the kinds in findings. */
export const kindNames: Readonly<Record<ObjectKind, string>> = {
  realms: 'a realm',
  filters: 'a filter',
  logins: 'a login through a provider',
  listeners: 'an authentication listener',
  userInfoProviders: 'a user-info provider',
  matchers: 'a credentials matcher',
  actions: 'a notification action',
  storages: 'a storage scheme',
  searchEngines: 'a search engine',
  probers: 'a prober of media',
  transcoders: 'a transcoder',
  strategies: 'an authentication strategy',
  authenticators: 'an authenticator',
  securityManager: 'the security manager',
  resolver: 'the filter chain resolver',
  stateless: 'an object that a stateless service does not have',
  unknown: 'an object of an unknown class',
};
