import type { Verdict } from '../../../spi/index.ts';
import { broken, errorSentence, type Promises, showValue } from '../result.ts';
import { filterRequest } from './request.ts';
import { anonymous, type FilterUnderTest, filterTrial, Junk, odd, requestOf, unknownCredentials } from './subject.ts';

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
export function answerPromises(subject: FilterUnderTest): Promises {
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
