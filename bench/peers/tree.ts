import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command, Peer, Place } from './peer.ts';

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** Runs a command to its end. Throws the last lines that it printed. */
export function run({ words, environment }: Command, folder: string): Promise<void> {
  const [program, ...rest] = words;
  const child = spawn(program!, rest, { cwd: folder, env: { ...process.env, ...environment } });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed = `${printed}${chunk}`.slice(-1000);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${words.join(' ')}: ${printed}`))));
  });
}

export interface Server {
  readonly pid: number;
  /** By `kill -9`. */
  kill(): Promise<void>;
}

/** Starts a server and waits until it answers. It logs into its folder. */
export async function start(peer: Peer, place: Place): Promise<Server> {
  const { words, environment } = peer.command(place);
  const [program, ...rest] = words;
  const log = openSync(join(place.folder, 'log'), 'a');
  const env = { ...process.env, ...environment };
  const child = spawn(program!, rest, { cwd: place.folder, env, stdio: ['ignore', log, log] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const server = {
    pid: child.pid!,
    kill: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
  for (let tries = 0; tries < 600; tries++) {
    if (hasEnded(child)) throw new Error(`${words.join(' ')}: ${readFileSync(join(place.folder, 'log'), 'utf8')}`);
    const answer = await fetch(`http://127.0.0.1:${place.port}${peer.ready}`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer && answer.status < 500) return server;
    await pause(100);
  }
  await server.kill();
  throw new Error(`${words.join(' ')}: no answer within a minute`);
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;
