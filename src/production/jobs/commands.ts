import { oneLine } from '../../http/reply.ts';
import type { CommandContext, RoomCommands } from '../../room/command.ts';
import type { WaitReason } from '../../room/jobs/job-type.ts';
import type { JobSettings } from './parts.ts';
import { type GoingJob, goingJobs } from './store.ts';

/** A job as a line for people: what it is, and how far. */
function lineOf({ id, type, status, step, waiting, description, progress, total, unit }: GoingJob): string {
  const parts = [id, type, status];
  if (step !== null) parts.push(`${step} ${description ?? ''}`.trim());
  if (progress !== null && total !== null && total > 0) {
    parts.push(`${Math.floor((100 * progress) / total)} %${unit === 'bytes' ? ` of ${total} bytes` : ''}`);
  }
  if (waiting !== null) {
    const { requirement, resourceId } = JSON.parse(waiting) as WaitReason;
    parts.push(`waits: ${requirement} ${resourceId}`);
  }
  return parts.map(oneLine).join('\t');
}

const max = 200;
/** Milliseconds between two looks. */
const pause = 1_000;

export const jobCommands: RoomCommands<CommandContext<unknown, JobSettings>> = {
  jobs: {
    usage: 'jobs [--watch]',
    says: 'Prints running jobs. With --watch it prints each change until no job is running.',
    flags: ['--watch'],
    about: { '--watch': 'Prints a line for each change, and ends with the last job.' },
    async run(line, { store, tell, sleep }) {
      let shownLines = new Map<string, string>();
      for (;;) {
        const lines = new Map((await goingJobs(store, { limit: max })).map((job) => [job.id, lineOf(job)]));
        for (const [id, text] of lines) if (shownLines.get(id) !== text) tell(text);
        for (const id of shownLines.keys()) if (!lines.has(id)) tell(`${id}\tended`);
        if (lines.size === 0 && shownLines.size === 0) tell('No job goes on');
        if (!line.has('--watch') || lines.size === 0) return;
        shownLines = lines;
        await sleep(pause);
      }
    },
  },
};
