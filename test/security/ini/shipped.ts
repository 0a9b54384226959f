import { defaultFilters, filterComponents } from '../../../filters/index.ts';
import { loginComponents } from '../../../filters/oidc/index.ts';
import {
  actionComponents,
  listenerComponents,
  matcherComponents,
  searchEngineComponents,
  storageComponents,
  userInfoProviderComponents,
} from '../../../plugins/index.ts';
import { realmComponents } from '../../../realms/index.ts';
import { type RegistryOptions, registryOf } from '../../../src/security/ini/registry.ts';
import type { Plugin } from '../../../src/spi/index.ts';

/** All that ships, as one plugin. */
export const shipped: Plugin = {
  name: 'portico',
  version: '1',
  contract: 1,
  realms: realmComponents,
  filters: filterComponents,
  logins: loginComponents,
  listeners: listenerComponents,
  userInfoProviders: userInfoProviderComponents,
  actions: actionComponents,
  storages: storageComponents,
  searchEngines: searchEngineComponents,
  matchers: matcherComponents,
};

export const shippedRegistry = (more: readonly Plugin[] = [], options: RegistryOptions = {}) =>
  registryOf([shipped, ...more], { defaultFilters, ...options });
