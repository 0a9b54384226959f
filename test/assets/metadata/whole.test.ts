import fc from 'fast-check';
import { expect, it } from 'vitest';
import { metadataListDocument } from '../../../src/assets/metadata/documents.ts';
import {
  type Change,
  type GroupPath,
  type MetadataState,
  spanKeyOf,
} from '../../../src/assets/metadata/merge/state.ts';
import { rowsOfText, stateOfText, textOfState } from '../../../src/assets/metadata/merge/stored.ts';
import { documentOf } from '../../../src/assets/metadata/view/document.ts';
import { isWhole, metadataView, viewOf, wholeView } from '../../../src/assets/metadata/view/parameters.ts';
import { wholeDocument } from '../../../src/assets/metadata/view/whole.ts';
import { writeJson, writeXml } from '../../../src/core/documents/index.ts';
import { runAtOnce } from '../../../src/core/lib/turn.ts';
import { readQuery } from '../../../src/http/parameters/read.ts';

/** Answers are made of the rows that are stored, and of objects where a caller wants less. Both say the same. */

const text = fc.oneof(fc.constantFrom('', 'a', '<&>"\'\\\u0000\n\ud800é'), fc.string({ unit: 'grapheme' }));
const change = fc.record({
  id: fc.nat(99).map((serial) => `VX-${serial + 1}`),
  user: text,
  at: fc.constantFrom(0, 1_700_000_000_000, 1_700_000_000_001),
});
const marks = { made: change, ordinal: fc.nat(3000), changed: change };
const value = fc.record({
  text,
  ...marks,
  language: fc.option(text, { nil: undefined }),
  conflict: fc.option(fc.constant(true as const), { nil: undefined }),
});
const field = fc.record({
  name: text,
  ...marks,
  track: fc.option(fc.constantFrom('A1', 'V<2>'), { nil: undefined }),
  values: fc.array(value, { maxLength: 3 }),
});
const place = fc.array(field, { maxLength: 4 }).map(
  (fields): GroupPath => ({
    fields: new Map(fields.map((each) => [`${each.name} ${each.track ?? ''}`, each])),
    groups: [],
  }),
);
const times = fc.constantFrom(['-INF', '+INF'], ['0', '10'], ['25@PAL', '+INF']);
const state = fc
  .record({
    template: fc.option(fc.record({ text, changed: change }), { nil: undefined }),
    main: fc.option(fc.record({ names: fc.array(text, { maxLength: 2 }), changed: change }), { nil: undefined }),
    spans: fc.array(fc.tuple(times, place), { maxLength: 3 }),
  })
  .map(
    ({ main, template, spans }): MetadataState => ({
      main: main as MetadataState['main'],
      template,
      spans: new Map(
        spans.map(([[start, end], each]) => [
          spanKeyOf({ start: start!, end: end! }),
          { start: start!, end: end!, place: each },
        ]),
      ),
    }),
  );

it('all metadata of an entity is answered as the descriptions have it', () => {
  fc.assert(
    fc.property(state, fc.array(fc.tuple(text, text), { maxLength: 2 }), (given, transient) => {
      const stored = textOfState(given);
      const listOf = (metadata: object | undefined) => ({ item: [{ metadata, id: 'VX-1' }] });
      const whole = listOf(runAtOnce(wholeDocument(rowsOfText(stored), transient)));
      const shown = listOf(runAtOnce(documentOf(stateOfText(stored), wholeView, { transient })));
      expect(writeJson(metadataListDocument, whole)).toBe(writeJson(metadataListDocument, shown));
      expect(writeXml(metadataListDocument, whole, 'urn:x')).toBe(writeXml(metadataListDocument, shown, 'urn:x'));
    }),
  );
});

const at: Change = { id: 'VX-1', user: 'ann', at: 0 };
const one = { made: at, ordinal: 0, changed: at, name: 'a' };

it.each([
  ['a group', { fields: new Map(), groups: [{ ...one, place: { fields: new Map(), groups: [] } }] }],
  ['a reference', { fields: new Map([['a', { ...one, values: [], reference: 'uuid' }]]), groups: [] }],
])('%s is left to the descriptions', (_says, inside: GroupPath) => {
  const spans = new Map([['', { start: '-INF', end: '+INF', place: inside }]]);
  expect(runAtOnce(wholeDocument(rowsOfText(textOfState({ main: undefined, spans })), []))).toBeUndefined();
});

it('a view is whole without any parameter, and with none that leaves something out or adds something', () => {
  const wholes = [
    ['', true],
    ['includeTransientMetadata=false', true],
    ...[
      'field=a',
      'field=-a',
      'group=a',
      'group=-a',
      'track=A1',
      'language=none',
      'interval=generic',
      'conflict=no',
      'starttc=true',
    ].map((each) => [each, false]),
    ...['samplerate=PAL', 'revision=VX-1', 'defaultValue=true', 'include=type', 'from=2020-01-01', 'to=2020-01-01'].map(
      (each) => [each, false],
    ),
  ];
  const found = wholes.map(([query]) => {
    const [name, given] = String(query).split('=');
    const values = (asked: string) => (asked === name ? [given!] : []);
    const parameters = { all: values, get: (asked: string) => values(asked)[0] };
    return [query, isWhole(viewOf(readQuery(metadataView, parameters as never)))];
  });
  expect(found).toEqual(wholes);
});
