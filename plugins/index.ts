import type {
  AuthenticationListener,
  Components,
  CredentialsMatcher,
  NotificationAction,
  SearchEngine,
  ServiceUserInfoProvider,
  StorageScheme,
} from '../src/spi/index.ts';
import { anyDigestMatcher, digestMatchers } from './matchers/hashed.ts';
import { passwordMatcher } from './matchers/password.ts';
import { anybodyMatcher, plainMatcher } from './matchers/plain.ts';
import { queueAction } from './queue-action.ts';
import { openSearchEngine } from './search/opensearch/engine.ts';
import { bucketStorage } from './storages/s3/driver.ts';
import { webStorage } from './storages/web.ts';
import { userCreationListener } from './user-creation-listener.ts';
import { attributeProvider, ldapProvider } from './user-info-providers.ts';

/** The package that holds the matchers of the original. */
const original = 'org.apache.shiro.authc.credential';

export const matcherComponents: Components<CredentialsMatcher> = {
  'portico.PlainMatcher': plainMatcher,
  'portico.PasswordMatcher': passwordMatcher,
  'portico.HashedMatcher': anyDigestMatcher,
  [`${original}.SimpleCredentialsMatcher`]: plainMatcher,
  [`${original}.PasswordMatcher`]: passwordMatcher,
  [`${original}.DefaultPasswordService`]: passwordMatcher,
  [`${original}.HashedCredentialsMatcher`]: anyDigestMatcher,
  [`${original}.Md5CredentialsMatcher`]: digestMatchers.md5,
  [`${original}.Sha1CredentialsMatcher`]: digestMatchers.sha1,
  [`${original}.Sha256CredentialsMatcher`]: digestMatchers.sha256,
  [`${original}.Sha384CredentialsMatcher`]: digestMatchers.sha384,
  [`${original}.Sha512CredentialsMatcher`]: digestMatchers.sha512,
  [`${original}.AllowAllCredentialsMatcher`]: anybodyMatcher,
};

export const userInfoProviderComponents: Components<ServiceUserInfoProvider> = {
  'portico.AttributeUserInfoProvider': attributeProvider,
  'portico.LdapUserInfoProvider': ldapProvider,
};

export const listenerComponents: Components<AuthenticationListener> = {
  'portico.UserCreationListener': userCreationListener,
  'com.service.security.auth.UserCreationListener': userCreationListener,
};

export const actionComponents: Components<NotificationAction> = {
  'portico.QueueAction': queueAction,
};

export const storageComponents: Components<StorageScheme> = {
  'portico.WebStorage': webStorage,
  'portico.BucketStorage': bucketStorage,
};

export const searchEngineComponents: Components<SearchEngine> = {
  'portico.OpenSearchEngine': openSearchEngine,
};
