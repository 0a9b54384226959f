import { readdirSync, readlinkSync } from 'node:fs';
import process from 'node:process';

/** A media process that hostile media has taken over: it does what its question says. */

const tell = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

/** Targets of the descriptors of this process. */
function descriptors() {
  try {
    return readdirSync('/proc/self/fd').map((name) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`);
      } catch {
        return '';
      }
    });
  } catch {
    return [];
  }
}

let waiting;
let counted = 0;

const acts = {
  echo: ({ input }) => tell({ result: input }),
  see: () =>
    tell({ result: { environment: Object.keys(process.env), folder: readdirSync('.'), descriptors: descriptors() } }),
  spin: () => {
    for (;;);
  },
  eat: () => {
    for (const eaten = []; ; ) eaten.push(new Uint8Array(16 * 1024 * 1024).fill(1));
  },
  end: () => process.exit(3),
  // The answer says that the media is fine, and the next message ends the process.
  trap: () => {
    tell({ result: 'fine' });
    acts.echo = acts.end;
  },
  crash: () => process.kill(process.pid, 'SIGSEGV'),
  pid: () => tell({ result: process.pid }),
  source: ({ source }) => tell({ result: source }),
  // Answers when the next question is there, and then both.
  pair: ({ input }) => {
    if (waiting !== undefined) for (const result of [waiting, input]) tell({ result });
    waiting = waiting === undefined ? input : undefined;
  },
  count: () => tell({ result: ++counted }),
  sleep: async ({ input }) => {
    await new Promise((resolve) => setTimeout(resolve, input));
    tell({ result: 'awake' });
  },
  garbage: () => process.stdout.write('no message\n'),
  flood: () => process.stdout.write('x'.repeat(5 * 1024 * 1024)),
  read: async ({ source, input }) => {
    const answer = await fetch(source.url + (input.path ?? ''), { headers: input.headers ?? {} });
    const text = await answer.text().catch(() => 'cut');
    tell({ result: { status: answer.status, text, range: answer.headers.get('content-range') } });
  },
  progress: async () => {
    for (let done = 1; done <= 3; done++) {
      tell({ progress: done });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    tell({ result: 'done' });
  },
};

let rest = '';
let before = Promise.resolve();
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const question = JSON.parse(line);
    before = before.then(() => acts[question.call](question));
  }
});
process.stdin.on('end', () => process.exit(0));
tell({ ready: true });
