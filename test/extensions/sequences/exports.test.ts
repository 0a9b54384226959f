import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { newItem } from '../../support/assets.ts';
import type { Answer, Sent, World } from '../../support/matrix.ts';
import { openWorld } from '../../support/matrix.ts';
import { by, done, json, send, xml } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { itemWith, openExports, titled } from '../../support/transfers.ts';
import { exporter, givenTo, owner, stranger } from '../../support/world.ts';

const at = (samples: number, [numerator, denominator]: readonly number[] = [1, 25]) => ({
  samples,
  timeBase: { numerator, denominator },
});
/** Pictures in the sequence, and where they begin in the item. */
const segment = (item: string, from: number, to: number, source = 0, more: object = {}) => ({
  item,
  sourceTrack: 1,
  in: at(from),
  out: at(to),
  sourceIn: at(source),
  sourceOut: at(source + to - from),
  ...more,
});
const cuts = {
  track: [
    { segment: [segment('VX-2', 0, 50, 250), segment('VX-3', 75, 100)] },
    { audio: true, segment: [segment('VX-2', 0, 50, 250, { sourceTrack: 2 })] },
  ],
};

/** As many parts of one item, one behind the other. */
const many = (count: number) => ({
  track: [{ segment: Array.from({ length: count }, (_, index) => segment('VX-2', index, index + 1)) }],
});

/** The items VX-1 with the sequence, VX-2 with a title, and VX-3 with nothing but a file name. */
async function started(sequence: object = cuts): Promise<World> {
  const world = await openWorld('fetch');
  for (const person of givenTo('assets')) await send(world, person);
  for (const name of ['owner', 'stranger']) await send(world, by(`PUT /API/group/_sequence_read/user/${name}`));
  for (let made = 0; made < 3; made++) await send(world, newItem());
  const named = async (id: string, name: string, text: string) => {
    const timespan = [{ start: '-INF', end: '+INF', field: [{ name, value: [{ value: text }] }] }];
    await send(world, by(`PUT /API/item/${id}/metadata`, { timespan }));
  };
  await named('VX-1', 'title', 'Evening news');
  await named('VX-2', 'title', 'Harbour\n002  X V C <&>');
  await send(
    world,
    by('POST /API/item/VX-3/shape/create?tag=original&updateItemMetadata=true', {
      videoComponent: [{ codec: 'h264' }],
      metadata: { field: [{ key: 'originalFilename', value: 'bridge.mov' }] },
    }),
  );
  await send(world, by('PUT /API/item/VX-1/sequence/vidispine', sequence));
  return world;
}

const asked = (world: World, request: string, body?: Sent['body'], as = admin): Promise<Answer> =>
  world.send(by(request, body, json, as));

const list = [
  'TITLE: Evening news',
  'FCM: NON-DROP FRAME',
  '',
  '001  VX2      V     C        00:00:10:00 00:00:12:00 00:00:00:00 00:00:02:00',
  '* FROM CLIP NAME: Harbour 002  X V C <&>',
  '* ITEM: VX-2',
  '002  VX2      A     C        00:00:10:00 00:00:12:00 00:00:00:00 00:00:02:00',
  '* FROM CLIP NAME: Harbour 002  X V C <&>',
  '* ITEM: VX-2',
  '003  VX3      V     C        00:00:00:00 00:00:01:00 00:00:03:00 00:00:04:00',
  '* FROM CLIP NAME: bridge.mov',
  '* ITEM: VX-3',
  '',
].join('\r\n');

describe('a sequence as an EDL', () => {
  it.each(['GET', 'POST'])('is a list of cuts that %s answers, and nothing happens', async (method) => {
    const world = await started();
    const before = await world.sequence();
    const answer = await asked(world, `${method} /API/item/VX-1/sequence/export?type=edl`);
    expect([answer.status, answer.body]).toEqual([200, list]);
    expect(answer.headers.get('content-type')).toMatch('text/plain');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="Evening news.edl"/);
    expect(await world.events(before)).toEqual([]);
  });

  it('counts its sources from the first time code of their media', async () => {
    const { body } = await asked(await timed(), 'GET /API/item/VX-1/sequence/export?type=edl');
    expect(body).toBe(list.replaceAll('00:00:10:00 00:00:12:00', '01:00:10:00 01:00:12:00'));
  });

  it('names the media where the caller tells it, and takes the sequence and the format of the body', async () => {
    const world = await started();
    const item = [{ id: 'VX-2', path: '/media/harbour.mxf\r\n003  X' }];
    const sequence = { track: [{ segment: [segment('VX-2', 0, 25)] }] };
    const inItem = await asked(world, 'POST /API/item/VX-1/sequence/export', { item, sequence, format: 'cmx3600' });
    expect(inItem.body.split('\r\n')).toContain('* SOURCE FILE: /media/harbour.mxf 003  X');
    expect(inItem.body).toMatch(/^TITLE: Evening news\r\n/);
    const alone = await asked(world, 'POST /API/sequence/export?type=edl', { item, sequence });
    expect([alone.status, alone.body]).toEqual([200, inItem.body.replace('Evening news', 'sequence')]);
  });

  it('numbers reels that are too long, and counts pictures of 29.97 as they are', async () => {
    const world = await started();
    await world.service.store.commit(
      {
        changes: [{ sql: `INSERT INTO item (id, serial, created_at) VALUES ('VX-1234567', 1234567, 0)`, args: [] }],
        events: [],
      },
      { user: 'test' },
    );
    const ntsc = [1001, 30000];
    const track = [
      {
        segment: [
          { item: 'VX-1234567', sourceTrack: 1, in: at(0, ntsc), out: at(1800, ntsc), sourceIn: at(1001, [1, 1000]) },
        ],
      },
    ];
    const { body } = await asked(world, 'POST /API/sequence/export?type=edl', { sequence: { track } });
    expect(body).toContain('001  R0000001 V     C        00:00:01:00 00:01:01:00 00:00:00:00 00:01:00:00\r\n');
  });

  it('has a place for four tracks of sound', async () => {
    const sound = Array.from({ length: 4 }, () => ({ audio: true, segment: [segment('VX-2', 0, 25)] }));
    const world = await started({ track: sound });
    const { body } = await asked(world, 'GET /API/item/VX-1/sequence/export?type=edl');
    const events = body.split('\r\n').filter((line) => /^(?:\d{3}|AUD) /.test(line));
    expect(events.map((line) => line.slice(0, 19).trim())).toEqual([
      '001  VX2      A',
      '002  VX2      A2',
      '003  VX2      NONE',
      'AUD   3',
      '004  VX2      NONE',
      'AUD   4',
    ]);
  });

  it.each([
    ['two tracks of pictures', { track: [cuts.track[0], cuts.track[0]] }, 'at most one track of pictures'],
    ['an effect', { track: [{ segment: [segment('VX-2', 0, 5, 0, { effect: [{ name: 'blur' }] })] }] }, 'no effect'],
    [
      'a transition',
      { track: [{ ...cuts.track[0], transition: [{ in: at(40), out: at(50), transition: 'dissolve' }] }] },
      'hard cuts alone',
    ],
    [
      'a part that is slowed down',
      { track: [{ segment: [segment('VX-2', 0, 50, 0, { sourceOut: at(25) })] }] },
      '50 pictures',
    ],
    [
      'parts over each other',
      { track: [{ segment: [segment('VX-2', 0, 50), segment('VX-3', 49, 60)] }] },
      'begins behind',
    ],
    ['no times', { track: [{ segment: [{ item: 'VX-2', sourceTrack: 1 }] }] }, 'the elements \\"in\\" and \\"out\\"'],
    [
      'times that no program counts',
      { track: [{ segment: [{ ...segment('VX-2', 0, 1), in: at(0, [1, 1000]) }] }] },
      '1001/30000',
    ],
    ['a time before the start', { track: [{ segment: [segment('VX-2', 0, 50, -1)] }] }, 'a time from 0 within a day'],
    ['nothing', {}, 'segments with the elements'],
  ])('refuses %s, and a dry run tells it', async (_title, sequence, part) => {
    const world = await started(sequence);
    const answer = await asked(world, 'GET /API/item/VX-1/sequence/export?type=edl');
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining(part)]);
    const dry = await asked(world, 'GET /API/item/VX-1/sequence/export?type=edl&dryRun=true');
    expect(dry.status).toBe(200);
    expect(dry.body).toContain(part.replaceAll('\\"', '"'));
    expect(dry.body).toMatch(/<ExportStatusDocument[^>]*><problem><type>/);
  });

  it('has at most 999 events, and a sequence at most 1000 segments', async () => {
    const world = await started();
    const status = async (count: number, type: string) =>
      (await asked(world, `POST /API/sequence/export?type=${type}`, { sequence: many(count) })).status;
    expect([await status(999, 'edl'), await status(1000, 'edl')]).toEqual([200, 400]);
    expect([await status(1000, 'fcp'), await status(1001, 'fcp')]).toEqual([200, 400]);
  });
});

describe('a sequence as XML of Final Cut Pro 7', () => {
  it('has the cuts of each track, and each file once', async () => {
    const world = await started();
    const item = [{ id: 'VX-2', path: 'file://localhost/media/harbour%20&.mxf' }];
    const answer = await asked(world, 'POST /API/item/VX-1/sequence/export?type=fcp', { item });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch('application/xml');
    const { body } = answer;
    expect(body).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<!DOCTYPE xmeml>\n<xmeml version="5"><sequence id="VX-1">/,
    );
    expect(body).toContain(
      '<name>Evening news</name><duration>100</duration><rate><timebase>25</timebase><ntsc>FALSE</ntsc></rate>',
    );
    expect(body.match(/<clipitem id="[^"]+">/g)).toEqual(['1', '2', '3'].map((id) => `<clipitem id="clipitem-${id}">`));
    expect(body).toContain('<start>0</start><end>50</end><in>250</in><out>300</out><file id="file-1"><name>');
    expect(body).toContain('<pathurl>file://localhost/media/harbour%20&amp;.mxf</pathurl>');
    expect(body.match(/<file id="file-1"\/>/g)).toHaveLength(1);
    expect(body).toContain('<sourcetrack><mediatype>audio</mediatype><trackindex>2</trackindex></sourcetrack>');
    expect(body).toContain('<media><video></video><audio></audio></media>');
    expect(body.match(/<track>/g)).toHaveLength(2);
    expect(body).toContain('002  X V C &lt;&amp;&gt;');
  });

  it('tells 29.97 pictures a second apart from 30', async () => {
    const world = await started();
    const of = async (base: number[]) => {
      const track = [{ segment: [{ item: 'VX-2', sourceTrack: 1, in: at(0, base), out: at(30, base) }] }];
      const { body } = await asked(world, 'POST /API/sequence/export?type=xmeml', { sequence: { track } });
      return /<rate>.*?<\/rate>/.exec(body)?.[0];
    };
    expect(await of([1, 30])).toBe('<rate><timebase>30</timebase><ntsc>FALSE</ntsc></rate>');
    expect(await of([1001, 30000])).toBe('<rate><timebase>30</timebase><ntsc>TRUE</ntsc></rate>');
  });
});

const otioPython = process.env['PORTICO_OTIO_PYTHON'] ?? 'python3';
const hasOtio = spawnSync(otioPython, ['-c', 'import opentimelineio']).status === 0;
const otioScript = `
import json, sys, opentimelineio as otio
timeline = otio.adapters.read_from_string(sys.stdin.read(), 'otio_json')
timeline = otio.adapters.read_from_string(otio.adapters.write_to_string(timeline, 'otio_json'), 'otio_json')
json.dump([[track.name, track.kind, clip.name, clip.range_in_parent().start_time.value, clip.source_range.start_time.to_timecode(),
  clip.duration().value, getattr(clip.media_reference, 'target_url', None), clip.metadata['portico']['item']]
  for track in timeline.tracks for clip in track.find_clips()], sys.stdout)
`;

const partsScript = `
import json, sys, opentimelineio as otio
timeline = otio.adapters.read_from_string(sys.stdin.read(), 'otio_json')
def told(child):
  if isinstance(child, otio.schema.Transition):
    return ['Transition', child.transition_type, child.in_offset.value, child.out_offset.value]
  range = child.range_in_parent()
  effects = [[type(effect).__name__, effect.time_scalar] for effect in child.effects]
  return [type(child).__name__, range.start_time.value, range.duration.value, effects]
json.dump([told(child) for child in timeline.tracks[0]], sys.stdout)
`;

const duration = at(10_000);
/** The item has an hour as its first time code. */
async function timed(): Promise<World> {
  const world = await started();
  const container = { containerComponent: { duration } };
  await send(world, by('POST /API/item/VX-2/shape/create?tag=original&updateItemMetadata=true', container));
  const field = [{ name: 'startTimeCode', value: [{ value: '90000@25' }] }];
  await send(world, by('PUT /API/item/VX-2/metadata', { timespan: [{ start: '-INF', end: '+INF', field }] }));
  return world;
}

describe('a sequence as OpenTimelineIO', () => {
  it('has the cuts in time codes of the media, gaps, and references to media that may be missing', async () => {
    const world = await timed();
    const item = [{ id: 'VX-2', path: 'file:///media/harbour.mxf' }];
    const answer = await asked(world, 'POST /API/item/VX-1/sequence/export?type=otio', { item });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('opentimelineio'),
    ]);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="Evening news.otio"/);
    const timeline = JSON.parse(answer.body);
    const [video, audio] = timeline.tracks.children;
    const [clip, gap, last] = video.children;
    const time = (value: number) => ({ OTIO_SCHEMA: 'RationalTime.1', rate: 25, value });
    const range = (from: number, length: number) => ({
      OTIO_SCHEMA: 'TimeRange.1',
      duration: time(length),
      start_time: time(from),
    });
    expect([timeline.OTIO_SCHEMA, timeline.name, timeline.tracks.OTIO_SCHEMA]).toEqual([
      ...['Timeline.1', 'Evening news', 'Stack.1'],
    ]);
    expect([video.kind, video.name, audio.kind, audio.name]).toEqual(['Video', 'V1', 'Audio', 'A1']);
    expect(clip).toEqual({
      OTIO_SCHEMA: 'Clip.2',
      name: 'Harbour 002  X V C <&>',
      source_range: range(90_250, 50),
      media_references: {
        DEFAULT_MEDIA: {
          OTIO_SCHEMA: 'ExternalReference.1',
          name: 'Harbour 002  X V C <&>',
          target_url: 'file:///media/harbour.mxf',
          available_range: range(90_000, 10_000),
        },
      },
      active_media_reference_key: 'DEFAULT_MEDIA',
      markers: [],
      metadata: { portico: { item: 'VX-2', sourceTrack: 1 }, cmx_3600: { reel: 'VX2' } },
    });
    expect(gap).toEqual({ OTIO_SCHEMA: 'Gap.1', source_range: range(0, 25) });
    expect(last.media_references.DEFAULT_MEDIA).toEqual({
      ...{ OTIO_SCHEMA: 'MissingReference.1', name: 'bridge.mov', available_range: null },
    });
    expect(audio.children[0].metadata.portico.sourceTrack).toBe(2);
    await send(world, by('PUT /API/item/VX-1/sequence/otio', 'kept'));
    expect((await asked(world, 'GET /API/item/VX-1/sequence/export?type=otio')).body).toBe('kept');
  });

  /** Parts at half, at a third and at double speed, a still, and transitions at the begin, at cuts and at the end. */
  const changed = {
    track: [
      {
        segment: [
          segment('VX-2', 0, 50, 0, { sourceOut: at(25) }),
          segment('VX-2', 50, 100, 0, { sourceOut: at(16_667, [1, 25_000]) }),
          segment('VX-3', 110, 120, 0, { sourceOut: at(20) }),
          segment('VX-3', 120, 130, 5, { sourceOut: at(5) }),
        ],
        transition: [
          { in: at(0), out: at(5), transition: 'dissolve' },
          { in: at(44), out: at(56), transition: 'wipe', wipe: 7, reverse: true },
          { in: at(95), out: at(105), transition: 'dissolve' },
          { in: at(125), out: at(130), transition: 'dissolve' },
        ],
      },
    ],
  };

  it('has transitions and other speeds, which come back as they were', async () => {
    const world = await openExports();
    const exporting = async (body: object) =>
      (await world.send(by('POST /API/sequence/export?type=otio', body, json))).body;
    const items = [await titled(world), await titled(world, 'Bridge')];
    const own = JSON.parse(JSON.stringify(changed).replaceAll('VX-2', items[0]!).replaceAll('VX-3', items[1]!));
    const written = await exporting({ sequence: own });
    const { children } = JSON.parse(written).tracks.children[0];
    expect(
      children.map((child: Record<string, never>) => [
        child['OTIO_SCHEMA'],
        (child['effects']?.[0] as { time_scalar: number } | undefined)?.time_scalar ?? child['transition_type'] ?? '',
      ]),
    ).toEqual([
      ['Transition.1', 'SMPTE_Dissolve'],
      ['Clip.2', 0.5],
      ['Transition.1', 'Custom_Transition'],
      ['Clip.2', 0.33334],
      ['Transition.1', 'SMPTE_Dissolve'],
      ['Gap.1', ''],
      ['Clip.2', 2],
      ['Clip.2', 0],
      ['Transition.1', 'SMPTE_Dissolve'],
    ]);
    world.from.put('own.otio', written);
    const uri = encodeURIComponent('memory:///in/own.otio');
    const answer = await world.send(by(`POST /API/import/project/sequence?uri=${uri}`, {}, json));
    expect(answer.status, answer.body).toBe(200);
    const id = (JSON.parse(answer.body) as { uri: string[] }).uri[0]!;
    const again = await world.send(by(`POST /API/item/${id}/sequence/export?type=otio`, {}, json));
    expect(JSON.parse(again.body).tracks).toEqual(JSON.parse(written).tracks);
  });

  it('keeps names and marks of clips, and the time code that it begins with', async () => {
    const world = await openExports();
    const item = await titled(world);
    const marks = { marker: [{ in: at(5), out: at(5), name: 'Cough', color: 'PINK', comment: 'Cut here' }] };
    const own = {
      start: at(90_000),
      track: [{ segment: [segment(item, 0, 50, 0, { name: 'Take 3', ...marks }), segment(item, 50, 60, 0)] }],
    };
    const exporting = async (target: string, body: object) =>
      JSON.parse((await world.send(by(`POST /API/${target}sequence/export?type=otio`, body, json))).body);
    const written = await exporting('', { sequence: own });
    const [named, plain] = written.tracks.children[0].children;
    const { start_time: start } = named.source_range;
    expect(written.global_start_time).toEqual({ OTIO_SCHEMA: 'RationalTime.1', rate: 25, value: 90_000 });
    expect([named.name, plain.name, plain.markers]).toEqual(['Take 3', plain.media_references.DEFAULT_MEDIA.name, []]);
    expect(named.markers).toEqual([
      {
        ...{ OTIO_SCHEMA: 'Marker.2', name: 'Cough', color: 'PINK', comment: 'Cut here' },
        marked_range: expect.objectContaining({
          start_time: { ...start, value: start.value + 5 },
          duration: { ...start, value: 1 },
        }),
      },
    ]);
    world.from.put('own.otio', JSON.stringify(written));
    const uri = encodeURIComponent('memory:///in/own.otio');
    const { body } = await world.send(by(`POST /API/import/project/sequence?uri=${uri}`, {}, json));
    const [id] = (JSON.parse(body) as { uri: string[] }).uri;
    const again = await exporting(`item/${id}/`, {});
    expect([again.global_start_time, again.tracks]).toEqual([written.global_start_time, written.tracks]);
  });

  it.each([
    ['between cuts', [{ in: at(10), out: at(20), transition: 'dissolve' }], 'around one cut'],
    ['over two cuts', [{ in: at(90), out: at(115), transition: 'dissolve' }], 'around one cut'],
    [
      'over another one',
      [...changed.track[0]!.transition.slice(1, 2), { in: at(50), out: at(60), transition: 'dissolve' }],
      'behind the one before it',
    ],
    ['that ends before it begins', [{ in: at(20), out: at(10), transition: 'dissolve' }], 'a time behind'],
  ])('is refused with a transition %s', async (_what, transition, sentence) => {
    const world = await started({ track: [{ ...changed.track[0], transition }] });
    const answer = await asked(world, 'GET /API/item/VX-1/sequence/export?type=otio');
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining(sentence)]);
  });

  it.skipIf(!hasOtio)(
    `is read by OpenTimelineIO with transitions and other speeds${hasOtio ? '' : ': not run, PORTICO_OTIO_PYTHON names no Python with opentimelineio'}`,
    async () => {
      const world = await started(changed);
      const { body } = await asked(world, 'GET /API/item/VX-1/sequence/export?type=otio');
      const { stdout, stderr } = spawnSync(otioPython, ['-c', partsScript], { input: body, encoding: 'utf8' });
      expect(JSON.parse(stdout), stderr).toEqual([
        ['Transition', 'SMPTE_Dissolve', 0, 5],
        ['Clip', 0, 50, [['LinearTimeWarp', 0.5]]],
        ['Transition', 'Custom_Transition', 6, 6],
        ['Clip', 50, 50, [['LinearTimeWarp', 0.33334]]],
        ['Transition', 'SMPTE_Dissolve', 5, 5],
        ['Gap', 100, 10, []],
        ['Clip', 110, 10, [['LinearTimeWarp', 2]]],
        ['Clip', 120, 10, [['FreezeFrame', 0]]],
        ['Transition', 'SMPTE_Dissolve', 5, 0],
      ]);
    },
  );

  it.skipIf(!hasOtio)(
    `is read by OpenTimelineIO${hasOtio ? '' : ': not run, PORTICO_OTIO_PYTHON names no Python with opentimelineio'}`,
    async () => {
      const world = await timed();
      const item = [{ id: 'VX-2', path: 'file:///media/harbour.mxf' }];
      const { body } = await asked(world, 'POST /API/item/VX-1/sequence/export?type=otio', { item });
      const { stdout, stderr } = spawnSync(otioPython, ['-c', otioScript], { input: body, encoding: 'utf8' });
      expect(JSON.parse(stdout), stderr).toEqual([
        ['V1', 'Video', 'Harbour 002  X V C <&>', 0, '01:00:10:00', 50, 'file:///media/harbour.mxf', 'VX-2'],
        ['V1', 'Video', 'bridge.mov', 75, '00:00:00:00', 25, null, 'VX-3'],
        ['A1', 'Audio', 'Harbour 002  X V C <&>', 0, '01:00:10:00', 50, 'file:///media/harbour.mxf', 'VX-2'],
      ]);
    },
  );
});

describe('a table of storages', () => {
  it('says where the files of a tag are, for callers who may have their addresses, and names what has none', async () => {
    const world = await openExports();
    const [one, bare] = [await titled(world), await itemWith(world, 'in/a b.mov', { tag: 'original' })];
    const sequence = (...items: readonly string[]) => ({
      track: [{ segment: items.map((item, index) => segment(item, index, index + 1)) }],
    });
    const paths = async (tag: string, path: string, items: readonly string[], as = admin, query = 'type=otio') => {
      const body = { tag, storage: [{ id: 'VX-1', path }], sequence: sequence(...items) };
      const answer = await asked(world, `POST /API/sequence/export?${query}`, body, as);
      const targets = [...answer.body.matchAll(/"target_url":"([^"]*)"/g)].map(([, target]) => target);
      return [answer.status, ...(targets.length > 0 ? targets : [answer.body])];
    };
    expect(await paths('lowres', '/Volumes/Proxies', [one])).toEqual([200, '/Volumes/Proxies/in/Harbour.mp4']);
    expect(await paths('original', 'file:///Volumes/Rushes/', [one, bare])).toEqual([
      ...[200, 'file:///Volumes/Rushes/in/Harbour.mov', 'file:///Volumes/Rushes/in/a%20b.mov'],
    ]);
    const missing = expect.stringContaining(`a file on a storage of the request, of a shape with its tag`);
    expect(await paths('lowres', '/', [one, bare])).toEqual([400, missing]);
    expect(await paths('lowres', '/', [one, bare], admin, 'type=otio&dryRun=true')).toEqual([
      200,
      expect.stringContaining(`<asset>${bare}</asset>`),
    ]);
    await send(world, by(`POST /API/item/${one}/access`, { permission: 'READ', user: exporter[0] }));
    await send(world, by(`PUT /API/group/_sequence_read/user/${exporter[0]}`));
    expect(await paths('lowres', '/', [one], exporter)).toEqual([403, expect.stringContaining('_item_uri')]);
    await send(world, by(`PUT /API/group/_item_uri/user/${exporter[0]}`));
    expect(await paths('lowres', '/', [one], exporter)).toEqual([200, '/in/Harbour.mp4']);
    for (const operation of [{ uri: {} }, { shape: { tag: 'lowres' } }]) {
      const closed = { permission: 'NONE', user: exporter[0], operation, priority: 1 };
      const { id } = await done<{ id: string }>(world, by(`POST /API/item/${one}/access`, closed));
      expect(await paths('lowres', '/', [one], exporter)).toEqual([400, missing]);
      await send(world, by(`DELETE /API/item/${one}/access/${id}`));
    }
  });
});

describe('exports of sequences', () => {
  it.each(['edl', 'fcp'])('write the beginning of a long title and id as %s, however often', async (type) => {
    const world = await started();
    const value = `${'&'.repeat(249)}\u{1f3ac}${'x'.repeat(900_000)}`;
    const timespan = [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value }] }] }];
    await send(world, by('PUT /API/item/VX-2/metadata', { timespan }));
    const sequence = { id: '\n\u00e4'.repeat(100_000), ...many(999) };
    const answer = await asked(world, `POST /API/sequence/export?type=${type}`, { sequence });
    expect(answer.status).toBe(200);
    expect(answer.body.length).toBeLessThan(2_000_000);
    expect(answer.headers.get('content-disposition')!.length).toBeLessThan(1000);
  });

  it('take paths of 4096 characters, each on one line, and refuse longer ones', async () => {
    const world = await started();
    const given = (path: string) => ({ item: [{ id: 'VX-2', path }], sequence: many(999) });
    const fits = await asked(world, 'POST /API/sequence/export?type=edl', given('\n/'.repeat(2048)));
    expect(fits.status).toBe(200);
    expect(fits.body.match(/^\* SOURCE FILE: (?: \/){2048}\r$/gm)).toHaveLength(999);
    for (const type of ['edl', 'fcp', 'vidispine']) {
      const { status, body } = await asked(world, `POST /API/sequence/export?type=${type}`, given('/'.repeat(4097)));
      expect([status, body]).toEqual([400, expect.stringContaining('at most 4096 characters: \\"4097\\"')]);
      expect(body).toContain('/ExportRequestDocument/item/path');
    }
  });

  it('are those that are kept where one is kept in the format', async () => {
    const world = await started();
    await send(world, by('PUT /API/item/VX-1/sequence/edl', 'TITLE: kept'));
    expect((await asked(world, 'GET /API/item/VX-1/sequence/export?type=edl')).body).toBe('TITLE: kept');
    expect((await asked(world, 'POST /API/item/VX-1/sequence/export?type=edl')).body).toBe(list);
  });

  it('give the own format without a type', async () => {
    const world = await started();
    const own = await send(world, by('GET /API/item/VX-1/sequence/vidispine', undefined, xml));
    expect((await asked(world, 'POST /API/item/VX-1/sequence/export')).body).toBe(own.body);
  });

  it.each<[string, string, object | undefined, number, string]>([
    [
      'another format',
      'POST /API/item/VX-1/sequence/export?type=aaf',
      undefined,
      501,
      'edl, cmx3600, fcp, xmeml, otio',
    ],
    ['an address', 'GET /API/item/VX-1/sequence/export?type=edl&uri=file:///x', undefined, 501, 'the answer is'],
    ['a tag without storages', 'POST /API/item/VX-1/sequence/export?type=edl', { tag: 'lowres' }, 400, 'folders of'],
    [
      'a storage without a folder',
      'POST /API/item/VX-1/sequence/export',
      { storage: [{ id: 'VX-1' }] },
      400,
      'the folder',
    ],
    ['no storage', 'POST /API/sequence/export', { storage: [{ id: 'VX-9', path: '/' }], sequence: cuts }, 404, 'VX-9'],
    ['no sequence', 'POST /API/sequence/export?type=edl', {}, 400, 'a sequence'],
    ['no body', 'POST /API/sequence/export?type=edl', undefined, 400, ''],
    ['an item without one', 'GET /API/item/VX-2/sequence/export?type=edl', undefined, 404, 'sequence'],
    [
      'an item that is not there',
      'POST /API/sequence/export',
      { sequence: { track: [{ segment: [segment('VX-9', 0, 1)] }] } },
      404,
      'VX-9',
    ],
    [
      'a long format',
      `GET /API/item/VX-1/sequence/export?type=${'x'.repeat(129)}`,
      undefined,
      400,
      'the name of a format',
    ],
  ])('refuse %s', async (_title, request, body, status, part) => {
    const world = await started();
    const before = await world.sequence();
    const answer = await asked(world, request, body);
    expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(part)]);
    expect(await world.events(before)).toEqual([]);
  });

  it('call items by their ids for those who may not read them', async () => {
    const world = await started();
    const access = { permission: 'READ', user: 'owner' };
    await send(world, by('POST /API/item/VX-1/access', access));
    const { status, body } = await asked(world, 'GET /API/item/VX-1/sequence/export?type=edl', undefined, owner);
    expect([status, body]).toEqual([200, expect.stringContaining('* FROM CLIP NAME: VX-2\r\n')]);
    expect(body).not.toContain('Harbour');
    const sequence = { track: [{ segment: [segment('VX-2', 0, 1)] }] };
    expect((await asked(world, 'POST /API/sequence/export?type=edl', { sequence }, owner)).status).toBe(404);
    expect((await asked(world, 'GET /API/item/VX-1/sequence/export?type=edl', undefined, stranger)).status).toBe(403);
  });
});
