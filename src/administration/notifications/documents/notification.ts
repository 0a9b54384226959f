import {
  attribute,
  boolean,
  careful,
  document,
  element,
  exactlyOneOf,
  type Fields,
  integer,
  list,
  oneOf,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';
import { type DocumentLimits, readJson } from '../../../core/documents/index.ts';
import { notificationTrigger } from './notification-trigger.ts';

/** Elements of every action, before its own. It is unknown whether extradata is an attribute; both are read. */
const common = {
  synchronous: attribute(boolean).orBlank.says('Deliver before the operation that fires it is committed.'),
  group: attribute(string).says('Deliveries with the same group are made in order.'),
  extradata: element(string),
  retry: element(integer).orBlank.says('Attempts after the first one.'),
};

const action = <const F extends Fields>(name: string, own: F) => structure(name, { ...common, ...own });

const http = action('HttpActionType', {
  contentType: element(string),
  url: element(string).required.says('A user and password in it are used for basic authentication.'),
  method: element(oneOf('POST', 'PUT')).orBlank,
  timeout: element(string).says('Seconds; "0" and "none" mean no timeout.'),
});

const ejb = action('EjbActionType', {
  bean: element(string).required,
  method: element(string).required,
  data: list(structure('EjbDataType', { key: element(string), value: element(string) })),
});

const jms = action('JmsActionType', {
  contentType: element(string),
  queue: element(string).required.alias('Queue'),
  queueFactory: element(string).required,
  username: element(string),
  password: element(string),
});

const cloud = {
  contentType: element(string),
  accessKey: element(string),
  secret: element(string),
  roleArn: element(string),
  roleSessionName: element(string),
  roleExternalId: element(string),
};

const sqs = action('SqsActionType', {
  queue: element(string).required,
  endpoint: element(string).required,
  ...cloud,
  messageGroupId: element(string),
});

const sns = action('SnsActionType', { topic: element(string), endpoint: element(string), ...cloud });

const javascript = action('JavascriptActionType', { script: element(string).required });

const smtp = action('SmtpActionType', {
  contentType: element(string),
  to: element(string).required.says('Address of the receiver.'),
  subject: element(string).says('Subject of the mail. Default: the event and its entity.'),
  url: element(string).says('A mail server other than that of the setting smtpUrl, in the same form.'),
});

const actionKinds = ['http', 'ejb', 'jms', 'sqs', 'sns', 'javascript', 'smtp'] as const;
export type ActionKind = (typeof actionKinds)[number];

const notificationAction = structure(
  'NotificationActionType',
  {
    http: element(http),
    ejb: element(ejb),
    jms: element(jms),
    sqs: element(sqs),
    sns: element(sns),
    javascript: element(javascript),
    smtp: element(smtp),
  },
  exactlyOneOf(...actionKinds),
);
export type NotificationAction = Value<typeof notificationAction>;

export const notificationDocument = careful(
  document('NotificationDocument', {
    action: element(notificationAction).required,
    // A criterion that is passed over would widen what fires.
    trigger: element(notificationTrigger).required.strict,
  }),
);
export type Notification = Value<typeof notificationDocument>;

/** Placeholder at /notification, which only needs an action. */
export const placeholderNotificationDocument = careful(
  document(
    'NotificationDocument',
    structure('PlaceholderNotificationType', {
      action: element(notificationAction).required,
      trigger: element(notificationTrigger).strict,
    }),
  ),
);
export type PlaceholderNotification = Value<typeof placeholderNotificationDocument>;

/** Stored document: unknown parts of another version of this service are ignored. */
const storedNotificationDocument = document(
  'NotificationDocument',
  structure('StoredNotificationType', {
    action: element(notificationAction).required,
    trigger: element(notificationTrigger),
  }),
);

interface ActionOfKind {
  readonly kind: ActionKind;
  readonly extradata?: string | undefined;
  readonly contentType?: string | undefined;
}

/** The one action that a notification has, and what several kinds of them share. */
export function actionOf({ action }: PlaceholderNotification): ActionOfKind {
  const kind = actionKinds.find((each) => action[each] !== undefined)!;
  return { ...action[kind]!, kind };
}

/**
 * Action for answers. Clients require the flag `synchronous`, and a time limit of an HTTP action. Defaults are added if
 * the document had none.
 */
export function asShown(notification: PlaceholderNotification): PlaceholderNotification {
  const { kind } = actionOf(notification);
  const defaults = { synchronous: false, ...(kind === 'http' && { timeout: '0' }) };
  return { ...notification, action: { [kind]: { ...defaults, ...notification.action[kind] } } };
}

/** No limits: a stored document can always be read, whichever limits apply now. */
const unlimited: DocumentLimits = {
  bytes: Number.MAX_SAFE_INTEGER,
  depth: 128,
  attributes: Number.MAX_SAFE_INTEGER,
  elements: Number.MAX_SAFE_INTEGER,
  text: Number.MAX_SAFE_INTEGER,
  entries: Number.MAX_SAFE_INTEGER,
  unknown: Number.MAX_SAFE_INTEGER,
};

/** A notification as the database has it: masked. */
export const readStored = (document: string): PlaceholderNotification =>
  readJson(storedNotificationDocument, document, unlimited);
