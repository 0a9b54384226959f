import { get } from 'node:http';
import { type Calls, inOrder, kindOf } from './honest.ts';
import type { Target } from './target.ts';

const pause = 25;
const patience = 5_000;

/** Streams of events that a caller opens, one after the other, until told to stop. Each is closed with its first bytes. */
export async function openStreams(target: Target, token: string, goesOn: () => boolean): Promise<Calls> {
  const took: number[] = [];
  const seen = { wrong: 0, later: 0, failed: 0 };
  while (goesOn()) {
    const began = performance.now();
    const kind = kindOf(await statusOf(target, token));
    if (kind !== 'right') seen[kind]++;
    took.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return { ...seen, took: inOrder(took), late: [] };
}

/** 0: there was no answer within the time. */
function statusOf({ host, port }: Target, token: string): Promise<number> {
  const headers = {
    authorization: `token ${token}`,
    accept: 'text/event-stream',
    'x-forwarded-for': '198.51.100.12',
  };
  return new Promise((resolve) => {
    const request = get({ host, port, path: '/API/event?mine=true', headers, agent: false, timeout: patience });
    const end = (status: number) => {
      request.destroy();
      resolve(status);
    };
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      response.once('data', () => end(status)).once('end', () => end(status));
    });
    request.on('timeout', () => end(0));
    request.on('error', () => resolve(0));
  });
}
