/** Whose request it is. */
export interface Signer {
  readonly accessKey: string;
  readonly secret: string;
  readonly region: string;
  /** `sqs`, `sns`. */
  readonly service: string;
}

export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  /** All that are signed besides host and date, by names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const utf8 = new TextEncoder();
const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
const digest = async (text: string): Promise<string> => hex(await crypto.subtle.digest('SHA-256', utf8.encode(text)));

async function hmac(key: Uint8Array<ArrayBuffer> | ArrayBuffer, text: string): Promise<ArrayBuffer> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return crypto.subtle.sign('HMAC', imported, utf8.encode(text));
}

/** The headers that make a request one of the signer's: AWS Signature Version 4, which many others understand, too. */
export async function signedHeaders(signer: Signer, request: SignedRequest): Promise<Record<string, string>> {
  const { accessKey, secret, region, service } = signer;
  const { method, url, body, at } = request;
  const time = new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const own = { ...request.headers, 'x-amz-date': time };
  const signed = Object.entries({ ...own, host: url.host }).sort(([a], [b]) => (a < b ? -1 : 1));
  const names = signed.map(([name]) => name).join(';');
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
  const canonical = [
    ...[method, url.pathname, query],
    ...signed.map(([name, value]) => `${name}:${value.trim()}`),
    ...['', names, await digest(body)],
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  let key = await hmac(utf8.encode(`AWS4${secret}`), day);
  for (const part of [region, service, 'aws4_request']) key = await hmac(key, part);
  const signature = hex(await hmac(key, ['AWS4-HMAC-SHA256', time, scope, await digest(canonical)].join('\n')));
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...own, authorization };
}

/** As RFC 3986 says, which is stricter than what the language does. */
export const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
