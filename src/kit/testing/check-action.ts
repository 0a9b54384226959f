import type { ActionCall, ActionElement, ActionKind, Host, NotificationAction } from '../../spi/index.ts';
import { canary, secretText } from './credentials.ts';
import { type Backend, ended, type TestHost, testHost } from './host.ts';
import { findLeaks, printedDuring } from './leaks.ts';
import { echoes } from './realm-backends.ts';
import { Broken, broken, type CheckResult, errorSentence, inspect, type Promises, showValue } from './result.ts';

/** Example of an action's element, with its relevant parts. */
export interface ElementExample {
  /** Kind of the element. Default: `ejb`. */
  readonly kind?: ActionKind;
  readonly texts?: Readonly<Record<string, string>>;
  readonly data?: readonly (readonly [key: string, value: string])[];
}

export interface ActionUnderTest {
  make(host: Host): Promise<NotificationAction> | NotificationAction;
  /** Elements that the action supports. */
  readonly elements?: readonly ElementExample[] | undefined;
  /** Normal answers of the receiver to `host.call` and `host.fetch`. */
  readonly backend?: Backend | undefined;
  /** Milliseconds of real time for an answer. Default: 5,000. */
  readonly patience?: number | undefined;
}

interface Trial {
  readonly host: TestHost;
  readonly action: NotificationAction;
  readonly elements: readonly ActionElement[];
  perform(element: ActionElement, more?: Partial<ActionCall>, moving?: boolean): Promise<unknown>;
}

const plain: Omit<ActionCall, keyof ActionElement | 'signal'> = {
  event: 'group/create',
  fields: [
    ['action', 'CREATE'],
    ['group', 'editors'],
    ['group', 'Éditeurs & <friends>'],
  ],
  body: '{"field":[{"key":"group","value":"editors"}]}',
  contentType: 'application/json',
  notification: 'VX-7',
  id: 'VX-7_42',
  attempt: 1,
  test: false,
};

async function trialOf(
  { make, elements, backend: ownBackend, patience }: ActionUnderTest,
  backend: Backend | undefined = ownBackend,
): Promise<Trial> {
  const host = testHost({ backend, patience });
  const action = await ended(Promise.resolve(make(host)), host);
  return {
    host,
    action,
    elements: (elements ?? [{}]).map((element) => elementOf(element, action)),
    perform: (element, more, moving = true) =>
      ended(
        Promise.resolve().then(() =>
          action.perform({ ...plain, ...element, signal: new AbortController().signal, ...more }),
        ),
        host,
        { moving },
      ),
  };
}

/** With a secret, as those of `jms`, `sqs` and `sns` have one. */
function elementOf({ kind, texts, data = [] }: ElementExample, action: NotificationAction): ActionElement {
  const elementKind = kind ?? action.kinds?.[0] ?? 'ejb';
  const named = { bean: 'example', method: action.methods?.[0] ?? 'call' };
  return { kind: elementKind, texts: texts ?? (elementKind === 'ejb' ? named : {}), data, secret: secretText(canary) };
}

/** The contract of a notification action. */
export function checkAction(subject: ActionUnderTest): Promise<CheckResult[]> {
  return inspect({ ...deliveries(subject), ...badDays(subject), ...sides(subject) });
}

const unreachable: Backend = () => Promise.reject(new TypeError('fetch failed'));
const outOfOrder: Readonly<Record<string, Backend>> = {
  'cannot be reached': unreachable,
  'answers 500': () => new Response('Internal Server Error', { status: 500 }),
  'answers 503': () => new Response(null, { status: 503 }),
  'answers 429': () => new Response(null, { status: 429, headers: { 'retry-after': '7' } }),
};

/** The user who starts a job chooses keys and values. */
const odd: readonly Partial<ActionCall>[] = [
  { fields: [], body: '{"field":[]}' },
  { fields: [['__proto__', 'x'] as const, ['constructor', 'y'] as const, ['', ''] as const] },
  { fields: [['note', 'line\r\nX-Other: 1\0\u2028']], body: 'line\r\nX-Other: 1' },
  { fields: [['metadata', 'ü'.repeat(200_000)]], body: 'ü'.repeat(200_000) },
  { event: 'metadata/modify', contentType: 'text/plain', body: '', attempt: 1_000 },
  { event: 'something/new' },
];

const wordOf = (answer: unknown): unknown => (answer as { answer?: unknown } | null | undefined)?.answer;

function deliveries(subject: ActionUnderTest): Promises {
  return {
    async 'delivers what a notification tells'() {
      const { perform, elements } = await trialOf(subject);
      for (const element of elements) {
        // Twice, since an event is repeated if its delivery is uncertain.
        for (const attempt of [1, 2]) {
          const answer = await perform(element, { attempt });
          if (wordOf(answer) !== 'delivered') broken(`a delivery by ${showValue(element.texts)}`, showValue(answer));
        }
      }
    },

    async 'takes the elements that it is for, and refuses others with a sentence'() {
      const { action, elements } = await trialOf(subject);
      for (const element of elements) {
        const defect: unknown = action.defect?.(element);
        if (defect !== undefined) broken(`no complaint about ${showValue(element.texts)}`, showValue(defect));
        const without: unknown = action.defect?.({ ...element, texts: {}, data: [] });
        if (without !== undefined && (typeof without !== 'string' || without.trim() === ''))
          broken('a sentence, or nothing, about an element without texts', showValue(without));
        findLeaks([canary], { 'a complaint': without });
      }
    },

    async 'delivers several events at the same time'() {
      const { perform, elements } = await trialOf(subject);
      const ids = Array.from({ length: 20 }, (_, index) => `VX-7_${index}`);
      const answers = await Promise.all(ids.map((id) => perform(elements[0]!, { id })));
      const other = answers.find((answer) => wordOf(answer) !== 'delivered');
      if (other !== undefined) broken('twenty deliveries', showValue(other));
    },

    async 'copes with events of any content'() {
      const { perform, elements } = await trialOf(subject);
      for (const more of odd) {
        const answer = await perform(elements[0]!, more).catch((error: unknown) =>
          broken(`an answer for ${showValue(more)}`, `it threw ${errorSentence(error)}`),
        );
        checkAnswer(answer);
      }
    },
  };
}

function badDays(subject: ActionUnderTest): Promises {
  const again = Object.entries(outOfOrder).map(([what, backend]): [string, () => Promise<void>] => [
    `says "again" when its receiver ${what}`,
    async () => {
      const trial = await trialOf(subject);
      await trial.perform(trial.elements[0]!).catch(() => undefined);
      // Without requests there is no receiver to be blamed.
      if (trial.host.requests.length === 0) return;
      const { perform, elements } = await trialOf(subject, backend);
      // A thrown error counts as `again`.
      const answer = await perform(elements[0]!).catch(() => ({ answer: 'again', reason: 'it threw' }));
      checkAnswer(answer);
      if (wordOf(answer) !== 'again') broken(`"again" when its receiver ${what}`, showValue(answer));
    },
  ]);
  return {
    ...Object.fromEntries(again),

    async 'ends when its signal is aborted'() {
      const { perform, elements } = await trialOf(subject, () => new Promise(() => undefined));
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort(new Error('The time is up')), 10);
      try {
        await perform(elements[0]!, { signal: abort.signal }, false);
      } catch (error) {
        if (error instanceof Broken) throw error;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function sides(subject: ActionUnderTest): Promises {
  return {
    async 'leaves what it is told as it is'() {
      const { perform, elements } = await trialOf(subject);
      const fields = [['group', 'editors'] as const];
      const { texts, data } = elements[0]!;
      const before = JSON.stringify([fields, texts, data]);
      await perform(elements[0]!, { fields }).catch(() => undefined);
      const after = JSON.stringify([fields, texts, data]);
      if (after !== before) broken(`what it was told: ${before}`, after);
    },

    async 'tells no secret to logs, errors and reasons'() {
      for (const backend of [subject.backend, unreachable, ...Object.values(echoes)]) {
        const outputs: unknown[] = [];
        const printed = await printedDuring(async () => {
          const { host, perform, elements } = await trialOf(subject, backend);
          for (const element of elements) {
            const answer = await perform(element).catch((error: unknown) => error);
            // Text of a delivered answer comes from the receiver, and is not logged.
            if (wordOf(answer) !== 'delivered') outputs.push(answer);
          }
          outputs.push(host.logged);
        });
        findLeaks([canary], { 'an error, a reason or the log': outputs, 'what is printed': printed });
      }
    },
  };
}

function checkAnswer(value: unknown): void {
  const { answer, reason, after, text } = Object(value) as Readonly<Record<string, unknown>>;
  if (!['delivered', 'again', 'refused'].includes(answer as string))
    broken('one of the answers "delivered", "again" and "refused"', showValue(value));
  if (answer !== 'delivered' && (typeof reason !== 'string' || reason === '')) broken('a reason', showValue(value));
  if (text !== undefined && typeof text !== 'string') broken('a text, or none', showValue(text));
  if (after !== undefined && !(Number.isFinite(after) && (after as number) >= 0))
    broken('a number of milliseconds, or none', showValue(after));
}
