import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameInRows, nameInStates } from '../../../src/assets/metadata/display-name.ts';
import {
  type MetadataDocumentValue,
  metadataDocument,
  metadataListDocument,
  terseMetadataListDocument,
} from '../../../src/assets/metadata/documents.ts';
import { stateOfText } from '../../../src/assets/metadata/merge/stored.ts';
import { terseOf } from '../../../src/assets/metadata/read.ts';
import { documentOf } from '../../../src/assets/metadata/view/document.ts';
import { metadataFormOf } from '../../../src/assets/metadata/view/forms.ts';
import { isPlain, metadataView, viewOf } from '../../../src/assets/metadata/view/parameters.ts';
import { MetadataWriter, surveyOf } from '../../../src/assets/metadata/view/writer.ts';
import { jsonPiecesOf, written, xmlPiecesWithin } from '../../../src/core/documents/index.ts';
import { runAtOnce } from '../../../src/core/lib/turn.ts';
import { readQuery } from '../../../src/http/parameters/index.ts';
import { createRender } from '../../../src/http/reply.ts';
import { Parameters } from '../../../src/security/parameters.ts';

/** Answers written from the stored form without documents, compared with the documents. */

const names = ['title', 'x_one', 'x_two', 'a.b', '1st', 'ä', '__proto__', 'constructor'] as const;
const fieldName = fc.constantFrom(...names);
const groupName = fc.constantFrom('Segment', 'Person', 'x_one');
const tricky = fc.constantFrom(
  '',
  ' ',
  '"',
  '\\',
  '<&>',
  ']]>',
  '\r\n\t',
  '\u0000\u0007',
  '\ud800',
  'ünïcödé',
  '漢字 🎬',
  '1e3',
);
const text = fc.oneof(fc.string({ unit: 'binary' }), tricky, fc.double().map(String));

/** Marks of three change sets: a number is one of them with an ordinal, and each of three numbers is one part. */
const mark = fc.oneof(fc.nat(210_000), fc.tuple(fc.nat(2), fc.nat(70_000), fc.nat(2)));
const value = fc
  .tuple(text, fc.option(mark), fc.option(fc.constantFrom('en_US', 'sv'), { nil: undefined }), fc.boolean())
  .map(([one, own, language, conflict]) =>
    own === null
      ? one
      : conflict
        ? [one, own, language ?? null, 1]
        : language === undefined
          ? [one, own]
          : [one, own, language],
  );
const field = fc
  .tuple(fieldName, mark, fc.array(value, { maxLength: 3 }), fc.option(fc.constantFrom('A1', 'V2'), { nil: undefined }))
  .map(([name, own, given, track]) => {
    // Texts alone follow a field with one number.
    const values = given.map((each) => (typeof each === 'string' && typeof own !== 'number' ? [each, own] : each));
    return track === undefined ? [name, own, values] : [name, own, values, track];
  });
const fields = fc.uniqueArray(field, { maxLength: 4, selector: ([name, , , track]) => `${name} ${track}` });
const groupOf = <T>(inner: fc.Arbitrary<T[]>) =>
  fc.tuple(groupName, mark, fields, inner).map((row) => row as unknown[]);
const group = groupOf(fc.array(groupOf(fc.array(groupOf(fc.constant([])), { maxLength: 1 })), { maxLength: 2 }));
const span = fc
  .tuple(
    fc.constantFrom(0, ['0', '10'], ['5@PAL', '50@PAL'], ['-3.5', '+INF']),
    fields,
    fc.array(group, { maxLength: 2 }),
  )
  .map(([times, inner, groups]) => (groups.length === 0 ? [times, inner] : [times, inner, groups]));
const stored = fc.record(
  {
    c: fc.uniqueArray(fc.tuple(fc.nat(9_999_999), text, fc.nat(4_102_444_800_000)), {
      minLength: 3,
      maxLength: 3,
      selector: ([serial]) => serial,
    }),
    m: fc.tuple(fc.nat(2), fc.array(groupName, { maxLength: 2 })),
    t: fc.tuple(fc.nat(2), text),
    s: fc.uniqueArray(span, { maxLength: 4, selector: ([times]) => String(times) }),
  },
  { requiredKeys: ['c', 's'] },
);
const state = stored.map(({ c, m, ...rest }) =>
  JSON.stringify({
    c: c.map(([serial, user, at]) => [`VX-${serial}`, user, at]),
    ...(m && { m: [m[0], ...m[1]] }),
    ...rest,
  }),
);

const computed = fc.array(fc.tuple(fc.constantFrom('__shape', '__shape_size', 'title'), text), { maxLength: 4 });
const named = fc.oneof(fieldName, fc.constantFrom('__shape', 'none'));
const selection = fc.array(
  fc
    .tuple(named, fc.constantFrom('', ':alias', ':other', '-'))
    .map(([name, more]) => (more === '-' ? `-${name}` : name + more)),
  { maxLength: 4 },
);

const render = createRender('urn:test');
const types = ['application/json', 'application/xml'] as const;

const naming = fc.uniqueArray(fieldName, { maxLength: 3 });

it('the name in stored rows is that of their state', () => {
  fc.assert(
    fc.property(state, naming, (doc, fields) => {
      expect(nameInRows(JSON.parse(doc), fields)).toBe(nameInStates([stateOfText(doc)], fields));
    }),
  );
});

describe('metadata that is written from its stored form', () => {
  it('is what its documents give, terse and whole, in both forms', () => {
    fc.assert(
      fc.property(state, computed, selection, fc.constantFrom(...types), (doc, transient, chosen, type) => {
        const view = viewOf(readQuery(metadataView, new Parameters(chosen.map((each) => ['field', each]))));
        expect(isPlain(view)).toBe(true);
        const document = runAtOnce(documentOf(stateOfText(doc), view, { transient }));
        const textOf = (isTerse: boolean): string =>
          new MetadataWriter(metadataFormOf(type)!, view, isTerse).write(surveyOf(JSON.parse(doc)), transient);

        const whole = written<MetadataDocumentValue>(textOf(false));
        expect(render(type, metadataDocument, whole)).toEqual(render(type, metadataDocument, document));
        const inList = (metadata: MetadataDocumentValue) =>
          render(type, metadataListDocument, { item: [{ id: 'VX-1', metadata }] });
        expect(inList(whole)).toEqual(inList(document));

        const terse = (values: ReturnType<typeof terseOf>) => ({ item: [{ id: 'VX-1', values }] });
        const [told, expected] = [terse(written(textOf(true))), terse(terseOf(document))];
        expect(render(type, terseMetadataListDocument, told)).toEqual(
          render(type, terseMetadataListDocument, expected),
        );
        const pieces = type === 'application/json' ? jsonPiecesOf : xmlPiecesWithin;
        const inPieces = (values: object) => [...pieces(terseMetadataListDocument, values)].join('');
        expect(inPieces(told)).toBe(inPieces(expected));
      }),
      { numRuns: 400 },
    );
  });
});
