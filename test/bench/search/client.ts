import { connect, type Socket } from 'node:net';

/** Connection that sends one request after the other. */
export class Client {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #settle: (() => void) | undefined;
  #fail: ((error: Error) => void) | undefined;

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.setNoDelay(true);
    this.#socket.on('error', (error) => this.#fail?.(error));
    this.#socket.on('close', () => this.#fail?.(new Error('Expected an answer: the connection was closed')));
    this.#socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#settle?.();
    });
  }

  /** The body of the answer, and the milliseconds until it was there. */
  async ask(request: Buffer): Promise<{ readonly body: string; readonly took: number }> {
    const sent = performance.now();
    this.#socket.write(request);
    for (;;) {
      const answer = this.#answer();
      if (answer !== undefined) return { body: answer, took: performance.now() - sent };
      await new Promise<void>((resolve, reject) => {
        this.#settle = resolve;
        this.#fail = reject;
      });
    }
  }

  close(): void {
    this.#fail = undefined;
    this.#socket.destroy();
  }

  #answer(): string | undefined {
    const head = this.#received.indexOf('\r\n\r\n');
    if (head < 0) return undefined;
    const text = this.#received.subarray(0, head).toString('latin1');
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? -1);
    if (length < 0) throw new Error(`Expected a Content-Length: found "${text}"`);
    const end = head + 4 + length;
    if (this.#received.length < end) return undefined;
    const body = this.#received.subarray(head + 4, end).toString();
    this.#received = this.#received.subarray(end);
    if (!text.startsWith('HTTP/1.1 200')) throw new Error(`Expected 200: found "${text}" ${body}`);
    return body;
  }
}
