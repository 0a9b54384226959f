import { describe, expect, it } from 'vitest';
import { Findings, formatFindings } from '../../../src/security/ini/findings.ts';
import { readIni } from '../../../src/security/ini/sections.ts';
import { splitQuoted } from '../../../src/security/ini/split.ts';

function load(text: string) {
  const findings = new Findings('security.ini');
  const { sections } = readIni(text, 'security.ini', findings);
  const plain = [...sections].map(([name, { entries }]) => [name, entries.map(({ key, value }) => [key, value])]);
  const places = [...sections.values()].flatMap(({ entries }) =>
    entries.map((entry) =>
      [entry.position, entry.valuePosition()].map(({ line, column }) => `${line}:${column}`).join(' '),
    ),
  );
  const told = findings.list().map(({ severity, line, column, code }) => `${line}:${column} ${severity} ${code}`);
  return { sections: Object.fromEntries(plain), places, told, findings: findings.list() };
}

describe('lines and sections', () => {
  it.each([
    ['LF', '[main]\na = b\nc = d'],
    ['CRLF', '[main]\r\na = b\r\nc = d\r\n'],
    ['lone CR', '[main]\ra = b\rc = d'],
    ['U+0085', '[main]\u0085a = b\u0085c = d'],
    ['U+2028', '[main]\u2028a = b\u2028c = d'],
    ['U+2029', '[main]\u2029a = b\u2029c = d'],
    ['a byte-order mark', '\uFEFF[main]\na = b\nc = d'],
    ['comments', '# x\n[main]\n ; y\na = b\n  #z\n\nc = d'],
    ['blanks around', '  [ main ]  \n\ta\t=\tb\t\n  c   d  '],
  ])('reads %s', (_what, text) => {
    const { sections, told } = load(text);
    expect([sections, told]).toEqual([
      {
        main: [
          ['a', 'b'],
          ['c', 'd'],
        ],
      },
      [],
    ]);
  });

  it.each([
    ['no inline comments', 'a = b # c', 'b # c'],
    ['a semicolon is a character', 'a = b;c', 'b;c'],
    ['separators are skipped', 'a = = : b', 'b'],
    ['a protected one stays, with its backslash', 'a = \\= b', '\\= b'],
    ['U+3000 separates', 'a\u3000b', 'b'],
    ['quotes stay', 'a = "b"', '"b"'],
    ['backslashes in a value stay', 'a = b\\nc', 'b\\nc'],
    ['two at the end are no continuation', 'a = b\\\\', 'b\\\\'],
    ['form feed is no end of line', 'a = b\fc', 'b\fc'],
    ['U+00A0 is text', 'a = \u00a0b', '\u00a0b'],
    ['continuation', 'a = b \\\n   c', 'b c'],
    ['a comment vanishes in a continuation', 'a = b,\\\n# x\n\n  c', 'b,c'],
    ['a bracket continues a value', 'a = roles\\\n  [x, y], z', 'roles[x, y], z'],
    ['a blank after the backslash', 'a = b\\  \nc', 'bc'],
  ])('%s', (_what, line, value) => {
    const { sections, told } = load(`[main]\n${line}`);
    expect([sections, told]).toEqual([{ main: [['a', value]] }, []]);
  });

  it.each([
    ['/a\\:b = x', '/a:b', 'x'],
    ['/a\\ b x', '/a b', 'x'],
    ['cn\\=x = y', 'cn=x', 'y'],
    ['a\\\\b = c', 'ab', 'c'],
    ['/a:b = anon', '/a', 'b = anon'],
    ['a#b = c', 'a#b', 'c'],
    ['a\u00a0b = c', 'a\u00a0b', 'c'],
  ])('splits %s', (line, key, value) => {
    expect(load(`[urls]\n${line}`).sections).toEqual({ urls: [[key, value]] });
  });

  it('knows where keys and values stand, also across lines', () => {
    expect(load('[main]\n  a  =  b\nlong = one,\\\n   two').places).toEqual(['2:3 2:9', '3:1 3:8']);
    const findings = new Findings('');
    const entry = readIni('[main]\nlong = one, \\\n   two', '', findings).sections.get('main')!.entries[0]!;
    expect(entry.valuePosition(5)).toEqual({ line: 3, column: 4 });
    expect(entry.valuePosition(7)).toEqual({ line: 3, column: 6 });
    expect(entry.valuePosition(2)).toEqual({ line: 2, column: 10 });
  });

  it('keeps the order of keys that look like numbers', () => {
    const { sections } = load('[urls]\n/b = x\n10 = y\n/a = z\n2 = w');
    expect(sections['urls']!.map(([key]: string[]) => key)).toEqual(['/b', '10', '/a', '2']);
  });
});

describe('what is refused', () => {
  it.each([
    ['a continuation at the end of the file', '[main]\na = b\\', '2:1 error open-continuation'],
    ['a continuation at the end of a section', '[main]\na = b\\\n[urls]\n/x = y', '2:1 error open-continuation'],
    ['a continuation before an empty line at the end', '[main]\na = b\\\n\n# c\n', '2:1 error open-continuation'],
    ['a comment behind a header', '[main]\na = b\n[urls] # rules\n/x = y', '3:1 error section-header'],
    ['a header that is not closed', '[main]\na = b\n  [urls\n/x = y', '3:3 error section-header'],
    ['a key without a value', '[main]\nalone', '2:1 error no-value'],
    ['a key without a value, but a separator', '[main]\nalone = ', '2:1 error no-value'],
    ['a value without a key', '[main]\n = b', '2:2 error no-key'],
    ['a header with a comment in a continuation', '[main]\na = b\\\n[urls] # x\nc', '3:1 error section-header'],
    ['a lone backslash', '[main]\n\\', '2:1 error no-key'],
    ['a repeated section', '[main]\na = b\n[main]\nc = d', '3:1 error repeated-section'],
    ['a repeated pattern', '[urls]\n/a = b\n/a = c', '3:1 error repeated-key'],
    ['a repeated user', '[users]\na = b\na = b', '3:1 error repeated-key'],
    ['a repeated role', '[roles]\na = b\na = c', '3:1 error repeated-key'],
    ['a second class for an object', '[main]\na = b\na = c', '3:1 error repeated-key'],
    ['a section of another name', '[Main]\na = b', '1:1 error unknown-section'],
    ['a section with a name in brackets', '[[main]]\na = b', '1:1 error unknown-section'],
  ])('%s', (_what, text, told) => {
    expect(load(text).told).toEqual([told]);
  });

  it('names the section that was meant', () => {
    expect(load('[Urls]\n/ = x').findings[0]!.nearest).toBe('urls');
  });

  it('is not bothered by sections without statements', () => {
    expect(load('[main]\na = b\n[main]\n# nothing\n[other]\n').told).toEqual([]);
  });

  it('bounds its work', () => {
    expect(load('x'.repeat(2 * 1024 * 1024)).told).toEqual(['1:1 error file-size']);
  });
});

describe('what is warned of', () => {
  it('a property that stands twice: the last value at the first place, as in the original', () => {
    const { sections, told, findings } = load('[main]\na.b = 1\nc.d = 2\na.b = 3');
    expect(sections).toEqual({
      main: [
        ['a.b', '3'],
        ['c.d', '2'],
      ],
    });
    expect(told).toEqual(['4:1 warning repeated-key']);
    expect(findings[0]!.message).toContain('line 2');
  });

  it('statements before the first section', () => {
    expect(load('\na = b').told).toEqual(['2:1 warning before-section']);
  });
});

describe('lists', () => {
  const list = (text: string) => splitQuoted(text).tokens.map((token) => token.text);
  it.each([
    ['a, b ,c', ['a', 'b', 'c']],
    ['a,,b,', ['a', '', 'b', '']],
    ['"a, b", c', ['a, b', 'c']],
    ['"a ""b"" c"', ['a "b" c']],
    ['p"w', ['pw']],
    ['"a" b', ['a b']],
    ['  ', []],
    ["'a, b'", ["'a", "b'"]],
  ])('splits %s', (text, parts) => {
    expect(list(text)).toEqual(parts);
  });

  it('tells of a quote that stays open', () => {
    expect([splitQuoted('a, "b, c').open, splitQuoted('"a", b').open]).toEqual([true, false]);
  });

  it('knows where each part begins', () => {
    expect(splitQuoted('a,  b, "c, d",e').tokens.map(({ at }) => at)).toEqual([0, 4, 7, 14]);
  });
});

describe('findings', () => {
  const { findings } = load('[Urls]\n/ = x');

  it('are printed so that editors find the place', () => {
    expect(formatFindings(findings, 'text')).toBe(
      'security.ini:1:1: error: Expected one of the sections [main] [filters] [users] [roles] [urls]: [Urls] (did you mean "urls"?) [unknown-section]\n',
    );
  });

  it('are JSON for programs', () => {
    expect(JSON.parse(formatFindings(findings, 'json'))).toEqual(findings);
  });

  it('come in the order of the file', () => {
    const { told } = load('[main]\na = b\\\n[urls]\n[users] x\n[main]\nc = d\n[other]\ne = f');
    expect(told).toEqual([...told].sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)));
    expect(told.length).toBeGreaterThan(2);
  });

  it('quote on one line, and not everything', () => {
    const { findings: long } = load(`[${'x'.repeat(500)}]\na = b`);
    expect(long[0]!.message.length).toBeLessThan(200);
  });
});
