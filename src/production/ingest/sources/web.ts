import type { ByteRange, OutboundStream } from '../../../spi/index.ts';
import { filesAtAddress, type MayHave } from './foreign.ts';
import { nameIn, refused, type Source, type SourceParts } from './source.ts';

/** Redirects that one address may lead through. Each of them passes the address policy. */
const maxRedirects = 5;
/** Milliseconds for the head of an answer, and without a byte. */
const [answerWithin, idle] = [30_000, 60_000];

/**
 * A file of a web server. The address policy refuses private addresses and metadata services, for the address and for
 * each redirect. No redirect leads from TLS to plain text, to another scheme, or to a file of others.
 */
export async function openWebSource(
  parts: SourceParts,
  mayHave: MayHave,
  address: string,
  signal?: AbortSignal,
): Promise<Source> {
  const { url, answer } = await ask(parts, mayHave, new URL(address), undefined, signal);
  const size = lengthIn(answer);
  const mimeType = /^[\w.+-]+\/[\w.+-]+/.exec(answer.headers.get('content-type') ?? '')?.[0];
  let first: ReadableStream<Uint8Array> | undefined = answer.body;
  return {
    name: nameIn(address) || nameIn(url.href),
    ...(size !== undefined && { size }),
    ...(mimeType !== undefined && { mimeType: mimeType.toLowerCase() }),
    async body(range) {
      const opened = first;
      first = undefined;
      if (opened && range === undefined) return opened;
      await opened?.cancel();
      return (await ask(parts, mayHave, url, range, signal)).answer.body;
    },
  };
}

async function ask(
  { stream, settings, store }: SourceParts,
  mayHave: MayHave,
  from: URL,
  range: ByteRange | undefined,
  signal: AbortSignal | undefined,
): Promise<{ readonly url: URL; readonly answer: OutboundStream }> {
  let url = from;
  for (let redirects = 0; ; redirects++) {
    if (redirects > 0) for (const id of await filesAtAddress(store, url.href)) await mayHave(id);
    const answer = await send({ stream, settings }, url, range, signal);
    const { status, headers, body } = answer;
    if (status === (range ? 206 : 200)) return { url, answer };
    await body.cancel();
    if (![301, 302, 303, 307, 308].includes(status)) throw unexpected(status);
    if (redirects === maxRedirects) throw refused(`Expected at most ${maxRedirects} redirects`);
    url = nextOf(url, headers.get('location'));
  }
}

async function send(
  { stream, settings }: Pick<SourceParts, 'stream' | 'settings'>,
  url: URL,
  range: ByteRange | undefined,
  signal: AbortSignal | undefined,
): Promise<OutboundStream> {
  try {
    return await stream({
      url: url.href,
      method: 'GET',
      headers: {
        // The bytes are those of the file, and not what a server makes of them.
        'accept-encoding': 'identity',
        ...(range && { range: `bytes=${range.from}-${range.end - 1}` }),
      },
      answerWithin,
      idle,
      mostBytes: settings.maxTransferBytes,
      ...(signal && { signal }),
    });
  } catch (error) {
    const { kind, message } = error as { readonly kind?: string; readonly message: string };
    throw kind === 'blocked' || kind === 'bad-url' ? refused(message) : error;
  }
}

function nextOf(from: URL, location: string | null): URL {
  const to = location === null ? undefined : URL.parse(location, from);
  const isPlainer = from.protocol === 'https:' && to?.protocol !== 'https:';
  if (!to || isPlainer || !/^https?:$/.test(to.protocol) || to.username !== '' || to.password !== '') {
    throw refused('Expected a redirect to an address with http or https, and from https to https');
  }
  return to;
}

/** Servers that are busy or broken may answer later. */
function unexpected(status: number): Error {
  const says = `Expected the bytes of a file: the server of the address answered ${status}`;
  return status >= 500 || status === 429 ? new Error(says) : refused(says);
}

function lengthIn({ headers }: OutboundStream): number | undefined {
  const text = headers.get('content-length');
  return text !== null && /^\d{1,15}$/.test(text) && !headers.has('content-encoding') ? Number(text) : undefined;
}
