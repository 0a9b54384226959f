import type { FilterRequest, Verdict } from '../../spi/index.ts';
import { canary } from './credentials.ts';
import {
  anonymous,
  type FilterRequestOptions,
  type FilterUnderTest,
  filterRequest,
  filterTrial,
  Junk,
  odd,
  requestOf,
  unknownCredentials,
} from './filter-trial.ts';
import { findLeaks, printedDuring } from './leaks.ts';
import { broken, type CheckResult, errorSentence, inspect, type Promises, showValue } from './result.ts';

const reasonId = /^[a-z0-9-]+$/;
const junkWords: readonly (readonly string[])[] = [
  ['%%junk%%'],
  ['\0'],
  ['__proto__'],
  ['constructor'],
  ['x'.repeat(10_000)],
  ['%%junk%%', '%%junk%%', '%%more%%'],
];

/** Promises about verdicts, refusals and brackets of a filter. */
function answerPromises(subject: FilterUnderTest): Promises {
  return {
    async 'answers pass, accept with an account, or refuse with a response'() {
      for await (const verdict of verdicts(subject)) {
        if (verdict instanceof Junk) broken('pass, accept with an account, or refuse with a response', verdict.message);
      }
    },

    async 'refuses with a status of 300 to 499, headers that can be sent, and no body'() {
      for await (const verdict of verdicts(subject))
        if ('verdict' in verdict && verdict.verdict === 'refuse') checkRefusal(verdict);
    },

    async 'gives each refusal a reason of lower-case letters, digits and hyphens'() {
      for await (const verdict of verdicts(subject)) {
        if (!('verdict' in verdict) || verdict.verdict !== 'refuse') continue;
        const reason: unknown = verdict.reason;
        if (typeof reason !== 'string' || !reasonId.test(reason))
          broken('a reason such as office-closed', showValue(reason));
      }
    },

    async 'refuses junk in its brackets with a sentence'() {
      const { filter } = await filterTrial(subject);
      if (filter.options)
        for (const words of junkWords) checkWords(words, filter.options.bind(filter), subject.freeWords === true);
    },
  };
}

/** Verdicts on all kinds of requests. Exceptions are left out. */
async function* verdicts(subject: FilterUnderTest): AsyncGenerator<Verdict | Junk> {
  const login = () => ({ accepted: true, account: { name: 'alice' } }) as const;
  const cases = unknownCredentials.map((options) => ({ ...options, login }));
  const trial = await filterTrial(subject);
  for (const options of [...anonymous, ...odd, ...unknownCredentials, ...cases, { caller: {} }]) {
    const verdict = await trial
      .check(filterRequest(options))
      .catch((error: unknown) => (error instanceof Junk ? error : undefined));
    if (verdict) yield verdict;
  }
  for (const each of subject.cases ?? []) {
    const own = await filterTrial(subject, each.at);
    const verdict = await own
      .check(requestOf(each, own))
      .catch((error: unknown) => (error instanceof Junk ? error : undefined));
    if (verdict) yield verdict;
  }
}

function checkRefusal({ response }: Extract<Verdict, { verdict: 'refuse' }>): void {
  const { status, headers = {}, ...more } = response;
  if (!Number.isInteger(status) || status < 300 || status > 499) broken('a status of 300 to 499', showValue(status));
  if ('body' in more) broken('a refusal without a body', 'one with a body');
  try {
    new Headers(headers);
  } catch (error) {
    broken('headers that can be sent', errorSentence(error));
  }
}

function checkWords(words: readonly string[], read: (words: readonly string[]) => unknown, free: boolean): void {
  let configured: unknown;
  try {
    configured = read(words);
  } catch (error) {
    const sentence = error instanceof Error ? error.message : '';
    if (!/^\p{Lu}.* /su.test(sentence))
      broken('a sentence that says what may stand in the brackets', showValue(sentence));
    return;
  }
  if (configured instanceof Promise) {
    configured.catch(() => undefined);
    broken('brackets that are read at once', 'a promise');
  }
  if (!free) broken(`an error for the brackets [${words.join(', ').slice(0, 40)}], or freeWords`, 'none');
}

/** The contract of a filter. */
export function checkFilter(subject: FilterUnderTest): Promise<CheckResult[]> {
  return inspect({ ...cases(subject), ...acceptance(subject), ...answerPromises(subject), ...sides(subject) });
}

const cases = (subject: FilterUnderTest): Promises =>
  (subject.cases && {
    async 'answers its own cases as they say'() {
      for (const [index, each] of subject.cases!.entries()) {
        const trial = await filterTrial(subject, each.at);
        const { verdict } = await trial.check(requestOf(each, trial));
        if (verdict !== each.verdict) broken(`${each.verdict} in case ${index + 1}`, verdict);
      }
    },
  }) ||
  {};

/** The verdict, or undefined when there is none: other promises are about that. */
async function verdictOr(check: (request: FilterRequest) => Promise<Verdict>, options: FilterRequestOptions) {
  try {
    return await check(filterRequest(options));
  } catch {
    return undefined;
  }
}

function acceptance(subject: FilterUnderTest): Promises {
  return {
    async 'accepts nobody without credentials'() {
      const { check } = await filterTrial(subject);
      for (const options of anonymous) {
        const verdict = await verdictOr(check, options);
        if (verdict?.verdict === 'accept')
          broken('no account for a request without credentials', `"${verdict.account.name}"`);
      }
    },

    async 'accepts nobody whom the realms refuse'() {
      const { check, asked } = await filterTrial(subject);
      const fails = () => Promise.reject(new Error('The realms are out of order'));
      const own = (subject.cases ?? []).map(({ request }) => request);
      for (const options of [...unknownCredentials, ...odd, ...own]) {
        for (const login of [undefined, fails]) {
          const before = asked.count;
          const { login: _, ...more } = options;
          const verdict = await verdictOr(check, login ? { ...more, login } : more);
          if (verdict?.verdict === 'accept' && asked.count > before)
            broken(
              login ? 'no account while the realms fail' : 'no account that the realms refused',
              `"${verdict.account.name}"`,
            );
        }
      }
    },

    async 'survives odd requests'() {
      const { check } = await filterTrial(subject);
      for (const options of [...anonymous, ...odd, ...unknownCredentials]) {
        try {
          await check(filterRequest(options));
        } catch (error) {
          if (error instanceof Junk) continue;
          broken(`a verdict on ${showValue(options)}`, `it threw ${errorSentence(error)}`);
        }
      }
    },
  };
}

function sides(subject: FilterUnderTest): Promises {
  return {
    async 'says the same to the same request'() {
      const own = (subject.cases ?? []).map(({ request }) => request);
      const [one, other] = [await filterTrial(subject), await filterTrial(subject)];
      for (const options of [...anonymous, ...unknownCredentials, ...own]) {
        const verdicts = [
          await verdictOr(one.check, options),
          await verdictOr(one.check, options),
          await verdictOr(other.check, options),
        ];
        const texts = new Set(verdicts.map((verdict) => JSON.stringify(verdict)));
        if (texts.size > 1) broken('one answer to the same request at the same time', showValue([...texts]));
      }
    },

    async 'leaves the request as it is'() {
      const { check } = await filterTrial(subject);
      for (const options of [...anonymous, ...unknownCredentials]) {
        const request = filterRequest(options);
        const before = JSON.stringify([...request.headers]);
        await check(request).catch(() => undefined);
        if (JSON.stringify([...request.headers]) !== before)
          broken('the headers of the request to stay', 'they are others now');
      }
    },

    async 'tells no secret to logs, errors, reasons, accounts and headers'() {
      const forms = [
        `Basic ${btoa(`alice:${canary}`)}`,
        `Bearer ${canary}`,
        `token ${canary}`,
        `Odd ${canary}`,
        canary,
      ];
      const login = () => ({ accepted: true, account: { name: 'alice' } }) as const;
      for (const authorization of forms) {
        for (const options of [{ headers: { authorization } }, { headers: { authorization }, login }])
          await leakless(subject, options);
      }
    },
  };
}

async function leakless(subject: FilterUnderTest, options: FilterRequestOptions): Promise<void> {
  const { check, host } = await filterTrial(subject);
  let said: unknown;
  const printed = await printedDuring(async () => {
    said = await check(filterRequest(options)).catch((error: unknown) => error);
  });
  const addresses = host.requests.map(({ url }) => url);
  findLeaks([canary], {
    'the log': host.logged,
    'what is printed': printed,
    'an answer': said,
    'an address that is asked': addresses,
  });
}
