import { clearInterval, setInterval } from 'node:timers';

/** Milliseconds between two looks. A turn is told shorter than it was by less than this. */
const pause = 10;

interface LoopWatch {
  /** Seconds by which the event loop was late at most since the last call. */
  longest(): number;
  stop(): void;
}

/** Measures how long one turn of the event loop kept the others waiting. Node's own histogram is not there on Deno. */
export function watchLoop(now: () => number = () => performance.now()): LoopWatch {
  let longest = 0;
  let looked = now();
  const look = () => {
    const at = now();
    longest = Math.max(longest, at - looked - pause);
    looked = at;
  };
  const timer = setInterval(look, pause);
  // The watch does not keep a process alive that has nothing else to do.
  timer.unref();
  return {
    longest() {
      // A turn that has just ended counts, although the timer has not come to its turn yet.
      look();
      const delay = longest;
      longest = 0;
      return delay / 1000;
    },
    stop: () => clearInterval(timer),
  };
}
