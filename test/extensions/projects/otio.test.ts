import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { readOtio } from '../../../src/extensions/projects/otio.ts';
import { newUser } from '../../support/cast.ts';
import { asking, done } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { explained, itemWith } from '../../support/transfers.ts';
import { exporter, type RoomWorld, sharedWorld } from '../../support/world.ts';

const ask = asking(admin);
const json = { accept: 'application/json', 'content-type': 'application/json' };

const time = (value: number, rate = 25) => ({ OTIO_SCHEMA: 'RationalTime.1', rate, value });
const range = (from: number, length: number, rate = 25) => ({
  ...{ OTIO_SCHEMA: 'TimeRange.1', start_time: time(from, rate), duration: time(length, rate) },
});
const external = (target: string, more: object = {}) => ({
  ...{ OTIO_SCHEMA: 'ExternalReference.1', target_url: target },
  ...more,
});
const clip = (media: object | null, source: object | null, more: object = {}) => ({
  ...{ OTIO_SCHEMA: 'Clip.2', name: 'clip', source_range: source, media_references: { DEFAULT_MEDIA: media } },
  ...more,
});
const gap = (length: number) => ({ OTIO_SCHEMA: 'Gap.1', source_range: range(0, length) });
const track = (children: readonly object[], kind = 'Video', more: object = {}) => ({
  ...{ OTIO_SCHEMA: 'Track.1', kind, children },
  ...more,
});
const warp = (speed: number) => ({ OTIO_SCHEMA: 'LinearTimeWarp.1', effect_name: '', time_scalar: speed });
const fade = (before: number, behind: number, more: object = {}) => ({
  ...{ OTIO_SCHEMA: 'Transition.1', name: '', transition_type: 'SMPTE_Dissolve' },
  ...{ in_offset: time(before), out_offset: time(behind) },
  ...more,
});
const timeline = (...tracks: readonly object[]) => ({
  ...{ OTIO_SCHEMA: 'Timeline.1', name: 'Cut', tracks: { OTIO_SCHEMA: 'Stack.1', children: tracks } },
});
const at = (samples: number, denominator = 25, numerator = 1) => ({ samples, timeBase: { numerator, denominator } });

describe('a timeline of OpenTimelineIO', () => {
  it('has clips behind each other, with gaps and what is not shown between them', async () => {
    const media = external('file:///Rushes/a%20b.mov', { available_range: range(90_000, 1000) });
    const { name, sequences, assets } = await readOtio(
      JSON.stringify(
        timeline(
          track([
            clip(media, range(90_100, 50)),
            gap(10),
            clip(media, null, { enabled: false, source_range: range(90_000, 5) }),
            clip({ OTIO_SCHEMA: 'GeneratorReference.1' }, range(0, 5)),
            { ...clip(null, range(24, 12, 24)), media_references: undefined, media_reference: external('b.mov') },
          ]),
          track(
            [clip(media, range(172_800_000, 96_000, 48_000), { metadata: { portico: { sourceTrack: 2 } } })],
            'Audio',
          ),
          track([], 'Subtitle'),
        ),
      ),
    );
    expect([name, sequences.map((each) => each.name)]).toEqual(['Cut', ['Cut']]);
    const [video, audio, ...others] = sequences[0]!.tracks;
    expect(others).toEqual([]);
    expect(video!.clips).toEqual([
      {
        ...{ asset: 'file:///Rushes/a%20b.mov', sourceTrack: 1, in: at(0), out: at(50) },
        ...{ sourceIn: at(90_100), sourceOut: at(90_150), name: 'clip' },
      },
      {
        ...{ asset: 'b.mov', sourceTrack: 1, in: at(70), out: at(83) },
        ...{ sourceIn: at(24, 24), sourceOut: at(36, 24), name: 'clip' },
      },
    ]);
    expect([audio!.audio, audio!.clips[0]]).toMatchObject([
      true,
      { sourceTrack: 2, in: at(0), out: at(50), sourceIn: at(172_800_000, 48_000), sourceOut: at(172_896_000, 48_000) },
    ]);
    expect(assets.get('file:///Rushes/a%20b.mov')).toMatchObject({
      ...{ name: 'a b.mov', type: 'video', timeCodes: { start: 3600, from: 3600, to: 3606 } },
    });
  });

  it('has transitions around its cuts, and clips at other speeds as long as they are in the track', async () => {
    const media = external('a.mov');
    const custom = { transition_type: 'Custom_Transition', name: 'clock wipe' };
    const own = { metadata: { portico: { transition: 'wipe', wipe: 7, reverse: true, borderColor: '#ff0000' } } };
    const { sequences } = await readOtio(
      JSON.stringify(
        timeline(
          track([
            fade(0, 5),
            clip(media, range(100, 20), { effects: [warp(2)] }),
            fade(4, 6),
            clip(media, range(100, 25), { effects: [warp(0.3)] }),
            fade(5, 0, custom),
            clip(media, range(100, 20), { effects: [{ OTIO_SCHEMA: 'FreezeFrame.1', time_scalar: 0 }] }),
            fade(3, 0, own),
          ]),
        ),
      ),
    );
    const [{ clips, transitions }] = sequences[0]!.tracks as [(typeof sequences)[0]['tracks'][0]];
    expect(clips.map(({ in: start, out, sourceIn, sourceOut }) => [start, out, sourceIn, sourceOut])).toEqual([
      [at(0), at(20), at(100), at(140)],
      [at(20), at(45), at(100), at(107_500, 25_000)],
      [at(45), at(65), at(100), at(100)],
    ]);
    expect(transitions).toEqual([
      { in: at(0), out: at(5), transition: 'dissolve' },
      { in: at(16), out: at(26), transition: 'dissolve' },
      { in: at(40), out: at(45), transition: 'clock wipe' },
      { in: at(62), out: at(65), transition: 'wipe', wipe: 7, reverse: true, borderColor: '#ff0000' },
    ]);
  });

  it.each([
    [23.976, 1001, 24_000],
    [24000 / 1001, 1001, 24_000],
    [29.97, 1001, 30_000],
    [59.94, 1001, 60_000],
    [60, 1, 60],
  ])('counts %s pictures a second as programs mean them', async (rate, numerator, denominator) => {
    const { sequences } = await readOtio(JSON.stringify(timeline(track([clip(external('a'), range(1, 2, rate))]))));
    expect(sequences[0]!.tracks[0]!.clips[0]!.out).toEqual(at(2, denominator, numerator));
  });

  const media = external('a.mov');
  const part = clip(media, range(0, 1));
  const long = clip(media, range(0, 10));
  it.each<[string, object | string, string]>([
    ['no JSON', 'PK\u0003\u0004', 'JSON of OpenTimelineIO'],
    ['another root', { OTIO_SCHEMA: 'Marker.2' }, 'an object Timeline'],
    ['no schema', { tracks: [] }, 'an object with an OTIO_SCHEMA'],
    ['a version of tomorrow', timeline(track([{ ...part, OTIO_SCHEMA: 'Clip.3' }])), 'Clip of a version up to 2'],
    [
      'a transition without lengths',
      timeline(track([part, { OTIO_SCHEMA: 'Transition.1' }])),
      'an object with an OTIO_SCHEMA',
    ],
    ['a transition before its track', timeline(track([part, fade(2, 0)])), 'a time within the track'],
    ['a transition behind its track', timeline(track([part, fade(1, 1)])), 'a time within the track'],
    ['a transition over another one', timeline(track([long, fade(2, 3), long, fade(8, 0)])), 'the transition before'],
    ['a transition without a length', timeline(track([part, fade(0, 0)])), 'a transition that lasts'],
    [
      'a transition that another hand has changed',
      timeline(track([part, fade(1, 0, { metadata: { portico: { wipe: 1.5 } } })])),
      'a value of the kind number',
    ],
    ['a track in a track', timeline(track([track([part])])), 'clips, gaps and transitions alone: "Track"'],
    ['a part of a track', timeline(track([part], 'Video', { source_range: range(0, 1) })), 'the whole track'],
    ['an effect', timeline(track([{ ...part, effects: [{ OTIO_SCHEMA: 'Effect.1' }] }])), 'no effect'],
    ['a part that plays backwards', timeline(track([{ ...part, effects: [warp(-1)] }])), 'nothing plays backwards'],
    ['a track at another speed', timeline(track([part], 'Video', { effects: [warp(2)] })), 'no other speed'],
    ['no range', timeline(track([clip(media, null)])), 'a range of the clip, or of its media: "clip"'],
    ['no such rate', timeline(track([clip(media, range(0, 1, 12.5))])), 'whole units a second'],
    ['a negative length', timeline(track([clip(media, range(0, -1))])), 'a length from 0 on'],
    ['no number', timeline(track([clip(media, range(0, Number.NaN))])), 'a number of units'],
    ['too many tracks', timeline(...Array.from({ length: 1001 }, () => track([]))), 'at most 1000 tracks'],
    ['values in values', `${'['.repeat(65)}${']'.repeat(65)}`, 'at most 64 values in values'],
    ['values without end', `[${'0,'.repeat(200_001)}0]`, 'at most 200000 values'],
    [
      'a name of every object',
      timeline(track([clip({ __proto__: null, OTIO_SCHEMA: 'constructor.9' }, null)])),
      'range',
    ],
  ])('is refused with %s', async (_, source, sentence) => {
    const text = typeof source === 'string' ? source : JSON.stringify(source);
    await expect(readOtio(text)).rejects.toMatchObject({
      detail: { explanation: expect.stringContaining(sentence.split(': "')[0]!) },
    });
  });
});

describe('a project of OpenTimelineIO', () => {
  let world: RoomWorld;
  const shared = sharedWorld('exports');
  const from = (name: string, more = '') => `uri=${encodeURIComponent(`memory:///in/${name}`)}${more}`;
  const send = (path: string, body?: object, as = admin) =>
    world.send({ ...ask(`POST /API/${path}`, body && JSON.stringify(body), as), headers: json });

  interface Inspected {
    readonly asset: readonly { id: string; status: string; item?: readonly { id: string; match: string }[] }[];
  }
  const inspect = async (source: object, more = '', as = admin, body?: object): Promise<Inspected['asset']> => {
    world.from.put('a.otio', JSON.stringify(source));
    const answer = await send(`collection/project/inspect?${from('a.otio', more)}`, body, as);
    expect(answer.status, answer.body).toBe(200);
    return (JSON.parse(answer.body) as Inspected).asset;
  };
  const found = async (...args: Parameters<typeof inspect>) =>
    (await inspect(...args)).map(({ status, item = [] }) => [status, ...item.map(({ id, match }) => `${id} ${match}`)]);

  /** An item of media with the name of a file, a first time code and a reel. */
  async function item(filename: string, start?: string, reel?: string): Promise<string> {
    const { id } = await done<{ id: string }>(world, ask('POST /API/import/placeholder'));
    const shape = {
      containerComponent: { duration: at(2500) },
      metadata: { field: [{ key: 'originalFilename', value: filename }] },
    };
    await done(world, { ...ask(`POST /API/item/${id}/shape/create?tag=original&updateItemMetadata=true`, shape) });
    const field = Object.entries({ startTimeCode: start, rf_reel: reel })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ({ name, value: [{ value }] }));
    const timespan = [{ start: '-INF', end: '+INF', field }];
    if (field.length > 0) await done(world, ask(`PUT /API/item/${id}/metadata`, { timespan }));
    return id;
  }

  let [early, late, plain] = ['', '', ''];
  beforeAll(async () => {
    world = shared();
    await prepare(world, [ask('PUT /API/metadata-field/rf_reel', { type: 'string-exact' })]);
    early = await item('A001_C003.mxf', '90000@25', 'A001');
    late = await item('A001_C003.mxf', '180000@25', 'A002');
    plain = await item('bridge.mov');
  });

  const proxy = (source: object, more: object = {}) =>
    timeline(track([clip(external('file:///Proxies/A001_C003.mov'), source, more)]));
  const reel = (name: string) => ({ metadata: { cmx_3600: { reel: name } } });
  const missing = (name: string, more: object = {}) =>
    timeline(track([clip({ OTIO_SCHEMA: 'MissingReference.1', name }, range(0, 10), more)]));

  it('a proxy cut comes back to originals by name, time code and reel', async () => {
    expect(await found(proxy(range(90_100, 50)))).toEqual([['FOUND', `${early} name`]]);
    expect(await found(proxy(range(180_100, 50)))).toEqual([['FOUND', `${late} name`]]);
    expect(await found(proxy(range(100, 50)))).toEqual([['AMBIGUOUS', `${early} name`, `${late} name`]]);
    expect(await found(proxy(range(100, 50), reel('a002')), '&reelField=rf_reel')).toEqual([['FOUND', `${late} name`]]);
    expect(await found(proxy(range(90_100, 50), reel('A009')), '&reelField=rf_reel')).toEqual([['MISSING']]);
    expect(await found(proxy(range(300_000, 50)))).toEqual([['MISSING']]);
    const other = timeline(track([clip(external('/x/other.mov'), range(180_100, 50), reel('A002'))]));
    expect(await found(other, '&reelField=rf_reel')).toEqual([['FOUND', `${late} reel`]]);
    expect(await found(other)).toEqual([['MISSING']]);
  });

  it('is found by external ids, by ids, and by the names of files on storages', async () => {
    await done(world, ask('PUT /API/external-id/reels', { pattern: 'R[0-9]+' }));
    await done(world, ask(`PUT /API/item/${plain}/external-id/R42`));
    await done(world, ask('PUT /API/shape-tag/lowres', {}));
    const stored = await itemWith(world, 'deep/proxy of it.mp4', { tag: 'lowres' });
    expect(await found(missing('R42.mov'))).toEqual([['FOUND', `${plain} id`]]);
    expect(await found(missing('x', reel(plain.replace('-', ''))))).toEqual([['FOUND', `${plain} id`]]);
    expect(await found(missing('proxy of it.mp4'))).toEqual([['FOUND', `${stored} name`]]);
    // Nothing says that the stored file is media.
    expect(await found(missing('proxy of it.mov'))).toEqual([['MISSING']]);
    expect(await found(missing('bridge'))).toEqual([['FOUND', `${plain} name`]]);
  });

  it('tells by a name of no item that the caller may not read', async () => {
    const outsider: Credentials = ['outsider', 'password of outsider'];
    await prepare(world, [newUser(outsider, ['_import'])]);
    const source = proxy(range(90_100, 50));
    expect(await found(source, '', outsider)).toEqual([['MISSING']]);
    await done(world, ask(`POST /API/item/${early}/access`, { permission: 'READ', user: outsider[0] }));
    expect(await found(source, '', outsider)).toEqual([['MISSING']]);
    await done(world, ask(`PUT /API/group/_item_read/user/${outsider[0]}`));
    expect(await found(source, '', outsider)).toEqual([['FOUND', `${early} name`]]);
    const closed = {
      permission: 'NONE',
      user: outsider[0],
      priority: 1,
      operation: { metadata: { field: 'originalFilename' } },
    };
    await done(world, ask(`POST /API/item/${early}/access`, closed));
    expect(await found(source, '', outsider)).toEqual([['MISSING']]);
  });

  it('tells by an id, or the name of a file, of no item that the caller may not read with its addresses', async () => {
    const guesser: Credentials = ['guesser', 'password of guesser'];
    await prepare(world, [newUser(guesser, ['_import', '_item_read'])]);
    const stored = await itemWith(world, 'deep/secret.mp4');
    const gives = (permission: string, more: object = {}) =>
      done(world, ask(`POST /API/item/${stored}/access`, { permission, user: guesser[0], ...more }));
    const seen = async () => [
      ...(await found(missing(stored), '', guesser)),
      ...(await found(missing('secret.mp4'), '', guesser)),
    ];
    expect(await seen()).toEqual([['MISSING'], ['MISSING']]);
    await gives('READ', { operation: { uri: {} } });
    expect(await seen()).toEqual([['MISSING'], ['MISSING']]);
    await gives('READ');
    expect(await seen()).toEqual([
      ['FOUND', `${stored} id`],
      ['FOUND', `${stored} name`],
    ]);
    await gives('NONE', { operation: { uri: {} }, priority: 1 });
    expect(await seen()).toEqual([['FOUND', `${stored} id`], ['MISSING']]);
  });

  it('becomes a sequence in the times of its items, and comes back as it was exported', async () => {
    const segment = (of: string, [start, end, source]: readonly [number, number, number], sourceTrack = 1) => ({
      ...{
        item: of,
        sourceTrack,
        in: at(start),
        out: at(end),
        sourceIn: at(source),
        sourceOut: at(source + end - start),
      },
    });
    const cut = [
      { audio: false, segment: [segment(early, [0, 50, 100]), segment(plain, [60, 70, 5])] },
      { audio: true, segment: [segment(early, [0, 50, 100], 2)] },
    ];
    const written = await send('sequence/export?type=otio', { sequence: { track: cut } });
    expect(written.status, written.body).toBe(200);
    expect(written.body).toContain('"value":90100');
    world.from.put('own.otio', written.body);
    const answer = await send(`import/project/sequence?${from('own.otio')}`, {});
    expect(answer.status, answer.body).toBe(200);
    const [id] = (JSON.parse(answer.body) as { uri: string[] }).uri;
    const again = await world.send(ask(`POST /API/item/${id}/sequence/export?type=otio`));
    expect(JSON.parse(again.body).tracks).toEqual(JSON.parse(written.body).tracks);
    const project = await send(`import/project?${from('own.otio')}`, {});
    const [collection] = (JSON.parse(project.body) as { uri: string[] }).uri;
    const kept = await world.send({ as: admin, request: `GET /API/collection/${collection}/definition/otio` });
    expect(kept.body).toBe(written.body);
    const version = await world.send({
      as: admin,
      request: `GET /API/collection/${collection}/version/export?type=otio`,
    });
    expect(JSON.parse(version.body).tracks.children[0].children).toHaveLength(3);
  });

  it('makes nothing as long as a file is no item, and names it', async () => {
    world.from.put('gone.otio', JSON.stringify(timeline(track([clip(external('file:///x/gone.mov'), range(0, 1))]))));
    const answer = await send(`import/project/sequence?${from('gone.otio')}`, {});
    expect([answer.status, explained(answer)]).toEqual([
      400,
      expect.stringContaining('map file:///x/gone.mov (gone.mov)'),
    ]);
    const wrong = await send(`import/project/sequence?${from('gone.otio', '&type=fcp')}`, {}, exporter);
    expect([wrong.status, explained(wrong)]).toEqual([400, expect.stringContaining('well-formed')]);
  });
});

const otioPython = process.env['PORTICO_OTIO_PYTHON'] ?? 'python3';
const hasOtio = spawnSync(otioPython, ['-c', 'import opentimelineio']).status === 0;
const script = `
import opentimelineio as otio
time, range = otio.opentime.RationalTime, otio.opentime.TimeRange
timeline = otio.schema.Timeline('Made by Python')
track = otio.schema.Track('V1', kind=otio.schema.TrackKind.Video)
timeline.tracks.append(track)
media = otio.schema.ExternalReference('file:///a.mov', range(time(86400, 24), time(240, 24)))
track.append(otio.schema.Clip('one', media, range(time(86424, 24), time(24, 24))))
track.append(otio.schema.Gap(duration=time(12, 24)))
track.append(otio.schema.Clip('two', media))
track[-1].effects.append(otio.schema.LinearTimeWarp(time_scalar=0.5))
track.append(otio.schema.Transition('', otio.schema.TransitionTypes.SMPTE_Dissolve, time(6, 24), time(8, 24)))
track.append(otio.schema.Clip('three', media))
track[-1].effects.append(otio.schema.FreezeFrame())
print(otio.adapters.write_to_string(timeline, 'otio_json'))
`;
it.skipIf(!hasOtio)(
  `a timeline that OpenTimelineIO wrote is read${hasOtio ? '' : ': not run, PORTICO_OTIO_PYTHON names no Python with opentimelineio'}`,
  async () => {
    const { stdout, stderr } = spawnSync(otioPython, ['-c', script], { encoding: 'utf8' });
    const { sequences, assets } = await readOtio(stdout).catch((error) => {
      throw new Error(stderr, { cause: error });
    });
    const [{ clips, transitions }] = sequences[0]!.tracks as [(typeof sequences)[0]['tracks'][0]];
    expect(clips.map(({ in: start, out, sourceIn, sourceOut }) => [start, out, sourceIn, sourceOut])).toEqual([
      [at(0, 24), at(24, 24), at(86_424, 24), at(86_448, 24)],
      [at(36, 24), at(276, 24), at(86_400, 24), at(86_520, 24)],
      [at(276, 24), at(516, 24), at(86_400, 24), at(86_400, 24)],
    ]);
    expect(transitions).toEqual([{ in: at(270, 24), out: at(284, 24), transition: 'dissolve' }]);
    expect([...assets.values()]).toMatchObject([
      { id: 'file:///a.mov', timeCodes: { start: 3600, from: 3600, to: 3605 } },
    ]);
  },
);
