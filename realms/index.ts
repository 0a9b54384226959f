import type { Components, Realm } from '../src/spi/index.ts';
import { httpRealm } from './http.ts';
import { ldapRealm } from './ldap.ts';
import { serviceRealmComponent } from './service.ts';
import { staticRealm } from './static.ts';

export { serviceRealm } from './service.ts';

/** The realms that ship, by every class name under which a security.ini may know them. */
export const realmComponents: Components<Realm> = {
  'portico.ServiceRealm': serviceRealmComponent,
  'com.service.security.auth.DefaultServiceRealm': serviceRealmComponent,
  'portico.StaticRealm': staticRealm,
  // The name that files of the original's manual use for such a realm.
  'com.example.StaticUserRealm': staticRealm,
  'org.apache.shiro.realm.text.IniRealm': staticRealm,
  'portico.HttpRealm': httpRealm,
  'portico.LdapRealm': ldapRealm,
  'org.apache.shiro.realm.ldap.DefaultLdapRealm': ldapRealm,
  'org.apache.shiro.realm.ldap.JndiLdapRealm': ldapRealm,
};
