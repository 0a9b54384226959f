import { describe, expect, it } from 'vitest';
import { createXmlReader, defaultLimits, readJson, readXml } from '../../../src/core/documents/index.ts';
import { userDocument } from '../../../src/identity/documents.ts';
import { failure } from '../../support/thrown.ts';
import { cpuTime } from '../../support/turns.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const user = (inside: string, attributes = '') =>
  `<UserDocument${attributes}><userName>a</userName>${inside}</UserDocument>`;
const wide = { ...defaultLimits, elements: 10_000_000, entries: 10_000_000, unknown: 10_000_000, bytes: 100_000_000 };

describe('a document type declaration is refused, whatever is in it', () => {
  it.each([
    ['alone', '<!DOCTYPE UserDocument>'],
    ['with a system identifier', '<!DOCTYPE UserDocument SYSTEM "file:///etc/passwd">'],
    ['with a public identifier', '<!DOCTYPE UserDocument PUBLIC "a" "http://169.254.169.254/">'],
    ['with an external entity', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'],
    ['with nested entities', '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>'],
    ['with a parameter entity', '<!DOCTYPE x [<!ENTITY % p SYSTEM "http://a/"> %p;]>'],
    ['with default attributes', '<!DOCTYPE x [<!ATTLIST UserDocument disabled CDATA "true">]>'],
  ])('%s', (_, doctype) => {
    const error = failure(() => readXml(userDocument, `${doctype}${user('')}`));
    expect(error).toMatchObject({ kind: 'syntax', place: '/UserDocument' });
    expect(error.explanation).toContain('document type declaration');
  });

  it('in lower case it is no declaration at all', () => {
    expect(failure(() => readXml(userDocument, `<!doctype html>${user('')}`)).kind).toBe('syntax');
  });

  it('never closed', () => {
    expect(failure(() => readXml(userDocument, `<!DOCTYPE x [${'<!ENTITY a "b">'.repeat(1000)}`)).kind).toBe('syntax');
  });
});

describe('entities', () => {
  it.each(['&xxe;', '&nbsp;', '&;', '&#0;', '&#x1;', '&#xD800;', '&#xFFFFFFFF;', '&#99999999999;', '& ', '&amp'])(
    '%s is refused',
    (entity) => {
      expect(failure(() => readXml(userDocument, user(`<realName>${entity}</realName>`))).kind).toBe('syntax');
    },
  );

  it('the five predefined ones and character references are read', () => {
    expect(readXml(userDocument, user('<realName>&amp;&lt;&gt;&quot;&apos;&#65;&#x1F600;</realName>')).realName).toBe(
      '&<>"\'A😀',
    );
  });

  it('version 1.1 does not let control characters in', () => {
    expect(failure(() => readXml(userDocument, `<?xml version="1.1"?>${user('<realName>&#1;</realName>')}`)).kind).toBe(
      'syntax',
    );
  });
});

describe('floods are refused at the limit', () => {
  it('200k levels of unknown elements', () => {
    const error = failure(() => readXml(userDocument, user('<a>'.repeat(200_000))));
    expect(error).toMatchObject({ kind: 'limit', limit: 'depth' });
    expect(error.explanation).toBe('Expected at most 64 levels of nesting: found more');
  });

  it('200k levels of known elements', () => {
    const deep = '<groupList><group><parentGroupList>'.repeat(66_667);
    expect(failure(() => readXml(userDocument, user(deep)))).toMatchObject({ kind: 'limit', limit: 'depth' });
  });

  it('200k levels that each declare namespaces', () => {
    const deep = Array.from({ length: 200_000 }, (_, i) => `<p${i}:a xmlns:p${i}="urn:${i}" xmlns="urn:d${i}">`).join(
      '',
    );
    expect(failure(() => readXml(userDocument, user(deep), wide))).toMatchObject({ kind: 'limit', limit: 'depth' });
  });

  it('levels of self-closing elements do not add up', () => {
    expect(readXml(userDocument, user('<a/>'.repeat(1000)))).toEqual({ userName: 'a' });
  });

  it('exactly the allowed depth is read, one more is not', () => {
    const nest = (levels: number) => user('<a>'.repeat(levels) + '</a>'.repeat(levels));
    expect(readXml(userDocument, nest(63))).toEqual({ userName: 'a' });
    expect(failure(() => readXml(userDocument, nest(64))).limit).toBe('depth');
  });

  it('100k attributes, namespace declarations, and those of ignored elements', () => {
    const names = (count: number, prefix: string) =>
      Array.from({ length: count }, (_, i) => ` ${prefix}${i}="x"`).join('');
    for (const prefix of ['a', 'xmlns:a']) {
      expect(failure(() => readXml(userDocument, user('', names(100_000, prefix)))).limit).toBe('attributes');
      expect(failure(() => readXml(userDocument, user(`<b><c${names(300, prefix)}/></b>`))).limit).toBe('attributes');
    }
    expect(readXml(userDocument, user(`<b${names(256, 'a')}/>`.repeat(5), names(256, 'a')))).toEqual({ userName: 'a' });
  });

  it('the same attribute twice, also through two prefixes', () => {
    expect(failure(() => readXml(userDocument, user('', ' a="1" a="2"'))).kind).toBe('syntax');
    expect(failure(() => readXml(userDocument, user('', ' xmlns:p="u" xmlns:q="u" p:a="1" q:a="2"'))).kind).toBe(
      'syntax',
    );
  });

  it('elements, known, unknown and ignored', () => {
    const limits = { ...defaultLimits, elements: 1000 };
    for (const inside of ['<alias>a</alias>', '<b/>', '<b><c/></b>']) {
      expect(failure(() => readXml(userDocument, user(inside.repeat(1000)), limits)).limit).toBe('elements');
    }
  });

  it.each([
    ['an element', (text: string) => user(`<realName>${text}</realName>`)],
    ['an ignored element', (text: string) => user(`<b>${text}</b>`)],
    ['an attribute', (text: string) => user('', ` a="${text}"`)],
    ['a CDATA section', (text: string) => user(`<realName><![CDATA[${text}]]></realName>`)],
    [
      'many CDATA sections',
      (text: string) => user(`<realName>${`<![CDATA[${text.slice(0, 1000)}]]>`.repeat(1100)}</realName>`),
    ],
    ['a comment', (text: string) => `<!--${text}-->${user('')}`],
    ['a processing instruction', (text: string) => `<?a ${text}?>${user('')}`],
    ['a document type declaration', (text: string) => `<!DOCTYPE x [<!-- ${text}`],
  ])('text of more than a megabyte in %s', (_, wrap) => {
    expect(failure(() => readXml(userDocument, wrap('x'.repeat(1024 * 1024 + 200_000))))).toMatchObject({
      kind: 'limit',
      limit: 'text',
    });
  });

  it('an unfinished text is refused before it ends', () => {
    const reader = createXmlReader(userDocument, { ...wide, text: 100_000 });
    reader.write(bytes('<UserDocument><realName>'));
    let written = 0;
    const error = failure(() => {
      for (; written < 1_000_000; written += 10_000) reader.write(bytes('x'.repeat(10_000)));
    });
    expect(error.limit).toBe('text');
    expect(written).toBeLessThanOrEqual(110_000);
  });

  it('more bytes than allowed, before they are looked at', () => {
    const limits = { ...defaultLimits, bytes: 100 };
    expect(failure(() => readXml(userDocument, new Uint8Array(101).fill(0xff), limits)).limit).toBe('bytes');
    expect(failure(() => readXml(userDocument, ' '.repeat(101), limits)).limit).toBe('bytes');
    expect(failure(() => createXmlReader(userDocument, limits).write(new Uint8Array(101).fill(0xff))).limit).toBe(
      'bytes',
    );
  });
});

describe('namespaces', () => {
  it.each([
    ['an unbound prefix', '<p:a/>'],
    ['xml bound to something else', '<a xmlns:xml="urn:x"/>'],
    ['the xmlns prefix bound', '<a xmlns:xmlns="urn:x"/>'],
    ['another prefix bound to the xml namespace', '<a xmlns:p="http://www.w3.org/XML/1998/namespace"/>'],
    ['a prefix unbound again', '<a xmlns:p=""/>'],
    ['two colons', '<a xmlns:p="u"><p:q:r/></a>'],
    ['an empty prefix', '<:a/>'],
  ])('%s is refused', (_, inside) => {
    expect(failure(() => readXml(userDocument, user(inside))).kind).toBe('syntax');
  });

  it('a prefix that is bound again on each level, and "__proto__" as prefix and name, are harmless', () => {
    const xml = user(
      '<p:b xmlns:p="u1"><p:c xmlns:p="u2"/></p:b><__proto__:x xmlns:__proto__="u" __proto__="1"/><__proto__/><constructor/>',
    );
    expect(readXml(userDocument, xml)).toEqual({ userName: 'a' });
  });
});

describe('encodings', () => {
  const utf16 = (text: string, littleEndian: boolean) =>
    Uint8Array.from([...text].flatMap((c) => (littleEndian ? [c.charCodeAt(0), 0] : [0, c.charCodeAt(0)])));

  it.each([true, false])('UTF-16 is refused, with and without a byte order mark (little endian: %s)', (little) => {
    const mark = little ? [0xff, 0xfe] : [0xfe, 0xff];
    for (const head of [mark, []]) {
      const body = new Uint8Array([...head, ...utf16(user(''), little)]);
      expect(failure(() => readXml(userDocument, body)).kind).toBe('syntax');
      const reader = createXmlReader(userDocument);
      expect(
        failure(() => {
          reader.write(body);
          reader.end();
        }).kind,
      ).toBe('syntax');
    }
  });

  it.each(['UTF-16', 'ISO-8859-1', 'UTF-7', 'windows-1252', 'UTF-32'])('a declaration of %s is refused', (encoding) => {
    const error = failure(() => readXml(userDocument, `<?xml version="1.0" encoding="${encoding}"?>${user('')}`));
    expect(error.explanation).toBe(`Expected the encoding "UTF-8": found "${encoding}"`);
  });

  it.each([
    ['an overlong form', [0xc0, 0xbc]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a lone continuation', [0x80]],
    ['above U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
  ])('%s is refused', (_, middle) => {
    const body = new Uint8Array([
      ...bytes('<UserDocument><userName>'),
      ...middle,
      ...bytes('</userName></UserDocument>'),
    ]);
    expect(failure(() => readXml(userDocument, body)).kind).toBe('syntax');
  });
});

describe('what is not one document is refused', () => {
  it.each([
    ['two roots', `${user('')}${user('')}`],
    ['trailing text', `${user('')}more`],
    ['trailing CDATA', `${user('')}<![CDATA[x]]>`],
    ['leading text', `more${user('')}`],
    ['a late XML declaration', ` <?xml version="1.0"?>${user('')}`],
    ['crossed tags', user('<a><b></a></b>')],
    ['a tag that never ends', '<UserDocument><userName'],
    ['a NUL', user('\u0000')],
    ['an attribute without quotes', '<UserDocument disabled=true/>'],
    ['"<" in an attribute', '<UserDocument a="<"/>'],
    ['"]]>" in text', user(']]>')],
  ])('%s', (_, xml) => {
    expect(failure(() => readXml(userDocument, xml)).kind).toBe('syntax');
  });

  it('trailing space and comments are fine', () => {
    expect(readXml(userDocument, `${user('')}\n<!-- end -->\n`)).toEqual({ userName: 'a' });
  });
});

describe('time grows with the size, not with its square', () => {
  /** Processor time of the best of several runs. */
  const best = (work: () => unknown) => {
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 7; i++) {
      const start = cpuTime();
      work();
      least = Math.min(least, cpuTime() - start);
    }
    return least;
  };

  /**
   * How many times longer eight times the input takes. Linear reading is far below the bound, a square would be 64.
   * Neighbours on the machine can only spoil single tries.
   */
  function expectLinear(readSmall: () => unknown, readLarge: () => unknown): void {
    const bound = 44;
    best(readSmall);
    let growth = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 5 && growth >= bound; tries++) growth = best(readLarge) / best(readSmall);
    expect(growth).toBeLessThan(bound);
  }

  it.each([
    ['children', (n: number) => user('<alias>x</alias>'.repeat(n))],
    ['unknown children', (n: number) => user('<other a="b">x</other>'.repeat(n))],
    ['text', (n: number) => user(`<realName>${'some text '.repeat(n)}</realName>`)],
    ['entities', (n: number) => user(`<realName>${'&amp;'.repeat(n)}</realName>`)],
    ['CDATA sections', (n: number) => user(`<realName>${'<![CDATA[x]]>'.repeat(n)}</realName>`)],
    ['comments', (n: number) => user('<!-- x -->'.repeat(n))],
    ['namespace declarations', (n: number) => user('<p:a xmlns:p="urn:p"><p:b/></p:a>'.repeat(n))],
    [
      'levels up to the limit',
      (n: number) => user(`${'<a xmlns:p="u">'.repeat(60)}${'</a>'.repeat(60)}`.repeat(n / 50)),
    ],
  ])('%s', (_, make) => {
    const limits = { ...wide, text: 10_000_000 };
    const [small, large] = [make(2500), make(20_000)];
    const read = (xml: string) => () => readXml(userDocument, xml, limits);
    expectLinear(read(small), read(large));
  });

  it('many small chunks', () => {
    const make = (n: number) => bytes(user(`<realName>${'some text '.repeat(n)}</realName>`));
    const read = (body: Uint8Array) => () => {
      const reader = createXmlReader(userDocument, wide);
      for (let at = 0; at < body.length; at += 16) reader.write(body.subarray(at, at + 16));
      reader.end();
    };
    const [small, large] = [make(2500), make(20_000)];
    expectLinear(read(small), read(large));
  });

  it.each([
    ['JSON', (n: number) => `{"userName":"a","more":[${'{"a":"b\\n"},'.repeat(n)}1]}`],
    [
      'JSON of many properties',
      (n: number) => `{"userName":"a",${Array.from({ length: n }, (_, index) => `"p${index}":0`).join()}}`,
    ],
  ])('%s', (_, make) => {
    const [small, large] = [make(2500), make(20_000)];
    const read = (json: string) => () => readJson(userDocument, json, wide);
    expectLinear(read(small), read(large));
  });
});
