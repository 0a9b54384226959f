import { base64 } from './base64.ts';
import { pause, Refusal, refusalOf } from './refusal.ts';

/** Sends one request. It fails with a `Refusal` of status 0 when nothing answers. */
export type Transport = (request: {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Blob | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onSent?: ((bytes: number) => void) | undefined;
}) => Promise<Response>;

export interface TusOptions {
  /** Where uploads begin. Default: that of members. */
  readonly endpoint?: string | undefined;
  readonly file: Blob;
  readonly metadata: Readonly<Record<string, string>>;
  /** Address of an upload that was begun before. */
  readonly url?: string | undefined;
  readonly signal: AbortSignal;
  readonly onUrl: (url: string) => void;
  readonly onProgress: (sent: number) => void;
  /** Why a request failed. The upload goes on by itself. */
  readonly onWait: (refusal: Refusal) => void;
}

interface Sending {
  readonly transport: Transport;
  readonly wait?: typeof pause;
  /** Bytes of one request. */
  readonly part?: number;
}

const ofMembers = '/API/upload';
const protocolHeaders = { accept: 'application/json', 'tus-resumable': '1.0.0' };
/** Bytes of one request. Behind a proxy with a limit for bodies, large files arrive all the same. */
const defaultPart = 64 * 1024 * 1024;
/** A service may refuse a body before it has read it. A browser shows that refusal only if the body was small. */
const smallPart = 64 * 1024;
/** Seconds before each try. */
const delays = [0, 1, 2, 4, 8, 16, 30];

/**
 * Sends a file by tus 1.0, and gives the last answer. After a lost connection it asks for the offset and goes on. A
 * service that is lost is tried without end; one that refuses, as often as the table of delays has rows.
 */
export async function sendFile(
  { endpoint = ofMembers, file, metadata, url, signal, onUrl, onProgress, onWait }: TusOptions,
  { transport, wait = pause, part = defaultPart }: Sending,
): Promise<Response> {
  const sendRequest = (method: string, more = {}, body?: Blob, onSent?: (bytes: number) => void) =>
    ask(transport, { method, url: url ?? endpoint, headers: { ...protocolHeaders, ...more }, body, signal, onSent });
  /** Undefined: the service has to be asked. */
  let offset: number | undefined;
  let furthest = 0;
  let tries = 0;
  for (;;) {
    signal.throwIfAborted();
    try {
      let answer: Response;
      if (url === undefined) {
        const headers = { 'upload-length': String(file.size), 'upload-metadata': metadataText(metadata) };
        answer = await sendRequest('POST', headers);
        url = pathOf(answer);
        offset = 0;
        onUrl(url);
      } else if (offset === undefined) {
        answer = await sendRequest('HEAD');
        offset = offsetOf(answer, 0);
      } else {
        const at = offset;
        const body = file.slice(at, at + (tries > 1 ? Math.min(smallPart, part) : part));
        const headers = { 'upload-offset': String(at), 'content-type': 'application/offset+octet-stream' };
        answer = await sendRequest('PATCH', headers, body, (bytes) => onProgress(at + bytes));
        offset = offsetOf(answer, at + 1);
      }
      onProgress(offset);
      if (offset === file.size) return answer;
      if (offset > furthest) {
        furthest = offset;
        tries = 0;
      }
    } catch (error) {
      if (!(error instanceof Refusal) || !passes(error, url !== undefined)) throw error;
      if (tries >= delays.length && error.status !== 0) throw error;
      offset = undefined;
      onWait(error);
      const seconds = delays[Math.min(tries, delays.length - 1)]!;
      tries += 1;
      await wait(1000 * Math.max(seconds, error.retryAfter ?? 0), signal);
    }
  }
}

/** Ends an upload. The service forgets its bytes. */
export const endUpload = (url: string, transport: Transport): Promise<Response> =>
  ask(transport, { method: 'DELETE', url, headers: protocolHeaders });

/** How far an upload is. */
export const readUpload = (url: string, transport: Transport): Promise<Response> =>
  ask(transport, { method: 'HEAD', url, headers: protocolHeaders });

async function ask(transport: Transport, request: Parameters<Transport>[0]): Promise<Response> {
  const answer = await transport(request);
  if (!answer.ok) throw await refusalOf(answer);
  return answer;
}

/** Whether it helps to try again: the connection broke, the service is busy, or it is further than the page knows. */
const passes = ({ status }: Refusal, isBegun: boolean): boolean =>
  [0, 429, 502, 503, 504].includes(status) || (isBegun && (status === 409 || status === 423));

/** A service behind a proxy may know another origin of itself. */
function pathOf(answer: Response): string {
  const { pathname, search } = new URL(answer.headers.get('location') ?? '', 'https://portico.invalid');
  return pathname + search;
}

function offsetOf(answer: Response, least: number): number {
  const text = answer.headers.get('upload-offset');
  if (text !== null && Number(text) >= least) return Number(text);
  throw new Refusal(answer.status, 'offset', { explanation: `Upload-Offset: ${text}` });
}

const metadataText = (metadata: Readonly<Record<string, string>>): string =>
  Object.entries(metadata)
    .map(([key, value]) => `${key} ${base64(value)}`)
    .join(',');
