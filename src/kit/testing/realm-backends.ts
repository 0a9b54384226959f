import { type Knows, proofOf, withProof } from './credentials.ts';
import type { Backend } from './host.ts';
import { keptOut, type RealmOutcome, type RealmUnderTest, realmTrial } from './realm-trial.ts';
import { Broken, broken, type Promises } from './result.ts';

const page = (text: string, status = 200, type = 'text/html') =>
  new Response(text, { status, headers: { 'content-type': type } });
const json = (text: string, status = 200) => page(text, status, 'application/json');

/** Broken answers of a backend or a proxy. None of them means a successful login. */
export const junk: Readonly<Record<string, Backend>> = {
  'status 500': () => page('Internal Server Error', 500),
  'status 503 with JSON': () => json('{"error":"try again"}', 503),
  'status 404': () => page('Not Found', 404),
  'status 401': () => new Response(null, { status: 401 }),
  'a redirect to a login page': () =>
    new Response(null, { status: 302, headers: { location: 'https://login.example/' } }),
  'a page of a captive portal': () => page('<html><body>Welcome to our network</body></html>'),
  'JSON that ends in the middle': () => json('{"name": "al'),
  'the JSON null': () => json('null'),
  'the JSON true': () => json('true'),
  'a JSON list': () => json('[[], {}]'),
  'bytes that are no text': () => new Response(Uint8Array.of(0xff, 0xfe, 0, 0xc3, 0x28)),
  'names that prototypes have': () => json('{"__proto__": {"name": 4711}, "constructor": 1, "name": {"toString": 1}}'),
  'a body that breaks off': () =>
    new Response(new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) })),
};

/** Never answers, or begins to and does not go on. A real `fetch` gives up with its signal, and so do these. */
const hanging: Readonly<Record<string, Backend>> = {
  'never answers': () => new Promise(() => undefined),
  'never ends its body': ({ signal }) =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"name": '));
          if (signal.aborted) return controller.error(signal.reason);
          signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
        },
      }),
    ),
};

/** Says what it was told, as a chatty error page does. */
export const echoes: Readonly<Record<string, Backend>> = {
  'an error page that quotes the request': async (request) => page(await requestText(request), 500),
  'a refusal that quotes the request': async (request) =>
    json(JSON.stringify({ error: await requestText(request) }), 403),
  'the body of the request': async (request) => json(await request.text()),
  'a page that quotes the request': async (request) => page(await requestText(request)),
};

async function requestText(request: Request): Promise<string> {
  const headers = [...request.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  return `${request.method} ${request.url}\n${headers}\n\n${await request.text()}`;
}

/** Promises about a realm with a failing backend. */
export function backendPromises(subject: RealmUnderTest): Promises {
  const { knows = { user: 'alice', password: 'Right-pass-1' }, backend } = subject;
  // A realm with its own users accepts them without a network. A realm with a backend must refuse everyone.
  const who = backend ? knows : withProof(knows, `${proofOf(knows)}-wrong`);
  return {
    async 'lets nobody in while its backend cannot be reached'() {
      for (const unwell of Object.values(unreachable)) {
        keptOut(await (await realmTrial(subject, unwell)).attempt(who), 'a backend that cannot be reached');
      }
    },

    async 'lets nobody in when its backend answers junk'() {
      for (const [what, unwell] of Object.entries(junk)) {
        keptOut(await (await realmTrial(subject, unwell)).attempt(who), `a backend that answers ${what}`);
      }
    },

    async 'ends when its signal is aborted, and lets nobody in'() {
      for (const [what, unwell] of Object.entries(hanging)) {
        const outcome = await untilAborted(subject, unwell, who, what);
        // A status is an answer; a realm that believes this one breaks another promise.
        if (unwell === hanging['never answers']) keptOut(outcome, `a backend that ${what}`);
      }
      const { attempt } = await realmTrial(subject, hanging['never answers']);
      const outcome = await attempt(who, { signal: AbortSignal.abort(new Error('The time is up')), moving: false });
      keptOut(outcome, 'no time left');
    },

    async 'tells right from wrong while its backend is slow'() {
      const slow: Backend = async (request) => {
        await pause(200);
        return backend ? backend(request) : Promise.reject(new TypeError('fetch failed'));
      };
      const [quick, late] = [await realmTrial(subject), await realmTrial(subject, slow)];
      checkSame(await late.attempt(knows), await quick.attempt(knows), 'while the backend is slow');
      const wrong = withProof(knows, `${proofOf(knows)}-wrong`);
      keptOut(await late.attempt(wrong), 'a slow backend and a wrong password');
    },

    async 'keeps logins at the same time apart'() {
      let questions = 0;
      // The first question gets the last answer.
      const backwards: Backend = async (request) => {
        await pause(40 - 5 * Math.min(questions++, 7));
        return backend ? backend(request) : Promise.reject(new TypeError('fetch failed'));
      };
      const { attempt } = await realmTrial(subject, backwards);
      const wrong = withProof(knows, `${proofOf(knows)}-wrong`);
      const outcomes = await Promise.all([knows, wrong, knows, wrong].map((each) => attempt(each)));
      for (const index of [1, 3]) keptOut(outcomes[index]!, 'a wrong password beside a right one');
      const alone = await (await realmTrial(subject)).attempt(knows);
      for (const index of [0, 2]) checkSame(outcomes[index]!, alone, 'beside wrong ones');
    },
  };
}

const unreachable: Readonly<Record<string, Backend>> = {
  rejects: () => Promise.reject(new TypeError('fetch failed')),
  throws: () => {
    throw new Error('Out of order');
  },
};

/** In real time: the realm may have a clock of its own, which must not run out. */
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function untilAborted(subject: RealmUnderTest, unwell: Backend, who: Knows, what: string): Promise<RealmOutcome> {
  const abort = new AbortController();
  const { attempt } = await realmTrial(subject, unwell);
  const timer = setTimeout(() => abort.abort(new Error('The time is up')), 10);
  try {
    // The clock stands still: a timeout of the realm's own is no answer to the signal.
    return await attempt(who, { signal: abort.signal, moving: false });
  } catch (error) {
    if (error instanceof Broken) broken('an end when the signal is aborted', `none, with a backend that ${what}`);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Breaks the promise if the answer to valid credentials differs from the usual one. */
function checkSame(outcome: RealmOutcome, expected: RealmOutcome, when: string): void {
  if (expected.kind !== 'account') return;
  if (outcome.kind !== 'account' || outcome.account.name !== expected.account.name)
    broken(`the right credentials to be good ${when}, too`, outcome.kind);
}
