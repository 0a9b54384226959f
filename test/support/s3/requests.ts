import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export interface Key {
  readonly accessKey: string;
  readonly secret: string;
  readonly region: string;
}

export interface Came {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: Uint8Array | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** As the specification has it: every byte but the unreserved ones. */
const encoded = (text: string): string =>
  [...new TextEncoder().encode(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9_.~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');

const milliseconds = (stamp: string): number => {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(stamp) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
};

interface Claim {
  readonly credential: string;
  readonly signedHeaders: string;
  readonly signature: string;
  readonly stamp: string;
  readonly payload: string;
  /** Seconds, of a signed address. */
  readonly expires: number | undefined;
}

function claimOf({ url, headers }: Came): Claim | undefined {
  const inAddress = url.searchParams;
  if (inAddress.has('X-Amz-Signature')) {
    return {
      credential: inAddress.get('X-Amz-Credential') ?? '',
      signedHeaders: inAddress.get('X-Amz-SignedHeaders') ?? '',
      signature: inAddress.get('X-Amz-Signature')!,
      stamp: inAddress.get('X-Amz-Date') ?? '',
      payload: 'UNSIGNED-PAYLOAD',
      expires: Number(inAddress.get('X-Amz-Expires')),
    };
  }
  const [, credential, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.get('authorization') ?? '',
    ) ?? [];
  if (!credential || !signedHeaders || !signature) return undefined;
  const stamp = headers.get('x-amz-date') ?? '';
  return {
    credential,
    signedHeaders,
    signature,
    stamp,
    payload: headers.get('x-amz-content-sha256') ?? '',
    expires: undefined,
  };
}

/** The code of what is wrong with the signature of a request, written from the specification and not from a library. */
export function defectOf(came: Came, { accessKey, secret, region }: Key, now: number): string | undefined {
  const claim = claimOf(came);
  if (!claim) return 'AccessDenied';
  const { credential, signedHeaders, signature, stamp, payload, expires } = claim;
  const [id, day, ...scope] = credential.split('/');
  if (id !== accessKey) return 'InvalidAccessKeyId';
  if (scope.join('/') !== `${region}/s3/aws4_request` || day !== stamp.slice(0, 8))
    return 'AuthorizationHeaderMalformed';
  const age = now - milliseconds(stamp);
  if (!(expires === undefined ? Math.abs(age) <= 900_000 : age >= -900_000 && age < expires * 1000))
    return expires === undefined ? 'RequestTimeTooSkewed' : 'AccessDenied';
  if (expires !== undefined && !(expires >= 1 && expires <= 604_800)) return 'AuthorizationQueryParametersError';

  const names = signedHeaders.split(';');
  if (!names.includes('host')) return 'AccessDenied';
  for (const name of came.headers.keys()) {
    if (name.startsWith('x-amz-') && !names.includes(name)) return 'AccessDenied';
  }
  if (expires === undefined) {
    if (payload === '') return 'MissingSecurityHeader';
    if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(came.body)) return 'XAmzContentSHA256Mismatch';
  }
  const query = [...came.url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
  const path = came.url.pathname
    .split('/')
    .map((part) => encoded(decodeURIComponent(part)))
    .join('/');
  const lines = names.map(
    (name) =>
      `${name}:${(name === 'host' ? came.url.host : (came.headers.get(name) ?? '')).trim().replace(/ +/g, ' ')}\n`,
  );
  const canonical = [came.method, path, query, lines.join(''), signedHeaders, payload].join('\n');
  const text = ['AWS4-HMAC-SHA256', stamp, [day, ...scope].join('/'), sha256(canonical)].join('\n');
  const key = [region, 's3', 'aws4_request'].reduce<Buffer>(hmac, hmac(`AWS4${secret}`, day));
  const right = timingSafeEqual(Buffer.from(hmac(key, text).toString('hex')), Buffer.from(signature));
  return right ? undefined : 'SignatureDoesNotMatch';
}

const statuses: Readonly<Record<string, number>> = {
  AccessDenied: 403,
  AuthorizationHeaderMalformed: 400,
  AuthorizationQueryParametersError: 400,
  BadDigest: 400,
  EntityTooSmall: 400,
  GlacierExpeditedRetrievalNotAvailable: 503,
  IncompleteBody: 400,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidObjectState: 403,
  InvalidPart: 400,
  InvalidPartOrder: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  KeyTooLongError: 400,
  MalformedXML: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  MissingSecurityHeader: 400,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  NotImplemented: 501,
  PermanentRedirect: 301,
  PreconditionFailed: 412,
  RequestTimeTooSkewed: 403,
  RestoreAlreadyInProgress: 409,
  SignatureDoesNotMatch: 403,
  SlowDown: 503,
  XAmzContentSHA256Mismatch: 400,
};

export const escaped = (text: string): string => text.replace(/[<>&"']/g, (each) => `&#${each.charCodeAt(0)};`);

const declared = (body: string): string => `<?xml version="1.0" encoding="UTF-8"?>\n${body}`;

export const errorBody = (code: string): string =>
  declared(`<Error><Code>${code}</Code><Message>As ${code} says</Message></Error>`);

/** Thrown where a request is refused. */
export class Refused extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export const refusal = (code: string, method = 'GET', headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(method === 'HEAD' ? null : errorBody(code), {
    status: statuses[code] ?? 400,
    headers: { 'content-type': 'application/xml', ...headers },
  });

export const xml = (body: string): Response =>
  new Response(declared(body), { headers: { 'content-type': 'application/xml' } });
