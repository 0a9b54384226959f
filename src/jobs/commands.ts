import type { Desk, RoomCommands } from '../room/command.ts';
import type { JobSettings } from './settings.ts';
import { lineOf } from './watching/line.ts';
import { goingJobs } from './watching/store.ts';

const most = 200;
/** Milliseconds between two looks. */
const pause = 1_000;

export const jobCommands: RoomCommands<Desk<unknown, JobSettings>> = {
  jobs: {
    usage: 'jobs [--watch]',
    says: 'Prints running jobs. With --watch it prints each change until no job is running.',
    flags: ['--watch'],
    about: { '--watch': 'Prints a line for each change, and ends with the last job.' },
    async run(line, { store, tell, sleep }) {
      let told = new Map<string, string>();
      for (;;) {
        const lines = new Map((await goingJobs(store, { limit: most })).map((job) => [job.id, lineOf(job)]));
        for (const [id, text] of lines) if (told.get(id) !== text) tell(text);
        for (const id of told.keys()) if (!lines.has(id)) tell(`${id}\tended`);
        if (lines.size === 0 && told.size === 0) tell('No job goes on');
        if (!line.has('--watch') || lines.size === 0) return;
        told = lines;
        await sleep(pause);
      }
    },
  },
};
