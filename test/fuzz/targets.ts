import { embeddedProperties } from '../../plugins/embedded/index.ts';
import { xmpProperties } from '../../plugins/embedded/xmp.ts';
import { probers } from '../../plugins/probers/index.ts';
import { DocumentError, defaultLimits } from '../../src/core/documents/index.ts';
import { ServiceError } from '../../src/core/lib/errors.ts';
import { CaptionError } from '../../src/extensions/captions/cue.ts';
import { readCaptions } from '../../src/extensions/captions/read.ts';
import { readJpeg } from '../../src/extensions/pictures/jpeg-pixels.ts';
import { readXmeml } from '../../src/extensions/projects/xmeml.ts';
import { StylesheetFails } from '../../src/extensions/stylesheets/processor/fails.ts';
import { transformHere } from '../../src/extensions/stylesheets/processor/transform.ts';
import { hasMediaKind, mediaOf } from '../../src/kit/testing/check-prober.ts';
import { wholePicture } from '../../src/production/transcoding/codecs/whole-picture.ts';
import { assemble } from '../../src/security/ini/assemble.ts';
import { defaultIni } from '../../src/security/ini/default-ini.ts';
import { canonicalPattern } from '../../src/security/path.ts';
import { input as sheetInput } from '../extensions/stylesheets/processor/expressions.ts';
import { clip, fields } from '../extensions/stylesheets/support.ts';
import * as embedded from '../production/checking/embedded-samples.ts';
import * as media from '../production/checking/samples.ts';
import { samples as jpegs } from '../production/transcoding/jpeg-samples.ts';
import { hostFor, read } from '../security/ini/try.ts';
import { everyRoute, nameOf } from '../security/roles/routes.ts';
import { ruleOf } from '../security/roles/rules.ts';
import type { Sent } from '../support/matrix.ts';
import { targetPieces } from '../support/paths.ts';
import { prepare } from '../support/scenario.ts';
import { bytesOf, type Input, inputOf, textOf, type Words } from './edits.ts';
import { defaultTurn } from './judge.ts';
import {
  annotation,
  binaryPieces,
  brackets,
  elements,
  jsonPieces,
  metadata,
  metadataXml,
  otio,
  scc,
  search,
  srt,
  svg,
  tt,
  vtt,
  xmeml,
  xmlPieces,
} from './seeds.ts';
import type { FuzzWorld } from './world.ts';

/** A reader of what comes from outside. */
export interface Target extends Words {
  readonly name: string;
  /** Inputs that it reads. */
  seeds(): Promise<readonly Input[]> | readonly Input[];
  /** Reads one input. Throws for one that the reader refuses only what `refuses` knows. */
  open(world: FuzzWorld): Promise<(input: Input) => Promise<unknown>>;
  readonly refuses?: (error: unknown) => boolean;
  /** Milliseconds for which it may hold its thread. */
  readonly maxTurn: number;
  readonly maxLength: number;
}

const of = (
  name: string,
  seeds: Target['seeds'],
  words: Partial<Words>,
  more: Partial<Target> & Pick<Target, 'open'>,
): Target => ({
  name,
  seeds,
  pieces: binaryPieces,
  around: brackets,
  maxTurn: defaultTurn,
  maxLength: 262_144,
  ...words,
  ...more,
});

/** A reader that is called by itself. */
const reader = (
  name: string,
  seeds: Target['seeds'],
  words: Partial<Words>,
  call: (input: Input) => unknown,
  more: Partial<Target> = {},
) => of(name, seeds, words, { open: async () => async (input) => call(input), ...more });

const routeOf = new Map(everyRoute.map((route) => [nameOf(route), route]));

/** Reader behind a route: its request in the tests of roles, with the input in it. */
const behind = (
  route: string,
  name: string,
  seeds: Target['seeds'],
  words: Partial<Words>,
  within: (sent: Omit<Sent, 'as'>, input: Input) => Omit<Sent, 'as'>,
  more: Partial<Target> = {},
): Target =>
  of(name, seeds, words, {
    async open(world) {
      const row = routeOf.get(route)!;
      const { given, rows, request } = ruleOf(row);
      const who = `fuzz-${name}`;
      await prepare(world, given?.(who));
      await rows?.(world, who, 'admin');
      const sent = request(who);
      return (input) => world.ask(within(sent, input), row);
    },
    ...more,
  });

const body =
  (type: string, make: (input: Input) => Sent['body'] = bytesOf) =>
  ({ request, headers }: Omit<Sent, 'as'>, input: Input): Omit<Sent, 'as'> => ({
    request,
    headers: { ...headers, 'content-type': type, accept: type === 'application/xml' ? type : 'application/json' },
    body: make(input),
  });

/** A parameter of the query. */
const parameter =
  (name: string) =>
  ({ request, headers }: Omit<Sent, 'as'>, input: Input): Omit<Sent, 'as'> => {
    const value = encodeURIComponent(textOf(input).toWellFormed());
    return { request: `${request}${request.includes('?') ? '&' : '?'}${name}=${value}`, headers };
  };

/** Lines of headers. Those that no runtime passes on are left out. */
function headersIn(input: Input): Record<string, string> {
  const lines = input.split('\n').slice(0, 100);
  const pairs = lines.flatMap((line) => /^([\w-]+):([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? []);
  return Object.fromEntries(pairs.flatMap((_, at) => (at % 3 === 0 ? [[pairs[at + 1]!, pairs[at + 2]!.trim()]] : [])));
}

const captionsNamed = (ending: string, text: string, pieces: readonly string[]) =>
  reader(
    ending,
    () => [inputOf(text)],
    { pieces, around: elements },
    (input) => readCaptions({ name: `a.${ending}`, text: textOf(input) }, defaultLimits),
    { refuses: (error) => error instanceof CaptionError },
  );

const probeOptions = { maxBytes: 1 << 26, signal: new AbortController().signal };
const wanted = [
  'xmp:dc:title',
  'exif:Make',
  'iptc:Headline',
  'pdf:Title',
  'id3:TIT2',
  'tag:title',
  'bext:Description',
  'ixml:SCENE',
];

async function probed(input: Input): Promise<void> {
  const bytes = bytesOf(input);
  for (const prober of probers) {
    if (prober.accepts(bytes.subarray(0, 4096), 'a') !== 'no')
      await prober.probe(mediaOf({ name: 'a', bytes }), probeOptions).catch((error: unknown) => {
        if (!hasMediaKind(error)) throw error;
      });
  }
}

/** All but the bytes of sounds and pictures of long samples: edits hit what readers look at. */
const small = (bytes: Uint8Array): Input => inputOf(bytes.subarray(0, 60_000));

/** Files are read on a thread or in a process of their own where there are some. */
const aside = 1000;

export const targets: readonly Target[] = [
  of(
    'path',
    () => [
      '/API/user/alice',
      '/API/item;first=1;number=10?content=metadata',
      '/x/..;/API/x',
      '/API/storage/VX-1/file/a%2Fb%20c/data',
      'http://host:80/API/whoami',
      '/API/item/VX-1/shape/VX-1/mime/a/b',
    ],
    { pieces: [...targetPieces, '/API/', '/item/', ';first=', '?q='] },
    {
      maxLength: 10_000,
      open: async (world) => (input) => world.ask({ request: 'GET /' }, undefined, input),
    },
  ),
  reader(
    'ini',
    () => [inputOf(defaultIni), inputOf(defaultIni.replace(/^#(?=\S)/gm, ''))],
    {
      pieces: [
        '[',
        ']',
        '[main]',
        '[urls]',
        '\n',
        '=',
        ':',
        '\\',
        '"',
        ',',
        '.',
        '$',
        '#',
        ';',
        '/**',
        'roles[a]',
        '.class',
        '__proto__',
      ],
    },
    async (input) => {
      const { blueprint } = read(textOf(input), [], { canonicalPattern });
      if (blueprint) await assemble(blueprint, (name) => hostFor(name));
    },
    { maxLength: 65_536, maxTurn: aside },
  ),
  behind(
    'PUT /item/:item/metadata',
    'xml',
    () => [inputOf(metadataXml)],
    { pieces: xmlPieces, around: elements },
    body('application/xml'),
  ),
  behind(
    'PUT /item/:item/metadata',
    'json',
    () => [JSON.stringify(metadata)],
    { pieces: jsonPieces },
    body('application/json'),
  ),
  behind(
    'POST /upload',
    'tus',
    () => [
      'upload-length: 5\nupload-metadata: storage VlgtMQ==,path aW4vYS5tb3Y=,filename YS5tb3Y=',
      'upload-length: 5\ncontent-type: application/offset+octet-stream\nupload-checksum: sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=\nupload-metadata: storage VlgtMQ==,filename YS5tb3Y=,import dHJ1ZQ==',
    ],
    {
      pieces: [
        '\n',
        ':',
        ',',
        ' ',
        '=',
        'upload-length: ',
        'upload-metadata: ',
        'upload-checksum: md5 ',
        'upload-defer-length: 1\n',
        'upload-concat: partial\n',
        'storage ',
        'path ',
        'import ',
        'tus-resumable: ',
        'content-length: ',
      ],
    },
    (sent, input) => ({
      ...sent,
      headers: { ...sent.headers, ...headersIn(input) },
      ...(/content-type/i.test(input) && { body: 'hello' }),
    }),
    { maxLength: 16_384 },
  ),
  captionsNamed('ttml', tt, xmlPieces),
  captionsNamed('scc', scc, [
    '\t',
    ' ',
    '\n',
    '00:00:01:00\t',
    '94ae ',
    '9420 ',
    '942f ',
    'zzzz ',
    ':',
    ';',
    '1325 ',
    '97a1 ',
  ]),
  captionsNamed('srt', srt, [' --> ', '\n', '\n\n', '00:00:01,000', '<i>', '<font ', '{\\', '}', ',', ':']),
  captionsNamed('vtt', vtt, [' --> ', '\n', '\n\n', '00:01.000', '<v ', '&amp;', '<', 'NOTE ', 'STYLE\n', '.', ':']),
  reader(
    'xmp',
    () => [inputOf(embedded.xmp())],
    {
      pieces: [
        ...xmlPieces,
        '<rdf:li>',
        '</rdf:li>',
        '<rdf:Alt>',
        '<rdf:Bag>',
        'rdf:parseType="Resource"',
        '<dc:title>',
        ' xml:lang="x-default"',
      ],
      around: [...elements, ['<rdf:li>', '</rdf:li>']],
    },
    (input) => xmpProperties(textOf(input)),
    { refuses: (error) => error instanceof Error && error.constructor === Error, maxTurn: aside },
  ),
  reader(
    'embedded',
    async () =>
      [
        embedded.jpegWith(embedded.exifSegment(), embedded.xmpSegment(), embedded.iptcSegment()),
        embedded.pngWith(embedded.pngXmp(), embedded.pngExif()),
        embedded.tiffWith(),
        embedded.webpWith(),
        embedded.heifWith('heic').subarray(-5000),
        await embedded.mp4With(),
        embedded.movWith(),
        embedded.pdfWith(),
        await embedded.wavWith(),
        embedded.mp3With(4),
      ].map(small),
    {
      pieces: [
        ...binaryPieces,
        'Exif\0\0',
        '<?xpacket begin=',
        '<?xpacket end=',
        'uuid',
        'moov',
        'udta',
        'XMP_',
        '/Info 2 0 R',
        '/Title (',
        'ID3',
        'TIT2',
      ],
    },
    async (input) => {
      const bytes = bytesOf(input);
      await embeddedProperties(mediaOf({ name: 'a', bytes }), { by: 'mediabunny', tracks: [] }, wanted);
    },
    { maxTurn: aside },
  ),
  reader(
    'iso-bmff',
    async () => [await media.mp4(), await media.mov(), await embedded.mp4With()].map(small),
    {
      pieces: [...binaryPieces, 'ftyp', 'moov', 'trak', 'stsd', 'stts', 'stsz', 'mdat', 'moof', 'elst', 'meta', 'tmcd'],
    },
    probed,
    { maxTurn: aside },
  ),
  reader(
    'media',
    async () =>
      [
        await media.wav({ seconds: 0.1 }),
        await media.mkv(),
        media.png(3, 2),
        media.jpeg(3, 2),
        media.gif(3, 2),
        embedded.mp3With(3),
        embedded.tiffWith(),
        inputBytes(svg),
      ].map(small),
    {},
    probed,
    { maxTurn: aside },
  ),
  reader(
    'jpeg',
    () => Object.values(jpegs).map((bytes) => inputOf(bytes)),
    {
      pieces: [
        ...binaryPieces,
        '\xff\xd8',
        '\xff\xd9',
        '\xff\xda',
        '\xff\xc0',
        '\xff\xc4',
        '\xff\xdb',
        '\xff\xdd',
        '\xff\0',
      ],
    },
    async (input) => {
      await wholePicture(bytesOf(input));
      await readJpeg(bytesOf(input));
    },
  ),
  reader(
    'png',
    () => [media.png(3, 2), embedded.pngWith(embedded.pngXmp())].map((bytes) => inputOf(bytes)),
    { pieces: [...binaryPieces, 'IHDR', 'IDAT', 'IEND', 'PLTE', 'iCCP'] },
    (input) => wholePicture(bytesOf(input)),
  ),
  behind(
    'PUT /thumbnail/:place/:item/:time',
    'picture',
    () => [media.png(3, 2), jpegs.progressive].map((bytes) => inputOf(bytes)),
    {},
    body('application/octet-stream'),
  ),
  reader(
    'xslt',
    () => [fields, clip].map(inputOf),
    {
      pieces: [
        ...xmlPieces,
        '<xsl:value-of select="',
        '<xsl:for-each select="//*">',
        '</xsl:for-each>',
        '<xsl:call-template name="',
        '<xsl:variable name="v" select="',
        '//*',
        '$v',
        'position()',
        ' to ',
        'replace(',
        "'(a+)+b'",
        '@*',
        '..',
        '::',
        '()',
      ],
      around: [
        ...elements,
        ['(', ')'],
        ['<xsl:for-each select="//*">', '</xsl:for-each>'],
        ['<xsl:if test="1">', '</xsl:if>'],
      ],
    },
    (input) => transformHere({ stylesheet: textOf(input), input: sheetInput, now: 0 }),
    { refuses: (error) => error instanceof StylesheetFails, maxTurn: 3 * aside },
  ),
  reader(
    'xslt-input',
    () => ['<clip><name>a</name></clip>', inputOf(sheetInput)],
    { pieces: xmlPieces, around: elements },
    (input) => transformHere({ stylesheet: clip, input: textOf(input), now: 0 }),
    { refuses: (error) => error instanceof StylesheetFails, maxTurn: 3 * aside },
  ),
  behind(
    'POST /item/:item/annotation',
    'svg',
    () => [svg],
    { pieces: [...xmlPieces, '<path d="', '<rect ', '<svg>', 'M1 2', ' x="1"', 'svg:'], around: elements },
    body('application/json', (input) => ({ text: 'a', drawing: textOf(input) })),
  ),
  behind(
    'POST /item/:item/annotation',
    'json-ld',
    () => [
      JSON.stringify(annotation),
      JSON.stringify({ '@context': annotation['@context'], id: 'x:p', type: 'AnnotationPage', items: [annotation] }),
    ],
    { pieces: [...jsonPieces, '"selector":', '"refinedBy":', '"target":', 't=', 'xywh=', '#'] },
    body('application/ld+json'),
  ),
  behind(
    'POST /item/:item/annotation/markers',
    'otio',
    () => [JSON.stringify(otio)],
    { pieces: [...jsonPieces, '"OTIO_SCHEMA":"Clip.2"', '"children":[', '"rate":'] },
    body('application/json'),
  ),
  reader(
    'xmeml',
    () => [xmeml],
    {
      pieces: [...xmlPieces, '<clipitem>', '<sequence>', '<track>', '<rate>'],
      around: [...elements, ['<sequence>', '</sequence>']],
    },
    (input) => readXmeml(textOf(input), defaultLimits),
    { refuses: (error) => error instanceof DocumentError || (error instanceof ServiceError && error.status < 500) },
  ),
  behind(
    'GET /scim/v2/Users',
    'scim-filter',
    () => [
      'userName eq "ann" and (emails.value sw "a" or not (active eq true))',
      'emails[type eq "work" and value co "@"].value pr',
      'meta.lastModified ge "2024-01-01T00:00:00Z"',
      'urn:ietf:params:scim:schemas:core:2.0:User:name.familyName ne null',
    ],
    {
      pieces: [
        ' and ',
        ' or ',
        'not (',
        '(',
        ')',
        '[',
        ']',
        '.',
        '"',
        '\\',
        ' eq ',
        ' pr',
        ' co ',
        'userName',
        'emails',
        'id',
        'meta.',
        'groups',
        'true',
        'null',
        '1',
      ],
    },
    parameter('filter'),
    { maxLength: 4000 },
  ),
  behind(
    'PUT /item',
    'search',
    () => [JSON.stringify(search)],
    { pieces: [...jsonPieces, '"NOW-1DAY"', '"*"', '"field":[', '"operator":[', '"noescape":true,'] },
    body('application/json'),
  ),
  behind(
    'PUT /item',
    'search-text',
    () => ['harbour AND (sea OR "blue ship") -title:rain', '+a* ?b x_note:[a TO b] NOT y~2', '"one two"^3'],
    {
      pieces: [
        ' AND ',
        ' OR ',
        'NOT ',
        '(',
        ')',
        '"',
        '*',
        '?',
        '~',
        '^',
        ':',
        '[',
        ' TO ',
        ']',
        '{',
        '}',
        '+',
        '-',
        '\\',
        'x_note:',
        'a',
        '😀',
      ].map(inputOf),
    },
    body('application/json', (input) => ({
      text: [{ value: textOf(input), noescape: true }],
      highlight: { field: ['x_note'] },
    })),
  ),
  behind(
    'POST /import/metadata-table/preview',
    'csv',
    () => ['itemId,x_note,x_number\r\nVX-1,"a ""b""; c",7\r\nVX-2,,8\r\n', 'itemId;x_note\nVX-1;a\n'],
    { pieces: [',', ';', '\t', '"', '""', '\r\n', '\n', '\r', '\\', '; ', "'", '=1+1', '\ufeff'].map(inputOf) },
    body('text/csv'),
  ),
];

function inputBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
