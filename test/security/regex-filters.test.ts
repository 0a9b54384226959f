import { describe, expect, it } from 'vitest';
import { checkTrigger } from '../../src/administration/notifications/trigger/check.ts';
import { compileFilter, matches, type TriggerFilter } from '../../src/administration/notifications/trigger/filter.ts';
import { subscriptionsOf } from '../../src/administration/notifications/trigger/subscriptions.ts';
import { ServiceError } from '../../src/core/lib/errors.ts';
import { notification } from '../administration/notifications/support.ts';
import { happened, triggers } from '../support/declared.ts';
import { dice } from '../support/random.ts';
import { quickest, slowness } from '../support/turns.ts';

/** Milliseconds for one match against ten thousand characters, whatever the pattern. */
const budget = 50;
const length = 10 * 1024;

const roll = dice(7);
const from = (alphabet: string) => Array.from({ length }, () => alphabet[roll(alphabet.length)]).join('');

/** Texts that make a backtracking engine try everything, an automaton grow, or a slow path run. */
const texts: Readonly<Record<string, string>> = {
  'one letter': `${'a'.repeat(length - 1)}!`,
  'two letters': from('ab'),
  'many letters': from('abcdefghijklmnopqrstuvwxyz0123456789 -_=<>'),
  'beyond Latin': from('äßжщ語漢字😀'),
  'lone surrogates': '\ud83d'.repeat(length),
  'line ends': '\r\n'.repeat(length / 2),
};

const escaped = (text: string) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

function filterOf(inside: string): TriggerFilter {
  const sent = notification(`<job><stop/><filter><jobdata>${inside}</jobdata></filter></job>`);
  checkTrigger(triggers, sent, '/job');
  return compileFilter(subscriptionsOf(triggers, sent)[0]!.filter!);
}

/** The bound is about the machine of the bounds: on a slower one it is as many times longer. */
function timeOf(work: () => unknown): number {
  const time = quickest(20, budget, work);
  return time < budget ? time : time / slowness();
}

describe('regular expressions that explode in a backtracking engine', () => {
  it.each([
    ['nested repetition', '(a+)+$'],
    ['nested repetition of anything', '(.*)*x'],
    ['repetition of overlapping alternatives', '(a|a|aa)*b'],
    ['nested alternation', '((a|ab)|(aba|b)|(bab|(a|b)))*c'],
    ['many stars', '.*.*.*.*.*.*.*.*.*.*=.*'],
    ['polynomial runs', '(.*a){20}b'],
    ['optional copies', '(?:a?){60}a{60}'],
    ['the longest look back at what may follow', '.*a.{100}'],
    ['a window that must be kept for each letter', '(?:[ab]*a[ab]{120}){2}'],
    ['nested counted repetition', '(?:[^x]{0,9}a){12}'],
    ['word boundaries', '\\b(\\w+\\s?)+\\b$'],
    ['classes of thousands of ranges', '(?i)(?:\\p{L}|\\p{N}|\\p{M}){100}!'],
    ['empty matches repeated', '(?:(?:)*|(?:a*)*)*b'],
  ])('%s: %s', (_attack, pattern) => {
    const byValue = filterOf(`<key>note</key><value-regex>${escaped(pattern)}</value-regex>`);
    const byKey = filterOf(`<key-regex>${escaped(pattern)}</key-regex>`);
    for (const [name, text] of Object.entries(texts)) {
      const job = { jobId: 'VX-1', type: 'IMPORT', status: 'FINISHED' };
      const value = happened('job/stop', 'VX-1', { ...job, data: [['note', text]] });
      const key = happened('job/stop', 'VX-1', { ...job, data: [[text, '']] });
      expect(
        timeOf(() => matches(byValue, value)),
        `${name}, as a value`,
      ).toBeLessThan(budget);
      expect(
        timeOf(() => matches(byKey, key)),
        `${name}, as a key`,
      ).toBeLessThan(budget);
    }
  });

  it.each([
    ['a large repetition', 'a{1000}'.repeat(70)],
    ['repetitions of repetitions', '(?:(?:a{30}){30}){9}'],
    ['repetitions of large classes', '\\pL{1000}'.repeat(50)],
    ['many repetitions, each small', '(?:\\pL{15}){15}'.repeat(9)],
    ['deep nesting', `${'('.repeat(240)}a${')'.repeat(240)}`],
    ['many alternatives', 'a|'.repeat(249)],
    ['open brackets', '['.repeat(500)],
    ['the length of a document', '(a*)*'.repeat(20_000)],
  ])('%s takes no time to be made, or refused', (_attack, pattern) => {
    const time = timeOf(() => {
      try {
        filterOf(`<key>note</key><value-regex>${escaped(pattern)}</value-regex>`);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
      }
    });
    expect(time).toBeLessThan(budget);
  });
});

describe('wildcards of languages', () => {
  const modified = (language: string) =>
    happened('metadata/modify', 'VX-7', {
      itemId: 'VX-7',
      changeSetId: 'VX-9',
      changes: [{ field: 'title', values: [], language, start: '-INF', end: '+INF' }],
    });

  it.each([
    ['many asterisks', `${'a*'.repeat(100)}b`],
    ['asterisks alone', '*'.repeat(255)],
    ['long pieces that almost fit', `*${'a'.repeat(120)}b*${'a'.repeat(120)}c`],
    ['a hundred patterns', Array.from({ length: 100 }, (_, index) => `*a*a*a*${index}`).join()],
  ])('%s', (_attack, language) => {
    const sent = notification(`<metadata><modify><language>${language}</language></modify></metadata>`);
    checkTrigger(triggers, sent, '/item');
    const filter = compileFilter(subscriptionsOf(triggers, sent)[0]!.filter!);
    for (const [name, text] of Object.entries(texts)) {
      const event = modified(text);
      expect(
        timeOf(() => matches(filter, event)),
        name,
      ).toBeLessThan(budget);
    }
  });
});
