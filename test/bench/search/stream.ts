import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client } from './client.ts';

/** Message to the process: searches to send one after the other, or the end. */
type ToStream = { readonly port: number; readonly requests: readonly string[] } | 'enough';

/**
 * A stream of searches out of a process of its own. Where the process that measures asked them, it would read their long
 * answers while shorter ones wait for it.
 */
export class SearchStream {
  readonly #process: ChildProcess;
  readonly #ended: Promise<never>;

  private constructor(process: ChildProcess) {
    this.#process = process;
    this.#ended = new Promise((_, reject) => {
      process.once('exit', () => reject(new Error('Expected a stream of searches: its process ended')));
    });
    this.#ended.catch(() => undefined);
  }

  static async start(): Promise<SearchStream> {
    const stream = new SearchStream(fork(fileURLToPath(import.meta.url), { execArgv: process.execArgv }));
    await stream.#answer();
    return stream;
  }

  /** Asks until `during` is done. Gives what comes of that, and the number of searches. */
  async beside<T>(port: number, requests: readonly Buffer[], during: () => Promise<T>): Promise<[T, number]> {
    const texts = requests.map((request) => request.toString('base64'));
    this.#process.send({ port, requests: texts } satisfies ToStream);
    const made = await during();
    this.#process.send('enough' satisfies ToStream);
    return [made, await this.#answer()];
  }

  stop(): void {
    this.#process.disconnect();
  }

  #answer(): Promise<number> {
    return Promise.race([this.#ended, new Promise<number>((resolve) => this.#process.once('message', resolve))]);
  }
}

/** The program of that process. */
function serveStream(send: (answer: number) => void): void {
  let isEnough = false;
  process.on('message', async (message: ToStream) => {
    if (message === 'enough') {
      isEnough = true;
      return;
    }
    isEnough = false;
    const requests = message.requests.map((text) => Buffer.from(text, 'base64'));
    const client = new Client(message.port);
    let count = 0;
    while (!isEnough) await client.ask(requests[count++ % requests.length]!);
    client.close();
    send(count);
  });
  process.on('disconnect', () => process.exit());
  send(0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) serveStream((answer) => process.send!(answer));
