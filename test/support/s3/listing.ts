import { comparePaths } from '../../../src/kit/testing/storage/bytes.ts';
import { escaped, Refused } from './answers.ts';
import type { Stored } from './stored.ts';

/** As forms encode: a blank is a plus. */
const inUrl = (key: string): string =>
  encodeURIComponent(key)
    .replace(/[!'()~]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
    .replaceAll('%2F', '/');

interface Listed {
  readonly objects: ReadonlyMap<string, Stored>;
  readonly bucket: string;
  readonly mostListed: number;
}

/** The answer to `GET /?list-type=2`. */
export function listed({ objects, bucket, mostListed }: Listed, query: URLSearchParams): string {
  if (query.has('delimiter')) throw new Refused('NotImplemented');
  const asked = Number(query.get('max-keys') ?? 1000);
  if (!Number.isSafeInteger(asked) || asked < 0) throw new Refused('InvalidArgument');
  const prefix = query.get('prefix') ?? '';
  const token = query.get('continuation-token');
  const after = token === null ? (query.get('start-after') ?? '') : Buffer.from(token, 'base64url').toString();
  const most = Math.min(asked, mostListed);
  const found = [...objects]
    .filter(([key]) => key.startsWith(prefix) && comparePaths(after, key) < 0)
    .sort(([one], [other]) => comparePaths(one, other));
  const page = found.slice(0, most);
  const isCut = found.length > page.length && most > 0;
  const isUrl = query.get('encoding-type') === 'url';
  const shown = (key: string) => escaped(isUrl ? inUrl(key) : key);
  const contents = page.map(
    ([key, { bytes, etag, at }]) =>
      `<Contents><Key>${shown(key)}</Key><LastModified>${new Date(at).toISOString()}</LastModified><ETag>&quot;${etag}&quot;</ETag><Size>${bytes.byteLength}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
  );
  const next = isCut
    ? `<NextContinuationToken>${Buffer.from(page.at(-1)![0]).toString('base64url')}</NextContinuationToken>`
    : '';
  return [
    '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">',
    `<Name>${bucket}</Name><Prefix>${shown(prefix)}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${most}</MaxKeys>`,
    `${isUrl ? '<EncodingType>url</EncodingType>' : ''}<IsTruncated>${isCut}</IsTruncated>${next}`,
    ...contents,
    '</ListBucketResult>',
  ].join('');
}
