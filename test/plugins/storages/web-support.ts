import { webStorage } from '../../../plugins/storages/web.ts';
import { type Backend, secretText, type TestHost, testHost } from '../../../src/kit/testing/index.ts';
import type { StorageAddress, StorageDriver } from '../../../src/spi/index.ts';
import { inPieces } from '../../support/s3/fake.ts';

export const limits = { answerWithin: 30_000, idle: 60_000 };

export const password = 'sesame/open?7#f';

/** What a web server can leave out. */
export interface WebServer {
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  readonly tags?: 'strong' | 'weak' | 'none';
  readonly knowsRanges?: boolean;
  readonly knowsHead?: boolean;
  readonly login?: string;
}

/** A web server with files, which is as simple as it says. */
export function webServer({ files, tags = 'strong', knowsRanges = true, knowsHead = true, login }: WebServer): Backend {
  return (request) => {
    const { headers, method, url } = request;
    if (login !== undefined && headers.get('authorization') !== `Basic ${btoa(login)}`)
      return new Response(null, { status: 401 });
    const path = decodeURIComponent(new URL(url).pathname.replace(/^\/media\/(?:\d+\/)?/, ''));
    if (method === 'HEAD' && !knowsHead) return new Response(null, { status: 405 });
    if (path === '') return new Response(null, { status: 403 });
    const bytes = files.get(path);
    if (!bytes) return new Response('Not here', { status: 404 });
    const etag = `"${bytes.byteLength}-${bytes[0] ?? ''}"`;
    if (tags === 'strong' && ![null, etag].includes(headers.get('if-match')))
      return new Response(null, { status: 412 });
    const told: Record<string, string> = {
      'last-modified': 'Tue, 01 Jan 2030 00:00:00 GMT',
      ...(tags === 'strong' && { etag }),
      ...(tags === 'weak' && { etag: `W/${etag}` }),
    };
    const [, from, last] = /^bytes=(\d+)-(\d+)$/.exec((knowsRanges && headers.get('range')) || '') ?? [];
    if (from !== undefined && Number(from) >= bytes.byteLength) return new Response(null, { status: 416 });
    const end = from === undefined ? bytes.byteLength : Math.min(bytes.byteLength, Number(last) + 1);
    const part = bytes.subarray(Number(from ?? 0), end);
    told['content-length'] = String(part.byteLength);
    if (from !== undefined) told['content-range'] = `bytes ${from}-${end - 1}/${bytes.byteLength}`;
    return new Response(method === 'HEAD' ? null : inPieces(part), {
      status: from === undefined ? 200 : 206,
      headers: told,
    });
  };
}

export const webAddress = (
  uri = 'https://files.example/media/',
  more: Partial<StorageAddress> = {},
): StorageAddress => ({
  uri,
  ...more,
});

export const withLogin = { user: 'somebody', password: secretText(password) };

export async function openWeb(
  backend: Backend,
  address = webAddress(),
): Promise<{ readonly driver: StorageDriver; readonly host: TestHost }> {
  const host = testHost({ backend });
  return { driver: (await webStorage.create(limits, host)).open(address), host };
}
