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
  const one = () => {
    let sent = 0;
    const send = () => {
      sent = performance.now();
      return next();
    };
    return keepBusy(port, send, (answer) => {
      if (!answer.startsWith('HTTP/1.1 200')) throw new Error(`Expected 200: ${answer.slice(0, 300)}`);
      const now = performance.now();
      latencies.push(now - sent);
      return now < end;
    });
  };
  await Promise.all(Array.from({ length: connections }, one));
  const elapsed = (performance.now() - started) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { perSecond: latencies.length / elapsed, p50: at(0.5), p99: at(0.99), answers: latencies.length };
}

/** Sends one request after the other on a connection, while `goesOn` says so of each answer. What it throws ends all. */
export function keepBusy(
  port: number,
  next: () => Buffer,
  goesOn: (answer: string, body: string) => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.setNoDelay(true);
    socket.on('connect', () => socket.write(next()));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The server closed a connection')));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const head = received.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, head))?.[1];
      if (length === undefined ? !received.endsWith('\r\n0\r\n\r\n') : received.length < head + 4 + Number(length))
        return;
      const answer = received;
      received = '';
      try {
        if (goesOn(answer, answer.slice(head + 4))) return void socket.write(next());
      } catch (error) {
        return void reject(error);
      }
      socket.removeAllListeners('close').end();
      resolve();
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
