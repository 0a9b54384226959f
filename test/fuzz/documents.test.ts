import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createXmlReader,
  type Description,
  DocumentError,
  readJson,
  readXml,
  writeJson,
  writeXml,
} from '../../src/core/documents/index.ts';
import { descriptions, valuesOf } from '../core/documents/arbitrary.ts';
import { fuzzSeconds as seconds } from '../support/long.ts';
import { type Dice, dice } from '../support/random.ts';

const seed = Number(process.env['PORTICO_FUZZ_SEED'] ?? Date.now() % 0x7fffffff);

const pieces: Record<'xml' | 'json', readonly string[]> = {
  xml: [
    '<',
    '>',
    '/>',
    '</',
    '<!',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?',
    '?>',
    '<?xml version="1.1" encoding="UTF-16"?>',
    '&',
    ';',
    '&amp;',
    '&#0;',
    '&#x10FFFF;',
    '<!DOCTYPE x [',
    '<!ENTITY a "b">',
    ']>',
    ' xmlns="u"',
    ' xmlns:p="u"',
    'p:',
    '"',
    "'",
    '=',
    '\u0000',
    '\r',
    '\n',
    '\ufeff',
    '\ud800',
    '😀',
    '<a>',
    '</a>',
    '<__proto__/>',
    '<value mode="add">',
    '<group>',
    '</group>',
    '<stop/>',
    'true',
    '-1',
    '<UserDocument>',
    '</UserDocument>',
    '<userName>',
    '</userName>',
  ],
  json: [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '\\u',
    '\\ud800',
    '0',
    '-',
    '1e9',
    '1e999',
    '.5',
    'true',
    'null',
    'false',
    '"__proto__":',
    '{}',
    '[]',
    '""',
    '"value":',
    '"mode":"add"',
    ' ',
    '\n',
    '\ufeff',
    '\u0000',
    '\ud800',
    '[[[[',
    '{"a":',
    '"stop":""',
    '"group":[',
    '9007199254740993',
  ],
};

/** Some edits at random places: a piece put in, a stretch taken out, doubled or moved. */
function mutate(text: string, roll: Dice, form: 'xml' | 'json'): string {
  let out = text;
  for (let edits = roll(3); edits >= 0; edits--) {
    const at = roll(out.length + 1);
    const until = Math.min(out.length, at + roll(12));
    const kinds = [
      () => out.slice(0, at) + pieces[form][roll(pieces[form].length)] + out.slice(at),
      () => out.slice(0, at) + out.slice(until),
      () => out.slice(0, until) + out.slice(at),
      () => out.slice(at) + out.slice(0, at),
      () => out.slice(0, at) + String.fromCharCode(roll(0x10000)) + out.slice(at + 1),
    ];
    // Moving everything about rarely leaves a document, so it is rare.
    out = kinds[roll(20) === 0 ? 3 : [0, 1, 2, 4][roll(4)]!]!();
  }
  return out;
}

/** Checks that a value that was read prints to a text that reads the same, and that a refusal has the one form. */
function oracle(description: Description, form: 'xml' | 'json', body: string | Uint8Array): 'read' | 'refused' {
  let value: unknown;
  try {
    value = form === 'xml' ? readXml(description, body) : readJson(description, body);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    expect(error.place.startsWith(`/${description.name}`)).toBe(true);
    expect(error.explanation).toMatch(/^Expected /);
    expect(error.found?.length ?? 0).toBeLessThanOrEqual(80);
    return 'refused';
  }
  const xml = writeXml(description, value, 'urn:x');
  const json = writeJson(description, value);
  expect(writeXml(description, readXml(description, xml), 'urn:x')).toBe(xml);
  expect(writeJson(description, readJson(description, json))).toBe(json);
  return 'read';
}

/** A few values of every document; the seed decides which. */
const corpus = descriptions.flatMap((description) =>
  fc.sample(valuesOf(description.structure, 2), { seed, numRuns: 6 }).map((value) => ({ description, value })),
);

function fuzz(
  form: 'xml' | 'json',
  body: (text: string, roll: Dice, description: Description) => string | Uint8Array,
): void {
  const roll = dice(seed);
  const outcomes = { read: 0, refused: 0 };
  const end = performance.now() + seconds * 1000;
  for (let tried = 0; tried < 500 || performance.now() < end; tried++) {
    const { description, value } = corpus[roll(corpus.length)]!;
    const text = form === 'xml' ? writeXml(description, value, 'urn:x') : writeJson(description, value);
    const mutant = body(text, roll, description);
    try {
      outcomes[oracle(description, form, mutant)]++;
    } catch (error) {
      const shown = JSON.stringify(typeof mutant === 'string' ? mutant : [...mutant]);
      throw new Error(`PORTICO_FUZZ_SEED=${seed}: ${description.structure.name} from ${form} ${shown}`, {
        cause: error,
      });
    }
  }
  if (process.env['PORTICO_FUZZ_SECONDS'] !== undefined) console.log(`${form}, seed ${seed}:`, outcomes);
  // Neither side may starve: a fuzzer that is always refused tests one line.
  expect(outcomes.read, `PORTICO_FUZZ_SEED=${seed}`).toBeGreaterThan(0);
  expect(outcomes.refused, `PORTICO_FUZZ_SEED=${seed}`).toBeGreaterThan(0);
}

describe('fuzz: whatever comes in, it is read and round-trips, or is refused with a DocumentError', () => {
  const timeout = (seconds + 180) * 1000;

  it('XML text', () => fuzz('xml', (text, roll) => mutate(text, roll, 'xml')), timeout);

  it('JSON text', () => fuzz('json', (text, roll) => mutate(text, roll, 'json')), timeout);

  it(
    'XML bytes, some of them flipped, the same whole as in pieces',
    () =>
      fuzz('xml', (text, roll, description) => {
        const bytes = new TextEncoder().encode(mutate(text, roll, 'xml'));
        if (bytes.length > 0 && roll(2) === 0) bytes[roll(bytes.length)] = roll(256);
        expectSameInPieces(description, bytes, 1 + roll(7));
        return bytes;
      }),
    timeout,
  );
});

function expectSameInPieces(description: Description, bytes: Uint8Array, size: number): void {
  const tell = (work: () => unknown) => {
    try {
      return JSON.stringify(work());
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      return `${error.kind} ${error.place}`;
    }
  };
  const inPieces = tell(() => {
    const reader = createXmlReader(description);
    for (let at = 0; at < bytes.length; at += size) reader.write(bytes.subarray(at, at + size));
    return reader.end();
  });
  const whole = tell(() => readXml(description, bytes));
  // Bytes that are not UTF-8 are noticed at once in one piece, and after what precedes them in several.
  if (!whole.startsWith('syntax')) expect(inPieces).toBe(whole);
}
