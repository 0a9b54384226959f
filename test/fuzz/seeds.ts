/** Inputs that the readers take, and the words of their languages. */

export const brackets = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['{"a":', '}'],
] as const;
export const elements = [
  ['<a>', '</a>'],
  ['<span>', '</span>'],
  ['<a b="', '"/>'],
  ['<!--', '-->'],
] as const;
export const xmlPieces = [
  ...['<', '>', '/>', '</', '<!', '<![CDATA[', ']]>', '<?', '?>', '&', '&amp;', '&#0;', '&#x10FFFF;', '&a;'],
  ...['<!DOCTYPE x [<!ENTITY a "b">]>', ' xmlns="u"', ' xmlns:p="u"', 'p:', '"', "'", '=', ' a="b"', '<a/>', '\n', ' '],
  ...['<?xml version="1.1" encoding="UTF-16"?>', '<p begin="1s" end="2s">', '</p>', '<br/>', '<field>', '<value>'],
];
export const jsonPieces = [
  ...['{', '}', '[', ']', ',', ':', '"', '\\', '\\u', '"\\ud800"', '0', '-', '1e999', '.5', 'true', 'null', '{}', '[]'],
  ...['"__proto__":', '""', '"a":', '"value":', '"type":', '"id":', '"name":', '"x",', '[[[', '{"a":[', ' ', '\n'],
];
export const binaryPieces = [
  '\0',
  '\x01',
  '\x7f',
  '\x80',
  '\xff',
  '\xff\xff',
  '\0\0\0\0',
  '\xff\xff\xff\xff',
  '\0\0\0\x08',
];

const field = (name: string, value: string) => ({ name, value: [{ value }] });
export const metadata = {
  timespan: [{ start: '-INF', end: '+INF', field: [field('x_note', 'a'), field('x_number', '7')] }],
};
const xmlNamespace = 'xmlns="http://xml.vidispine.com/schema/vidispine"';
export const metadataXml = `<MetadataDocument ${xmlNamespace}><timespan start="-INF" end="+INF"><field><name>x_note</name><value lang="en">a</value></field><group><name>Segment</name><field><name>seg_title</name><value>b</value></field></group></timespan></MetadataDocument>`;
export const search = {
  ...{
    text: [{ value: 'harbour' }],
    sort: [{ field: 'created', order: 'descending' }],
    highlight: { field: ['title'] },
  },
  field: [
    { name: 'x_note', value: [{ value: 'a*' }] },
    { name: 'created', range: [{ value: [{ value: 'NOW-1YEAR' }, { value: 'NOW/DAY' }] }] },
  ],
  operator: [{ operation: 'NOT', field: [{ name: 'x_number', value: [{ value: '7' }] }] }],
  facet: [{ field: 'mediaType', count: true }],
};
export const tt = `<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001" ttp:tickRate="10000000" xml:lang="en"><body><div><p begin="00:00:01.500" end="00:00:03">one</p><p begin="30f" dur="2s">two <span>more</span><br/></p><p begin="50000000t" end="6s" xml:lang="no">three</p></div></body></tt>`;
export const scc =
  'Scenarist_SCC V1.0\n\n00:00:01:00\t94ae 94ae 9420 9420 9470 9470 c8e5 ecec ef80 942c 942c 942f 942f\n\n00:00:03;15\t942c 942c 9425 9425 94ad 94ad c180\n';
export const vtt =
  'WEBVTT - a film\n\nSTYLE\n::cue { color: red }\n\n1\n00:01.500 --> 00:03.000 line:0\n<v Ann>Fish &amp; <i>chips</i>\n\n01:00:00.000 --> 01:00:01.000\nlater\n';
export const srt = '1\n00:00:01,000 --> 00:00:02,500\n<i>one</i> {\\an8}\n\n2\n00:00:03,000 --> 00:00:04,000\ntwo\n';
export const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><path d="M1 2L3 4"/><rect x="1" y="2" width="3%" height="4e1"/><polyline points="1,2 3,4"></polyline></svg>';
export const annotation = {
  ...{
    '@context': 'http://www.w3.org/ns/anno.jsonld',
    id: 'http://a.example/1',
    type: 'Annotation',
    motivation: 'commenting',
  },
  body: { type: 'TextualBody', value: 'Dark', purpose: 'commenting' },
  target: {
    source: 'http://a.example/#t=1,2&xywh=percent:1,2,3,4',
    selector: { type: 'FragmentSelector', value: 't=npt:10,20', refinedBy: { type: 'SvgSelector', value: svg } },
  },
};
const rate = { OTIO_SCHEMA: 'RationalTime.1', rate: 25, value: 5 };
const range = { OTIO_SCHEMA: 'TimeRange.1', start_time: rate, duration: rate };
const marker = {
  OTIO_SCHEMA: 'Marker.2',
  name: 'a',
  comment: 'b',
  marked_range: range,
  metadata: { portico: { id: '1', state: 'open' } },
};
export const otio = {
  OTIO_SCHEMA: 'Timeline.1',
  tracks: {
    OTIO_SCHEMA: 'Stack.1',
    children: [
      { OTIO_SCHEMA: 'Track.1', children: [{ OTIO_SCHEMA: 'Clip.2', source_range: range, markers: [marker] }] },
    ],
  },
};
const xmemlRate = '<rate><timebase>25</timebase><ntsc>TRUE</ntsc></rate>';
export const xmeml = `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE xmeml>\n<xmeml version="5"><project><name>Feature</name><children><sequence id="s"><name>Cut</name>${xmemlRate}<media><video><track><clipitem>${xmemlRate}<start>0</start><end>50</end><in>25</in><out>75</out><file id="f"><name>one.mov</name><pathurl>file:///a/one.mov</pathurl></file></clipitem><transitionitem><start>10</start><end>20</end></transitionitem></track></video></media></sequence></children></project></xmeml>`;
