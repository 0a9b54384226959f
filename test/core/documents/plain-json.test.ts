import { describe, expect, it } from 'vitest';
import { badValue } from '../../../src/core/documents/error.ts';
import { readPlainJson } from '../../../src/core/documents/index.ts';
import { refusal } from '../../support/thrown.ts';

const limits = { depth: 3, values: 6 };
const read = (text: string) => readPlainJson(text, limits, 'JSON', badValue);

describe('JSON without a description', () => {
  it.each(['{"a":[{"b":"[[[[,,,,,,,,"}]}', '[1,2,3,4,5,6]', '"\\"[[[["', ' [ ] ', '{"a":"\\\\"}', '"\\ud83d\\ude00"'])(
    'reads %s',
    (text) => {
      expect(read(text)).toEqual(JSON.parse(text));
    },
  );

  it.each([
    ['an attack: levels beyond the bound', '[[[[]]]]', 'body', 'Expected at most 3 values in values'],
    ['an attack: more values than the bound', '[1,2,3,4,5,6,7]', 'body', 'Expected at most 6 values'],
    ['an attack: levels that nobody closes', '['.repeat(1_000_000), 'body', 'Expected at most 3 values in values'],
    ['an attack: a text that nobody closes', `"${'\\'.repeat(1_000_000)}`, 'body', 'Expected JSON'],
    ['no JSON', '{a}', 'body', 'Expected JSON'],
    ['an attack: NUL in a text', '{"a":[0,{"b":"\\u0000"}]}', 'a/1/b', 'Expected text without a NUL character'],
    ['an attack: NUL in a name', '{"a":{"\\u0000":1}}', 'a', 'Expected text without a NUL character'],
    ['an attack: half a pair', '["\\ud83d"]', '0', 'Expected text without half a surrogate pair'],
    ['an attack: the other half', '["\\uDE00\\ud83d"]', '0', 'Expected text without half a surrogate pair'],
  ])('refuses %s', (_, text, context, explanation) => {
    expect(refusal(() => read(text))).toMatchObject({
      code: 'bad-value',
      detail: { context, explanation: expect.stringContaining(explanation) },
    });
  });
});
