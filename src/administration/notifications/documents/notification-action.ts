import {
  attribute,
  boolean,
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

export const actionKinds = ['http', 'ejb', 'jms', 'sqs', 'sns', 'javascript'] as const;
export type ActionKind = (typeof actionKinds)[number];

export const notificationAction = structure(
  'NotificationActionType',
  {
    http: element(http),
    ejb: element(ejb),
    jms: element(jms),
    sqs: element(sqs),
    sns: element(sns),
    javascript: element(javascript),
  },
  exactlyOneOf(...actionKinds),
);
export type NotificationAction = Value<typeof notificationAction>;
