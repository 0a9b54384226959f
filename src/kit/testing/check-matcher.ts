import type { CredentialsMatcher, Host } from '../../spi/index.ts';
import { canary, secretText, wrongProofs } from './credentials.ts';
import { ended, type TestHost, testHost } from './host.ts';
import { findLeaks, printedDuring } from './leaks.ts';
import { broken, type CheckResult, errorSentence, inspect, type Promises, showValue } from './result.ts';

export interface MatcherUnderTest {
  make(host: Host): Promise<CredentialsMatcher> | CredentialsMatcher;
  /** A password, and what is stored of it. */
  readonly knows?: { readonly password: string; readonly stored: string; readonly user?: string } | undefined;
  /** A faster hash than that in JavaScript. */
  readonly scrypt?: Host['scrypt'] | undefined;
}

/** Nothing of this was ever made of a password. */
const unreadable = [
  'x',
  '$',
  '$$$$',
  '$2y$',
  '$2y$31$short',
  '$argon2id$v=19$m=99999999,t=1,p=1$AA$AA',
  '$scrypt$ln=99,r=8,p=1$AA$AA',
  '\0',
  '{SSHA}',
  'null',
];

/** The contract of a credentials matcher. */
export function checkMatcher(subject: MatcherUnderTest): Promise<CheckResult[]> {
  return inspect({ ...rightAndWrong(subject), ...storedTexts(subject), ...sides(subject) });
}

interface Trial {
  readonly host: TestHost;
  matches(password: string, stored: string): Promise<unknown>;
}

async function trialOf({ make, scrypt, knows }: MatcherUnderTest): Promise<Trial> {
  const host = testHost({ scrypt });
  const matcher = await ended(Promise.resolve(make(host)), host);
  const account = { name: knows?.user ?? 'alice' };
  return {
    host,
    matches: (password, stored) =>
      ended(
        Promise.resolve().then(() => matcher.matches(secretText(password), secretText(stored), account)),
        host,
      ),
  };
}

function rightAndWrong(subject: MatcherUnderTest): Promises {
  const { knows } = subject;
  const wrong = Object.entries(wrongProofs).map(([what, proofs]): [string, () => Promise<void>] => [
    `matches nothing for ${what}`,
    async () => {
      if (!knows) return;
      const { matches } = await trialOf(subject);
      for (const proof of proofs(knows.password)) {
        if (proof === knows.password) continue;
        // Throwing counts as no match here; another promise covers it.
        const matched = await matches(proof, knows.stored).catch(() => false);
        if (matched) broken(`no match for ${what}`, showValue(matched));
      }
    },
  ]);
  return {
    async 'matches a password with what is stored of it'() {
      if (!knows) return broken('a password and what is stored of it (knows)', 'neither');
      const { matches } = await trialOf(subject);
      // Twice: what is remembered must be as right.
      for (const _ of [1, 2])
        if (!(await matches(knows.password, knows.stored))) broken('a match for the right password', 'none');
    },
    ...Object.fromEntries(wrong),
  };
}

function storedTexts(subject: MatcherUnderTest): Promises {
  const { knows = { password: 'Right-pass-1', stored: 'Right-pass-1' } } = subject;
  return {
    async 'matches nothing when nothing is stored'() {
      const { matches } = await trialOf(subject);
      for (const password of ['', knows.password]) {
        const matched = await matches(password, '').catch(() => false);
        if (matched) broken('no match with an empty stored text', showValue(matched));
      }
    },

    async 'matches nothing with a stored text that it cannot read'() {
      const { matches } = await trialOf(subject);
      const cut = knows.stored === knows.password ? [] : [knows.stored.slice(0, Math.ceil(knows.stored.length / 2))];
      for (const stored of [...unreadable, ...cut]) {
        const matched = await matches(knows.password, stored).catch(() => false);
        if (matched) broken(`no match with ${showValue(stored)} stored`, showValue(matched));
      }
    },

    async 'does not take what is stored for the password'() {
      if (knows.stored === knows.password) return;
      const { matches } = await trialOf(subject);
      const matched = await matches(knows.stored, knows.stored).catch(() => false);
      if (matched) broken('no match for the stored hash, which a thief of the file has', showValue(matched));
    },
  };
}

function sides(subject: MatcherUnderTest): Promises {
  const { knows = { password: 'Right-pass-1', stored: 'Right-pass-1' } } = subject;
  const storedOnes = [knows.stored, '', ...unreadable];
  return {
    async 'answers true or false, and does not throw'() {
      const { matches } = await trialOf(subject);
      for (const stored of storedOnes) {
        for (const password of [knows.password, '', `${knows.password}\0`]) {
          const matched = await matches(password, stored).catch((error: unknown) =>
            broken('true or false', `it threw ${errorSentence(error)}`),
          );
          if (typeof matched !== 'boolean') broken('true or false', showValue(matched));
        }
      }
    },

    async 'tells no secret to logs and errors'() {
      for (const stored of [...storedOnes, `${canary}-stored`]) {
        const outputs: unknown[] = [];
        const printed = await printedDuring(async () => {
          const { matches, host } = await trialOf(subject);
          outputs.push(await matches(canary, stored).catch((error: unknown) => error), host.logged);
        });
        findLeaks([canary, knows.password], { 'an error or the log': outputs, 'what is printed': printed });
      }
    },
  };
}
