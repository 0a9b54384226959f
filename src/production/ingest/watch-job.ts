import { printable } from '../../core/lib/messages.ts';
import { type CommandContext, CommandError } from '../../room/command.ts';
import type { Imported } from './importer.ts';
import { type JobSeen, jobSaid, jobSeen } from './store.ts';

/** Milliseconds between two looks at jobs: a server of databases answers each by a call. */
export const pauseFor = ({ store }: Pick<CommandContext, 'store'>): number => (store.kind === 'file' ? 50 : 500);
/** Milliseconds until a message that jobs do not go on. */
export const patience = 10_000;
export const noServer = 'The job waits for a server on this database: portico serve';

export const isFinished = (status: string): boolean => status.startsWith('FINISHED');

/** Prints each change of a job until it ends. False: it failed. */
export async function watchJob(
  name: string,
  { jobId }: Pick<Imported, 'jobId'>,
  { store, tell, sleep, now }: Pick<CommandContext, 'store' | 'tell' | 'sleep' | 'now'>,
): Promise<boolean> {
  const begun = now();
  let last = '';
  let reportedStep = 0;
  let isTold = false;
  for (;;) {
    const [seen] = await jobSeen(store, { id: jobId });
    const texts = await saidBy(store, jobId);
    for (const text of texts.slice(reportedStep)) if (!isId.test(text)) tell(`${printable(name)}\t${printable(text)}`);
    reportedStep = texts.length;
    if (!seen) throw new CommandError(`Expected the job to stay until it ends: ${jobId}`);
    const line = lineOf(seen);
    if (line !== last && line !== '') tell(`${printable(name)}\t${line}`);
    last = line;
    if (/^(?:FINISHED|FAILED|ABORTED$)/.test(seen.status)) return isFinished(seen.status);
    if (seen.status === 'READY' && !isTold && now() - begun > patience) {
      isTold = true;
      tell(noServer);
    }
    await sleep(pauseFor({ store }));
  }
}

/** Texts of the log of a job, such as why it has made no stills. They only grow. */
async function saidBy(store: CommandContext['store'], id: string): Promise<readonly string[]> {
  const rows = await jobSaid(store, { id });
  return rows.flatMap(({ said, warning }) => [
    ...(JSON.parse(said) as [number, string][]).map(([, text]) => text),
    ...(warning === null ? [] : [warning]),
  ]);
}

/** Texts of a job that ended with a warning: what its steps warn of, or else what they say. */
export async function warningsOf(store: CommandContext['store'], id: string): Promise<readonly string[]> {
  const rows = await jobSaid(store, { id });
  const warnings = rows.flatMap(({ warning }) => warning ?? []);
  return warnings.length > 0 ? warnings : ['done, with a warning'];
}

/** Reason of a wait. For a missing transcoder it includes the installation hint. */
export function waitsFor(waiting: string): string {
  const { requirement, resourceId } = JSON.parse(waiting) as { requirement: string; resourceId?: string };
  return `waits: ${requirement}${resourceId === undefined ? '' : `: ${resourceId}`}`;
}

/** Texts of a log that name a file for machines. */
const isId = /^[A-Z]+-\d+$/;

/** States in words. Any other is a step that runs. */
const stateWords: Readonly<Record<string, string>> = {
  READY: 'waits for its turn',
  WAITING: 'waits',
  HOLD: 'on hold',
  FINISHED: 'done',
  FINISHED_WARNING: 'done, with a warning',
  FAILED_TOTAL: 'failed',
  ABORTED: 'aborted',
};

/** A job in words, without the percent of its step: that falls whenever another step begins. */
export function lineOf({ status, waiting, description, error }: JobSeen): string {
  const why = waiting === null ? '' : ` ${waitsFor(waiting)}`;
  const isEnded = /^(?:FINISHED|ABORTED$)/.test(status);
  const step = isEnded ? '' : `${description ?? ''}${why}`;
  const parts = [stateWords[status] ?? '', step, error ?? ''].filter((part) => part !== '');
  return parts.map(printable).join('\t');
}
