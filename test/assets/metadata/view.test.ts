import { beforeAll, describe, expect, it } from 'vitest';
import type { MetadataDocumentValue } from '../../../src/assets/metadata/documents.ts';
import { decodeUuid, uuidOf } from '../../../src/assets/metadata/merge/uuid.ts';
import { metadataView, viewOf } from '../../../src/assets/metadata/read.ts';
import { documentOf } from '../../../src/assets/metadata/view/document.ts';
import { instantOf, secondsText, shift, textIn } from '../../../src/core/lib/time-code.ts';
import { runAtOnce } from '../../../src/core/lib/turn.ts';
import { readQuery } from '../../../src/http/parameters/index.ts';
import { by, Entity, field, getItem, openMetadata, putItem, sendWell, textsOf, untimed, value } from './support.ts';

const item = new Entity();

function viewed(query: string): MetadataDocumentValue {
  const parameters = new URLSearchParams(query);
  const given = {
    get: (name: string) => parameters.get(name) ?? undefined,
    all: (name: string) => parameters.getAll(name),
  };
  return runAtOnce(documentOf(item.state, viewOf(readQuery(metadataView, given as never))));
}

const shape = ({ timespan = [] }: MetadataDocumentValue) =>
  timespan.map((span) => [
    `${span.start} ${span.end}`,
    ...(span.field ?? []).map(({ name, track }) => `${name}${track ?? ''}`),
    ...(span.group ?? []).map(({ name, field: fields = [], group = [] }) => [
      name,
      ...fields.map((each) => each.name),
      ...group.map((each) => [each.name, ...each.field!.map((one) => one.name)]),
    ]),
  ]);

beforeAll(() => {
  item.put({
    timespan: [
      {
        field: [
          {
            name: 'title',
            value: [value('Hafen', { lang: 'de_DE' }), value('Harbour', { lang: 'en_US' }), value('-')],
          },
          { ...field('x_note', 'n'), track: 'A2' },
          { ...field('x_note', 'n'), track: 'V1' },
        ],
        group: [
          {
            name: 'Show',
            field: [field('show_name', 's')],
            group: [{ name: 'Segment', field: [field('seg_title', 't')] }],
          },
        ],
      },
      { start: '10@PAL', end: '20@PAL', field: [field('x_one', '1')] },
      { start: '20@PAL', end: '30@PAL', field: [field('x_two', '2')] },
    ],
  });
});

const all = ['-INF +INF', 'title', 'x_noteA2', 'x_noteV1'];
const show = ['Show', 'show_name', ['Segment', 'seg_title']];

describe('views', () => {
  it.each([
    [
      '',
      [
        [...all, show],
        ['10@PAL 20@PAL', 'x_one'],
        ['20@PAL 30@PAL', 'x_two'],
      ],
    ],
    ['interval=generic', [[...all, show]]],
    [
      'interval=0.5-0.8',
      [
        [...all, show],
        ['10@PAL 20@PAL', 'x_one'],
      ],
    ],
    [
      'interval=0.8-1',
      [
        [...all, show],
        ['20@PAL 30@PAL', 'x_two'],
      ],
    ],
    ['field=title', [['-INF +INF', 'title']]],
    ['field=seg_title', [['-INF +INF', ['Show', ['Segment', 'seg_title']]]]],
    ['field=title:name,x_nobody', [['-INF +INF', 'name', 'x_nobody']]],
    ['field=-title&interval=generic', [['-INF +INF', 'x_noteA2', 'x_noteV1', show]]],
    ['group=Show', [['-INF +INF', ['Show', 'show_name']]]],
    ['group=Show%2B', [['-INF +INF', show]]],
    ['group=-Show,Segment&interval=generic', [all]],
    ['group=Segment&field=title', [['-INF +INF', 'title', ['Show', ['Segment', 'seg_title']]]]],
    ['track=A1-4&interval=generic', [['-INF +INF', 'x_noteA2', ['Show', ['Segment']]]]],
  ])('shows the values that %s asks for', (query, expected) => {
    expect(shape(viewed(query))).toEqual(expected);
  });

  it.each([
    ['language=en_US', ['Harbour']],
    ['language=*_DE,none', ['Hafen', '-']],
    ['language=all', ['Hafen', 'Harbour', '-']],
  ])('shows the values of title that %s asks for', (query, expected) => {
    expect(textsOf(viewed(`${query}&field=title`))).toEqual({ title: expected });
  });

  it('from is inclusive, to is not', () => {
    expect(shape(viewed('from=1970-01-01T00:00:01Z&interval=generic'))).toEqual([[...all, show]]);
    expect(shape(viewed('to=1970-01-01T00:00:01Z&interval=generic'))).toEqual([['-INF +INF', ['Show', ['Segment']]]]);
  });

  it('samplerate converts all times, to decimals where they are no whole number of samples', () => {
    const times = (query: string) => viewed(query).timespan!.map(({ start }) => start);
    expect(times('samplerate=25')).toEqual(['-INF', '10@25', '20@25']);
    expect(times('samplerate=30000:1001')).toEqual(['-INF', '11.988011988@30000:1001', '23.976023976@30000:1001']);
    expect(times('sampleRate=PAL')).toEqual(['-INF', '10@PAL', '20@PAL']);
  });

  it('include adds definitions, and other parameters default values and the start time code', async () => {
    const world = await openMetadata();
    await sendWell(world, {
      ...by('PUT /metadata-field/x_note/metadata/colour', 'red'),
      headers: { 'content-type': 'text/plain' },
    });
    await putItem(world, {
      timespan: [
        { field: [field('x_note', 'n'), field('startTimeCode', '100@PAL')] },
        { start: '10@PAL', end: '+INF', field: [field('x_one', '1')] },
      ],
    });
    expect(textsOf(await getItem(world, '?field=x_time'))).toEqual({ x_time: [] });
    const [span] = (await getItem(world, '?field=x_note,x_time&include=type,colour&defaultValue=true')).timespan!;
    expect(span!.field).toMatchObject([
      { name: 'x_note', data: [{ key: 'colour', value: 'red' }], type: { name: 'x_note', type: 'string' } },
      { name: 'x_time', value: [{ value: '25@PAL' }], type: { type: 'timeCode' } },
    ]);
    expect((await getItem(world, '?starttc=true&field=x_one')).timespan).toMatchObject([
      {},
      { start: '110@PAL', end: '+INF' },
    ]);
    await putItem(world, untimed(field('x_time', '50@PAL')));
    expect(textsOf(await getItem(world, '?field=x_time&samplerate=100'))).toEqual({ x_time: ['200@100'] });
  });
});

describe('instants', () => {
  it.each([
    ['0@PAL', '0/1'],
    ['250@PAL', '10/1'],
    ['3.5', '7/2'],
    ['900000@25', '36000/1'],
    ['30000@NTSC', '1001/1'],
    ['30000@30000:1001', '1001/1'],
    ['30@NTSC30', '1/1'],
    ['-INF', '-INF'],
    ['+INF', '+INF'],
  ])('%s is one instant in every notation', (text, key) => {
    expect(instantOf(text)?.key).toBe(key);
  });

  it.each(['', '1@', '@25', '1@0', '1@25:0', 'INF', '1,5', '1e3', '1@pal', ' 1'])('"%s" is no time code', (text) => {
    expect(instantOf(text)).toBeUndefined();
  });

  it('converts without loss', () => {
    expect(textIn('NTSC', instantOf('1001@1')!)).toBe('30000@NTSC');
    expect(secondsText(instantOf('1@3')!)).toBe('0.333333333');
    expect(shift(instantOf('1@PAL')!, instantOf('1@NTSC')!).key).toBe('2201/30000');
  });
});

describe('uuids', () => {
  it.each([
    ['VX-1', 0],
    ['VX-281474976710655', 1_048_575],
    ['KP-90', 4096],
  ])('that of %s, %i says where it was made', (change, ordinal) => {
    const uuid = uuidOf({ change, ordinal });
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(decodeUuid(uuid)).toEqual({ serial: Number(change.split('-')[1]), ordinal });
  });

  it('of two sites differ, and no two of one change set are equal', () => {
    expect(uuidOf({ change: 'VX-1', ordinal: 1 })).not.toBe(uuidOf({ change: 'KP-1', ordinal: 1 }));
    const many = new Set(Array.from({ length: 20_000 }, (_, ordinal) => uuidOf({ change: 'VX-1', ordinal })));
    expect(many.size).toBe(20_000);
  });
});
