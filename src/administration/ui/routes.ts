import { ServiceError } from '../../core/lib/errors.ts';
import { flag, origins, type SettingsOf, type SettingTable, setting } from '../../core/settings/kinds.ts';
import { bytesReply } from '../../http/bytes.ts';
import type { Call } from '../../http/call.ts';
import { acceptsEncoding } from '../../http/compress.ts';
import { raw } from '../../http/forms.ts';
import { preferred } from '../../http/negotiation.ts';
import type { Reply } from '../../http/reply.ts';
import { anybody, type Route, route } from '../../http/route.ts';
import type { PageFile, PageForm, RoomContext, Services } from '../../room/context.ts';

export const uiSettings = {
  ui: setting(flag, true, 'Whether the web page is served below /ui/.'),
  uiMediaOrigins: setting(
    origins,
    [],
    'Origins of buckets whose media the web page may play, such as https://bucket.example.com. Empty: this service alone.',
  ),
} as const satisfies SettingTable;

export type UiSettings = SettingsOf<typeof uiSettings>;

type Parts = Pick<RoomContext<UiSettings>, 'settings' | 'security' | 'page' | 'unbrotli'>;

/** The document that all addresses of the page begin with. */
const start = 'index.html';
/** The page for guests of a share: `/ui/s#SECRET`. */
const guests = { path: 's', file: 'guest.html' };
const ofGuests = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' };

/** Whether the page has its files, its setting, and a line of security.ini: no `/**` opens it by accident. */
export const isOpen = ({ settings, security, page }: Parts): boolean =>
  page !== undefined && settings.ui && security.names('/ui');

/** Whether an operator expects the page in a build that has none. One who closed the page gets no word on it. */
const lacksPage = ({ settings, security, page }: Parts): boolean =>
  page === undefined && settings.ui && security.names('/ui');
const noPageInBuild = 'Expected a build with the web page: this one has none';

/** Sends browsers that bring no credentials from the root to the page. */
export const welcome =
  (parts: Parts): Services['welcome'] =>
  ({ method, path, headers }) => {
    if (path !== '/' || (method !== 'GET' && method !== 'HEAD')) return undefined;
    const wanted = headers.get('accept');
    const isBrowser =
      wanted?.includes('text/html') && preferred(wanted, ['application/xml', 'text/html']) === 'text/html';
    if (!isBrowser || headers.has('authorization') || !isOpen(parts)) return undefined;
    return { status: 302, headers: { location: '/ui/', 'cache-control': 'no-store', vary: 'Accept, Authorization' } };
  };

export function pageRoutes(parts: Parts): readonly Route[] {
  const headers = headersOfPage(parts.settings.uiMediaOrigins);
  const types = ['text/html', 'text/javascript', 'text/css', 'image/svg+xml', 'application/json', '*/*'];

  async function answer(call: Call, path: string): Promise<Reply> {
    if (lacksPage(parts)) throw new ServiceError('not-implemented', { explanation: noPageInBuild }, headers);
    if (!isOpen(parts)) throw noSuchFile(call, headers);
    const files = await parts.page!();
    // Views have names of callers below their first segment, and such names may have an ending.
    const name = path === guests.path ? guests.file : /^[^/]+\.\w+$/.test(path) ? path : start;
    const file = Object.hasOwn(files, name) ? files[name] : undefined;
    if (file === undefined) throw noSuchFile(call, headers);
    return sent(parts, call, file, {
      ...headers,
      ...(name === guests.file && ofGuests),
      vary: 'Accept-Encoding',
      'cache-control': name.endsWith('.html') ? 'no-cache' : 'public, max-age=31536000, immutable',
    });
  }

  const common = { method: 'GET', answers: raw('bytes', types), access: anybody } as const;
  return [
    route({
      ...common,
      path: '/ui',
      says: 'The web page. Security.ini needs a line for `/ui/**`.',
      handle: (call) => answer(call, start),
    }),
    route({
      ...common,
      path: '/ui/:path{.+opaque}',
      says: 'Files of the web page. An address without a file ending is one of its views.',
      handle: (call, { path }) => answer(call, path),
    }),
  ];
}

/** The form of a file that the caller takes, as it was compressed by the build. */
async function sent(
  parts: Pick<Parts, 'unbrotli'>,
  call: Call,
  file: PageFile,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  const accepted = call.request.headers.get('accept-encoding');
  const encoding = (['br', 'gzip'] as const).find((each) => file[each] && acceptsEncoding(accepted, each));
  const form = encoding ? file[encoding]! : await unpacked(parts, file);
  const bytes = {
    size: form.size,
    type: file.type,
    version: encoding ? `${file.etag}-${encoding}` : file.etag,
    headers: { ...headers, ...(encoding && { 'content-encoding': encoding }) },
    open: async (from: number, end: number) => new Blob([(await form.read()).subarray(from, end)]).stream(),
  };
  const reply = await bytesReply(call.request, bytes);
  return encoding ? { ...reply, encoded: true } : reply;
}

/** An edge has no gzip form: browsers take Brotli from it, and others the file itself. */
async function unpacked({ unbrotli }: Pick<Parts, 'unbrotli'>, { br, gzip }: PageFile): Promise<PageForm> {
  if (gzip === undefined) {
    if (br !== undefined && unbrotli) return formOf(await unbrotli(await br.read()));
    const explanation = 'Expected a range that includes br: this service has the page only in this form';
    throw new ServiceError('not-acceptable', { context: 'header Accept-Encoding', explanation });
  }
  const stream = new Blob([await gzip.read()]).stream().pipeThrough(new DecompressionStream('gzip'));
  return formOf(new Uint8Array(await new Response(stream).arrayBuffer()));
}

const formOf = (bytes: Uint8Array<ArrayBuffer>): PageForm => ({ size: bytes.length, read: () => bytes });

const noSuchFile = ({ path }: Call, headers: Readonly<Record<string, string>>): ServiceError =>
  new ServiceError('no-such-path', { type: 'resource', id: path, context: 'path' }, headers);

/** `Referrer-Policy` is not `no-referrer`: browsers without `Sec-Fetch-Site` show by the referrer that a page is ours. */
function headersOfPage(origins: readonly string[]): Readonly<Record<string, string>> {
  const media = ["'self'", 'blob:', ...origins].join(' ');
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${media}`,
    `media-src ${media}`,
    `connect-src ${["'self'", ...origins].join(' ')}`,
    "form-action 'self'",
    "base-uri 'none'",
    // Documents of guests: no page lets itself be framed.
    "frame-src 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  };
}
