import { describe, expect, it } from 'vitest';
import { isMeasurable, playables } from '../../src/pages/item/item.ts';
import { createEngine, nextSpeed, withIn, withOut } from '../../src/player/engine.ts';
import { codeOf, countingOf, frameAt, frameOf, secondsOf, timecode, timeOf } from '../../src/player/frames.ts';
import { peaks, showing, stopBeside, ticks, zoomed } from '../../src/player/scale.ts';
import {
  additionOf,
  captionsOf,
  lanesOf,
  movedPlace,
  placeOfMarks,
  removalOf,
  replacementOf,
  spansOf,
} from '../../src/player/spans.ts';
import { lengthText } from '../../src/texts/clock.ts';

const pal = { rate: { numerator: 25, denominator: 1 }, drop: false, start: 0 };
const ntsc = { rate: { numerator: 30000, denominator: 1001 }, drop: true, start: 0 };
const double = { rate: { numerator: 60000, denominator: 1001 }, drop: true, start: 0 };
const film = { rate: { numerator: 24000, denominator: 1001 }, drop: false, start: 0 };

describe('time codes', () => {
  it.each([
    [0, pal, '00:00:00:00'],
    [90_025, pal, '01:00:01:00'],
    [5, { ...pal, start: 900_000 }, '10:00:00:05'],
    [1799, ntsc, '00:00:59;29'],
    [1800, ntsc, '00:01:00;02'],
    [17_981, ntsc, '00:09:59;29'],
    [17_982, ntsc, '00:10:00;00'],
    [107_892, ntsc, '01:00:00;00'],
    [0, { ...ntsc, start: 107_892 }, '01:00:00;00'],
    [3600, double, '00:01:00;04'],
    [24, film, '00:00:01:00'],
    [25 * 3600 * 24, pal, '00:00:00:00'],
  ])('frame %i is %j', (frame, counting, wanted) => {
    expect(timecode(frame, counting)).toBe(wanted);
  });

  it.each([pal, ntsc, double, film, { ...ntsc, start: 107_892 }])(
    'finds each frame by its time code: %j',
    (counting) => {
      for (let frame = 0; frame < 40_000; frame += 7) expect(frameOf(timecode(frame, counting), counting)).toBe(frame);
    },
  );

  it.each([
    ['1:05', 30],
    ['2.5', 62],
    ['1:00:00', 1500],
    ['x', undefined],
    ['00:00:00:25', undefined],
    ['00:61:00:00', undefined],
  ])('reads %s', (text, wanted) => {
    expect(frameOf(text, pal)).toBe(wanted);
  });

  it('refuses a time code before the first frame of the material', () => {
    expect(frameOf('09:59:59:24', { ...pal, start: 900_000 })).toBeUndefined();
  });

  it.each([pal, ntsc, double, film])(
    'steps to each frame and stays there, in whatever way a browser rounds: %j',
    ({ rate }) => {
      for (let frame = 0; frame < 5000; frame++) {
        const time = timeOf(frame, rate);
        for (const rounded of [time, Math.floor(time * 1e3) / 1e3, Math.round(time * 1e6) / 1e6]) {
          expect(frameAt(rounded, rate)).toBe(frame);
        }
      }
    },
  );

  it('reads time codes of the API, and writes those that it reads', () => {
    expect(
      ['50@25', '30@NTSC30', '10@PAL', '30000@30000:1001', '3.5', '+INF'].map((code) => secondsOf(code, 0)),
    ).toEqual([2, 1, 0.4, 1001, 3.5, Number.POSITIVE_INFINITY]);
    expect([codeOf(50, pal.rate), codeOf(7, ntsc.rate)]).toEqual(['50@25', '7@30000:1001']);
  });

  it('takes the rate and the start of the shape, and a usual rate for sound', () => {
    const base = { numerator: 1001, denominator: 30000 };
    const containerComponent = { dropFrame: true, startTimecode: 107_892, timeCodeTimeBase: base } as never;
    expect(countingOf({ containerComponent })).toEqual({ ...ntsc, start: 107_892 });
    expect(countingOf(undefined)).toEqual(pal);
    expect([lengthText(65), lengthText(3725)]).toEqual(['1:05', '1:02:05']);
  });
});

describe('J, K, L, and marks', () => {
  it.each([
    ['l', 1],
    ['ll', 2],
    ['lllll', 4],
    ['lj', 0],
    ['j', -1],
    ['jjjj', -4],
    ['jjl', -1],
    ['llk', 0],
  ])('%s runs at %i', (keys, wanted) => {
    expect([...keys].reduce((speed, key) => nextSpeed(speed, key as 'j'), 0)).toBe(wanted);
  });

  it('keeps the in point before the out point', () => {
    expect(withOut(withIn({}, 10), 20)).toEqual({ from: 10, to: 21 });
    expect(withIn({ from: 10, to: 21 }, 30)).toEqual({ from: 30, to: undefined });
    expect(withOut({ from: 10, to: 21 }, 5)).toEqual({ from: undefined, to: 6 });
    expect(withOut({ from: 10 }, 10)).toEqual({ from: 10, to: 11 });
  });
});

/** An engine with its media, as a browser has them. Events of media come later than what they tell. */
function playerAt(at: number) {
  const engine = createEngine({ rate: { numerator: 25, denominator: 1 }, drop: false, start: 0 }, 10, at);
  const media = Object.assign(new EventTarget(), {
    ...{ currentTime: at, playbackRate: 1, paused: true, seeking: false, muted: false },
    play: async () => void Object.assign(media, { paused: false }),
    pause: () => void Object.assign(media, { paused: true }),
  });
  engine.attach(media);
  return { engine, media };
}

describe('a player', () => {
  it('stays paused where the event of an earlier play comes behind the pause, and plays where that of a pause does', () => {
    const { engine, media } = playerAt(0);
    engine.run('l');
    engine.run('k');
    media.dispatchEvent(new Event('play'));
    expect([engine.speed.value, media.paused]).toEqual([0, true]);
    engine.run('l');
    media.dispatchEvent(new Event('pause'));
    expect([engine.speed.value, media.paused]).toEqual([1, false]);
  });
});

describe('a marked part', () => {
  const play = (at: number) => {
    const { engine, media } = playerAt(at);
    engine.marks.value = { from: 50, to: 75 };
    engine.toggle();
    const reach = (seconds: number) => {
      media.currentTime = seconds;
      media.dispatchEvent(new Event('timeupdate'));
      return engine.frame.value;
    };
    return reach;
  };

  it('begins again where it is played over its end', () => {
    const reach = play(2);
    expect([reach(2.9), reach(3.01)]).toEqual([72, 50]);
  });

  it('lets the film run that was begun behind it', () => {
    expect(play(5)(5.5)).toBe(137);
  });
});

describe('a new entry', () => {
  it('has the in and the out of the player, and the out is its last frame', () => {
    expect(placeOfMarks(withOut(withIn({}, 25), 35), 50, 100, 50)).toEqual({ from: 25, to: 36 });
    expect(placeOfMarks({ from: 80 }, 90, 100, 50)).toEqual({ from: 80, to: 100 });
    expect(placeOfMarks({}, 10, 100, 50)).toEqual({ from: 10, to: 60 });
  });

  it('ends behind its begin, also where only an out is set, and at the last frame', () => {
    expect(placeOfMarks({ to: 20 }, 10, 100, 50)).toEqual({ from: 10, to: 20 });
    expect(placeOfMarks({ to: 20 }, 30, 100, 50)).toEqual({ from: 0, to: 20 });
    expect(placeOfMarks({}, 100, 100, 50)).toEqual({ from: 100, to: 101 });
  });
});

describe('the timeline', () => {
  const all = { from: 0, to: 100 };

  it('zooms around a time, which stays where it is, and never beyond the film', () => {
    expect(zoomed(all, 2, 50, 100, 1)).toEqual({ from: 25, to: 75 });
    expect(zoomed(all, 2, 0, 100, 1)).toEqual({ from: 0, to: 50 });
    expect(zoomed({ from: 25, to: 75 }, 0.1, 50, 100, 1)).toEqual(all);
    expect(zoomed(all, 1000, 100, 100, 1)).toEqual({ from: 99, to: 100 });
  });

  it('follows a time that leaves it', () => {
    expect(showing({ from: 0, to: 10 }, 50, 100)).toEqual({ from: 49, to: 59 });
    expect(showing({ from: 0, to: 10 }, 99.9, 100)).toEqual({ from: 90, to: 100 });
    expect(showing({ from: 0, to: 10 }, 5, 100)).toEqual({ from: 0, to: 10 });
  });

  it.each([
    [{ from: 0, to: 100 }, 10, [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]],
    [{ from: 3, to: 7 }, 5, [3, 4, 5, 6, 7]],
    [{ from: 0, to: 0.2 }, 5, [0, 0.04, 0.08, 0.12, 0.16, 0.2]],
    [{ from: 0, to: 0 }, 5, []],
  ])('marks %j at whole steps', (view, max, wanted) => {
    expect(ticks(view, max, 0.04).map((each) => Number(each.toFixed(6)))).toEqual(wanted);
  });

  it('draws the loudest value of each part, over all tracks', () => {
    const tracks = [
      [0, 0.5, 0, 0],
      [0.1, 0.1, -0.9, 0.1],
    ];
    expect(peaks(tracks, { from: 0, to: 8 }, 8, 2)).toEqual([0.5, 0.9]);
    expect(peaks(tracks, { from: 0, to: 4 }, 8, 4)).toEqual([0.1, 0.1, 0.5, 0.5]);
    expect(peaks([], all, 100, 2)).toEqual([0, 0]);
  });
});

describe('timed entries', () => {
  const value = (text: string) => [{ value: text }];
  const metadata = {
    timespan: [
      { start: '-INF', end: '+INF', field: [{ name: 'title', value: value('Film') }] },
      { start: '200@25', end: '300@25', field: [{ name: 'stl_text', uuid: 'b', value: value('Hi <b>') }] },
      {
        ...{ start: '50@25', end: '250@25' },
        group: [{ name: 'scene', uuid: 'a', field: [{ name: 'note', value: value('Run') }] }],
      },
    ],
  };
  const spans = spansOf(metadata);

  it('are those with a begin and an end, in order, each in a lane of its own while they overlap', () => {
    expect(spans.map(({ key, kind, from, to }) => [key, kind, from, to])).toEqual([
      ['a', 'group', 2, 10],
      ['b', 'field', 8, 12],
    ]);
    expect(lanesOf(spans)).toEqual([0, 1]);
    expect(lanesOf([...spans, { from: 10, to: 11 }])).toEqual([0, 1, 0]);
  });

  it('are reached one after the other', () => {
    const stops = [200, 50, 50, 125];
    expect([stopBeside(stops, 0, 1), stopBeside(stops, 50, 1), stopBeside(stops, 200, 1)]).toEqual([
      50,
      125,
      undefined,
    ]);
    expect([stopBeside(stops, 200, -1), stopBeside(stops, 50, -1)]).toEqual([125, undefined]);
  });

  it('move by frames within the film and keep a frame', () => {
    const place = { from: 10, to: 20 };
    expect(movedPlace(place, 5, 'all', 100)).toEqual({ from: 15, to: 25 });
    expect(movedPlace(place, -50, 'all', 100)).toEqual({ from: 0, to: 10 });
    expect(movedPlace(place, 500, 'all', 100)).toEqual({ from: 90, to: 100 });
    expect(movedPlace(place, 50, 'from', 100)).toEqual({ from: 19, to: 20 });
    expect(movedPlace(place, -50, 'to', 100)).toEqual({ from: 10, to: 11 });
  });

  it('are made, moved and taken away by documents of metadata, in one change set', () => {
    const [scene, text] = spans;
    expect(
      additionOf({ kind: 'field', name: 'note' }, [{ name: 'note', values: ['x'] }], { from: 5, to: 9 }, pal.rate),
    ).toEqual({
      timespan: [{ start: '5@25', end: '9@25', field: [{ name: 'note', value: value('x') }] }],
    });
    expect(replacementOf(scene!, scene!.fields, { from: 60, to: 70 }, pal.rate)).toEqual({
      timespan: [
        { start: '50@25', end: '250@25', group: [{ name: 'scene', uuid: 'a', mode: 'remove' }] },
        { start: '60@25', end: '70@25', group: [{ name: 'scene', field: [{ name: 'note', value: value('Run') }] }] },
      ],
    });
    expect(removalOf(text!)).toEqual({
      timespan: [
        { start: '200@25', end: '300@25', field: [{ name: 'stl_text', uuid: 'b', mode: 'remove', value: [] }] },
      ],
    });
  });

  it('give captions whose texts are no markup', () => {
    const vtt = 'WEBVTT\n\n00:00:08.000 --> 00:00:12.000\nHi &lt;b&gt;\n';
    expect(captionsOf(spans)).toEqual([{ language: 'und', vtt }]);
    expect(captionsOf([])).toEqual([]);
  });

  it('give captions for each language, which they name, and keep the languages where they move', () => {
    const value = [
      { value: 'Hej', lang: 'sv_SE' },
      { value: 'Hi', lang: 'en' },
      { value: 'Ho', lang: 'not a language' },
    ];
    const timespan = [{ start: '1', end: '2', field: [{ name: 'stl_text', uuid: 'u', value }] }];
    const timed = spansOf({ timespan });
    const cue = (text: string) => `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${text}\n`;
    expect(captionsOf(timed)).toEqual([
      { language: 'sv-SE', vtt: cue('Hej') },
      { language: 'en', vtt: cue('Hi') },
      { language: 'und', vtt: cue('Ho') },
    ]);
    const [span] = timed;
    const moved = replacementOf(span!, span!.fields, { from: 50, to: 75 }, { numerator: 25, denominator: 1 });
    expect(moved.timespan![1]!.field![0]!.value).toEqual(value);
  });
});

describe('a measure of sound', () => {
  const sound = (...codecs: string[]) => ({ audioComponent: codecs.map((codec) => ({ codec })) });
  it.each([
    ['any sound where a transcoder is', sound('aac'), true, true],
    ['PCM without a transcoder', sound('pcm_s16le', 'pcm_s24le'), false, true],
    ['no other sound without one', sound('pcm_s16le', 'aac'), false, false],
    ['no shape without sound', sound(), true, false],
  ])('is offered for %s', (_what, shape, hasTranscoder, offered) => {
    expect(isMeasurable(shape as never, hasTranscoder)).toBe(offered);
  });
});

describe('the forms of a film', () => {
  const file = [{ id: 'VX-1' }];
  const shape = [
    { id: 'VX-2', mimeType: ['video/mp4'], containerComponent: { format: 'mp4', file }, tag: ['original'] },
    {
      id: 'VX-3',
      mimeType: ['video/mp4'],
      containerComponent: { format: 'cmaf' },
      videoComponent: [{ codec: 'h264', file }],
    },
  ];
  const paths = (withStreams?: boolean) => playables({ id: 'VX-1', shape }, withStreams).map(({ path }) => path);

  it('have its stream first where the browser plays it, and without it elsewhere', () => {
    const whole = '/API/item/VX-1/shape/VX-2/data';
    expect(paths(true)).toEqual(['/API/item/VX-1/stream?format=hls&subtitles=false&shape=VX-3', whole]);
    expect(paths()).toEqual([whole]);
  });
});
