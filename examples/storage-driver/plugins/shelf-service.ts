/** A shelf in memory, to try the plugin with: `PUT`, `GET`, `HEAD` and `DELETE` of a key, a list, and a move. */
interface Kept {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly version: string;
}

/** As UTF-8 orders them, which comparing texts does not. */
const inBytes = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));

/** As a network brings them. */
function inPieces(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.byteLength) return controller.close();
      controller.enqueue(bytes.slice(at, at + 65_536));
      at += 65_536;
    },
  });
}

export function shelf(): (request: Request) => Promise<Response> {
  const kept = new Map<string, Kept>();
  let versions = 0;

  function list(folder: string, parameters: URLSearchParams): Response {
    const [prefix = '', after = '', limit = 1000] = ['prefix', 'after', 'limit'].map(
      (name) => parameters.get(name) ?? '',
    );
    const found = [...kept]
      .map(([key, { bytes, version }]) => ({ path: key.slice(folder.length), size: bytes.byteLength, version, key }))
      .filter(({ key, path }) => key.startsWith(folder) && path.startsWith(prefix) && inBytes(path) > inBytes(after))
      .sort((one, other) => (inBytes(one.path) < inBytes(other.path) ? -1 : 1));
    const files = found.slice(0, Number(limit)).map(({ key: _, ...file }) => file);
    return Response.json(files.length < found.length ? { files, next: files.at(-1)!.path } : { files });
  }

  function get(request: Request, { bytes, version }: Kept): Response {
    if (![null, version].includes(request.headers.get('if-match'))) return new Response(null, { status: 412 });
    const headers = { etag: version, 'content-length': String(bytes.byteLength) };
    if (request.method === 'HEAD') return new Response(null, { headers });
    const [, from = '0', last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '') ?? [];
    const end = last === undefined ? bytes.byteLength : Number(last) + 1;
    return new Response(inPieces(bytes.subarray(Number(from), end)), { status: 206, headers: { etag: version } });
  }

  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const key = decodeURIComponent(pathname);
    const there = kept.get(key);
    if (request.method === 'GET' && key.endsWith('/')) return list(key, searchParams);
    if (request.method === 'PUT') {
      const version = `v${++versions}`;
      kept.set(key, { bytes: new Uint8Array(await request.arrayBuffer()), version });
      return new Response(null, { status: 201, headers: { etag: version } });
    }
    if (request.method === 'POST') {
      const from = key.replace(/^(\/[^/]+\/).*$/s, `$1${request.headers.get('move-from')}`);
      const moved = kept.get(from);
      if (!moved) return new Response(null, { status: 404 });
      if (there && request.headers.get('if-none-match') === '*') return new Response(null, { status: 412 });
      kept.set(key, moved);
      kept.delete(from);
      return new Response(null, { status: 201 });
    }
    if (!there) return new Response(null, { status: 404 });
    if (request.method === 'DELETE') kept.delete(key);
    return request.method === 'DELETE' ? new Response(null, { status: 204 }) : get(request, there);
  };
}
