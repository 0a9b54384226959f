import process from 'node:process';
import { calls } from './calls.ts';
import { type ChildMessage, type ChildQuestion, Lines, messageLine } from './messages.ts';
import { remoteSource } from './remote-source.ts';

/** The media process: it opens foreign media, one at a time, and has nothing that is worth taking. */

// The standard output belongs to the messages, and libraries like to talk.
console.log = console.error;
console.info = console.error;
console.debug = console.error;

/** Resolves once the service can read it, whatever becomes of this process. */
const tell = (message: ChildMessage): Promise<void> =>
  new Promise((resolve) => void process.stdout.write(messageLine(message), () => resolve()));

async function answer({ call, source, input }: ChildQuestion): Promise<ChildMessage> {
  try {
    const does = Object.hasOwn(calls, call) ? calls[call] : undefined;
    if (!does) throw new Error(`Expected one of the calls ${Object.keys(calls).join(', ')}: "${call}"`);
    return { result: await does(remoteSource(source), input as never, (progress) => void tell({ progress })) };
  } catch (error) {
    const { kind, message } = error as { kind?: unknown; message?: unknown };
    return { failed: { kind: typeof kind === 'string' ? kind : 'broken', message: String(message ?? error) } };
  }
}

// Damaged media makes libraries reject beside the promise that waits for them.
process.on('unhandledRejection', () => undefined);

const lines = new Lines();
let before = Promise.resolve();
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text: string) => {
  for (const line of lines.take(text)) {
    const asked = JSON.parse(line) as ChildQuestion;
    before = before.then(async () => tell(await answer(asked)));
  }
});
// The service is gone.
process.stdin.on('end', () => process.exit(0));

void tell({ ready: true });
