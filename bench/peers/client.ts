import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { requestBytes } from '../../test/bench/load.ts';
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
  const one = (first: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      let serial = first;
      let received = '';
      const send = () => {
        const asked = next(serial);
        serial += connections;
        socket.write(bytesOf(asked));
        return asked;
      };
      let asked: Request;
      socket.setNoDelay(true);
      socket.on('connect', () => {
        asked = send();
      });
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('The server closed a connection')));
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
        const head = received.indexOf('\r\n\r\n');
        if (head < 0) return;
        const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, head))?.[1];
        if (length === undefined ? !received.endsWith('\r\n0\r\n\r\n') : received.length < head + 4 + Number(length))
          return;
        if (!/^HTTP\/1\.1 2/.test(received)) {
          const { method, path } = asked;
          return void reject(new Error(`Expected 2xx of ${method ?? 'GET'} ${path}: ${received.slice(0, 600)}`));
        }
        if (!asked.half) {
          answers++;
          onAnswer?.(received.slice(head + 4));
        }
        received = '';
        if (asked.half || goesOn(answers)) {
          asked = send();
        } else {
          socket.removeAllListeners('close');
          socket.end();
          resolve();
        }
      });
    });
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

const piece = Buffer.alloc(1024 ** 2, 'portico');

/** Sends a body of so many bytes, between a head and a tail. Gives headers and text of the answer. */
function sendBytes(port: number, { method, path, headers }: Request, bytes: number, head = '', tail = '') {
  return new Promise<{ headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
    const length = String(head.length + bytes + tail.length);
    const given = { host: '127.0.0.1', port, method, path, headers: { ...headers, 'content-length': length } };
    const sent = httpRequest(given, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      if (answer.statusCode! < 300) resolve({ headers: answer.headers, text });
      else reject(new Error(`Expected 2xx of ${method} ${path}: ${answer.statusCode} ${text.slice(0, 600)}`));
    });
    sent.on('error', reject);
    sent.write(head);
    let left = bytes;
    const write = () => {
      while (left > 0) {
        const next = Math.min(left, piece.byteLength);
        left -= next;
        if (!sent.write(piece.subarray(0, next))) return void sent.once('drain', write);
      }
      sent.end(tail);
    };
    write();
  });
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
