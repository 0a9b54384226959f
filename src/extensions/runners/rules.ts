import { readPlainJson } from '../../core/documents/index.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { shortLine } from '../../core/lib/messages.ts';
import { programVersion, runnerProtocol } from '../../core/lib/version.ts';
import type { MediaErrorKind, StillOrder, TranscodeOrder } from '../../spi/index.ts';
import type { Runner } from './documents.ts';
import type { TaskRow } from './store.ts';

/** Milliseconds until a task of a runner that went silent is given to another. */
export const leaseTime = 60_000;
/** Seconds after which an idle runner of a service that does not wait comes back at the latest. */
export const idleSeconds = 60;
/** Milliseconds without a call after which a runner is taken for gone. `waits`: a service that holds its claims. */
export const silenceOf = (waits: boolean): number => (waits ? 45_000 : 2_000 * idleSeconds);
/** Claims of a task that may fail: a source that ends its runner does not end all of them. */
export const maxClaims = 5;
/** Runners of one user. */
export const maxRunners = 1_000;
export const tooManyRunners = new ServiceError('not-allowed', {
  context: 'runner',
  explanation: `Expected at most ${maxRunners} runners of a user`,
});
const maxNameLength = 100;
const maxWordLength = 100;
const maxWords = { label: 20, ability: 200 };

export type TaskKind = 'transcode' | 'stills' | 'probe';

export const noSuchRunner = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'runner', id: id.slice(0, 80) });

export const noSuchTask = (claim: string): ServiceError =>
  new ServiceError('no-such-entity', {
    type: 'runner-task',
    id: claim.slice(0, 80),
    explanation: 'Expected a task whose lease has not ended',
  });

const refused = (context: string, explanation: string, value = ''): ServiceError =>
  new ServiceError('bad-value', { context, explanation, value: value.slice(0, 80) });

const word = /^[A-Za-z0-9][\w.:=/+-]*$/;

function wordsOf(key: 'label' | 'ability', words: readonly string[] = []): readonly string[] {
  const max = maxWords[key];
  if (words.length > max) throw refused(`/RunnerDocument/${key}`, `Expected at most ${max}`, String(words.length));
  const bad = words.find((each) => each.length > maxWordLength || !word.test(each));
  if (bad === undefined) return [...new Set(words)];
  throw refused(`/RunnerDocument/${key}`, `Expected letters, digits and .:=/+-_, at most ${maxWordLength}`, bad);
}

/** Columns of a runner as it introduces itself. */
export function introduced({ name = '', version = '', protocol = runnerProtocol, label, ability }: Runner) {
  if (protocol !== runnerProtocol) {
    const explanation = `Expected ${runnerProtocol}, the protocol of version ${programVersion}: install that version on the runner`;
    throw refused('/RunnerDocument/protocol', explanation, String(protocol));
  }
  const title = name.trim();
  if (title === '' || title.length > maxNameLength || /\p{Cc}/u.test(title)) {
    throw refused('/RunnerDocument/name', `Expected a name of at most ${maxNameLength} characters`, title);
  }
  const labels = wordsOf('label', label);
  const abilities = wordsOf('ability', ability);
  return {
    name: title,
    version: shortLine(version).slice(0, maxNameLength),
    labels: JSON.stringify(labels),
    offers: JSON.stringify([...abilities, ...labels.map(labelWord)]),
  };
}

const labelWord = (label: string): string => `label:${label}`;

/** Words that a runner must offer. */
export function needsOf(
  kind: TaskKind,
  labels: readonly string[],
  order: Partial<Pick<TranscodeOrder, 'format' | 'video' | 'audio'> & Pick<StillOrder, 'type' | 'draws'>>,
): readonly string[] {
  const { format, video, audio, type, draws } = order;
  return [
    `kind:${kind}`,
    ...labels.map(labelWord),
    ...(format === undefined ? [] : [`container:${format}`]),
    ...(video?.codec === undefined ? [] : [`video:${video.codec}`]),
    ...(audio?.codec === undefined ? [] : [`audio:${audio.codec}`]),
    ...(type === undefined || draws !== undefined ? [] : [`still:${type}`]),
    ...(draws === undefined ? [] : [`draws:${draws}`]),
  ];
}

/** Key of a part of a job. */
export const keyOf = (jobId: string, name: string): string => `${jobId} ${name}`;

/** Outcome of a task as its row has it. */
export type Outcome =
  | {
      readonly staged: {
        readonly methodId: string;
        readonly token: string;
        readonly size: number;
        readonly hash: string | null;
        readonly digest: string | null;
        /** Index of the segments of a stream, as JSON. */
        readonly segments?: string;
      };
    }
  | { readonly probe: unknown }
  | { readonly made: true }
  | { readonly message: string; readonly kind?: Exclude<MediaErrorKind, 'aborted'> | undefined };

export interface Ended {
  /** Name of the runner. */
  readonly by?: string;
  readonly outcome: Outcome;
  readonly warnings: readonly string[];
}

/** Whether no further runner gets the task. */
export const isSpent = ({ state, claims, leaseUntil }: TaskRow, now: number): boolean =>
  claims >= maxClaims && (state === 'WAITING' || (state === 'CLAIMED' && leaseUntil <= now));

const badResult = (explanation: string): ServiceError =>
  new ServiceError('bad-value', { context: '/RunnerResultDocument', explanation });

/** Result of a task. */
export function outcomeOf({ kind, result }: TaskRow, probe: string | undefined): Outcome {
  if (kind === 'stills') return { made: true };
  if (kind === 'transcode') {
    if (result !== null) return (JSON.parse(result) as Ended).outcome;
    throw badResult('Expected the bytes of the result first');
  }
  const what = 'the properties of the media as JSON';
  return { probe: readPlainJson(probe ?? '', probeLimits, what, (_, expected) => badResult(`Expected ${expected}`)) };
}

/** Two hundred tracks have twenty tags each. */
const probeLimits = { depth: 10, values: 20_000 };
