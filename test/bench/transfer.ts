import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';

const mebibyte = 1024 * 1024;
const piece = Buffer.alloc(mebibyte, 'portico');
const authorization = `Basic ${btoa('admin:bench')}`;

const agent = new Agent({ keepAlive: true });

function send(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  bytes: number,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const given = { host: '127.0.0.1', port, method, path, agent, headers: { authorization, ...headers } };
    const sent = request(given, resolve);
    sent.on('error', reject);
    let left = bytes;
    const write = () => {
      while (left > 0) {
        const next = Math.min(left, piece.byteLength);
        left -= next;
        if (!sent.write(next === piece.byteLength ? piece : piece.subarray(0, next)))
          return void sent.once('drain', write);
      }
      sent.end();
    };
    write();
  });
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
  const given = { 'content-length': String(bytes), accept: 'text/plain', ...headers };
  const answer = await send(port, 'POST', path, given, bytes);
  let text = '';
  for await (const chunk of answer) text += chunk;
  if (answer.statusCode !== 200) throw new Error(`Expected 200: ${answer.statusCode} ${text}`);
  return text;
}

export async function download(port: number, path: string, size: number): Promise<void> {
  const bytes = await drained(await send(port, 'GET', path, {}, 0));
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
