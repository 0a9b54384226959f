import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';

export interface StoreKey {
  readonly accessKey: string;
  readonly secret: string;
  readonly region: string;
}

/** A bucket of some store, and how it is reached. */
export interface Store extends StoreKey {
  /** `http://127.0.0.1:7480`. */
  readonly endpoint: string;
  readonly bucket: string;
  fetch(request: Request): Promise<Response>;
  now(): number;
}

export interface Sent {
  readonly method: string;
  /** Key of an object. Absent: the request is about the bucket. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Instead of the right ones. */
  readonly as?: Partial<StoreKey> & { readonly bucket?: string; readonly at?: number };
  readonly hash?: string;
  /** False: sent in chunks. */
  readonly length?: false;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Error code of a refusal. */
  readonly code: string;
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);

export function addressOf(
  { endpoint, bucket }: Pick<Store, 'endpoint' | 'bucket'>,
  key = '',
  query: Sent['query'] = {},
): string {
  const path = key.split('/').map(encoded).join('/');
  const parameters = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  return `${endpoint}/${bucket}/${path}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`;
}

const stampOf = (at: number): string => new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '');

const signerOf = ({ accessKey, secret, region }: StoreKey, at: number) => ({
  ...{ accessKeyId: accessKey, secretAccessKey: secret, region, service: 's3', allHeaders: true },
  datetime: stampOf(at),
});

/** Sends one signed request without the driver, so that refusals of the store are seen unchanged. */
export async function send(
  store: Store,
  { method, key, query, headers, body, as = {}, hash, length }: Sent,
): Promise<Answer> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const url = addressOf({ ...store, ...(as.bucket !== undefined && { bucket: as.bucket }) }, key, query);
  const payload =
    hash ??
    createHash('sha256')
      .update(bytes ?? '')
      .digest('hex');
  const signed = await new AwsV4Signer({
    ...signerOf({ ...store, ...as }, as.at ?? store.now()),
    ...{ method, url, headers: { ...headers, 'x-amz-content-sha256': payload } },
  }).sign();
  const writes = method === 'PUT' || method === 'POST';
  const sent = writes ? (bytes ?? new Uint8Array()) : undefined;
  if (sent && length !== false) signed.headers.set('content-length', String(sent.byteLength));
  const init = sent && (length === false ? { body: new Blob([sent]).stream(), duplex: 'half' } : { body: sent });
  const answer = await store.fetch(new Request(url, { method, headers: signed.headers, ...init } as RequestInit));
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, code: /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? '' };
}

export async function signedUrl(store: Store, key: string, seconds: number, at = store.now()): Promise<string> {
  const url = addressOf(store, key, { 'X-Amz-Expires': String(seconds) });
  return (await new AwsV4Signer({ ...signerOf(store, at), method: 'GET', url, signQuery: true }).sign()).url.href;
}
