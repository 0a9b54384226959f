import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';

const mebibyte = 1024 * 1024;
const piece = Buffer.alloc(mebibyte, 'portico');
const authorization = `Basic ${btoa('admin:bench')}`;

const agent = new Agent({ keepAlive: true });

interface Head {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a body of so many bytes, between a head and a tail. Resolves with the answer, whose body is still to be read. */
function send(port: number, head: Head, bytes: number, begin = '', end = ''): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, agent, ...head }, resolve);
    sent.on('error', reject);
    if (begin !== '') sent.write(begin);
    let left = bytes;
    const write = () => {
      while (left > 0) {
        const next = Math.min(left, piece.byteLength);
        left -= next;
        if (!sent.write(next === piece.byteLength ? piece : piece.subarray(0, next)))
          return void sent.once('drain', write);
      }
      sent.end(end);
    };
    write();
  });
}

/** The same with the length in a header. Gives the answer with its text. Any status but 2xx is an error. */
export async function sendBytes(port: number, head: Head, bytes: number, begin = '', end = '') {
  const headers = { ...head.headers, 'content-length': String(begin.length + bytes + end.length) };
  const answer = await send(port, { ...head, headers }, bytes, begin, end);
  let text = '';
  for await (const chunk of answer) text += chunk;
  if (answer.statusCode! < 300) return { headers: answer.headers, text };
  throw new Error(`Expected 2xx of ${head.method} ${head.path}: ${answer.statusCode} ${text.slice(0, 600)}`);
}

async function drained(answer: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const chunk of answer) bytes += (chunk as Buffer).byteLength;
  return bytes;
}

/** Sends so many bytes. Gives the id of the file. */
export async function upload(
  port: number,
  path: string,
  bytes: number,
  headers: Record<string, string> = {},
): Promise<string> {
  const head = { method: 'POST', path, headers: { authorization, accept: 'text/plain', ...headers } };
  return (await sendBytes(port, head, bytes)).text;
}

export async function download(port: number, path: string, size: number): Promise<void> {
  const bytes = await drained(await send(port, { method: 'GET', path, headers: { authorization } }, 0));
  if (bytes !== size) throw new Error(`Expected ${size} bytes: ${bytes}`);
}

/** The same on a connection of its own, by a client that only counts: one that parses takes as long as the server. */
export function drain(port: number, path: string, size: number): Promise<void> {
  const buffer = Buffer.alloc(mebibyte);
  let head: string | undefined;
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: '127.0.0.1',
      port,
      onread: {
        buffer,
        callback(length) {
          bytes += length;
          if (head !== undefined) return true;
          head = buffer.toString('latin1', 0, Math.min(length, 4096)).split('\r\n\r\n')[0]!;
          bytes -= head.length + 4;
          return true;
        },
      },
    });
    socket.once('error', reject);
    socket.once('close', () => {
      if (head?.startsWith('HTTP/1.1 200') && bytes === size) resolve();
      else reject(new Error(`Expected 200 and ${size} bytes: ${bytes} ${head}`));
    });
    const lines = [`GET ${path} HTTP/1.1`, 'host: localhost', `authorization: ${authorization}`, 'connection: close'];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  });
}
