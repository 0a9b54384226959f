import { spawnSync } from 'node:child_process';
import { SaxesParser } from 'saxes';
import { expect, it } from 'vitest';
import { markerForms, rateOfRows } from '../../../src/extensions/review/markers.ts';
import type { MarkerRow } from '../../../src/extensions/review/store.ts';
import { frameAt, timecode as playerCode, secondsOf } from '../../../web/src/player/frames.ts';
import { openWorld, type World } from '../../support/matrix.ts';
import { by, json, send } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { ann, ben, cat, comment, dan, people, place } from './support.ts';

const markers = `${place}/markers`;
const at = (query: string, headers = {}, as = cat) => ({ as, request: `GET ${markers}${query}`, headers });

/** Ann has two comments with times, the later one first, and one without. */
async function open(...more: readonly object[]): Promise<World> {
  const world = await openWorld('fetch');
  await prepare(world, [
    ...people,
    comment({ text: 'Cut here', start: '500@PAL', end: '525@PAL' }, ann),
    comment({ text: 'Dark, "very"\nand <b>loud</b>', start: '10', rectangle: 'percent:1,2,3,4', assignedTo: 'ann' }),
    comment({ text: 'All of it' }),
    ...more.map((body) => comment(body)),
  ]);
  return world;
}

const marked = (start: string | null, end: string | null): MarkerRow => ({
  ...{ id: 'VX-1', parent: null, start, end, text: 'Dark', state: 'open', user: 'ann', assignee: null },
  ...{ rectangle: null, essenceVersion: null, createdAt: 0, realName: null, assigneeRealName: null },
});

interface Mark {
  readonly name: string;
  readonly color: string;
  readonly marked_range: {
    readonly start_time: { readonly value: number };
    readonly duration: { readonly value: number };
  };
  readonly metadata: { readonly portico: { readonly id: string; readonly state: string } };
}

/** Rows of a sheet by RFC 4180. */
function rowsOf(csv: string): string[][] {
  const rows: string[][] = [];
  for (let rest = csv; rest !== ''; ) {
    const row: string[] = [];
    for (let ends = false; !ends; ) {
      const [whole, quoted, plain = '', end] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest)!;
      row.push(quoted?.replaceAll('""', '"') ?? plain);
      ends = end === '\r\n';
      rest = rest.slice(whole.length);
    }
    rows.push(row);
  }
  return rows;
}

it('a sheet has all annotations, and reads back as it was meant', async () => {
  const world = await open();
  const { body, headers } = await send(world, at('', { accept: 'text/csv' }));
  expect(headers.get('content-type')).toBe('text/csv; charset=UTF-8');
  expect(headers.get('content-disposition')).toContain('untitled.csv');
  const [heads, ...rows] = rowsOf(body);
  expect(heads).toHaveLength(13);
  expect(rows.map((row) => [row[0], row[2], row[3], row[7], row[8], row[12]])).toEqual([
    ['VX-3', '', '', 'ben', '', 'All of it'],
    ['VX-2', '00:00:10:00', '00:00:10:01', 'ben', 'ann', 'Dark, "very"\nand <b>loud</b>'],
    ['VX-1', '00:00:20:00', '00:00:21:00', 'ann', '', 'Cut here'],
  ]);
});

it('a sheet counts versions from 1, has replies behind their comments, and mentions by real names', async () => {
  const world = await open({ text: 'Yes, @ben.', parent: 'VX-1' }, { text: 'No, @nobody', parent: 'VX-2' });
  await prepare(world, [
    by('PUT /user/ben', { userName: 'ben', realName: 'Ben Berg' }, json),
    by(`PUT ${place}/VX-1`, { state: 'done' }, json, ann),
  ]);
  const [, ...rows] = rowsOf((await send(world, at('?format=csv'))).body);
  expect(rows.map((row) => [row[0], row[1], row[6], row[10], row[12]])).toEqual([
    ['VX-3', '', 'open', '1', 'All of it'],
    ['VX-2', '', 'open', '1', 'Dark, "very"\nand <b>loud</b>'],
    ['VX-5', 'VX-2', 'open', '1', 'No, @nobody'],
    ['VX-1', '', 'done', '1', 'Cut here'],
    ['VX-4', 'VX-1', 'done', '1', 'Yes, @Ben Berg.'],
  ]);
});

it('an edit decision list has an event and a marker for each time, in its order', async () => {
  const world = await open();
  const { body } = await send(world, at('?format=edl', { accept: '*/*' }));
  expect(new Set(body.match(/^\* ITEM: .*$/gm))).toEqual(new Set(['* ITEM: VX-1']));
  const lines = body.split('\r\n');
  expect(lines.slice(0, 2)).toEqual(['TITLE: VX-1', 'FCM: NON-DROP FRAME']);
  const events = lines.flatMap(
    (line) => /^(\d{3}) {2}\S+ +V +C +(\S+) (\S+) (\S+) (\S+)$/.exec(line)?.slice(1, 6).join(' ') ?? [],
  );
  expect(events).toEqual([
    '001 00:00:10:00 00:00:10:01 00:00:10:00 00:00:10:01',
    '002 00:00:20:00 00:00:21:00 00:00:20:00 00:00:21:00',
  ]);
  expect(lines.filter((line) => line.startsWith('* LOC: '))).toEqual([
    '* LOC: 00:00:10:00 BLUE    ben: Dark, "very" and <b>loud</b>',
    '* LOC: 00:00:20:00 BLUE    ann: Cut here',
  ]);
  expect(lines).toContain(' |C:ResolveColorBlue |M:ann: Cut here |D:25');
});

/** Records of events, in pictures of 25 a second. */
const eventsIn = (edl: string): readonly { from: number; until: number; length: number }[] =>
  [...edl.matchAll(/^\d{3} .* (\S+) (\S+)\r\n(?:\*.*\r\n)* \|C:.*\|D:(\d+)\r$/gm)].map(([, from, until, length]) => {
    const pictures = (code = '') => code.split(':').reduce((sum, part, at) => sum * (at === 3 ? 25 : 60) + +part, 0);
    return { from: pictures(from), until: pictures(until), length: Number(length) };
  });

it('marks that overlap are events of one track, one after another, with their own times and lengths', async () => {
  const world = await open(
    { text: 'long', start: '250@PAL', end: '1000@PAL' },
    { text: 'same', start: '500@PAL', end: '525@PAL' },
    { text: 'next', start: '501@PAL' },
    { text: 'free', start: '40' },
  );
  const { body } = await send(world, at('?format=edl'));
  expect(eventsIn(body)).toEqual([
    { from: 250, until: 251, length: 1 },
    { from: 251, until: 500, length: 750 },
    { from: 500, until: 501, length: 25 },
    { from: 501, until: 502, length: 25 },
    { from: 502, until: 503, length: 1 },
    { from: 1000, until: 1001, length: 1 },
  ]);
  const times = [...body.matchAll(/^\* LOC: (\S+) BLUE +\w+: (\w+)/gm)].map(([, time, word]) => `${word} ${time}`);
  expect(times).toEqual([
    'Dark 00:00:10:00',
    'long 00:00:10:00',
    'Cut 00:00:20:00',
    'same 00:00:20:00',
    'next 00:00:20:01',
    'free 00:00:40:00',
  ]);
});

it('OpenTimelineIO has a clip of the item with a marker for each time', async () => {
  const world = await open({ text: 'x', start: '30', parent: 'VX-1' });
  await send(world, by(`PUT ${place}/VX-1`, { state: 'done' }, json, ann));
  const { body, headers } = await send(world, at('', { accept: 'application/vnd.pixar.opentimelineio+json' }));
  expect(headers.get('content-disposition')).toContain('untitled.otio');
  const timeline = JSON.parse(body);
  const [clip] = timeline.tracks.children[0].children;
  expect([timeline.OTIO_SCHEMA, timeline.name, clip.OTIO_SCHEMA]).toEqual(['Timeline.1', 'VX-1', 'Clip.2']);
  expect(clip.source_range.duration).toEqual({ OTIO_SCHEMA: 'RationalTime.1', rate: 25, value: 751 });
  const marks = clip.markers.map(
    ({ name, color, marked_range: { start_time, duration }, metadata: { portico } }: Mark) =>
      [name, color, start_time.value, duration.value, portico.id, portico.state].join(' | '),
  );
  expect(marks).toEqual([
    'ben: Dark, "very" and <b>loud</b> | RED | 250 | 1 | VX-2 | open',
    'ann: Cut here | GREEN | 500 | 25 | VX-1 | done',
    'ben: x | RED | 750 | 1 | VX-4 | open',
  ]);
  expect(clip.markers[0].comment).toBe('Dark, "very"\nand <b>loud</b>');
});

it('Final Cut Pro XML has a marker for each time, as fractions of the rate', async () => {
  const world = await open({ text: 'x', start: '30', parent: 'VX-1' });
  await send(world, by(`PUT ${place}/VX-1`, { state: 'done' }, json, ann));
  const { body } = await send(world, at('?format=fcpxml'));
  const found: Record<string, string>[] = [];
  const names: string[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    names.push(name);
    if (name === 'marker') found.push(attributes as Record<string, string>);
  });
  parser.write(body).close();
  expect(names.slice(0, 9)).toEqual([
    'fcpxml',
    'resources',
    'format',
    'library',
    'event',
    'project',
    'sequence',
    'spine',
    'gap',
  ]);
  expect(found).toEqual([
    { start: '250/25s', duration: '1/25s', value: 'Dark, "very" and <b>loud</b>', note: 'ben', completed: '0' },
    { start: '500/25s', duration: '25/25s', value: 'Cut here', note: 'ann', completed: '1' },
    { start: '750/25s', duration: '1/25s', value: 'x', note: 'ben', completed: '0' },
  ]);
});

it('WebVTT has a cue for each time, in which nothing is a tag or another cue', async () => {
  const world = await open({ text: 'a\n\n00:00:01.000 --> 00:00:02.000\nb & c', start: '1.5', end: '3661.25' });
  const { body } = await send(world, at('', { accept: 'text/vtt' }));
  const cues = body
    .split('\n\n')
    .slice(1)
    .map((cue) => cue.trimEnd().split('\n'));
  expect(cues).toEqual([
    ['VX-4', '00:00:01.500 --> 01:01:01.250', 'ben: a', '00:00:01.000 --&gt; 00:00:02.000', 'b &amp; c'],
    ['VX-2', '00:00:10.000 --> 00:00:10.040', 'ben: Dark, "very"', 'and &lt;b&gt;loud&lt;/b&gt;'],
    ['VX-1', '00:00:20.000 --> 00:00:21.000', 'ann: Cut here'],
  ]);
});

/** Time codes of the player, and of what guests see. */
it.each([
  ['1.5', '25@25', '00:00:01:12'],
  ['37@25', '25@25', '00:00:01:12'],
  ['1.479999', '25@25', '00:00:01:12'],
  ['0.0333', '1@30000:1001', '00:00:00:00'],
  ['0.033366', '1@30000:1001', '00:00:00:01'],
])('a mark at %s, counted as %s, is at the frame that the player shows: %s', (start, counted, timeCode) => {
  const rows = [marked(counted, null), marked(start, null)];
  const rate = rateOfRows(rows);
  const [mark] = [...markerForms.csv.texts({ item: 'VX-1', title: 'a', rate, rows: rows.slice(1) })]
    .slice(1)
    .map((row) => row.split(','));
  expect(mark![2]).toBe(timeCode);
  const { numerator, denominator } = {
    numerator: rate.ntsc ? rate.frames * 1000 : rate.frames,
    denominator: rate.ntsc ? 1001 : 1,
  };
  const seen = frameAt(secondsOf(start, 0), { numerator, denominator });
  expect(playerCode(seen, { rate: { numerator, denominator }, drop: false, start: 0 })).toBe(timeCode);
});

const canRun = (program: string, ...args: readonly string[]): boolean => spawnSync(program, args).status === 0;

function output(program: string, args: readonly string[], input: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' });
  expect([program, status], stderr).toEqual([program, 0]);
  return stdout;
}

const script = `
import csv, io, json, sys, xml.etree.ElementTree as tree
forms = json.load(sys.stdin)
rows = [[row['timecode in'], row['text']] for row in csv.DictReader(io.StringIO(forms['csv'], newline=''), strict=True)]
markers = [[each.get('start'), each.get('value')] for each in tree.fromstring(forms['fcpxml']).iter('marker')]
json.dump({'rows': rows, 'markers': markers}, sys.stdout)
`;

it.skipIf(!canRun('python3', '-c', ''))('Python reads the sheet and the XML as they were meant', async () => {
  const world = await open({ text: '&amp; <é> 💬', start: '30' });
  const [csv, fcpxml] = [await send(world, at('?format=csv')), await send(world, at('?format=fcpxml'))];
  const input = JSON.stringify({ csv: csv.body, fcpxml: fcpxml.body });
  expect(JSON.parse(output('python3', ['-c', script], input))).toEqual({
    rows: [
      ['', 'All of it'],
      ['00:00:10:00', 'Dark, "very"\nand <b>loud</b>'],
      ['00:00:20:00', 'Cut here'],
      ['00:00:30:00', '&amp; <é> 💬'],
    ],
    markers: [
      ['250/25s', 'Dark, "very" and <b>loud</b>'],
      ['500/25s', 'Cut here'],
      ['750/25s', '&amp; <é> 💬'],
    ],
  });
});

const otioPython = process.env['PORTICO_OTIO_PYTHON'] ?? 'python3';
const otioScript = `
import json, sys, opentimelineio as otio
forms = json.load(sys.stdin)
def marks(text, adapter, **options):
    timeline = otio.adapters.read_from_string(text, adapter, **options)
    return [[mark.name, mark.marked_range.start_time.value, mark.marked_range.start_time.rate]
            for clip in timeline.find_clips() for mark in clip.markers]
again = otio.adapters.read_from_string(forms['otio'], 'otio_json')
written = otio.adapters.write_to_string(again, 'otio_json')
json.dump({'edl': marks(forms['edl'], 'cmx_3600', rate=25), 'otio': marks(written, 'otio_json')}, sys.stdout)
`;
const hasOtio = canRun(otioPython, '-c', 'import opentimelineio, otio_cmx3600_adapter');
const without = hasOtio
  ? ''
  : ': not run, PORTICO_OTIO_PYTHON names no Python with opentimelineio and otio-cmx3600-adapter';

it.skipIf(!hasOtio)(`OpenTimelineIO reads marks that overlap from both of its forms${without}`, async () => {
  const world = await open(
    { text: 'long', start: '250@PAL', end: '1000@PAL' },
    { text: '&amp; <é> 💬', start: '500@PAL', end: '525@PAL' },
    { text: 'a\u2028002  X V C 00:00:00:00', start: '501@PAL' },
  );
  const [edl, otio] = [await send(world, at('?format=edl')), await send(world, at('?format=otio'))];
  const expected = [
    ['ben: Dark, "very" and <b>loud</b>', 250, 25],
    ['ben: long', 250, 25],
    ['ann: Cut here', 500, 25],
    ['ben: &amp; <é> 💬', 500, 25],
    ['ben: a 002  X V C 00:00:00:00', 501, 25],
  ];
  const input = JSON.stringify({ edl: edl.body, otio: otio.body });
  expect(JSON.parse(output(otioPython, ['-c', otioScript], input))).toEqual({ edl: expected, otio: expected });
});

it.skipIf(!canRun('ffmpeg', '-version'))('FFmpeg reads the cues of WebVTT as they were meant', async () => {
  const world = await open({ text: '&amp; <é>\n\n00:00:01.000 --> 00:00:02.000', start: '30' });
  const { body } = await send(world, at('?format=vtt'));
  const cues = output('ffmpeg', ['-v', 'error', '-f', 'webvtt', '-i', 'pipe:0', '-f', 'srt', 'pipe:1'], body);
  expect(cues.trim().replaceAll('\r', '').split('\n\n')).toEqual([
    '1\n00:00:10,000 --> 00:00:10,040\nben: Dark, "very"\nand <b>loud</b>',
    '2\n00:00:20,000 --> 00:00:21,000\nann: Cut here',
    '3\n00:00:30,000 --> 00:00:30,040\nben: &amp; <é>\n00:00:01.000 --> 00:00:02.000',
  ]);
});

it('markers count in the rate of the first time code that has one', async () => {
  const world = await openWorld('fetch');
  await prepare(world, [
    ...people,
    comment({ text: 'a', start: '900@30000:1001' }),
    comment({ text: 'b', start: '1' }),
  ]);
  const { body } = await send(world, at('?format=fcpxml'));
  expect(body).toContain('frameDuration="1001/30000s"');
  expect(body).toContain('<marker start="900900/30000s"');
});

it('markers are chosen by state, user and version', async () => {
  const world = await open();
  const { body } = await send(world, at('?format=csv&assignedTo=ann'));
  expect(
    rowsOf(body)
      .slice(1)
      .map(([id]) => id),
  ).toEqual(['VX-2']);
});

it('a sheet is by time, with people as they are called, and replies go with their comments', async () => {
  const world = await open({ text: 'Yes', parent: 'VX-1' });
  await send(world, by(`PUT ${place}/VX-1`, { state: 'done', assignedTo: 'ben' }, json, ann));
  await send(world, by('PUT /API/user/ben', { userName: 'ben', realName: 'Ben Berg' }));
  const idsOf = async (query: string) =>
    rowsOf((await send(world, at(`?format=csv${query}`))).body)
      .slice(1)
      .map((row) => row[0]);
  expect(await idsOf('')).toEqual(['VX-3', 'VX-2', 'VX-1', 'VX-4']);
  expect(await idsOf('&state=done')).toEqual(['VX-1', 'VX-4']);
  expect(await idsOf('&state=open')).toEqual(['VX-3', 'VX-2']);
  const { body } = await send(world, at('?format=csv&state=done'));
  expect(rowsOf(body)[1]!.slice(6, 9)).toEqual(['done', 'ann', 'Ben Berg']);
});

it('a user who may not read the item exports its markers', async () => {
  const world = await open();
  const { status, body } = await world.send(at('?format=csv', {}, dan));
  expect(status).toBe(403);
  expect(body).not.toContain('Cut here');
});

it.each([
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t'=1"],
  ['Fine;=1+1', "Fine;'=1+1"],
])('a comment is a formula in a sheet: %j', async (text, cell) => {
  const world = await openWorld('fetch');
  await prepare(world, [...people, comment({ text })]);
  const { body } = await send(world, at('?format=csv'));
  expect(rowsOf(body)[1]!.at(-1)).toBe(cell);
});

it('a comment forges an event of an edit decision list', async () => {
  const world = await openWorld('fetch');
  await prepare(world, [...people, comment({ text: 'a\r\n002  X V C 00:00:00:00 | |D:9', start: '1' })]);
  const { body } = await send(world, at('?format=edl'));
  expect(body.split('\r\n').filter((line) => /^\d{3} /.test(line))).toHaveLength(1);
  expect(body).toContain('|M:ben: a 002  X V C 00:00:00:00 / /D:9 |D:1\r\n');
});

it('more annotations than a form can have are refused', async () => {
  const world = await openWorld('fetch');
  await prepare(world, people);
  const sql = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO annotation (id, serial, item_id, start, text, state, user_id, user, created_at, changed_at, version)
    SELECT 'T-' || i, i, 'VX-1', i || '@PAL', 'a', 'open', '', 'x', 0, 0, 1 FROM n`;
  await world.service.store.commit({ changes: [{ sql, args: [] }], events: [] }, { user: 'test' });
  const tooMany = await world.send(at('?format=edl', {}, ben));
  expect([tooMany.status, tooMany.body]).toEqual([400, expect.stringContaining('Expected at most 999 annotations')]);
  expect((await send(world, at('?format=fcpxml'))).body.split('<marker ')).toHaveLength(1001);
});

it('an attack: absurd times of rows of earlier versions put no numbers into markers that nobody reads', () => {
  const absurd = ['999999999999999999@1:9999999999', '999999999999999999.999999999999999999', '-1', '+INF', 'noon'];
  for (const [name, form] of Object.entries(markerForms)) {
    const rows = absurd.flatMap((time) => [marked(time, null), marked('1', time), marked(time, time)]);
    const text = [...form.texts({ item: 'VX-1', title: 't', rate: rateOfRows(rows), rows })].join('');
    const plain = name === 'csv' ? text.replaceAll(/^(?:[^,]*,){4}|[^,]*,open/gm, '') : text;
    expect(plain, name).not.toMatch(/NaN|Infinity|undefined|\de[+-]?\d|-\d+:/);
  }
});
