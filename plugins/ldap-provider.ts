import type { Component, PropertyTable, ServiceUserInfoProvider } from '../src/spi/index.ts';
import { attributeProvider } from './attribute-provider.ts';

const properties: PropertyTable = {
  ...attributeProvider.properties,
  realName: { type: 'string', fallback: 'cn', says: 'The attribute that holds the real name.' },
  // Named by hand: a group of the directory must not become a role of this service because of its name.
  groupNames: {
    type: 'map',
    fallback: {},
    says: 'Maps groups of the directory to groups and roles of this service. Others are left out, but for those that copyRoles copies.',
  },
  defaultGroups: {
    type: 'list',
    fallback: ['_user'],
    says: 'Groups and roles of every user that is created or updated.',
  },
  metadata: {
    type: 'map',
    fallback: { email: 'mail' },
    says: 'Maps keys of the metadata to attributes.',
  },
};

/** Like the attribute provider, with the usual attributes of a directory. */
export const ldapProvider: Component<ServiceUserInfoProvider> = {
  says: 'Creates a service user from an LDAP entry: real name, mail address, mapped groups and the role _user.',
  properties,
  create(given: Readonly<Record<string, unknown>>, host) {
    const fallbacks = Object.entries(properties).map(([name, { fallback }]) => [name, fallback] as const);
    const setProperties = Object.entries(given).filter(([, value]) => value !== undefined);
    return attributeProvider.create({ ...Object.fromEntries(fallbacks), ...Object.fromEntries(setProperties) }, host);
  },
};
