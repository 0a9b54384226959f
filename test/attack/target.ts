import { connect } from 'node:net';

/** Where an attack goes. Only `loopback` makes one, so that no request leaves this machine. */
export interface Target {
  readonly host: '127.0.0.1';
  readonly port: number;
}

export function loopback(address: string): Target {
  const port = Number(/^127\.0\.0\.1:(\d{1,5})$/.exec(address)?.[1] ?? 0);
  if (port < 1 || port > 65535) throw new Error(`Expected 127.0.0.1 and a port: "${address.slice(0, 80)}"`);
  return { host: '127.0.0.1', port };
}

export interface Answer {
  /** 0: there was no answer within the time. */
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** Milliseconds. */
  readonly took: number;
}

/** Sends one request on a connection of its own. Always settles: with an answer, or after `limit` milliseconds. */
export function exchange({ host, port }: Target, bytes: Buffer, limit = 5_000): Promise<Answer> {
  const began = performance.now();
  return new Promise((resolve) => {
    const socket = connect(port, host);
    const parts: Buffer[] = [];
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ ...(read(Buffer.concat(parts).toString())?.answer ?? nothing), took: performance.now() - began });
    };
    const timer = setTimeout(end, limit);
    socket.on('error', end);
    socket.on('close', end);
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (part) => {
      parts.push(part);
      if (read(Buffer.concat(parts).toString())) end();
    });
  });
}

const nothing = { status: 0, headers: new Map<string, string>(), body: '' };

/** The first answer in what has come so far, and where it ends; undefined while a part of it is missing. */
export function read(text: string): { answer: Omit<Answer, 'took'>; end: number } | undefined {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const [line = '', ...lines] = text.slice(0, head).split('\r\n');
  const headers = new Map(lines.map((each) => [each.split(':')[0]!.toLowerCase(), each.replace(/^[^:]*:\s*/, '')]));
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(line)?.[1] ?? 0);
  const rest = text.slice(head + 4);
  if (headers.get('transfer-encoding') === 'chunked') {
    const last = rest.indexOf('0\r\n\r\n');
    if (last < 0) return undefined;
    const body = rest.slice(0, last).replace(/(^|\r\n)[\da-f]+\r\n/g, '');
    return { answer: { status, headers, body }, end: head + 4 + last + 5 };
  }
  const length = Number(headers.get('content-length') ?? 0);
  const bytes = Buffer.from(rest);
  if (bytes.length < length) return undefined;
  const body = bytes.subarray(0, length).toString();
  return { answer: { status, headers, body }, end: head + 4 + body.length };
}
