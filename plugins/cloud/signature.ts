import { AwsV4Signer } from 'aws4fetch';

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
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The headers that make a request one of the signer's: AWS Signature Version 4, over every header that is given. */
export async function signedHeaders(signer: Signer, request: SignedRequest): Promise<Record<string, string>> {
  const { accessKey, secret, region, service } = signer;
  const { method, url, headers, body, at } = request;
  const { headers: signed } = await new AwsV4Signer({
    ...{ method, url: url.href, headers, region, service, allHeaders: true },
    ...(body === '' ? {} : { body }),
    accessKeyId: accessKey,
    secretAccessKey: secret,
    datetime: new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, ''),
  }).sign();
  return Object.fromEntries(signed);
}
