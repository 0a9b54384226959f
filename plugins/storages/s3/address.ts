import type { StorageAddress } from '../../../src/spi/index.ts';
import { decodeSegment, encodeSegment, isPath } from '../paths.ts';

export interface BucketFolder {
  readonly bucket: string;
  /** Base address of the keys, with "/" at its end. */
  readonly base: string;
  /** Prefix of the keys: empty, or with "/" at its end. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKey: string;
  /** Storage class of new files. Undefined: that of the bucket. */
  readonly storageClass: string | undefined;
  reveal(): string;
}

interface Defect {
  readonly defect: string;
}

const example = 's3://KEY:SECRET@bucket/folder/';
const parameters: ReadonlySet<string> = new Set(['endpoint', 'region', 'pathStyle', 'storageClass']);

/**
 * Reads `s3://bucket/folder/?endpoint=https://s3.example.com&region=eu-west-1&storageClass=GLACIER`. Everything that says
 * where requests go is in the address itself: with another one, its secret has to be given again.
 */
export function bucketFolder({ uri, user, password }: StorageAddress): BucketFolder | Defect {
  const [, bucket = '', path = '', query = ''] = /^s3:\/\/([^/?#@\\:]+)(\/[^?#\\]*)?(?:\?([^#]*))?$/i.exec(uri) ?? [];
  if (bucket === '') return defect(`an address such as ${example}`);
  const bad = badBucket(bucket);
  if (bad) return bad;
  const folder = decodeSegment(path.replace(/^\/|\/$/g, ''));
  if (folder === undefined || (folder !== '' && !isPath(folder)))
    return defect('a folder without empty parts, "." and ".."');
  const options = readQuery(query);
  if ('defect' in options) return options;
  if (user === undefined || user === '' || password === undefined)
    return defect(`an access key and its secret: ${example}`);
  if (!/^[\x21-\x7e]+$/.test(user) || user.includes('/')) return defect('an access key without blanks and slashes');
  const { region, endpoint, pathStyle, storageClass } = options;
  const origin = endpoint ?? `https://s3.${region}.amazonaws.com`;
  // The certificate of a wildcard covers one label only.
  const inPath = pathStyle ?? (endpoint !== undefined || bucket.includes('.'));
  const base = inPath ? `${origin}/${encodeSegment(bucket)}/` : `${origin.replace('://', `://${bucket}.`)}/`;
  const prefix = folder === '' ? '' : `${folder}/`;
  return { bucket, base, prefix, region, accessKey: user, storageClass, reveal: () => password.reveal() };
}

function badBucket(bucket: string): Defect | undefined {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/.test(bucket) || bucket.includes('..'))
    return defect('the name of a bucket: 3 to 63 letters, digits, ".", "-" and "_"');
  return /^[\d.]+$/.test(bucket) && bucket.includes('.') ? defect('the name of a bucket, no address') : undefined;
}

interface QueryOptions {
  readonly region: string;
  readonly endpoint: string | undefined;
  readonly pathStyle: boolean | undefined;
  readonly storageClass: string | undefined;
}

function readQuery(query: string): QueryOptions | Defect {
  const options = new Map<string, string>();
  for (const part of query.split('&').filter((text) => text !== '')) {
    const [name = '', ...rest] = part.split('=');
    const value = decodeSegment(rest.join('='));
    // Nothing is quoted: it may be a secret in the wrong place.
    if (!parameters.has(name)) return defect(`no other parameters than ${[...parameters].join(', ')}`);
    if (options.has(name) || value === undefined) return defect(`one percent-encoded value of "${name}"`);
    options.set(name, value);
  }
  const region = options.get('region') ?? 'us-east-1';
  if (!/^[a-z0-9-]{1,40}$/.test(region)) return defect('a region such as eu-west-1');
  const style = options.get('pathStyle');
  if (style !== undefined && style !== 'true' && style !== 'false') return defect('"true" or "false" as pathStyle');
  const endpoint = options.get('endpoint');
  const origin = endpoint === undefined ? undefined : originOf(endpoint);
  if (endpoint !== undefined && origin === undefined)
    return defect('an endpoint such as https://s3.example.com: scheme, host and port, and nothing else');
  const storageClass = options.get('storageClass');
  if (storageClass !== undefined && !/^[A-Z][A-Z0-9_]{0,39}$/.test(storageClass))
    return defect('a storage class such as DEEP_ARCHIVE');
  return { region, endpoint: origin, pathStyle: style === undefined ? undefined : style === 'true', storageClass };
}

/** A host alone means https. */
function originOf(text: string): string | undefined {
  const whole = text.includes('://') ? text : `https://${text}`;
  if (!/^https?:\/\/(?:\[[\da-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?\/?$/i.test(whole) || !URL.canParse(whole))
    return undefined;
  return new URL(whole).origin;
}

const defect = (expected: string): Defect => ({ defect: `Expected ${expected}` });
