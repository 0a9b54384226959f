import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  /** 0: the connection was closed without an answer. */
  readonly status: number;
  /** By lower-case name; repeated ones joined with a comma. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface RawRequest {
  readonly method?: string;
  /** Sent byte for byte: characters are Latin-1. */
  readonly target: string;
  /** As lines, so that a name can come twice and a value can be anything. */
  readonly headers?: readonly string[];
  readonly body?: string;
  readonly version?: string;
}

/** Sends a request that no client library has put in order. */
export async function sendRaw(port: number, request: RawRequest): Promise<RawAnswer> {
  const { method = 'GET', target, headers = [], body = '', version = 'HTTP/1.1' } = request;
  const length = body === '' ? [] : [`Content-Length: ${body.length}`];
  const lines = [`${method} ${target} ${version}`, 'Host: portico.test', 'Connection: close', ...headers, ...length];
  return sendBytes(port, `${lines.join('\r\n')}\r\n\r\n${body}`);
}

export async function sendBytes(port: number, text: string): Promise<RawAnswer> {
  const connection = openRaw(port);
  connection.write(text);
  return parseAnswer(await connection.ended);
}

/** A connection that the test feeds bit by bit. */
export interface RawConnection {
  readonly socket: Socket;
  /** All that came, once the other side has closed. */
  readonly ended: Promise<string>;
  write(text: string): void;
  /** Resolves when what came so far includes the text. */
  received(text: string): Promise<void>;
}

export function openRaw(port: number): RawConnection {
  const socket = connect(port, '127.0.0.1');
  const waiting: { text: string; resolve(): void }[] = [];
  let came = '';
  socket.setEncoding('latin1');
  socket.on('data', (text) => {
    came += text;
    for (const each of waiting) if (came.includes(each.text)) each.resolve();
  });
  const ended = new Promise<string>((resolve) => {
    // A server may cut the line while we still write: what it said before is the answer.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(came));
  });
  return {
    socket,
    ended,
    write: (text) => {
      socket.write(text, 'latin1');
    },
    received: (text) =>
      new Promise((resolve) => {
        if (came.includes(text)) resolve();
        else waiting.push({ text, resolve });
      }),
  };
}

export function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end < 0 ? text.length : end).split('\r\n');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
  }
  const payload = end < 0 ? '' : text.slice(end + 4);
  const chunked = headers.get('transfer-encoding') === 'chunked';
  const body = Buffer.from(chunked ? unchunk(payload) : payload, 'latin1').toString('utf8');
  return { status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1] ?? 0), headers, body };
}

function unchunk(payload: string): string {
  let out = '';
  for (let at = 0; ; ) {
    const line = payload.indexOf('\r\n', at);
    const size = line < 0 ? 0 : Number.parseInt(payload.slice(at, line), 16);
    if (!size) return out;
    out += payload.slice(line + 2, line + 2 + size);
    at = line + 2 + size + 2;
  }
}
