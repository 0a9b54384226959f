import type { ActionCall, ActionElement, ActionKind, Host, NotificationAction } from '../../../spi/index.ts';
import { canary, secretText } from '../credentials.ts';
import { type Backend, type TestHost, testHost } from '../host.ts';
import { ended } from '../patience.ts';

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

export async function trialOf(
  { make, elements, backend: usual, patience }: ActionUnderTest,
  backend: Backend | undefined = usual,
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
