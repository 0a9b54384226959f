import { connect, type Socket } from 'node:net';
import process from 'node:process';
import type { Flood, Given } from './flood.ts';
import { floods } from './floods.ts';
import { loopback, read, type Target } from './target.ts';

export interface Tally {
  readonly sent: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Connections that ended without an answer. */
  readonly cut: number;
  /** Answers that show that the server did not see a header. */
  readonly hidden: number;
  /** Answers that tell what the caller may not read. */
  readonly told: number;
}

export type Order =
  | { readonly work: 'spin'; readonly seconds: number }
  | {
      readonly work: 'flood';
      readonly address: string;
      readonly flood: string;
      readonly seconds: number;
      readonly given: Given;
    };

const maxRequests = 150_000;
/** An answer that is larger than this is not looked at any more. */
const mostBytes = 4 * 1024 * 1024;
const dripEvery = 100;

/** Run by the attack as a process of its own, so that the honest callers do not wait for the flood. */
async function obey(order: Order): Promise<Tally | undefined> {
  if (order.work === 'flood') {
    const flood = floods.find(({ name }) => name === order.flood)!;
    return run(loopback(order.address), flood, order.given, Math.min(order.seconds, 60));
  }
  const end = performance.now() + order.seconds * 1000;
  while (performance.now() < end);
  return undefined;
}

async function run(target: Target, flood: Flood, given: Given, seconds: number): Promise<Tally> {
  const tally = { sent: 0, statuses: {} as Record<string, number>, cut: 0, hidden: 0, told: 0 };
  const end = performance.now() + seconds * 1000;
  const goesOn = () => performance.now() < end && tally.sent < maxRequests;

  function answered(status: number, body: string): void {
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
    if (status === 200 && flood.hides?.(body)) tally.hidden++;
    if (status === 200 && flood.tells?.(body)) tally.told++;
  }

  function connection(): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect(target.port, target.host);
      const over = setTimeout(() => socket.destroy(), Math.max(0, end - performance.now()));
      const drip = flood.held?.drip;
      let text = '';
      let asked = 0;
      let told = 0;
      const dripping = setInterval(() => drip !== undefined && asked > 0 && socket.write(drip), dripEvery);
      socket.setNoDelay(true);
      socket.on('connect', () => {
        asked += send(socket);
      });
      socket.on('data', (part) => {
        // Only the beginning of a long answer is looked at: the answer ends with its connection.
        if (flood.long && told > 0) return;
        text += part.toString('latin1');
        if (text.length > mostBytes) return void socket.destroy();
        if ((flood.held || flood.long) && told === 0) {
          const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0);
          told++;
          return answered(status, '');
        }
        const found = flood.held ? undefined : read(text);
        if (!found) return;
        text = text.slice(found.end);
        told++;
        answered(found.answer.status, found.answer.body);
        // Deno ends a connection after a large body, and says so.
        if (goesOn() && found.answer.headers.get('connection') !== 'close') asked += send(socket);
        else socket.destroy();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearTimeout(over);
        clearInterval(dripping);
        if (asked > told && performance.now() < end) tally.cut++;
        // A server that refuses connections is asked again after a moment.
        setTimeout(resolve, told > 0 ? 1 : 20);
      });
    });
  }

  const made: Buffer[] = [];
  function request(serial: number): Buffer {
    const make = flood.next ?? flood.held!.begin;
    if (flood.different === undefined) return make(serial, given);
    made[serial % flood.different] ??= make(serial, given);
    return made[serial % flood.different]!;
  }

  function send(socket: Socket): number {
    socket.write(request(tally.sent));
    tally.sent++;
    return 1;
  }

  async function again(): Promise<void> {
    while (goesOn()) await connection();
  }

  await Promise.all(Array.from({ length: flood.connections }, again));
  return tally;
}

if (process.send === undefined) throw new Error('Expected to be started by npm run attack');
process.on('message', (order: Order) => {
  void obey(order).then((tally) => process.send!({ tally }));
});
process.on('disconnect', () => process.exit(0));
