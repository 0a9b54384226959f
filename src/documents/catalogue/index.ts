import { accessControlListDocument } from './access-control.ts';
import { accessKeyDocument, accessKeyListDocument } from './access-key.ts';
import { auditLogDocument } from './audit-log.ts';
import { configurationPropertyDocument, configurationPropertyListDocument } from './configuration-property.ts';
import { corsConfigurationDocument } from './cors.ts';
import { eventDocument, eventListDocument } from './event-list.ts';
import { exceptionDocument } from './exception.ts';
import { explanationDocument } from './explanation.ts';
import { externalIdentifierListDocument } from './external-id.ts';
import { groupDocument, groupListDocument, userDocument, userListDocument } from './identity.ts';
import { jobDocument } from './job.ts';
import { simpleMetadataDocument } from './metadata.ts';
import { notificationDocument } from './notification.ts';
import {
  deliveryDocument,
  deliveryListDocument,
  notificationHealthDocument,
  notificationSecretDocument,
  parkedListDocument,
  replayDocument,
} from './notification-state.ts';
import { oauth2ConfigurationDocument } from './oauth2.ts';
import { quotaRuleDocument, quotaRuleListDocument } from './quota.ts';
import { simpleSearchDocument } from './search.ts';
import { selfTestDocument } from './selftest.ts';
import { authenticationTokenDocument, authenticationTokenListDocument } from './token.ts';
import { uriListDocument } from './uri-list.ts';
import { versionDocument } from './version.ts';

/** Every document, one per root element. */
export const catalogue = [
  accessControlListDocument,
  accessKeyDocument,
  accessKeyListDocument,
  auditLogDocument,
  authenticationTokenDocument,
  authenticationTokenListDocument,
  configurationPropertyDocument,
  configurationPropertyListDocument,
  corsConfigurationDocument,
  deliveryDocument,
  deliveryListDocument,
  eventDocument,
  eventListDocument,
  exceptionDocument,
  explanationDocument,
  externalIdentifierListDocument,
  groupDocument,
  groupListDocument,
  jobDocument,
  notificationDocument,
  notificationHealthDocument,
  notificationSecretDocument,
  oauth2ConfigurationDocument,
  parkedListDocument,
  quotaRuleDocument,
  quotaRuleListDocument,
  replayDocument,
  selfTestDocument,
  simpleMetadataDocument,
  simpleSearchDocument,
  uriListDocument,
  userDocument,
  userListDocument,
  versionDocument,
] as const;
