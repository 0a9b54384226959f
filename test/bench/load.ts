import { spawn } from 'node:child_process';
import { connect } from 'node:net';

export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** The bytes of the next request; the same ones each time where nothing changes. */
  next(): Buffer;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly answers: number;
}

/** Keeps every connection busy with one request at a time. Any status but 200 fails the run: a fast refusal is no speed. */
export async function load({ port, connections, seconds, next }: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  const started = performance.now();
  const end = started + seconds * 1000;
  await Promise.all(Array.from({ length: connections }, () => keepBusy(port, end, next, latencies)));
  const elapsed = (performance.now() - started) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { perSecond: latencies.length / elapsed, p50: at(0.5), p99: at(0.99), answers: latencies.length };
}

function keepBusy(port: number, end: number, next: () => Buffer, latencies: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    let sent = 0;
    const send = () => {
      sent = performance.now();
      socket.write(next());
    };
    socket.setNoDelay(true);
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const head = received.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(received)?.[1];
      if (length === undefined ? !received.endsWith('\r\n0\r\n\r\n') : received.length < head + 4 + Number(length))
        return;
      if (!received.startsWith('HTTP/1.1 200'))
        return void reject(new Error(`Expected 200: ${received.slice(0, 300)}`));
      received = '';
      const now = performance.now();
      latencies.push(now - sent);
      if (now < end) send();
      else {
        socket.end();
        resolve();
      }
    });
  });
}

/** The same beside a process that spins: what a neighbour costs that does nothing but compute. */
export async function besideSpinning<T>(measure: () => Promise<T>): Promise<T> {
  const spinning = spawn(process.execPath, ['-e', 'for (;;);']);
  const measured = await measure();
  spinning.kill('SIGKILL');
  return measured;
}

export function requestBytes(method: string, target: string, headers: Record<string, string>, body = ''): Buffer {
  const lines = Object.entries({
    host: 'localhost',
    ...headers,
    ...(body ? { 'content-length': String(Buffer.byteLength(body)) } : {}),
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${head}\r\n${body}`);
}
