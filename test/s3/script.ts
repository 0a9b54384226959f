import { createHash } from 'node:crypto';
import { comparePaths, someBytes } from '../../src/kit/testing/storage/bytes.ts';
import { type Answer, type Sent, type Store, send, signedUrl } from './store.ts';

const mebibyte = 1024 * 1024;

export interface Outcome {
  readonly name: string;
  /** Undefined: as expected. */
  readonly problem: string | undefined;
}

class Unexpected extends Error {}

function expectAnswer(answer: Answer, status: number, code?: string): Answer {
  if (answer.status !== status || (code !== undefined && answer.code !== code))
    throw new Unexpected(`${status} ${code ?? ''}: found ${answer.status} ${answer.code}`);
  return answer;
}

function expectSame(what: string, found: unknown, wanted: unknown): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (one !== other) throw new Unexpected(`${what} ${other}: found ${one}`);
}

const oddKeys = [
  ...['a-b/x', 'a/x', 'a.mov', 'two words', 'plus+and%41', "it's", '!(a)*', '#hash?query=1&b;c', 'ü日本'],
  ...['<&">', '\uff5e', '\u{1f600}', 'end ', '~', '$:@=,'],
];

type Check = (store: Store) => Promise<void>;

/** Behaviour that the driver relies on, and requests that a store has to refuse: the same for every store. */
const checks: Readonly<Record<string, Check>> = {
  async 'bytes come back, with their MD5 as ETag'(store) {
    const bytes = someBytes(100_003);
    const put = expectAnswer(
      await send(store, { method: 'PUT', key: 'a.mov', body: bytes, headers: { 'x-amz-meta-portico': 'token' } }),
      200,
    );
    const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
    expectSame('the ETag', put.headers.get('etag'), etag);
    const head = expectAnswer(await send(store, { method: 'HEAD', key: 'a.mov' }), 200);
    const told = ['etag', 'content-length', 'x-amz-meta-portico'].map((name) => head.headers.get(name));
    expectSame('the headers', told, [etag, '100003', 'token']);
  },
  async 'a range is given exactly, and one beyond the end is refused'(store) {
    await send(store, { method: 'PUT', key: 'range', body: '0123456789' });
    const part = expectAnswer(await send(store, { method: 'GET', key: 'range', headers: { range: 'bytes=2-4' } }), 206);
    expectSame('the range', [part.text, part.headers.get('content-range')], ['234', 'bytes 2-4/10']);
    expectAnswer(
      await send(store, { method: 'GET', key: 'range', headers: { range: 'bytes=10-12' } }),
      416,
      'InvalidRange',
    );
  },
  async 'a missing key is 404 in each form, and its removal is no error'(store) {
    expectAnswer(await send(store, { method: 'GET', key: 'nothing' }), 404, 'NoSuchKey');
    expectAnswer(await send(store, { method: 'HEAD', key: 'nothing' }), 404);
    expectAnswer(await send(store, { method: 'DELETE', key: 'nothing' }), 204);
  },
  async 'a missing bucket is told from a missing key'(store) {
    const query = { 'list-type': '2' };
    expectAnswer(
      await send(store, { method: 'GET', query, as: { bucket: 'no-such-bucket-4711' } }),
      404,
      'NoSuchBucket',
    );
  },
  async 'If-None-Match: a key that is there is not written'(store) {
    const put = (body: string) => send(store, { method: 'PUT', key: 'once', body, headers: { 'if-none-match': '*' } });
    expectAnswer(await put('old'), 200);
    expectAnswer(await put('new'), 412, 'PreconditionFailed');
    expectSame('the bytes', (await send(store, { method: 'GET', key: 'once' })).text, 'old');
  },
  async 'If-Match: another version is not read'(store) {
    await send(store, { method: 'PUT', key: 'version', body: 'old' });
    const headers = { 'if-match': '"00000000000000000000000000000000"' };
    expectAnswer(await send(store, { method: 'GET', key: 'version', headers }), 412, 'PreconditionFailed');
  },
  async 'a wrong secret is refused'(store) {
    const answer = await send(store, { method: 'PUT', key: 'forged', body: 'x', as: { secret: `${store.secret}x` } });
    expectAnswer(answer, 403, 'SignatureDoesNotMatch');
  },
  async 'an unknown access key is refused'(store) {
    const answer = await send(store, { method: 'GET', key: 'a.mov', as: { accessKey: 'AKIANOBODY' } });
    expectAnswer(answer, 403, 'InvalidAccessKeyId');
  },
  async 'a signature of twenty minutes ago is refused'(store) {
    const answer = await send(store, { method: 'GET', key: 'a.mov', as: { at: store.now() - 20 * 60_000 } });
    expectAnswer(answer, 403, 'RequestTimeTooSkewed');
  },
  async 'other bytes than the signed ones are refused'(store) {
    const hash = createHash('sha256').update('others').digest('hex');
    expectAnswer(
      await send(store, { method: 'PUT', key: 'other-bytes', body: 'bytes', hash }),
      400,
      'XAmzContentSHA256Mismatch',
    );
    expectAnswer(await send(store, { method: 'HEAD', key: 'other-bytes' }), 404);
  },
  async 'a body without a length is refused'(store) {
    expectAnswer(
      await send(store, { method: 'PUT', key: 'chunked', body: 'abc', length: false }),
      411,
      'MissingContentLength',
    );
  },
  async 'a key of more than 1,024 bytes is refused'(store) {
    const { status } = await send(store, { method: 'PUT', key: 'x'.repeat(1025), body: 'x' });
    expectSame('the status', status, 400);
  },
  async 'odd keys stay apart, and come in the order of their bytes, on pages of any size'(store) {
    for (const key of oddKeys) expectAnswer(await send(store, { method: 'PUT', key: `odd/${key}`, body: key }), 200);
    for (const key of oddKeys)
      expectSame('the bytes', (await send(store, { method: 'GET', key: `odd/${key}` })).text, key);
    const wanted = oddKeys.map((key) => `odd/${key}`).sort(comparePaths);
    for (const max of ['1000', '3']) {
      const found: string[] = [];
      let after = '';
      do {
        const page = await list(store, { prefix: 'odd/', 'max-keys': max, ...(after && { 'start-after': after }) });
        found.push(...page.keys);
        after = page.isCut ? page.keys.at(-1)! : '';
      } while (after !== '');
      expectSame('the keys', found, wanted);
    }
    expectSame(
      'behind a key that is not there',
      (await list(store, { prefix: 'odd/', 'start-after': 'odd/a.' })).keys[0],
      'odd/a.mov',
    );
  },
  async 'a key with two slashes is another one than with one'(store) {
    for (const key of ['slashes/a//b', 'slashes/a/b']) await send(store, { method: 'PUT', key, body: key });
    expectSame('the keys', (await list(store, { prefix: 'slashes/' })).keys, ['slashes/a//b', 'slashes/a/b']);
  },
  async 'parts are put together in their order, with what the upload says of the object'(store) {
    const [one, two] = [someBytes(5 * mebibyte), someBytes(1000, 2)];
    const upload = await begin(store, 'parts', { 'x-amz-meta-portico': 'token' });
    const tags = [await part(store, upload, 2, two), await part(store, upload, 1, one)].reverse();
    const done = expectAnswer(await complete(store, upload, [1, 2], tags), 200);
    expectSame('the result', /<CompleteMultipartUploadResult/.test(done.text), true);
    const { headers } = await send(store, { method: 'HEAD', key: 'parts' });
    expectSame('the size', headers.get('content-length'), String(one.byteLength + two.byteLength));
    expectSame('the metadata', headers.get('x-amz-meta-portico'), 'token');
    expectSame('an ETag of two parts', /^"[0-9a-f]{32}-2"$/.test(headers.get('etag') ?? ''), true);
  },
  async 'a part below 5 MiB that is not the last is refused'(store) {
    const upload = await begin(store, 'small-parts');
    const tags = [await part(store, upload, 1, someBytes(1000)), await part(store, upload, 2, someBytes(1000))];
    expectAnswer(await complete(store, upload, [1, 2], tags), 400, 'EntityTooSmall');
    await abort(store, upload);
  },
  async 'a part that never came is refused'(store) {
    const upload = await begin(store, 'invented');
    await part(store, upload, 1, someBytes(1000));
    expectAnswer(await complete(store, upload, [1], ['"00000000000000000000000000000000"']), 400, 'InvalidPart');
    await abort(store, upload);
  },
  async 'an upload that was aborted takes nothing more'(store) {
    const upload = await begin(store, 'aborted');
    await abort(store, upload);
    const query = { partNumber: '1', uploadId: upload.id };
    expectAnswer(await send(store, { method: 'PUT', key: upload.key, query, body: 'x' }), 404, 'NoSuchUpload');
    expectAnswer(
      await send(store, { method: 'DELETE', key: upload.key, query: { uploadId: upload.id } }),
      404,
      'NoSuchUpload',
    );
  },
  async 'a part is copied from another object'(store) {
    const bytes = someBytes(5 * mebibyte + 1);
    const source = '.portico/tmp/0123/0-8-x';
    expectAnswer(await send(store, { method: 'PUT', key: source, body: bytes }), 200);
    const upload = await begin(store, 'copied');
    const path = source.split('/').map(encodeURIComponent).join('/');
    const headers = { 'x-amz-copy-source': `/${store.bucket}/${path}` };
    const query = { partNumber: '1', uploadId: upload.id };
    const copied = expectAnswer(await send(store, { method: 'PUT', key: upload.key, query, headers }), 200);
    const tag = /<ETag>(?:&quot;|&#34;|")?([0-9a-f]{32})/.exec(copied.text)?.[1];
    expectSame('the ETag', tag, createHash('md5').update(bytes).digest('hex'));
    expectAnswer(await complete(store, upload, [1], [`"${tag}"`]), 200);
    expectSame(
      'the size',
      (await send(store, { method: 'HEAD', key: 'copied' })).headers.get('content-length'),
      String(bytes.byteLength),
    );
  },
  async 'a signed address opens its key, and no other one'(store) {
    await send(store, { method: 'PUT', key: 'signed', body: 'abc' });
    await send(store, { method: 'PUT', key: 'signee', body: 'abc' });
    const url = await signedUrl(store, 'signed', 60);
    const ask = async (text: string) => (await store.fetch(new Request(text))).status;
    expectSame('the answers', [await ask(url), await ask(url.replace('signed?', 'signee?'))], [200, 403]);
  },
  async 'a signed address ends'(store) {
    const url = await signedUrl(store, 'signed', 60, store.now() - 61_000);
    expectSame('the answer', (await store.fetch(new Request(url))).status, 403);
  },
};

/** Behaviour that differs between stores. The driver does without it; it is reported for readers of a transcript. */
export const differences: Readonly<Record<string, (store: Store) => Promise<string>>> = {
  async 'If-None-Match at the end of an upload in parts'(store) {
    await send(store, { method: 'PUT', key: 'kept', body: 'old' });
    const upload = await begin(store, 'kept');
    const tags = [await part(store, upload, 1, someBytes(1000))];
    const { status } = await complete(store, upload, [1], tags, { 'if-none-match': '*' });
    await abort(store, upload);
    return status === 412 ? 'refused' : `taken (${status})`;
  },
  async 'parts that are named in another order'(store) {
    const upload = await begin(store, 'order');
    const tags = [
      await part(store, upload, 1, someBytes(5 * mebibyte)),
      await part(store, upload, 2, someBytes(5 * mebibyte, 2)),
    ];
    const { status } = await complete(store, upload, [2, 1], tags.toReversed());
    await abort(store, upload);
    return status === 400 ? 'refused' : `taken (${status})`;
  },
  async 'a part that is copied from a key with "+" or "%"'(store) {
    const told: string[] = [];
    for (const character of ['+', '%41', ' ', 'ü']) {
      await send(store, { method: 'PUT', key: `from${character}`, body: 'x' });
      const upload = await begin(store, 'odd-copy');
      const headers = { 'x-amz-copy-source': `/${store.bucket}/from${encodeURIComponent(character)}` };
      const query = { partNumber: '1', uploadId: upload.id };
      const { status } = await send(store, { method: 'PUT', key: upload.key, query, headers });
      await abort(store, upload);
      told.push(`"${character}" ${status}`);
    }
    return told.join(', ');
  },
  async 'a listing by continuation token'(store) {
    const { next } = await list(store, { prefix: 'odd/', 'max-keys': '1' });
    return next === undefined ? 'no token' : 'a token';
  },
};

async function list(store: Store, query: Readonly<Record<string, string>>) {
  const answer = await send(store, { method: 'GET', query: { 'list-type': '2', 'encoding-type': 'url', ...query } });
  const { text } = expectAnswer(answer, 200);
  const isEncoded = text.includes('<EncodingType>url</EncodingType>');
  // Stores differ in the order of what they say of a key.
  const keys = [...text.matchAll(/<Contents>.*?<\/Contents>/gs)].map(([contents]) => {
    const key = plain(/<Key>([^<]*)<\/Key>/.exec(contents)?.[1] ?? '');
    return isEncoded ? decodeURIComponent(key.replaceAll('+', ' ')) : key;
  });
  return {
    keys,
    isCut: text.includes('<IsTruncated>true</IsTruncated>'),
    next: /<NextContinuationToken>([^<]+)</.exec(text)?.[1],
  };
}

const entities = new Map(Object.entries({ amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' }));

const plain = (text: string): string =>
  text.replace(/&(?:#(\d+)|(\w+));/g, (_, code, name) =>
    name === undefined ? String.fromCharCode(Number(code)) : (entities.get(name) ?? ''),
  );

interface Begun {
  readonly key: string;
  readonly id: string;
}

async function begin(store: Store, key: string, headers: Sent['headers'] = {}): Promise<Begun> {
  const { text } = expectAnswer(await send(store, { method: 'POST', key, query: { uploads: '' }, headers }), 200);
  return { key, id: /<UploadId>([^<]+)</.exec(text)?.[1] ?? '' };
}

async function part(store: Store, { key, id }: Begun, number: number, body: Uint8Array<ArrayBuffer>): Promise<string> {
  const query = { partNumber: String(number), uploadId: id };
  return expectAnswer(await send(store, { method: 'PUT', key, query, body }), 200).headers.get('etag') ?? '';
}

function complete(
  store: Store,
  { key, id }: Begun,
  numbers: readonly number[],
  tags: readonly string[],
  headers: Sent['headers'] = {},
) {
  const parts = numbers.map(
    (number, index) => `<Part><PartNumber>${number}</PartNumber><ETag>${tags[index]}</ETag></Part>`,
  );
  const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
  return send(store, { method: 'POST', key, query: { uploadId: id }, body, headers });
}

const abort = (store: Store, { key, id }: Begun) => send(store, { method: 'DELETE', key, query: { uploadId: id } });

/** Asks a store everything, one after the other. */
export async function storeOutcomes(store: Store): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [name, check] of Object.entries(checks)) {
    const problem = await check(store).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? `Expected ${error.message}` : String(error)),
    );
    outcomes.push({ name, problem });
  }
  return outcomes;
}
