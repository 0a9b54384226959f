import { hostname } from 'node:os';
import process from 'node:process';
import { systemClock } from '../../core/lib/clock.ts';
import { createLog } from '../../core/lib/log.ts';
import { systemRandom } from '../../core/lib/random.ts';
import { withoutSecrets } from '../../core/lib/secret.ts';
import { transcodersFor, transcodingsAtOnce } from '../host.ts';
import { createMediaHost } from '../media/public.ts';
import { printLine } from '../output.ts';
import { runRunner } from '../runner/run.ts';
import { type Command, CommandError, type CommandInput } from './command.ts';

/** Variable of the environment that has the token. */
export const tokenVariable = 'PORTICO_RUNNER_TOKEN';
const ofThisMachine = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export const runnerCommand: Command = {
  usage: 'runner --url URL [--token TOKEN] [--name NAME] [--label LABEL]',
  says: 'Transcodes, makes stills and checks media for a service on another machine, until it is told to stop.',
  options: ['--url', '--token', '--name', '--label'],
  about: {
    '--url': 'The address of the API, such as https://media.example.com/API.',
    '--token': `A token of a user with the role _runner. ${tokenVariable} keeps it out of the list of processes.`,
    '--name': 'The name of the runner. Default: that of the machine.',
    '--label': 'A label that shape tags may ask for, such as gpu. Repeatable.',
  },
  async run(line) {
    const url = addressOf(line, '--url');
    const token = last(line, '--token') ?? process.env[tokenVariable] ?? '';
    if (token === '') throw new CommandError(`Expected a token in --token or ${tokenVariable}`);
    const settings = line.settings();
    const log = createLog(printLine, systemClock, settings.logLevel);
    const transcoders = transcodersFor(settings);
    const media = createMediaHost(settings);
    const stop = new AbortController();
    const stopBy = (by: string) => {
      if (!stop.signal.aborted) log.write('info', 'stopping', { signal: by });
      stop.abort();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopBy(signal));
    try {
      await runRunner({
        url,
        token,
        name: last(line, '--name') ?? hostname(),
        labels: line.option('--label'),
        tasks: transcodingsAtOnce(settings),
        transcoders,
        media,
        fetch: (...args) => fetch(...args),
        clock: systemClock,
        random: systemRandom,
        signal: stop.signal,
        log: (event, fields) => log.write('info', event, { ...fields }),
      });
    } finally {
      for (const each of transcoders) await each.close?.();
      await media.close();
    }
  },
};

export const last = (line: CommandInput, option: string): string | undefined => line.option(option).at(-1);

/** A token goes over TLS, or stays on this machine. */
export function addressOf(line: CommandInput, option: '--url' | '--to'): string {
  const text = last(line, option) ?? '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && ofThisMachine.test(url.hostname));
  if (!url || !isSafe || url.username !== '' || url.search !== '') {
    throw new CommandError(`Expected an https address in ${option}: "${withoutSecrets(text).slice(0, 80)}"`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
