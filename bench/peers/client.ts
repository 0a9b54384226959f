import { keepBusy, requestBytes } from '../../test/bench/load.ts';
import { sendBytes } from '../../test/bench/transfer.ts';
import { fileBytes, pieceBytes } from './work.ts';

export interface Request {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The first of two requests that are one answer for a caller. */
  readonly half?: true;
}

const json = { accept: 'application/json', 'content-type': 'application/json' };

const bytesOf = ({ method = 'GET', path, headers, body }: Request) =>
  requestBytes(method, path, { ...json, ...headers }, body === undefined ? '' : JSON.stringify(body));

export interface Load {
  readonly port: number;
  readonly connections: number;
  next(serial: number): Request;
  /** Whether to go on after so many answers. */
  goesOn(answers: number): boolean;
  onAnswer?(text: string): void;
}

/** Keeps every connection busy with one request at a time, and counts answers. Any status but 2xx fails the run. */
export async function load({ port, connections, next, goesOn, onAnswer }: Load, lane = 0): Promise<number> {
  let answers = 0;
  const one = (first: number) => {
    let serial = first;
    let asked: Request;
    const send = () => {
      asked = next(serial);
      serial += connections;
      return bytesOf(asked);
    };
    return keepBusy(port, send, (answer, body) => {
      const { method = 'GET', path, half } = asked;
      if (!/^HTTP\/1\.1 2/.test(answer)) throw new Error(`Expected 2xx of ${method} ${path}: ${answer.slice(0, 600)}`);
      if (half) return true;
      answers++;
      onAnswer?.(body);
      return goesOn(answers);
    });
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => one(lane + index)));
  return answers;
}

/** Sends one request outside of the measurement. Returns the answer, as JSON where it is JSON. */
// biome-ignore lint/suspicious/noExplicitAny: answers of five servers, of which a few properties are read
export async function ask(port: number, { method = 'GET', path, headers, body }: Request): Promise<any> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...json, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`Expected 2xx of ${method} ${path}: ${answer.status} ${text.slice(0, 600)}`);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Uploads a file of 200 MB as a body. Gives the text of the answer. */
export async function upload(port: number, request: Request): Promise<string> {
  return (await sendBytes(port, { method: 'POST', ...request }, fileBytes)).text;
}

/** The same as a form with a file. */
export async function uploadForm(port: number, request: Request): Promise<string> {
  const boundary = 'portico-peers';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\ncontent-type: application/octet-stream\r\n\r\n`;
  const headers = { ...request.headers, 'content-type': `multipart/form-data; boundary=${boundary}` };
  const sent = { method: 'POST', ...request, headers };
  return (await sendBytes(port, sent, fileBytes, head, `\r\n--${boundary}--\r\n`)).text;
}

/** The same by tus, in pieces of 8 MB. */
export async function uploadTus(port: number, request: Request): Promise<void> {
  const headers = { ...request.headers, 'tus-resumable': '1.0.0' };
  const beginning = { method: 'POST', ...request, headers: { ...headers, 'upload-length': String(fileBytes) } };
  const { location } = (await sendBytes(port, beginning, 0)).headers;
  const path = new URL(String(location), `http://127.0.0.1:${port}`).pathname;
  for (let offset = 0; offset < fileBytes; offset += pieceBytes) {
    const more = { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' };
    await sendBytes(port, { method: 'PATCH', path, headers: { ...headers, ...more } }, pieceBytes);
  }
}

/** The header of a range of 64 KB somewhere in the file. */
export function rangeHeader(bytes: number): Readonly<Record<string, string>> {
  const first = Math.floor((Math.random() * (fileBytes - bytes)) / bytes) * bytes;
  return { accept: '*/*', range: `bytes=${first}-${first + bytes - 1}` };
}
