import type {
  Host,
  Listing,
  OutboundMethod,
  OutboundStream,
  Plugin,
  StorageAddress,
  StorageDriver,
  StorageErrorKind,
  StorageScheme,
  StoredFile,
} from 'portico/spi';
import type { PluginExamples } from 'portico/testing';
import { shelf } from './shelf-service.ts';

interface Properties {
  readonly answerWithin: number;
}

interface Asked {
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: ReadableStream<Uint8Array>;
  readonly signal?: AbortSignal | undefined;
}

/** Where bytes wait until they get their path. Nobody else sees keys below it. */
const waiting = '.staged/';

const failed = (kind: StorageErrorKind, message: string): Error => Object.assign(new Error(message), { kind });

/** Error for a status. The text of an answer is never repeated: it may quote the request with its password. */
function refusal(status: number): Error {
  const kinds: Readonly<Record<number, StorageErrorKind>> = {
    ...{ 401: 'denied', 403: 'denied', 404: 'not-found', 412: 'exists', 416: 'range', 507: 'no-space' },
  };
  return failed(
    kinds[status] ?? (status >= 500 ? 'offline' : 'failed'),
    `Expected another answer of the shelf: ${status}`,
  );
}

/** Refuses what would be another key once an address is made of it, or no key at all. */
function checkPath(path: string): void {
  const odd = path.split('/').some((part) => part === '' || part === '.' || part === '..') || path.startsWith(waiting);
  if (odd || /\0|\p{Surrogate}/u.test(path)) throw failed('bad-path', 'Expected a path of names');
}

/** Driver for one folder of a shelf. */
function openShelf(host: Host, address: StorageAddress, { answerWithin }: Properties): StorageDriver {
  const base = address.uri.replace(/^shelf:/, 'https:');
  const login = new TextEncoder().encode(`${address.user}:${address.password?.reveal()}`);
  const authorization = address.password && { authorization: `Basic ${btoa(String.fromCharCode(...login))}` };

  async function ask(
    method: OutboundMethod,
    key: string,
    { query, headers, body, signal }: Asked = {},
  ): Promise<OutboundStream> {
    const path = key.split('/').map(encodeURIComponent).join('/');
    const url = `${base}${path}${query ? `?${new URLSearchParams(query)}` : ''}`;
    const limits = { answerWithin, idle: 60_000, ...(signal && { signal }), ...(body && { body }) };
    try {
      // The address was set through the API, so it is not `trusted`: it passes the address policy.
      return await host.stream({ url, method, headers: { ...authorization, ...headers }, ...limits });
    } catch (error) {
      const { kind } = Object(error) as { readonly kind?: unknown };
      if (kind === 'aborted') throw failed('aborted', 'The caller went away');
      throw failed(kind === 'blocked' ? 'denied' : 'offline', 'Expected a shelf that answers');
    }
  }

  /** The headers of an answer whose body does not matter. */
  async function told(...given: Parameters<typeof ask>): Promise<Headers> {
    const { status, headers, body } = await ask(...given);
    await body.cancel();
    if (status < 200 || status > 299) throw refusal(status);
    return headers;
  }

  const orUndefined = (error: unknown): undefined => {
    if (Object(error).kind !== 'not-found') throw error;
  };

  async function stat(path: string, signal?: AbortSignal): Promise<StoredFile | undefined> {
    checkPath(path);
    const headers = await told('HEAD', path, { signal }).catch(orUndefined);
    return headers && { path, size: Number(headers.get('content-length')), version: headers.get('etag') ?? '' };
  }

  async function page(prefix: string, after: string, limit: number, signal?: AbortSignal): Promise<Listing> {
    const query = { prefix, after, limit: String(limit) };
    const { status, body } = await ask('GET', '', { query, signal });
    if (status !== 200) throw refusal(status);
    return (await new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>).json()) as Listing;
  }

  return {
    // Parts are gathered elsewhere first: a shelf takes files as a whole.
    can: { list: true, write: true, parts: false, createOnly: true, sign: false },

    async check(signal) {
      await page('', '', 1, signal);
      return {};
    },

    stat,

    async read(path, { range, version, signal } = {}) {
      const file = await stat(path, signal);
      if (!file) throw failed('not-found', `Expected a file at ${path}`);
      if (version !== undefined && version !== file.version) throw failed('changed', `${path} has changed`);
      const { from, end } = range ?? { from: 0, end: file.size };
      if (from < 0 || from > end || end > file.size)
        throw failed('range', `Expected a range within ${file.size} bytes`);
      const headers = { range: `bytes=${from}-${end - 1}`, 'if-match': file.version };
      return { file, body: from === end ? new Blob([]).stream() : lazily(() => ask('GET', path, { headers, signal })) };
    },

    async list({ after = '', limit, signal }) {
      const { files, next } = await page('', after, limit, signal);
      const others = files.filter(({ path }) => !path.startsWith(waiting));
      return { files: others, ...(next !== undefined && { next }) };
    },

    async stage(body, { size, signal, onBytes } = {}) {
      const key = Array.from(host.randomBytes(16), (byte) => byte.toString(16).padStart(2, '0')).join('');
      const counted = counting(body, onBytes);
      try {
        const headers = await told('PUT', waiting + key, { body: counted.body, signal });
        if (size !== undefined && size !== counted.count)
          throw failed('failed', `Expected ${size} bytes: ${counted.count}`);
        // The version moves with the file, so that what was published is known again.
        return { token: `${key}-${headers.get('etag')}`, size: counted.count, hashes: {} };
      } catch (error) {
        await told('DELETE', waiting + key).catch(() => undefined);
        throw counted.broken ? counted.broken.error : error;
      }
    },

    async publish(token, path, mode) {
      checkPath(path);
      const [, key, version] = /^([0-9a-f]{32})-(.+)$/.exec(token) ?? [];
      const headers = { 'move-from': `${waiting}${key}`, ...(mode === 'create' && { 'if-none-match': '*' }) };
      // Undefined: it has been moved, or has never been there.
      if (key !== undefined) await told('POST', path, { headers }).catch(orUndefined);
      const file = await stat(path);
      if (file && file.version === version) return file;
      throw failed('not-found', 'Expected staged bytes: they are gone');
    },

    async discard(token) {
      const [key] = token.split('-', 1);
      if (/^[0-9a-f]{32}$/.test(key!)) await told('DELETE', waiting + key).catch(orUndefined);
    },

    async staged() {
      const found: { token: string; at: number }[] = [];
      let after: string | undefined = '';
      while (after !== undefined) {
        const { files, next }: Listing = await page(waiting, after, 1000);
        for (const { path, version, modified = 0 } of files) {
          found.push({ token: `${path.slice(waiting.length)}-${version}`, at: modified / 1000 });
        }
        after = next;
      }
      return found;
    },

    async remove(path) {
      checkPath(path);
      return (await told('DELETE', path).catch(orUndefined)) !== undefined;
    },
  };
}

/** Asks when the first byte is wanted, and not before. */
function lazily(ask: () => Promise<OutboundStream>): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let left = false;
  const begin = async () => {
    const { status, body } = await ask();
    if (left || (status !== 200 && status !== 206)) await body.cancel();
    if (status === 412 || status === 404) throw failed('changed', 'Expected the file as it was');
    if (status !== 200 && status !== 206) throw refusal(status);
    return body.getReader();
  };
  return new ReadableStream(
    {
      async pull(controller) {
        reader ??= await begin();
        const { done, value } = await reader.read();
        if (left) return;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        left = true;
        await reader?.cancel();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Counts the bytes of a body, and keeps what broke it. */
function counting(body: ReadableStream<Uint8Array>, onBytes?: (count: number) => void) {
  const reader = body.getReader();
  let left = false;
  const counted = {
    count: 0,
    broken: undefined as { readonly error: unknown } | undefined,
    body: new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await reader.read().catch((error: unknown) => {
            counted.broken = { error };
            throw error;
          });
          if (left) return;
          if (done) return controller.close();
          counted.count += value.byteLength;
          onBytes?.(counted.count);
          controller.enqueue(value);
        },
        cancel(reason) {
          left = true;
          return reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    ),
  };
  return counted;
}

/** Keeps files on a shelf: a web service that holds bytes under keys. */
export default {
  name: 'shelf-storage',
  version: '1.0.0',
  contract: 1,
  storages: {
    'example.ShelfStorage': {
      says: 'Keeps files on a shelf: methods such as shelf://files.example.com/archive/.',
      properties: {
        answerWithin: { type: 'duration', fallback: 30_000, says: 'How long a shelf has until it answers.' },
      },
      create: (properties: Properties, host): StorageScheme => ({
        schemes: ['shelf'],
        hosts: ['server', 'edge'],
        defect: ({ uri }) =>
          /^shelf:\/\/[^/?#@]+\/(?:[^/?#]+\/)*$/.test(uri) && URL.canParse(uri.replace(/^shelf:/, 'https:'))
            ? undefined
            : 'Expected an address such as shelf://files.example.com/archive/',
        open: (address) => openShelf(host, address, properties),
      }),
    },
  },
} satisfies Plugin;

/** Set-up with which "portico plugin test" tries the driver. */
export const examples = [
  {
    component: 'example.ShelfStorage',
    properties: { answerWithin: '5s' },
    places: (number: number) => ({ uri: `shelf://files.example.com/place-${number}/` }),
    backend: shelf(),
  },
] satisfies PluginExamples;
