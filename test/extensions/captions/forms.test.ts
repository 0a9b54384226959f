import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../../../src/core/documents/index.ts';
import { instantOf } from '../../../src/core/lib/time-code.ts';
import { type Cue, maxCues, type TimedCue } from '../../../src/extensions/captions/cue.ts';
import { readCaptions } from '../../../src/extensions/captions/read.ts';
import { frameText, sccFrame } from '../../../src/extensions/captions/scc-codes.ts';
import { writeScc } from '../../../src/extensions/captions/scc-write.ts';
import { writeTtml } from '../../../src/extensions/captions/ttml.ts';
import { dice } from '../../support/random.ts';

const read = (name: string, text: string) => readCaptions({ name, text }, defaultLimits);
const texts = async (name: string, text: string) => (await read(name, text)).map(({ text: said }) => said);
const secondsOf = (code: string): number => {
  const { numerator, denominator } = instantOf(code)!.fraction!;
  return Number(numerator) / Number(denominator);
};
const timed = ({ start, end, text, language }: Cue): TimedCue => ({
  start: secondsOf(start),
  end: secondsOf(end),
  text,
  ...(language !== undefined && { language }),
});
const tt = (body: string, attributes = '') =>
  `<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ${attributes}><head><metadata><title>no</title></metadata></head><body><div>${body}</div></body></tt>`;

describe('WebVTT', () => {
  it('gives what is said, without notes, styles, marks and settings', async () => {
    const vtt =
      '\ufeffWEBVTT - a film\r\n\r\nSTYLE\r\n::cue { color: red }\r\n\r\nNOTE nothing\r\n\r\nintro\r\n00:01.500 --> 00:03.000 line:0\r\n<v Ann>Fish &amp; <i>chips</i>\r\n&lt;today&gt;\r\n\r\n01:00:00.000 --> 01:00:01.000\r\nlater\r\n';
    expect(await read('a.vtt', vtt)).toEqual([
      { start: '1500@1000', end: '3000@1000', text: 'Fish & chips\n<today>' },
      { start: '3600000@1000', end: '3601000@1000', text: 'later' },
    ]);
  });
});

describe('TTML', () => {
  it('counts times in seconds, frames and ticks, from the element around', async () => {
    const rate = 'ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001" ttp:tickRate="10000000" xml:lang="en"';
    const body =
      '<p begin="00:00:01.500" end="00:00:03">one</p><p begin="30f" dur="2s">two</p><p begin="50000000t" end="6s" xml:lang="no">three</p>';
    expect(await read('a.xml', tt(body, rate))).toEqual([
      { start: '1500@1000', end: '3000@1000', text: 'one', language: 'en' },
      { start: '1001@1000', end: '3001@1000', text: 'two', language: 'en' },
      { start: '5000@1000', end: '6000@1000', text: 'three', language: 'no' },
    ]);
    const inner = '<p begin="10s" end="20s"><span begin="1s" end="2s">a</span><span begin="2s" dur="3s">b</span></p>';
    expect((await read('a.ttml', tt(inner))).map(({ start, end, text }) => [start, end, text])).toEqual([
      ['11000@1000', '12000@1000', 'a'],
      ['12000@1000', '15000@1000', 'b'],
    ]);
    const smpte = await read(
      'a.ttml',
      tt('<p begin="00:00:10:00" end="00:00:11:00">x</p>', `${rate} ttp:timeBase="smpte"`),
    );
    expect(smpte.map(({ start, end }) => [start, end])).toEqual([['10010@1000', '11011@1000']]);
  });

  it('joins what stands in spans, and breaks lines only where the text does', async () => {
    const body = '<p begin="1s" end="2s">\n  Good <span>morning</span>,<br/>\n  dear   all\n</p><p>untimed</p>';
    expect(await texts('a.dfxp', tt(body))).toEqual(['Good morning,\ndear all']);
  });

  it.each([
    ['a document type', '<!DOCTYPE tt [<!ENTITY a "b">]><tt/>', 'document type'],
    ['entities nobody knows', tt('<p begin="1s" end="2s">&a;</p>'), 'well-formed'],
    ['depth', tt('<p>'.repeat(100)), 'levels of nesting'],
    ['attributes', tt(`<p ${Array.from({ length: 300 }, (_, at) => `a${at}=""`).join(' ')}/>`), 'attributes'],
    ['an end that is missing', tt('<p begin="1s" end="2s">a'), 'well-formed'],
    ['another root', '<svg><p/></svg>', 'found the root element "svg"'],
    ['times that follow each other', tt('<p timeContainer="seq"/>'), 'timeContainer'],
    ['times of a clock', tt('', 'ttp:timeBase="clock"'), 'time base'],
    ['times that are none', tt('<p begin="soon">a</p>'), 'found "soon"'],
  ])('is refused by name: %s', async (_title, xml, sentence) => {
    await expect(read('a.ttml', xml)).rejects.toThrow(sentence);
  });

  it('refuses more subtitles than a film has, and texts that are too long', async () => {
    const many = Array.from({ length: maxCues + 1 }, () => '<p begin="1s" end="2s">a</p>').join('');
    await expect(read('a.ttml', tt(many))).rejects.toThrow('Expected at most 20000 subtitles');
    await expect(read('a.ttml', tt(`<p begin="1s" end="2s">${'a'.repeat(5000)}</p>`))).rejects.toThrow(
      '4000 characters',
    );
  });
});

describe('SCC', () => {
  it('shows a caption when it is loaded whole, and until it is erased', async () => {
    // Two lines of a caption, loaded, shown 20 frames later, and erased.
    const scc =
      'Scenarist_SCC V1.0\n\n00:00:01:00\t94ae 94ae 9420 9420 1370 1370 c8e5 ecec ef80 9470 9470 f7ef f2ec 6480 942f 942f\n\n00:00:03:00\t942c 942c\n';
    expect(await read('a.scc', scc)).toEqual([{ start: '44@30000:1001', end: '90@30000:1001', text: 'Hello\nworld' }]);
  });

  it('tells lines that roll up one by one, and knows the characters of other languages', async () => {
    const roll =
      'Scenarist_SCC V1.0\n\n00:00:01;00\t9425 9425 94ad 94ad 9470 9470 efee e580\n\n00:00:02;00\t94ad 94ad 9470 9470 f4f7 ef80\n\n00:00:03;00\t942c 942c';
    expect(await texts('a.scc', roll)).toEqual(['one', 'two']);
    const marks = 'Scenarist_SCC V1.0\n\n00:00:01:00\t9420 9420 9470 9470 9137 9137 d580 9223 9223 2a80 942f 942f';
    expect(await texts('a.scc', marks)).toEqual(['♪Úá']);
  });

  it('counts the numbers of frames as film does: an hour takes an hour', () => {
    expect([
      sccFrame('00:01:00;02'),
      sccFrame('00:10:00;00'),
      sccFrame('01:00:00;00'),
      sccFrame('01:00:00:00'),
    ]).toEqual([1800, 17982, 107892, 108000]);
    for (const frame of [0, 1799, 1800, 1801, 17981, 17982, 19781, 19782, 107892, 500_000]) {
      expect(sccFrame(frameText(frame)), String(frame)).toBe(frame);
    }
  });

  it.each([
    ['no first line', '00:00:01:00 9420', 'first line'],
    ['a time that is none', 'Scenarist_SCC V1.0\n1:2 9420', 'time codes'],
    ['words that are none', 'Scenarist_SCC V1.0\n00:00:01:00 94', 'hexadecimal'],
  ])('is refused by name: %s', async (_title, text, sentence) => {
    await expect(read('a.scc', text)).rejects.toThrow(sentence);
  });
});

describe('subtitles that are written and read again', () => {
  const cues: readonly TimedCue[] = [
    { start: 2, end: 4, text: 'Hello,\nworld & <all>' },
    { start: 4, end: 5.5, text: 'She’s ♪ “Ça va, señor?” über' },
    { start: 9, end: 12, text: 'the end' },
  ];

  it('are the same as TTML, with their languages', async () => {
    const spoken = cues.map((cue, at) => ({ ...cue, language: at === 2 ? 'no' : 'en' }));
    expect((await read('a.ttml', [...writeTtml(spoken)].join(''))).map(timed)).toEqual(spoken);
    const same = cues.map((cue) => ({ ...cue, language: 'en' }));
    const xml = [...writeTtml(same)].join('');
    expect(xml).toContain('<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en">');
    expect((await read('a.ttml', xml)).map(timed)).toEqual(same);
  });

  it('are the same as SCC, to a frame', async () => {
    const found = (await read('a.scc', [...writeScc(cues)].join(''))).map(timed);
    expect(found.map(({ text }) => text)).toEqual(cues.map(({ text }) => text));
    for (const [at, { start, end }] of found.entries()) {
      expect(Math.abs(start - cues[at]!.start), `start ${at}`).toBeLessThan(0.04);
      expect(Math.abs(end - cues[at]!.end), `end ${at}`).toBeLessThan(0.1);
    }
  });

  it('lose only what CEA-608 has no room for: accents, long lines, signs', async () => {
    const [one] = await read(
      'a.scc',
      [...writeScc([{ start: 5, end: 6, text: `Łódź ş 漢 ${'word '.repeat(12)}` }])].join(''),
    );
    expect(one!.text).toMatch(/^\?ódz s \? word/);
    expect(Math.max(...one!.text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(32);
  });

  it('keep words of SCC with odd parity, and one word for each frame', () => {
    const lines = [...writeScc(cues)]
      .join('')
      .split('\n')
      .filter((line) => line.includes('\t'));
    let free = 0;
    for (const line of lines) {
      const [time, words] = line.split('\t') as [string, string];
      expect(sccFrame(time)).toBeGreaterThanOrEqual(free);
      free = sccFrame(time) + words.split(' ').length;
      for (const byte of words.replaceAll(' ', '').match(/../g)!) {
        const ones = Number.parseInt(byte, 16).toString(2).replaceAll('0', '').length;
        expect(ones % 2, byte).toBe(1);
      }
    }
  });

  it('are read or refused by name, whatever bytes a file has', async () => {
    const roll = dice(7);
    const pieces = [
      'WEBVTT\n',
      'Scenarist_SCC V1.0\n',
      '<tt>',
      '<p begin="1s" end="2s">',
      '</p>',
      '00:00:01.000 --> 00:00:02.000\n',
    ];
    const more = ['\n', '00:00:01;00\t9420 942f', '&', 'é', '\u0000', '</tt>', '9420 ', '<span>', 'a'];
    const all = [...pieces, ...more];
    for (let run = 0; run < 200; run++) {
      const text = Array.from({ length: 8 }, () => all[roll(all.length)]!).join('');
      const name = ['a.srt', 'a.vtt', 'a.ttml', 'a.scc', 'a'][run % 5]!;
      await read(name, text).catch((error: Error) => expect(error.message, text).toContain('Expected'));
    }
  });
});
