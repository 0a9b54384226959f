import type {
  ActionAnswer,
  ActionCall,
  ActionElement,
  Component,
  Host,
  NotificationAction,
  PropertyTable,
  SecretText,
} from '../src/spi/index.ts';
import { type Signer, signedHeaders } from './request-signature.ts';

/** Keys of a role, for a limited time. */
type Keys = Pick<Signer, 'accessKey' | 'secret' | 'sessionToken'>;

/** A role that could not be taken on. `again`: another attempt may succeed. */
interface RoleRefusal {
  readonly again: boolean;
  readonly reason: string;
}

/** Roles whose keys are cached. */
const maxRoles = 1_000;
/** Milliseconds before their end at which keys are renewed. */
const early = 5 * 60_000;
const seconds = 3_600;

type RoleTexts = Pick<ActionCall, 'texts' | 'signal'>;

/** Takes on roles at the Security Token Service, and caches their keys. */
function createRoles(host: Host, { endpoint, timeout }: { readonly endpoint?: string; readonly timeout: number }) {
  const cache = new Map<string, { readonly keys: Keys; readonly until: number }>();

  return async ({ texts, signal }: RoleTexts, own: Keys, region: string): Promise<Keys | RoleRefusal> => {
    const { roleArn = '', roleSessionName, roleExternalId } = texts;
    const key = host.digest(
      JSON.stringify([roleArn, roleSessionName, roleExternalId, own.accessKey, own.secret, region]),
    );
    const cached = cache.get(key);
    if (cached && cached.until - early > host.now()) return cached.keys;
    const fields = {
      ...{ Action: 'AssumeRole', Version: '2011-06-15', RoleArn: roleArn, DurationSeconds: String(seconds) },
      RoleSessionName: roleSessionName || 'portico',
      ...(roleExternalId && { ExternalId: roleExternalId }),
    };
    const body = new URLSearchParams(fields).toString();
    const url = new URL(endpoint || `https://sts.${region}.amazonaws.com/`);
    const headers = await signedHeaders(
      { ...own, region, service: 'sts' },
      {
        ...{ method: 'POST', url, body, at: host.now() },
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      },
    );
    const limits = { timeout, mostBytes: 20_000, longer: 'cut' } as const;
    const { status, text } = await host.call({ url: url.href, method: 'POST', headers, body, signal, ...limits });
    const keys = status === 200 ? keysIn(text) : undefined;
    if (!keys) {
      const reason = `Expected keys of the role ${roleArn.slice(0, 200)}: status ${status}`;
      return { again: status >= 500 || status === 429 || /Throttl|RequestExpired/.test(text), reason };
    }
    if (cache.size >= maxRoles) cache.delete(cache.keys().next().value!);
    cache.set(key, { keys, until: host.now() + seconds * 1000 });
    return keys;
  };
}

function keysIn(xml: string): Keys | undefined {
  const [accessKey, secret, sessionToken] = ['AccessKeyId', 'SecretAccessKey', 'SessionToken'].map(
    (name) => new RegExp(`<${name}>\\s*([\\w+/=-]{1,4096})\\s*</${name}>`).exec(xml)?.[1],
  );
  return accessKey && secret && sessionToken ? { accessKey, secret, sessionToken } : undefined;
}

interface Properties {
  readonly region?: string;
  readonly accessKey?: string;
  readonly secret?: SecretText;
  readonly stsEndpoint?: string;
  readonly timeout: number;
}

const properties: PropertyTable = {
  region: { type: 'string', says: 'Region of the signature, if the address of the endpoint does not contain it.' },
  accessKey: { type: 'string', says: 'Access key for notifications without one.' },
  secret: { type: 'secret', says: 'Secret of the access key.' },
  stsEndpoint: {
    type: 'string',
    says: 'Address of the Security Token Service, which gives the keys of a roleArn. Default: that of Amazon in the region.',
  },
  timeout: { type: 'duration', fallback: 10_000, says: 'Maximum time for one message.' },
};

type Kind = 'sqs' | 'sns';

/** Parameters of each service, beside the message. */
const services: Readonly<
  Record<Kind, { readonly version: string; fields(call: ActionCall, endpoint: string): Record<string, string> }>
> = {
  sqs: {
    version: '2012-11-05',
    fields: ({ texts, id, body }, endpoint) => {
      const { queue = '', messageGroupId } = texts;
      const address = /^https?:/.test(queue) ? queue : `${endpoint.replace(/\/$/, '')}/${queue}`;
      // A FIFO queue detects duplicates by the id.
      const ordered = messageGroupId ? { MessageGroupId: messageGroupId, MessageDeduplicationId: id } : {};
      return { Action: 'SendMessage', QueueUrl: address, MessageBody: body, ...ordered };
    },
  },
  sns: {
    version: '2010-03-31',
    fields: ({ texts, body }) => ({ Action: 'Publish', TopicArn: texts['topic'] ?? '', Message: body }),
  },
};

/** Region in an address such as `https://sqs.eu-west-1.amazonaws.com` or `arn:aws:sns:eu-west-1:…`. */
const regionIn = ({ texts }: ActionElement): string | undefined =>
  /\b(?:sqs|sns)\.([a-z0-9-]+)\.amazonaws\./.exec(texts['endpoint'] ?? '')?.[1] ??
  /^arn:[^:]*:sns:([^:]+):/.exec(texts['topic'] ?? '')?.[1];

/** Action that sends the event as a message to a queue or topic, of Amazon or a compatible service. */
export const queueAction: Component<NotificationAction> = {
  says: 'Action for "sqs" and "sns": sends signed messages to queues and topics.',
  properties,
  create(own: Properties, host): NotificationAction {
    const { stsEndpoint, timeout } = own;
    const roles = createRoles(host, { timeout, ...(stsEndpoint && { endpoint: stsEndpoint }) });
    return {
      kinds: ['sqs', 'sns'],
      defect: (element) => defectOf(element, own),
      perform: (call) => send(call, own, host, roles),
    };
  },
};

function defectOf({ kind, texts, secret }: ActionElement, own: Properties): string | undefined {
  const { endpoint = '', topic = '', roleArn, accessKey } = texts;
  if (roleArn && !/^arn:[\w-]+:iam::\d+:role\/[\w+=,.@/-]+$/.test(roleArn))
    return 'Expected a roleArn such as arn:aws:iam::123456789012:role/NAME';
  if (kind === 'sns' && topic === '') return 'Expected a topic';
  if (kind === 'sqs' && !/^https?:/.test(endpoint)) return 'Expected an endpoint that begins with http:// or https://';
  if ((accessKey ?? own.accessKey) === undefined || (secret ?? own.secret) === undefined)
    return 'Expected an accessKey and a secret, in the notification or in security.ini';
  return undefined;
}

const isRefusal = (keys: Keys | RoleRefusal): keys is RoleRefusal => 'reason' in keys;

async function send(
  call: ActionCall,
  own: Properties,
  host: Host,
  roles: ReturnType<typeof createRoles>,
): Promise<ActionAnswer> {
  const { kind, texts, signal } = call;
  const complaint = defectOf(call, own);
  if (complaint !== undefined) return { answer: 'refused', reason: complaint };
  const service = kind as Kind;
  const region = regionIn(call) ?? own.region ?? 'us-east-1';
  const endpoint = texts['endpoint'] || `https://${service}.${region}.amazonaws.com`;
  const { version, fields } = services[service];
  const fieldValues = { ...fields(call, endpoint), Version: version };
  const body = Object.entries(fieldValues)
    .map(([name, value]) => `${name}=${encoded(value)}`)
    .join('&');
  const url = new URL(endpoint);
  const first = { accessKey: texts['accessKey'] ?? own.accessKey!, secret: (call.secret ?? own.secret!).reveal() };
  const keys = texts['roleArn'] ? await roles(call, first, region) : first;
  if (isRefusal(keys)) return { answer: keys.again ? 'again' : 'refused', reason: keys.reason };
  const headers = await signedHeaders(
    { ...keys, region, service },
    {
      ...{ method: 'POST', url, body, at: host.now() },
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    },
  );
  const limits = { timeout: own.timeout, mostBytes: 2_000, longer: 'cut' } as const;
  const { status, text } = await host.call({ url: url.href, method: 'POST', headers, body, signal, ...limits });
  if (status >= 200 && status < 300) return { answer: 'delivered' };
  const reason = `Expected a status from 200 to 299: ${status}`;
  // Too many at a time is told as 400 and 403 by some.
  const later = status >= 500 || status === 429 || status === 408 || /Throttl|RequestExpired|SlowDown/.test(text);
  return { answer: later ? 'again' : 'refused', reason };
}

/** Encodes by RFC 3986, which is stricter than the language. */
const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
