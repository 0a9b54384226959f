import { AwsV4Signer } from 'aws4fetch';

/** Credentials and scope of a signature. */
export interface Signer {
  readonly accessKey: string;
  readonly secret: string;
  /** Token of temporary keys. */
  readonly sessionToken?: string;
  readonly region: string;
  /** Service: `sqs`, `sns` or `s3`. */
  readonly service: string;
  /** Cache of the daily signing keys. */
  readonly cache?: Map<string, ArrayBuffer>;
}

interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The headers that make a request one of the signer's: AWS Signature Version 4, over every header that is given. */
export async function signedHeaders(signer: Signer, request: SignedRequest): Promise<Record<string, string>> {
  const { method, url, headers, body, at } = request;
  const { headers: signed } = await new AwsV4Signer({
    ...whose(signer, at),
    ...{ method, url: url.href, headers, allHeaders: true },
    ...(body === '' ? {} : { body }),
  }).sign();
  return Object.fromEntries(signed);
}

/** Presigned address: permits the request to every holder for so many seconds, with any body. */
export async function signedAddress(
  signer: Signer,
  { method, url, at }: Pick<SignedRequest, 'method' | 'url' | 'at'>,
  seconds: number,
): Promise<string> {
  const lasting = new URL(url);
  lasting.searchParams.set('X-Amz-Expires', String(seconds));
  const signed = await new AwsV4Signer({ ...whose(signer, at), method, url: lasting.href, signQuery: true }).sign();
  return signed.url.href;
}

const whose = ({ accessKey, secret, sessionToken, region, service, cache }: Signer, at: number) => ({
  ...{ region, service, accessKeyId: accessKey, secretAccessKey: secret, ...(cache && { cache }) },
  ...(sessionToken && { sessionToken }),
  datetime: new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, ''),
});
